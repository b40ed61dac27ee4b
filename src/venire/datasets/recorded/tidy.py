"""The tidy form: items with answers, people's labels and gold; judgments with judge, prompt, order and sample.

items: id, task (reference | pairwise | rating), prompt (text or turns), answers [{model, text}], reference, human
[{annotator, label | scores}], gold. judgments: item_id, judge, family, prompt, order (AB | BA | both | null), sample,
label or scores. A file meta.json beside the items may tell the scale.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from venire.datasets.complaints import quote
from venire.datasets.json_text import as_object, clean_value
from venire.datasets.recorded.records import Record, read_records
from venire.datasets.recorded.votes import Recorded, RecordedLabel, RecordedOrder, RecordedVote
from venire.domain.annotation import GIVEN
from venire.domain.design import Protocol
from venire.domain.identity import CriterionId, ItemId, Json
from venire.domain.item import Item, Message, Response
from venire.domain.rubric import IntervalScale

CORRECT, BETTER = CriterionId("correct"), CriterionId("better")
PROTOCOLS: Mapping[str, Protocol] = {"reference": "pointwise", "rating": "pointwise", "pairwise": "pairwise"}
SIDES: Mapping[str, Json] = {"A": 0, "B": 1, "tie": "tie", "both_bad": "both_bad"}


def is_tidy(item: Mapping[str, Json], judgment: Mapping[str, Json]) -> bool:
    """Whether first rows look like this form."""
    return {"id", "task", "answers"} <= item.keys() and {"item_id", "judge"} <= judgment.keys()


def read_tidy(items: Path, judgments: Path) -> Recorded:
    """Read both files.

    Raises:
        DataError: a file cannot be read; other problems are gathered.
    """
    records = read_records(items)
    first = next(records)
    task = first.fields.get("task")
    if task not in PROTOCOLS:
        raise first.error(f"task is {quote(task)}; one of {', '.join(PROTOCOLS)} was expected")
    recorded = Recorded(protocol=PROTOCOLS[str(task)])
    _read_scale(items.with_name("meta.json"), recorded)
    for record in (first, *records):
        if record.fields.get("task") != task:
            recorded.problems.append(
                record.problem(f"task is {quote(record.fields.get('task'))}, but the first item's is {quote(task)}")
            )
            continue
        _take_item(record, recorded)
    for record in read_records(judgments):
        _take_judgment(record, recorded)
    return recorded


def _read_scale(meta: Path, recorded: Recorded) -> None:
    if not meta.is_file():
        return
    told = json.loads(meta.read_text(encoding="utf-8"))
    scale, dims = told.get("scale"), told.get("dims", [])
    for dim in dims:
        bounds = scale.get(dim) if isinstance(scale, dict) else scale
        if isinstance(bounds, list) and len(bounds) == 2:
            low, high = float(bounds[0]), float(bounds[1])
            recorded.scales[CriterionId(dim)] = IntervalScale(min=low, max=high, integer=False)


def _take_item(record: Record, recorded: Recorded) -> None:
    fields = as_object(clean_value(record.fields))
    answers = fields.get("answers")
    if not isinstance(answers, list) or not answers:
        recorded.problems.append(record.problem(f"answers is {quote(answers)}; a list of responses was expected"))
        return
    item_id = ItemId(str(fields["id"]))
    if item_id in recorded.items:
        recorded.problems.append(record.problem("the id was used before; every item needs its own"))
        return
    group = next((fields[name] for name in ("question_id", "prompt_id") if fields.get(name) is not None), "")
    subset, reference = fields.get("subset"), fields.get("reference")
    recorded.items[item_id] = Item(
        id=item_id,
        prompt=tuple(Message(role="user", content=turn) for turn in _turns(fields.get("prompt"))),
        responses=tuple(_response(answer, recorded) for answer in answers),
        reference=tuple(str(one) for one in reference) if isinstance(reference, list) else (),
        context=_context(fields),
        category=str(subset) if subset is not None else None,
        group=str(group),
    )
    _take_labels(record, item_id, recorded)


def _context(fields: Mapping[str, Json]) -> str | None:
    parts = [value for name in ("context", "input") if isinstance(value := fields.get(name), str) and value]
    return "\n\n".join(parts) or None


def _turns(prompt: Json) -> Sequence[str]:
    if isinstance(prompt, list):
        return [str(turn) for turn in prompt]
    return [prompt] if isinstance(prompt, str) else []


def _response(answer: Json, recorded: Recorded) -> Response:
    told = answer if isinstance(answer, dict) else {}
    text, model = told.get("text"), told.get("model")
    if isinstance(text, list):
        text = "\n\n".join(str(turn) for turn in text)
    elif isinstance(text, bool):
        recorded.noticed["responses whose text is true or false: kept as missing"] += 1
        text = None
    elif text is None:
        recorded.noticed["responses without text"] += 1
    if isinstance(model, list):
        if len(model) > 1:
            recorded.noticed["responses that several systems gave: their system is left out"] += 1
        model = model[0] if len(model) == 1 else None
    return Response(text=text if isinstance(text, str) else None, system=None if model is None else str(model))


def _take_labels(record: Record, item_id: ItemId, recorded: Recorded) -> None:
    written = record.fields.get("human")
    people = written if isinstance(written, list) else []
    given: list[tuple[str, Json]] = [
        (str(one.get("annotator", "unknown")), one.get("scores", one.get("label")))
        for one in people
        if isinstance(one, dict)
    ]
    gold = record.fields.get("gold")
    if gold is None:
        recorded.noticed["items without gold"] += 1
    for annotator, label in [*given, (GIVEN, gold)]:
        for criterion_id, value in _by_criterion(label, recorded.protocol).items():
            if value is not None:
                responses = (0, 1) if recorded.protocol == "pairwise" else (0,)
                recorded.labels.append(
                    RecordedLabel(item_id, responses, criterion_id, annotator, value, record.file, record.line)
                )


def _by_criterion(label: Json, protocol: Protocol) -> Mapping[CriterionId, Json]:
    """A label, or scores by dimension, as values by criterion."""
    if isinstance(label, dict):
        return {CriterionId(name): value for name, value in label.items()}
    if protocol == "pairwise":
        return {BETTER: SIDES.get(str(label), label)}
    return {CORRECT: label}


def _take_judgment(record: Record, recorded: Recorded) -> None:
    fields = record.fields
    item_id = ItemId(str(fields.get("item_id")))
    judge = fields.get("judge")
    if item_id not in recorded.items:
        recorded.problems.append(record.problem("there is no item with this id", key="item_id"))
        return
    if not isinstance(judge, str) or not judge:
        recorded.problems.append(record.problem(f"judge is {quote(judge)}; a name was expected", key="item_id"))
        return
    prompt, family, sample = fields.get("prompt"), fields.get("family"), fields.get("sample")
    if isinstance(family, str):
        recorded.families.setdefault(judge, family)
    order = _order(fields.get("order"), recorded)
    if order is None:
        recorded.problems.append(record.problem(f"order is {quote(fields.get('order'))}; AB, BA or both was expected"))
        return
    responses = (0, 1) if recorded.protocol == "pairwise" else (0,)
    label = fields["scores"] if "scores" in fields else fields.get("label")
    if label is None and recorded.scales:
        label = dict.fromkeys(recorded.scales)
    for criterion_id, value in _by_criterion(label, recorded.protocol).items():
        recorded.votes.append(
            RecordedVote(
                item_id,
                responses,
                criterion_id,
                judge,
                None if prompt is None else str(prompt),
                order,
                sample if isinstance(sample, int) else 0,
                value,
                record.file,
                record.line,
            )
        )


def _order(written: Json, recorded: Recorded) -> RecordedOrder | None:
    match written:
        case None | "AB":
            return "AB"
        case "BA":
            return "BA"
        case "both":
            recorded.noticed["judgments merged from both orders by whoever recorded them: kept as order AB"] += 1
            return "AB"
        case _:
            return None
