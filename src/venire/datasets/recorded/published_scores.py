"""Published scores, one JSON document each: promptfoo's results, inspect's logs, RewardBench 2 by prompt."""

from collections.abc import Mapping
from pathlib import Path

from venire.datasets.complaints import quote
from venire.datasets.files import refused
from venire.datasets.json_text import clean_text
from venire.datasets.recorded.composo import SCORE
from venire.datasets.recorded.votes import Recorded, RecordedLabel, RecordedVote
from venire.domain.annotation import GIVEN
from venire.domain.identity import BEST_OF_N, CriterionId, ItemId, Json
from venire.domain.item import Item, Message, Response

PASS = CriterionId("passes")
GRADES: Mapping[Json, Json] = {"C": "correct", "I": "incorrect"}
"""inspect's letters; P (partial) and N (no answer) stay what they are."""


def is_promptfoo(document: Mapping[str, Json]) -> bool:
    """Whether a document looks like promptfoo's results."""
    inner = document.get("results")
    return isinstance(inner, dict) and isinstance(inner.get("results"), list)


def is_inspect(document: Mapping[str, Json]) -> bool:
    """Whether a document looks like a log of inspect."""
    return "eval" in document and isinstance(document.get("samples"), list)


def is_rewardbench(document: Mapping[str, Json]) -> bool:
    """Whether a document looks like RewardBench 2's scores by prompt: columns side by side."""
    return all(isinstance(document.get(name), list) for name in ("id", "subset")) and "model" in document


def read_promptfoo(document: Mapping[str, Json], path: Path) -> Recorded:
    """Read results: every assertion of a test is a judge that says pass or fail."""
    recorded = Recorded(protocol="pointwise")
    inner = document["results"]
    rows = inner.get("results") if isinstance(inner, dict) else None
    for number, row in enumerate(rows if isinstance(rows, list) else (), start=1):
        told = row if isinstance(row, dict) else {}
        system = _text(_inside(told, "provider", "id")) or None
        item_id = ItemId(f"{told.get('testIdx', number)}/{told.get('promptIdx', 0)}/{system}")
        output = _inside(told, "response", "output")
        prompt = _text(_inside(told, "prompt", "raw"))
        recorded.items[item_id] = Item(
            id=item_id,
            prompt=(Message(role="user", content=prompt),) if prompt else (),
            responses=(Response(text=output if isinstance(output, str) else None, system=system),),
            group=f"test {told.get('testIdx', number)}",
        )
        parts = _inside(told, "gradingResult", "componentResults")
        for place, part in enumerate(parts if isinstance(parts, list) else ()):
            assertion = part.get("assertion") if isinstance(part, dict) else None
            kind = _text(assertion.get("type")) if isinstance(assertion, dict) else ""
            said = part.get("pass") if isinstance(part, dict) else None
            value: Json = "pass" if said is True else "fail" if said is False else None
            judge = f"{kind or 'assertion'} {place + 1}"
            recorded.votes.append(RecordedVote(item_id, (0,), PASS, judge, None, "AB", 0, value, str(path), number))
    return recorded


def read_inspect(document: Mapping[str, Json], path: Path) -> Recorded:
    """Read a log: every scorer is a judge, every epoch of a sample an item; C and I are correct and incorrect."""
    recorded = Recorded(protocol="pointwise")
    system = _text(_inside(document, "eval", "model")) or None
    samples = document["samples"]
    for number, sample in enumerate(samples if isinstance(samples, list) else (), start=1):
        told = sample if isinstance(sample, dict) else {}
        item_id = ItemId(f"{told.get('id', number)}/{told.get('epoch', 1)}")
        asked, target = told.get("input"), told.get("target")
        choices = _inside(told, "output", "choices")
        first = choices[0] if isinstance(choices, list) and choices else {}
        content = _inside(first, "message", "content") if isinstance(first, dict) else None
        recorded.items[item_id] = Item(
            id=item_id,
            prompt=(Message(role="user", content=clean_text(asked)),) if isinstance(asked, str) and asked else (),
            responses=(Response(text=content if isinstance(content, str) else None, system=system),),
            reference=(clean_text(target),) if isinstance(target, str) and target else (),
            group=f"sample {told.get('id', number)}",
        )
        scores = told.get("scores")
        for judge, score in (scores if isinstance(scores, dict) else {}).items():
            written = score.get("value") if isinstance(score, dict) else score
            values = written if isinstance(written, dict) else {SCORE: written}
            for criterion, value in values.items():
                plain = GRADES.get(value, value) if isinstance(value, str) else value
                recorded.votes.append(
                    RecordedVote(
                        item_id, (0,), CriterionId(criterion), str(judge), None, "AB", 0, plain, str(path), number
                    )
                )
    return recorded


def read_rewardbench(document: Mapping[str, Json], path: Path) -> Recorded:
    """Read scores by prompt: every response's score by one model; the first responses, num_correct of them, are right.

    Raises:
        DataError: there are no scores of single responses.
    """
    recorded = Recorded(protocol="pointwise")
    columns = {name: value for name, value in document.items() if isinstance(value, list)}
    if "scores" not in columns:
        raise refused(path, f"there are no scores of single responses; the columns are {sorted(columns)!r}")
    model = _text(document.get("model")) or path.stem
    n_right = columns.get("num_correct", [1] * len(columns["id"]))
    for number, (name, subset, scores, right) in enumerate(
        zip(columns["id"], columns["subset"], columns["scores"], n_right, strict=True), start=1
    ):
        item_id = ItemId(f"{subset}/{name}")
        values = (
            [one[0] if isinstance(one, list) and one else one for one in scores] if isinstance(scores, list) else []
        )
        if not values:
            recorded.noticed[f"rows whose scores are {quote(scores)}: left out"] += 1
            continue
        recorded.items[item_id] = Item(
            id=item_id, responses=tuple(Response(text=None) for _ in values), category=str(subset)
        )
        if right == 1:
            everything = tuple(range(len(values)))
            recorded.labels.append(RecordedLabel(item_id, everything, BEST_OF_N, GIVEN, 0, str(path), number))
        else:
            recorded.noticed["items with several right responses: no single best one"] += 1
        recorded.votes += [
            RecordedVote(item_id, (index,), SCORE, model, None, "AB", 0, value, str(path), number)
            for index, value in enumerate(values)
        ]
    return recorded


def _inside(value: object, *path: str) -> Json:
    """What lies at a path of keys, or None."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value  # type: ignore[return-value]


def _text(value: Json) -> str:
    return clean_text(value) if isinstance(value, str) else ""
