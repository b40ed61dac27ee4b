"""Exporting: what a run prefers, with its words, for training."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from venire.coding.code import code_verdicts
from venire.deriving import derive_verdicts
from venire.domain.identity import CriterionId, Json
from venire.domain.item import Item
from venire.errors import UsageError
from venire.opened import opened_run
from venire.ranking.preferences import preferred_pairs


def export_preferences(
    folder: Path, *, criterion_id: CriterionId | None = None, min_confidence: float = 0.0, min_margin: float = 0.0
) -> Iterator[Mapping[str, Json]]:
    """Every preference of a run as a record: prompt, chosen, rejected, systems, margin, confidence.

    Args:
        criterion_id: of several, the one to look at; by default the first.
        min_confidence, min_margin: what falls below is left out.

    Raises:
        UsageError: there is no such criterion.
    """
    with opened_run(folder) as (design, store):
        wanted = criterion_id or design.rubric.criteria[0].id
        known = {criterion.id: criterion for criterion in design.rubric.criteria}
        if wanted not in known:
            raise UsageError(f"There is no criterion {wanted!r} in this run; it has {list(known)!r}.")
        derived = derive_verdicts(store, design)
        panel = code_verdicts(derived.aggregated.verdicts, derived.subjects, known[wanted])
        votes = derived.aggregated.votes[wanted].only([judge.id for judge in design.seated])
        item: Item | None = None
        for one in preferred_pairs(votes, panel):
            if one.confidence < min_confidence or one.margin < min_margin:
                continue
            item = store.item(one.item_id) if item is None or item.id != one.item_id else item
            if item is None:
                continue
            chosen, rejected = item.responses[one.chosen], item.responses[one.rejected]
            if chosen.text is None or rejected.text is None:
                continue
            yield {
                "item": item.id,
                "prompt": [{"role": turn.role, "content": turn.content} for turn in item.prompt],
                "chosen": chosen.text,
                "rejected": rejected.text,
                "chosen_system": chosen.system,
                "rejected_system": rejected.system,
                "margin": one.margin,
                "confidence": one.confidence,
                "n_judges": one.n_judges,
            }
