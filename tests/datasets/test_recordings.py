import json
from collections.abc import Mapping

import pytest

from venire.ballots.form import Ballot
from venire.ballots.read import read_ballot
from venire.datasets.recordings import read_recordings
from venire.domain.ballot import BallotForm
from venire.domain.call import Choice
from venire.domain.design import Protocol
from venire.domain.identity import ItemId
from venire.domain.judgment import Label
from venire.domain.recording import RecordingKey
from venire.domain.rubric import Rubric
from venire.errors import DataError

from .makers import BETTER, CORRECT, RATED, TWO, file_of, lines


def recordings(
    *rows: Mapping[str, object], protocol: Protocol = "pointwise", rubric: Rubric = CORRECT
) -> Mapping[RecordingKey, str]:
    with file_of(lines(*rows)) as path:
        return read_recordings(path, rubric=rubric, protocol=protocol)


def key(*shown: int, sample: int = 0) -> RecordingKey:
    return RecordingKey(item_id=ItemId("q1"), shown=shown, sample=sample)


@pytest.mark.parametrize(
    ("row", "rubric", "reply"),
    [
        ({"label": "Correct "}, CORRECT, '{"correct":"correct"}'),
        ({"label": 4}, RATED, '{"quality":4}'),
        ({"label": {"quality": 2, "correct": "incorrect"}}, TWO, '{"correct":"incorrect","quality":2}'),
        ({"label": "cannot_assess"}, RATED, '{"quality":"cannot_assess"}'),
        ({"text": "I say: [[5]]"}, RATED, "I say: [[5]]"),
        ({"text": ""}, RATED, ""),
    ],
)
def test_a_label_becomes_the_reply_and_a_text_stays(row: dict[str, object], rubric: Rubric, reply: str) -> None:
    assert recordings({"item": "q1", **row}, rubric=rubric) == {key(0): reply}


@pytest.mark.parametrize(
    ("shown", "label", "letter"),
    [([0, 1], 0, "A"), ([1, 0], 0, "B"), ([1, 0], 1, "A"), ([0, 2], 2, "B"), ([0, 1], "Tie", "tie")],
)
def test_a_choice_is_written_as_the_letter_shown(shown: list[int], label: object, letter: str) -> None:
    row = {"item": "q1", "shown": shown, "label": label}

    assert recordings(row, protocol="pairwise", rubric=BETTER) == {
        key(*shown): json.dumps({"better": letter}, separators=(",", ":"))
    }


def test_what_is_shown_has_a_default() -> None:
    row = {"item": "q1", "label": "correct"}

    assert list(recordings(row, {**row, "response": 2})) == [key(0), key(2)]
    assert list(recordings({**row, "label": 1}, protocol="pairwise", rubric=BETTER)) == [key(0, 1)]


def test_samples_are_kept_apart() -> None:
    rows = [{"item": "q1", "sample": k, "label": "correct"} for k in (0, 1)]

    assert list(recordings(*rows)) == [key(0), key(0, sample=1)]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"item": None, "label": "correct"}, "the id is missing"),
        ({}, "either a label or a text"),
        ({"label": "correct", "text": "x"}, "either a label or a text"),
        ({"label": "maybe"}, "not on the scale"),
        ({"text": 3}, "text is 3"),
        ({"label": "correct", "sample": -1}, "sample is -1"),
        ({"label": "correct", "response": True}, "response is True"),
        ({"label": "correct", "shown": [0, 1]}, "a list of 1 response indices"),
        ({"label": "correct", "shown": [0], "response": 0}, "both response and shown"),
        ({"label": {"other": "correct"}}, "one label for each criterion"),
    ],
)
def test_a_wrong_line_is_a_problem(row: dict[str, object], said: str) -> None:
    with pytest.raises(DataError) as error:
        recordings({"item": "q1", **row})

    assert said in error.value.problems[0].message


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"response": 0}, "needs shown"),
        ({"shown": [0]}, "a list of 2 response indices"),
        ({"shown": [1, 1]}, "names one response twice"),
        ({"shown": [0, 2]}, "expected one of [0, 2"),
    ],
)
def test_a_wrong_comparison_is_a_problem(row: dict[str, object], said: str) -> None:
    with pytest.raises(DataError) as error:
        recordings({"item": "q1", "label": 1, **row}, protocol="pairwise", rubric=BETTER)

    assert said in error.value.problems[0].message


def test_a_list_must_say_what_was_shown() -> None:
    with pytest.raises(DataError, match="a list of 2 to 26 response indices"):
        recordings({"item": "q1", "label": 0}, protocol="listwise", rubric=BETTER)


def test_all_problems_are_said_at_once() -> None:
    row = {"item": "q1", "label": "correct"}

    with pytest.raises(DataError) as error:
        recordings(row, row, {**row, "label": "incorrect"}, {**row, "response": -1})

    assert [problem.line for problem in error.value.problems] == [2, 3, 4]


def test_csv_is_refused() -> None:
    with (
        file_of("item,label\nq1,correct\n", "r.csv") as path,
        pytest.raises(DataError, match=r"from \.jsonl or \.json"),
    ):
        read_recordings(path, rubric=CORRECT, protocol="pointwise")


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(DataError, match="the file is empty"):
        recordings()


@pytest.mark.parametrize("shown", [(0, 1), (1, 0), (0, 2), (2, 0)])
def test_the_reply_is_read_back_as_the_label(shown: tuple[int, int]) -> None:
    (reply,) = recordings(
        {"item": "q1", "shown": list(shown), "label": shown[1]}, protocol="pairwise", rubric=BETTER
    ).values()

    (reading,) = read_ballot(
        Ballot(rubric=BETTER, form=BallotForm(), n_shown=2), Choice(text=reply, finish_reason="stop"), shown
    )

    assert reading.outcome == Label(value=shown[1])
