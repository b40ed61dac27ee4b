"""A plain table of judgments: one row for each, with item, judge and a label or score.

    item, judge, label | score | value            needed; an empty cell or null is a judgment that cannot be read
    prompt, sample, order (AB | BA), criterion    where there are several
    response                                      pointwise: the index judged, by default 0

In comparisons a label is A or B (the item's first or second response, whatever was shown first), an index, tie or
both_bad. The items are a file of their own: rows of venire's items, or rows with nothing but an id.
"""

from collections.abc import Mapping
from pathlib import Path

from venire.datasets.complaints import quote
from venire.datasets.json_text import as_object, clean_value
from venire.datasets.recorded.records import Record, read_records
from venire.datasets.recorded.tidy import BETTER, SIDES
from venire.datasets.recorded.votes import Recorded, RecordedLabel, RecordedOrder, RecordedVote
from venire.domain.annotation import GIVEN
from venire.domain.identity import CriterionId, ItemId, Json
from venire.domain.item import Item, Message, Response
from venire.errors import Problem

ITEM, VALUE = ("item", "item_id"), ("label", "score", "value")
VERDICT = CriterionId("verdict")
COMPARING = frozenset({"A", "B", "tie", "both_bad"})


def is_table(judgment: Mapping[str, Json]) -> bool:
    """Whether a first row looks like this form."""
    return "judge" in judgment and any(name in judgment for name in ITEM) and any(name in judgment for name in VALUE)


def read_table(items: Path, judgments: Path) -> Recorded:
    """Read both files.

    Raises:
        DataError: a file cannot be read; other problems are gathered.
    """
    rows = list(read_records(judgments))
    values = {_value(record.fields) for record in rows} - {None}
    compares = bool(values & {"A", "B"}) and values <= COMPARING
    recorded = Recorded(protocol="pairwise" if compares else "pointwise")
    criteria = {_criterion(record.fields, recorded) for record in rows}
    for record in read_records(items):
        _take_item(record, recorded, criteria)
    for record in rows:
        _take_judgment(record, recorded)
    return recorded


def _take_item(record: Record, recorded: Recorded, criteria: set[CriterionId]) -> None:
    fields = as_object(clean_value(record.fields))
    item_id = ItemId(str(fields.get("id", fields.get("item", fields.get("item_id")))))
    if item_id in recorded.items or item_id == "None":
        recorded.problems.append(record.problem("every item needs an id of its own"))
        return
    prompt, gold = fields.get("prompt"), fields.get("gold")
    written = fields.get("responses", fields.get("response"))
    responses = written if isinstance(written, list) else [written]
    if recorded.protocol == "pairwise" and len(responses) < 2:
        responses = [*responses, None]
    reference, category = fields.get("reference"), fields.get("category")
    recorded.items[item_id] = Item(
        id=item_id,
        prompt=(Message(role="user", content=prompt),) if isinstance(prompt, str) and prompt else (),
        responses=tuple(_response(one) for one in responses),
        reference=(str(reference),) if reference is not None and not isinstance(reference, list) else (),
        category=None if category is None else str(category),
        group=str(fields.get("group") or ""),
    )
    by_criterion = gold if isinstance(gold, dict) else dict.fromkeys(sorted(criteria)[:1], gold)
    for name, value in by_criterion.items():
        if value is not None and len(criteria) >= 1:
            subject = (0, 1) if recorded.protocol == "pairwise" else (0,)
            label = SIDES.get(str(value), value) if recorded.protocol == "pairwise" else value
            recorded.labels.append(
                RecordedLabel(item_id, subject, CriterionId(name), GIVEN, label, record.file, record.line)
            )


def _response(written: Json) -> Response:
    if isinstance(written, dict):
        text, system = written.get("text"), written.get("system", written.get("model"))
        return Response(text=text if isinstance(text, str) else None, system=None if system is None else str(system))
    return Response(text=written if isinstance(written, str) else None)


def _take_judgment(record: Record, recorded: Recorded) -> None:
    fields = record.fields
    item_id = ItemId(str(next((fields[name] for name in ITEM if name in fields), None)))
    judge, prompt = fields.get("judge"), fields.get("prompt")
    if item_id not in recorded.items:
        recorded.problems.append(_problem(record, f"there is no item {item_id!r}"))
        return
    if not isinstance(judge, str) or not judge:
        recorded.problems.append(_problem(record, f"judge is {quote(judge)}; a name was expected"))
        return
    order, sample = _order(fields.get("order")), _whole(fields.get("sample"))
    index = _whole(fields.get("response"))
    if order is None or sample is None or index is None:
        recorded.problems.append(
            _problem(
                record,
                f"order {quote(fields.get('order'))}, sample {quote(fields.get('sample'))}, response "
                f"{quote(fields.get('response'))}; AB or BA and whole numbers from 0 were expected",
            )
        )
        return
    n_responses = len(recorded.items[item_id].responses)
    if index >= n_responses:
        recorded.problems.append(_problem(record, f"response is {index}, but the item has {n_responses}"))
        return
    value = _value(fields)
    side = SIDES.get(str(value), value) if recorded.protocol == "pairwise" else value
    recorded.votes.append(
        RecordedVote(
            item_id,
            (0, 1) if recorded.protocol == "pairwise" else (index,),
            _criterion(fields, recorded),
            judge,
            None if prompt in (None, "") else str(prompt),
            order,
            sample,
            side,
            record.file,
            record.line,
        )
    )
    family = fields.get("family")
    if isinstance(family, str) and family:
        recorded.families.setdefault(judge, family)


def _criterion(fields: Mapping[str, Json], recorded: Recorded) -> CriterionId:
    written = fields.get("criterion")
    if written in (None, ""):
        return BETTER if recorded.protocol == "pairwise" else VERDICT
    return CriterionId(str(written))


def _value(fields: Mapping[str, Json]) -> str | int | float | None:
    written = next((fields[name] for name in VALUE if fields.get(name) not in (None, "")), None)
    if isinstance(written, bool):
        return "true" if written else "false"
    if isinstance(written, str) and "score" in fields:  # CSV has no numbers
        try:
            return float(written) if "." in written else int(written)
        except ValueError:
            return written
    return written if isinstance(written, str | int | float) else None


def _order(written: Json) -> RecordedOrder | None:
    return "AB" if written in (None, "", "AB") else "BA" if written == "BA" else None


def _whole(written: Json) -> int | None:
    if written in (None, ""):
        return 0
    if isinstance(written, int) and not isinstance(written, bool):
        return written if written >= 0 else None
    return int(written) if isinstance(written, str) and written.isdigit() else None


def _problem(record: Record, message: str) -> Problem:
    return record.problem(message, key="item" if "item" in record.fields else "item_id")
