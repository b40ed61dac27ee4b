import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.datasets.gold import gold_of
from venire.domain.annotation import Annotation, Gold
from venire.domain.identity import CriterionId, ItemId
from venire.domain.item import Subject
from venire.domain.rubric import Value
from venire.errors import UsageError


def said(value: Value, annotator: str, item: str = "q1", responses: tuple[int, ...] = (0,)) -> Annotation:
    subject = Subject(item_id=ItemId(item), responses=responses)
    return Annotation(subject=subject, criterion_id=CriterionId("c"), annotator=annotator, value=value)


def votes(*values: Value, responses: tuple[int, ...] = (0,)) -> tuple[Gold, ...]:
    return gold_of(said(value, f"p{number}", responses=responses) for number, value in enumerate(values))


def test_a_given_label_wins_over_people() -> None:
    (gold,) = gold_of([said("a", "anna"), said("a", "ben"), said("b", "given")])

    assert (gold.value, gold.reason, gold.n_annotators) == ("b", "given", 1)


@pytest.mark.parametrize("values", [("a",), ("a", "a", "b"), ("b", "a", "a", "a")])
def test_more_than_half_of_the_people_decide(values: tuple[str, ...]) -> None:
    (gold,) = votes(*values)

    assert (gold.value, gold.reason, gold.n_annotators) == ("a", "majority", len(values))


@pytest.mark.parametrize("values", [("a", "b"), ("a", "b", "c"), ("a", "a", "b", "c"), ("a", "b", "b", "a")])
def test_without_more_than_half_there_is_no_gold(values: tuple[str, ...]) -> None:
    assert votes(*values) == ()


@pytest.mark.parametrize(("numbers", "mean"), [((3,), 3), ((1, 2), 1.5), ((1, 1, 4), 2.0), ((4, 4), 4)])
def test_numbers_are_averaged(numbers: tuple[int, ...], mean: float) -> None:
    (gold,) = votes(*numbers)

    assert gold.value == mean


def test_the_index_of_a_response_is_no_number() -> None:
    assert votes(0, 1, responses=(0, 1)) == ()
    assert votes(0, 1, 1, responses=(0, 1))[0].value == 1
    assert votes(0, "tie", "tie", responses=(0, 1))[0].value == "tie"


def test_one_annotator_with_two_labels_is_a_mistake() -> None:
    with pytest.raises(UsageError, match="'anna' gave item 'q1', criterion 'c', two labels: 'a' and 'b'"):
        gold_of([said("a", "anna"), said("b", "anna")])


def test_one_annotation_met_twice_counts_once() -> None:
    assert gold_of([said("a", "anna"), said("a", "anna"), said("b", "ben")]) == ()


def test_no_annotations_give_no_gold() -> None:
    assert gold_of([]) == ()


CROWD = [said(v, p, i) for i in ("q2", "q10", "q1") for p, v in (("anna", 1), ("ben", 3), ("cleo", 4))]


@given(st.permutations(CROWD))
def test_the_order_of_annotations_does_not_matter(annotations: list[Annotation]) -> None:
    assert gold_of(annotations) == gold_of(CROWD)
