"""Reading recordings: replies that a judge gave elsewhere, one a line, for the recorded provider.

    {"item": "q1",
     "response": 0,                    pointwise: the index shown, by default 0
     "shown": [1, 0],                  comparisons: the indices in the order shown; pairwise by default [0, 1]
     "sample": 0,                      which of several draws, by default 0
     "label": …}                       or "text": "the raw reply"

A label becomes the JSON reply that a judge would have written. With several criteria it is {criterion: label}.
In comparisons it is the index of the better response, "tie" or "both_bad", and is written as the letter shown.
"cannot_assess" is a label that every criterion takes. A reply that no label describes is given as text.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from venire.ballots.form import letters
from venire.datasets.complaints import BadValue, Complaints, quote
from venire.datasets.files import kind_of, refused
from venire.datasets.item_fields import MAX_LISTED
from venire.datasets.labels import Asked, Candidates, only_criterion, read_label
from venire.datasets.rows import Row, read_id, read_rows
from venire.datasets.seen import Seen
from venire.domain.design import Protocol
from venire.domain.identity import Json, canonical_json
from venire.domain.recording import RecordingKey
from venire.domain.rubric import CANNOT_ASSESS, ChoiceScale, Criterion, Rubric, Value
from venire.errors import DataError, Problem


def read_recordings(path: Path, *, rubric: Rubric, protocol: Protocol) -> Mapping[RecordingKey, str]:
    """The recorded replies of a JSONL or JSON file, plain or .gz, in file order.

    Raises:
        DataError: with every problem of the file; or it holds no row; or it cannot be read.
    """
    if kind_of(path) == "csv":
        raise refused(path, "recordings are read from .jsonl or .json, which tell numbers from text. Convert the file.")
    reading = _Reading(Asked(protocol=protocol, rubric=rubric))
    try:
        for row in read_rows(path, dict):
            reading.take(row)
    except DataError as refusal:
        raise DataError((*reading.problems, *refusal.problems)) from refusal
    if reading.problems:
        raise DataError(tuple(reading.problems), "Mend these lines.")
    if not reading.replies:
        raise refused(path, "the file is empty; it has no row")
    return reading.replies


class _Reading:
    """The state of one reading: lines come in one by one."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._seen: Seen[RecordingKey] = Seen()
        self.replies: dict[RecordingKey, str] = {}
        self.problems: list[Problem] = []

    def take(self, row: Row | Problem) -> None:
        """Take one line in."""
        if isinstance(row, Problem):
            self.problems.append(row)
            return
        try:
            key = _key(row.fields, self._asked)
            reply = _reply(row.fields, key.shown, self._asked)
            self._seen.enter(key, row, reply, what=f"a reply for {list(key.shown)!r}, sample {key.sample}")
            self.replies[key] = reply
        except BadValue as error:
            self.problems.extend(row.problem(message, key="item") for message in error.messages)


def _key(fields: Mapping[str, Json], asked: Asked) -> RecordingKey:
    # A table has every column in every row: null is what a line of JSON leaves out.
    fields = {name: value for name, value in fields.items() if value is not None}
    complaints = Complaints()
    item_id = complaints.attempt(read_id, fields.get("item"), otherwise=None)
    shown = complaints.attempt(partial(_shown, protocol=asked.protocol), fields, otherwise=())
    sample = complaints.attempt(partial(_number, "sample"), fields.get("sample", 0), otherwise=0)
    if item_id is None:
        raise complaints.error()
    complaints.settle()
    return RecordingKey(item_id=item_id, shown=shown, sample=sample)


def _shown(fields: Mapping[str, Json], protocol: Protocol) -> tuple[int, ...]:
    written = fields.get("shown")
    if protocol == "pointwise":
        if written is not None and "response" in fields:
            raise BadValue("the line has both response and shown; keep one")
        return (_number("response", fields.get("response", 0)),) if written is None else _indices(written, 1, 1)
    if "response" in fields:
        raise BadValue(f"the line has a response; protocol {protocol} needs shown, the indices in the order shown")
    if protocol == "pairwise":
        return (0, 1) if written is None else _indices(written, 2, 2)
    return _indices(written, 2, MAX_LISTED)


def _indices(written: Json, n_least: int, n_most: int) -> tuple[int, ...]:
    wanted = f"{n_least}" if n_least == n_most else f"{n_least} to {n_most}"
    if not isinstance(written, list) or not n_least <= len(written) <= n_most:
        raise BadValue(
            f"shown is {quote(written)}; a list of {wanted} response indices, in the order shown, was expected"
        )
    shown = tuple(_number("shown", index) for index in written)
    if len(set(shown)) < len(shown):
        raise BadValue(f"shown is {quote(written)}, which names one response twice")
    return shown


def _number(name: str, written: Json) -> int:
    if not isinstance(written, int) or isinstance(written, bool) or written < 0:
        raise BadValue(f"{name} is {quote(written)}; a whole number from 0 was expected")
    return written


def _reply(fields: Mapping[str, Json], shown: tuple[int, ...], asked: Asked) -> str:
    label, text = fields.get("label"), fields.get("text")
    if (label is None) == (text is None):
        raise BadValue("the line must have either a label or a text, the raw reply")
    if text is not None:
        if not isinstance(text, str):
            raise BadValue(f"text is {quote(text)}; the raw reply was expected, in quotes")
        return text
    complaints = Complaints()
    labels = _by_criterion(label, asked.rubric)
    read: dict[str, Json] = {
        criterion.id: complaints.attempt(
            partial(_written_by_judge, criterion=criterion, shown=shown), said, otherwise=""
        )
        for criterion, said in labels
    }
    complaints.settle()
    return canonical_json(read)


def _by_criterion(label: Json, rubric: Rubric) -> list[tuple[Criterion, Json]]:
    only = only_criterion(rubric)
    if only is not None and not isinstance(label, dict):
        return [(only, label)]
    ids: list[str] = [criterion.id for criterion in rubric.criteria]
    if not isinstance(label, dict) or sorted(label) != sorted(ids):
        raise BadValue(
            f"label is {quote(label)}; one label for each criterion was expected: {{criterion: label}} with {ids!r}"
        )
    return [(criterion, label[criterion.id]) for criterion in rubric.criteria]


def _written_by_judge(label: Json, criterion: Criterion, shown: tuple[int, ...]) -> Value:
    if label == CANNOT_ASSESS:
        return CANNOT_ASSESS
    value = read_label(label, criterion, Candidates(indices=shown))
    if isinstance(criterion.scale, ChoiceScale) and isinstance(value, int):
        return letters(len(shown))[shown.index(value)]
    return value
