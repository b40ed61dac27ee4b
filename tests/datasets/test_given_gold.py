import pytest

from venire.datasets.complaints import BadValue
from venire.datasets.given_gold import read_gold
from venire.datasets.labels import Asked
from venire.domain.design import Protocol
from venire.domain.identity import Json
from venire.domain.rubric import Rubric, Value

from .makers import BETTER, CORRECT, RATED, TWO, item


def gold(
    written: Json,
    *systems: str,
    rubric: Rubric = CORRECT,
    protocol: Protocol = "pointwise",
    best_of: bool = False,
) -> list[tuple[tuple[int, ...], str, Value]]:
    asked = Asked(protocol=protocol, rubric=rubric, best_of=best_of)
    annotations = read_gold(written, item=item("q1", *systems), asked=asked, untyped=False)
    assert all(annotation.annotator == "given" for annotation in annotations)
    return [(a.subject.responses, a.criterion_id, a.value) for a in annotations]


@pytest.mark.parametrize(
    ("written", "labels"),
    [
        ("correct", {}),
        (["correct", None], {}),
        ({"x": "incorrect", "y": None}, {}),
    ],
)
def test_null_gives_no_label_where_others_do(written: Json, labels: dict[int, str]) -> None:
    systems = ("x",) if isinstance(written, str) else ("x", "y")

    assert [entry[0] for entry in gold(written, *systems)] == [(0,)]


def test_a_list_is_in_the_order_of_the_responses() -> None:
    assert gold([5, 1], "x", "y", rubric=RATED) == [((0,), "quality", 5), ((1,), "quality", 1)]


def test_a_mapping_names_systems() -> None:
    assert gold({"y": "correct"}, "x", "y") == [((1,), "correct", "correct")]


def test_several_criteria_are_named() -> None:
    written: Json = {"quality": [2, None], "correct": {"y": "correct"}}

    assert gold(written, "x", "y", rubric=TWO) == [((0,), "quality", 2), ((1,), "correct", "correct")]


def test_a_single_criterion_may_be_named_too() -> None:
    assert gold({"correct": "incorrect"}, "x") == [((0,), "correct", "incorrect")]


def test_a_system_named_like_the_criterion_is_the_system() -> None:
    assert gold({"correct": "incorrect"}, "x", "correct") == [((1,), "correct", "incorrect")]


@pytest.mark.parametrize(("written", "value"), [(0, 0), ("y", 1), ("Tie", "tie"), ({"better": "both bad"}, "both_bad")])
def test_a_comparison_is_about_both_responses(written: Json, value: Value) -> None:
    assert gold(written, "x", "y", rubric=BETTER, protocol="pairwise") == [((0, 1), "better", value)]


def test_a_list_comparison_is_about_all_responses() -> None:
    assert gold(2, "x", "y", "z", rubric=BETTER, protocol="listwise") == [((0, 1, 2), "better", 2)]


def test_no_gold_is_no_annotation() -> None:
    assert gold(None, "x", "y") == []


def test_a_pair_among_three_needs_a_file_of_annotations() -> None:
    with pytest.raises(BadValue, match="--annotations"):
        gold("x", "x", "y", "z", rubric=BETTER, protocol="pairwise")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("correct", "one label for 2 responses"),
        (["correct"], "lists 1 labels for 2 responses"),
        ({"z": "correct"}, r"gold names \['z'\]"),
        (True, "one label for 2 responses"),
    ],
)
def test_gold_that_fits_no_response_is_refused(written: Json, said: str) -> None:
    with pytest.raises(BadValue, match=said):
        gold(written, "x", "y")


@pytest.mark.parametrize(
    ("written", "said"), [(3, "several criteria"), ({"qualty": 3}, "'qualty' is not in the rubric")]
)
def test_gold_for_unclear_criteria_is_refused(written: Json, said: str) -> None:
    with pytest.raises(BadValue, match=said):
        gold(written, "x", rubric=TWO)


@pytest.mark.parametrize("written", [[0], {"x": 1}, 2, "z", True])
def test_a_comparison_takes_one_choice(written: Json) -> None:
    with pytest.raises(BadValue):
        gold(written, "x", "y", rubric=BETTER, protocol="pairwise")


def test_all_bad_labels_of_a_row_are_said() -> None:
    with pytest.raises(BadValue) as error:
        gold({"quality": [9, 0], "correct": ["yes", "correct"]}, "x", "y", rubric=TWO)

    assert [message.split(" is ")[0] for message in error.value.messages] == ["label 9", "label 0", "label 'yes'"]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        (1, [((0, 1), "best_of_n", 1)]),
        ("y", [((0, 1), "best_of_n", 1)]),
        ({"best_of_n": 0}, [((0, 1), "best_of_n", 0)]),
        ({"best_of_n": "x", "y": 4}, [((1,), "quality", 4), ((0, 1), "best_of_n", 0)]),
        ({"best_of_n": None, "y": 4}, [((1,), "quality", 4)]),
        ([5, 1], [((0,), "quality", 5), ((1,), "quality", 1)]),
    ],
)
def test_the_best_of_the_responses_may_be_given(written: Json, found: list[tuple[tuple[int, ...], str, Value]]) -> None:
    assert gold(written, "x", "y", rubric=RATED, best_of=True) == found


def test_the_best_stands_beside_several_criteria() -> None:
    written: Json = {"quality": [2, None], "best_of_n": 1}

    assert [entry[1] for entry in gold(written, "x", "y", rubric=TWO, best_of=True)] == ["quality", "best_of_n"]


@pytest.mark.parametrize("written", [2, "z", "tie", {"best_of_n": "z"}, {"best_of_n": 7, "y": 4}])
def test_a_best_response_that_there_is_not_is_refused(written: Json) -> None:
    with pytest.raises(BadValue, match=r"expected one of \[0, 1, 'x', 'y'\]"):
        gold(written, "x", "y", rubric=RATED, best_of=True)


def test_one_response_has_no_best() -> None:
    assert gold(4, "x", rubric=RATED, best_of=True) == [((0,), "quality", 4)]
    with pytest.raises(BadValue, match="has one response"):
        gold({"best_of_n": 0}, "x", rubric=RATED, best_of=True)
