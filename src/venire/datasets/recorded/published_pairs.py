"""Published comparisons: the annotations of alpaca_eval, and the model judgments of arena-hard."""

from collections.abc import Mapping
from pathlib import Path

from venire.datasets.complaints import quote
from venire.datasets.json_text import clean_text
from venire.datasets.recorded.records import Record, read_records
from venire.datasets.recorded.tidy import BETTER
from venire.datasets.recorded.votes import Recorded, RecordedOrder, RecordedVote
from venire.domain.identity import ItemId, Json
from venire.domain.item import Item, Message, Response

GRADED = "graded preferences: the label is the side that is preferred, how much is not kept"
VERDICTS: Mapping[str, Json] = {
    "A>>B": 0,
    "A>B": 0,
    "A=B": "tie",
    "B=A": "tie",
    "B>A": 1,
    "B>>A": 1,
    "A<B": 1,
    "A<<B": 1,
}
STRONG = "strong verdicts (A>>B): kept as the same side, how much is not kept"


def is_alpaca(row: Mapping[str, Json]) -> bool:
    """Whether a first row looks like an annotation of alpaca_eval."""
    return {"instruction", "output_1", "output_2", "preference"} <= row.keys()


def is_arena(row: Mapping[str, Json]) -> bool:
    """Whether a first row looks like a judgment of arena-hard."""
    return {"games", "judge", "model"} <= row.keys()


def read_alpaca(path: Path) -> Recorded:
    """Read annotations: preference 1 is output_1, 2 is output_2, 1.5 a tie, numbers between how likely output_2 is.

    Raises:
        DataError: the file cannot be read; other problems are gathered.
    """
    recorded = Recorded(protocol="pairwise")
    known: dict[tuple[str, ...], ItemId] = {}
    for record in read_records(path):
        fields = record.fields
        texts = [clean_text(str(fields.get(name) or "")) for name in ("instruction", "output_1", "output_2")]
        names = [str(fields.get(name)) if fields.get(name) else None for name in ("generator_1", "generator_2")]
        key = (*texts, *(name or "" for name in names))
        item_id = known.setdefault(key, ItemId(f"{len(known):04d}"))
        if item_id not in recorded.items:
            responses = tuple(Response(text=text, system=name) for text, name in zip(texts[1:], names, strict=True))
            prompt = (Message(role="user", content=texts[0]),)
            category = fields.get("dataset")
            recorded.items[item_id] = Item(
                id=item_id, prompt=prompt, responses=responses, category=None if category is None else str(category)
            )
        judge = str(fields.get("annotator") or "annotator")
        value = _preferred(fields.get("preference"), record, recorded)
        recorded.votes.append(_vote(item_id, judge, "AB", value, record))
    return recorded


def _preferred(preference: Json, record: Record, recorded: Recorded) -> Json:
    if preference is None:
        return None
    if isinstance(preference, bool) or not isinstance(preference, int | float) or not 0 <= preference <= 2:
        recorded.problems.append(record.problem(f"preference is {quote(preference)}; 1, 2, or between was expected"))
        return None
    if preference == 0:
        return "tie"  # how alpaca_eval 1 writes a draw
    if preference not in (1, 1.5, 2):
        recorded.noticed[GRADED] += 1
    return "tie" if preference == 1.5 else 1 if preference > 1.5 else 0


def read_arena(path: Path) -> Recorded:
    """Read judgments: two games for each question, the baseline shown first, then the model first.

    Raises:
        DataError: the file cannot be read; other problems are gathered.
    """
    recorded = Recorded(protocol="pairwise")
    orders: tuple[RecordedOrder, ...] = ("AB", "BA")
    for record in read_records(path):
        fields = record.fields
        question = str(fields.get("uid", fields.get("question_id")))
        model, baseline = str(fields.get("model")), str(fields.get("baseline") or "baseline")
        item_id = ItemId(f"{question}/{model}")
        if item_id not in recorded.items:
            category = fields.get("category")
            recorded.items[item_id] = Item(
                id=item_id,
                responses=(Response(text=None, system=baseline), Response(text=None, system=model)),
                category=None if category is None else str(category),
                group=question,
            )
        games = fields.get("games")
        if not isinstance(games, list) or len(games) > len(orders):
            recorded.problems.append(record.problem(f"games is {quote(games)}; up to two were expected", key="uid"))
            continue
        for order, game in zip(orders, games, strict=False):
            score = game.get("score") if isinstance(game, dict) else None
            value = _shown(score, record, recorded)
            # The verdict names what was shown; the label is the response.
            if order == "BA" and isinstance(value, int):
                value = 1 - value
            recorded.votes.append(_vote(item_id, str(fields.get("judge")), order, value, record))
    return recorded


def _shown(score: Json, record: Record, recorded: Recorded) -> Json:
    if score is None or score == "":
        return None
    if score not in VERDICTS:
        recorded.problems.append(
            record.problem(f"score is {quote(score)}; one of {', '.join(VERDICTS)} was expected", key="uid")
        )
        return None
    if len(str(score)) > len("A>B"):
        recorded.noticed[STRONG] += 1
    return VERDICTS[str(score)]


def _vote(item_id: ItemId, judge: str, order: RecordedOrder, value: Json, record: Record) -> RecordedVote:
    return RecordedVote(item_id, (0, 1), BETTER, judge, None, order, 0, value, record.file, record.line)
