"""Raw scores of the paper "On Cost-Effective LLM-as-a-Judge Improvement Techniques": four responses, eight samples.

A row: id, subset (ids repeat across subsets: both name the item), prompt_variant, and {full,mini,nano}_scores, four
lists of up to eight numbers from 1 to 10 (null: not read). Response 0 is the chosen one. Which model stands behind full
and mini is told by the file's name alone.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from venire.datasets.recorded.records import Record, read_records
from venire.datasets.recorded.votes import Recorded, RecordedLabel, RecordedVote
from venire.domain.annotation import GIVEN
from venire.domain.identity import BEST_OF_N, CriterionId, ItemId, Json
from venire.domain.item import Item, Response
from venire.domain.rubric import IntervalScale

SCORE = CriterionId("score")
N_RESPONSES = 4
SIZES = ("full", "mini", "nano")
JUDGES: Mapping[tuple[str, bool], tuple[str, str]] = {
    ("full", False): ("gpt-5.4", "openai"),
    ("mini", False): ("gpt-5.4-mini", "openai"),
    ("nano", False): ("gpt-5.4-nano", "openai"),
    ("full", True): ("claude-sonnet-4.6", "anthropic"),
    ("mini", True): ("claude-haiku-4.5", "anthropic"),
}
"""By size, and whether the file's name says claude: model and family."""


def is_composo(judgment: Mapping[str, Json]) -> bool:
    """Whether a first row looks like this form."""
    return "prompt_variant" in judgment and any(f"{size}_scores" in judgment for size in SIZES)


def read_composo(files: Sequence[Path]) -> Recorded:
    """Read raw score files; items are what their rows name.

    Raises:
        DataError: a file cannot be read; other problems are gathered.
    """
    recorded = Recorded(protocol="pointwise", scales={SCORE: IntervalScale(min=1, max=10)})
    for path in files:
        for record in read_records(path):
            _take(record, "claude" in path.name, _temperature(path), recorded)
    return recorded


def _temperature(path: Path) -> str:
    """What the file's name adds to the prompt's: rows of other temperatures are other judges."""
    _, mark, told = path.name.partition("_t")
    return f" t{told.removesuffix('.gz').removesuffix('.jsonl')}" if mark else ""


def _take(record: Record, is_claude: bool, temperature: str, recorded: Recorded) -> None:  # noqa: FBT001
    fields = record.fields
    subset = str(fields.get("subset"))
    item_id = ItemId(f"{subset}/{fields.get('id')}")
    if item_id not in recorded.items:
        responses = tuple(Response(text=None) for _ in range(N_RESPONSES))
        recorded.items[item_id] = Item(id=item_id, responses=responses, category=subset)
        everything = tuple(range(N_RESPONSES))
        recorded.labels.append(RecordedLabel(item_id, everything, BEST_OF_N, GIVEN, 0, record.file, record.line))
    if fields.get("refused"):
        recorded.noticed["rows marked as refused"] += 1
    prompt = f"{fields.get('prompt_variant')}{temperature}"
    for size in SIZES:
        scores = fields.get(f"{size}_scores")
        if (size, is_claude) not in JUDGES or not isinstance(scores, list):
            continue
        judge, family = JUDGES[size, is_claude]
        recorded.families[judge] = family
        for index, samples in enumerate(scores):
            for sample, value in enumerate(samples if isinstance(samples, list) else ()):
                recorded.votes.append(
                    RecordedVote(item_id, (index,), SCORE, judge, prompt, "AB", sample, value, record.file, record.line)
                )
