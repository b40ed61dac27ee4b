import json

import pytest

from venire.datasets.annotations import read_annotations
from venire.domain.annotation import Annotation
from venire.domain.design import Protocol
from venire.domain.identity import ItemId
from venire.domain.item import Item
from venire.domain.rubric import Rubric
from venire.errors import DataError

from .makers import BETTER, CORRECT, RATED, TWO, by_id, file_of, item, lines

ONE = item("q1", "x")
PAIR = item("q2", "x", "y")
THREE = item("q3", "x", "y", None)
LINE = {"item": "q1", "annotator": "anna", "label": "correct"}


def annotations(
    content: str,
    *,
    name: str = "a.jsonl",
    protocol: Protocol = "pointwise",
    rubric: Rubric = CORRECT,
    items: tuple[Item, ...] = (ONE, PAIR, THREE),
    left_out: tuple[str, ...] = (),
    best_of: bool = False,
) -> tuple[Annotation, ...]:
    skipped = [ItemId(one) for one in left_out]
    with file_of(content, name) as path:
        return read_annotations(
            path, by_id(*items), protocol=protocol, rubric=rubric, left_out=skipped, best_of=best_of
        )


def refused(content: str, **how: object) -> list[str]:
    with pytest.raises(DataError) as error:
        annotations(content, **how)  # type: ignore[arg-type]
    return [problem.message for problem in error.value.problems]


@pytest.mark.parametrize(
    ("named", "responses"),
    [({"system": "y"}, (1,)), ({"response": 2}, (2,)), ({"system": "x", "response": 0}, (0,))],
)
def test_a_response_is_named_by_index_or_system(named: dict[str, object], responses: tuple[int, ...]) -> None:
    (found,) = annotations(lines({**LINE, "item": "q3", **named}))

    assert found.subject.responses == responses
    assert (found.criterion_id, found.annotator, found.value) == ("correct", "anna", "correct")


def test_the_only_response_need_not_be_named() -> None:
    assert annotations(lines(LINE))[0].subject.responses == (0,)


@pytest.mark.parametrize("named", [{"systems": ["y", "x"]}, {"responses": [1, 0]}, {}])
def test_a_pair_is_kept_in_the_order_of_the_item(named: dict[str, object]) -> None:
    row = {"item": "q2", "annotator": "anna", "label": "y", **named}

    (found,) = annotations(lines(row), protocol="pairwise", rubric=BETTER)

    assert (found.subject.responses, found.value) == ((0, 1), 1)


def test_a_pair_among_three_is_named_and_labels_keep_the_items_index() -> None:
    row = {"item": "q3", "annotator": "anna", "label": 2, "responses": [2, 0]}

    (found,) = annotations(lines(row), protocol="pairwise", rubric=BETTER)

    assert (found.subject.responses, found.value) == ((0, 2), 2)


def test_a_list_needs_no_names() -> None:
    row = {"item": "q3", "annotator": "anna", "label": "both bad"}

    assert annotations(lines(row), protocol="listwise", rubric=BETTER)[0].subject.responses == (0, 1, 2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"item": None}, "the id is missing"),
        ({"item": "q9"}, "there is no item 'q9'"),
        ({"item": "q3"}, "protocol pointwise needs 1"),
        ({"response": 1}, "the item's responses have the indices [0]"),
        ({"response": True}, "response is True"),
        ({"system": "z"}, "the item's systems are ['x']"),
        ({"systems": ["x"]}, "needs 'response' or 'system'"),
        ({"item": "q3", "system": "x", "response": 1}, "name different responses"),
        ({"criterion": "other"}, "criterion 'other' is not in the rubric"),
        ({"label": "maybe"}, "not on the scale"),
        ({"label": None}, "the label is missing or null"),
        ({"annotator": None}, "the annotator is None"),
        ({"annotator": " "}, "the annotator is ' '"),
    ],
)
def test_a_wrong_line_is_a_problem(change: dict[str, object], said: str) -> None:
    (message,) = refused(lines({**LINE, "annotator": "ben"}, {**LINE, **change}))

    assert said in message


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "protocol pairwise needs 2"),
        ({"system": "x"}, "needs 'responses' or 'systems'"),
        ({"systems": ["x", "x"]}, "names one response twice"),
        ({"responses": [0, 1, 2]}, "the line names 3"),
        ({"responses": [0, 1], "label": 2}, "expected one of [0, 1, 'x', 'y'"),
    ],
)
def test_a_wrong_pair_is_a_problem(change: dict[str, object], said: str) -> None:
    row = {"item": "q3", "annotator": "anna", "label": 0, **change}

    (message,) = refused(lines(row), protocol="pairwise", rubric=BETTER)

    assert said in message


def test_a_criterion_must_be_named_where_there_are_several() -> None:
    (message,) = refused(lines(LINE), rubric=TWO)

    assert "no criterion is named; there are ['correct', 'quality']" in message


def test_exact_and_conflicting_repetitions_are_told_apart() -> None:
    exact, conflicting = refused(lines(LINE, LINE, {**LINE, "label": "incorrect"}))

    assert "repeats line 1 exactly" in exact
    assert "other content ('correct' there, 'incorrect' here)" in conflicting


def test_all_problems_are_said_at_once_with_the_counts() -> None:
    rows = lines(LINE, {**LINE, "item": "q9"}, {**LINE, "annotator": None, "label": "no"})

    with pytest.raises(DataError, match="2 of 3 lines belong to one of the 3 items") as error:
        annotations(rows)

    assert [problem.line for problem in error.value.problems] == [2, 3, 3]


def test_a_file_that_matches_nothing_names_the_first_ids() -> None:
    rows = lines(*({**LINE, "item": f"z{number}"} for number in range(7)))

    (message,) = refused(rows)

    assert "0 of 7 lines belong to one of the 3 items" in message
    assert "'z0', 'z1', 'z2', 'z3', 'z4', … (7 different)" in message


def test_lines_about_items_left_out_are_passed_over() -> None:
    assert annotations(lines(LINE, {**LINE, "item": "q8"}), left_out=("q8",))[0].subject.item_id == "q1"
    assert annotations(lines({**LINE, "item": "q8"}), left_out=("q8",)) == ()


def test_an_empty_file_is_refused() -> None:
    assert refused("\n") == ["the file is empty; it has no row"]


def test_csv_holds_the_same() -> None:
    content = 'item,response,criterion,annotator,label\nq3,1,,7,4\nq1,,quality,7,"5"\n'

    found = annotations(content, name="a.csv", rubric=RATED)

    assert [(a.subject.responses, a.annotator, a.value) for a in found] == [((1,), "7", 4), ((0,), "7", 5)]


def test_csv_pairs_are_json_lists() -> None:
    content = 'item,systems,annotator,label\nq3,"[""y"", ""x""]",anna,1\n'

    (found,) = annotations(content, name="a.csv", protocol="pairwise", rubric=BETTER)

    assert (found.subject.responses, found.value) == ((0, 1), 1)


def test_ids_are_matched_as_text() -> None:
    found = annotations(json.dumps({**LINE, "item": 17}), items=(item("17", "x"), item("0017", "x")))

    assert found[0].subject.item_id == "17"


@pytest.mark.parametrize("label", [1, "y"])
def test_a_person_may_name_the_best_of_all_responses(label: int | str) -> None:
    line = {"item": "q2", "annotator": "anna", "criterion": "best_of_n", "label": label}

    (found,) = annotations(lines(line), rubric=RATED, best_of=True)

    assert (found.subject.responses, found.criterion_id, found.value) == ((0, 1), "best_of_n", 1)


@pytest.mark.parametrize(
    ("fields", "best_of", "words"),
    [
        ({}, False, "is for designs with aggregation.best_of"),
        ({"response": 1}, True, "the line has ['response']"),
        ({"label": "z"}, True, "expected one of [0, 1, 'x', 'y']"),
        ({"item": "q1"}, True, "has one response"),
    ],
)
def test_a_best_response_that_cannot_be_meant_is_refused(fields: dict[str, object], best_of: bool, words: str) -> None:
    line = {"item": "q2", "annotator": "anna", "criterion": "best_of_n", "label": 1, **fields}

    (message,) = refused(lines(line), rubric=RATED, best_of=best_of)

    assert words in message
