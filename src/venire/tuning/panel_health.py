"""Panel health: every judge, every pair, and the panel beside its best member; on all subjects and by part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.collected import Collected
from venire.domain.finding import Finding, Undefined
from venire.domain.frontier import LEAST_DECIDED, ReplayMeasure, Variant
from venire.domain.health import JudgeHealth, PanelHealth, PartHealth, SizeHealth
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.measures import Agreement
from venire.domain.rubric import NominalScale, OrdinalScale
from venire.errors import UsageError
from venire.metaeval.agreement import measure_agreement
from venire.metaeval.behaviour import consistency_of, flips_of, share_of
from venire.metaeval.rows import Clusters, number_groups
from venire.stats.cohen_kappa import Weights
from venire.tuning.choice import recommend
from venire.tuning.difficulty import difficulty_parts
from venire.tuning.health_warnings import warn_of
from venire.tuning.paired import subtract_paired
from venire.tuning.replay import Decisions, own_variant
from venire.tuning.scoring import Reference, reference_of, sum_by_group
from venire.tuning.together import measure_together

MOST_OF_A_SIZE = 400
"""Panels of one size that are tried; a size with more is passed over, and said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What the parts share."""

    collected: Collected
    criterion_id: CriterionId
    own: Variant
    decisions: Decisions
    votes: CodedVotes
    """Of all judges of the design."""
    panel: CodedVotes
    gold: CodedVotes | None
    measure: ReplayMeasure
    seed: int

    @property
    def voting(self) -> tuple[JudgeId, ...]:
        """The judges whose votes make the verdict."""
        return self.own.judges


def measure_health(
    collected: Collected, *, criterion_id: CriterionId | None = None, by_category: bool = False, seed: int = 0
) -> PanelHealth:
    """Tell whether the panel is worth its judges, and which. No judge is asked.

    Args:
        collected: the run.
        criterion_id: of several, the one to look at; by default the first.
        by_category: also each category of items; thirds by difficulty are always looked at.
        seed: of resamples and folds.

    Raises:
        UsageError: there is no such criterion.
    """
    criterion = criterion_id or collected.design.rubric.criteria[0].id
    if criterion not in collected.draws:
        raise UsageError(f"There is no criterion {criterion!r} in this run; it has {list(collected.draws)!r}.")
    decisions = Decisions(collected, criterion)
    own = own_variant(collected, criterion)
    gold = collected.gold.get(criterion)
    labels = bool(collected.draws[criterion].labels)
    proxy: ReplayMeasure = "agreement" if labels else "mean_absolute_difference"
    seen = _Seen(
        collected=collected,
        criterion_id=criterion,
        own=own,
        decisions=decisions,
        votes=decisions.votes_of(criterion, replace(own, judges=collected.judge_ids)),
        panel=decisions.of(own),
        gold=gold,
        measure=proxy if gold is None else "kappa" if labels else "mean_absolute_error",
        seed=seed,
    )
    notes: list[str] = []
    everything = np.ones(len(collected.subjects), dtype=np.bool_)
    parts = [_part("all", everything, seen, notes)]
    if by_category:
        names = sorted({category for category in collected.categories if category is not None})
        kept = {name: np.array([name == one for one in collected.categories], dtype=np.bool_) for name in names}
        parts += [_part(f"category {name}", mask, seen, []) for name, mask in kept.items()]
    difficulty = difficulty_parts(seen.votes.only(own.judges))
    notes += difficulty.notes
    parts += [_part(name, mask, seen, []) for name, mask in difficulty.parts]
    return PanelHealth(
        criterion_id=criterion,
        measure=seen.measure,
        against="the run's own verdicts" if gold is None else "gold",
        rule=own.rule,
        parts=tuple(parts),
        warnings=tuple(warn_of(parts[0], collected, criterion, gold)),
        notes=tuple(notes),
        seed=seed,
    )


def _part(name: str, kept: NDArray[np.bool_], seen: _Seen, notes: list[str]) -> PartHealth:
    collected, gold = seen.collected, seen.gold
    votes, panel = _only(seen.votes, kept), _only(seen.panel, kept)
    agreement = measure_agreement(
        votes=votes,
        panel=panel,
        gold=None if gold is None else _only(gold, kept),
        groups=collected.groups,
        voting=list(seen.voting),
        seed=seen.seed,
    )
    clusters = number_groups(collected.groups, len(collected.subjects))
    families = [collected.design.judge(judge_id).family for judge_id in seen.voting]
    together = measure_together(
        votes.only(seen.voting),
        gold,
        kept,
        families,
        lambda judges: seen.decisions.of(replace(seen.own, judges=tuple(judges))),
    )
    held = gold if gold is not None else panel
    scale = collected.design.rubric.criterion(seen.criterion_id).scale
    weights: Weights = "quadratic" if isinstance(scale, OrdinalScale) else "nominal"
    reference = reference_of(held, collected.groups, kept, weights, seen.measure)
    return PartHealth(
        name=name,
        n_subjects=int(kept.sum()),
        judges=tuple(_judges(seen, votes, panel, agreement, clusters, kept)),
        panel=_figure(agreement, "panel", seen) if gold is not None else Undefined("there is no gold to hold it to"),
        best_single=agreement.best_single,
        panel_minus_best=agreement.panel_minus_best,
        pairs=together.pairs,
        n_effective=together.n_effective,
        mean_error_correlation=together.mean_correlation,
        ideal=together.ideal,
        accuracy=_accuracy(agreement),
        leave_one_out=tuple(_leave_one_out(seen, reference, panel)),
        # Held to its own verdicts the whole panel would always be the best.
        sizes=tuple(_sizes(seen, reference, notes)) if name == "all" and gold is not None else (),
    )


def _only(votes: CodedVotes, kept: NDArray[np.bool_]) -> CodedVotes:
    """The votes on the kept subjects; elsewhere missing for a reason that is counted nowhere else."""
    if kept.all():
        return votes
    reasons = (*votes.reasons, ELSEWHERE)
    return replace(votes, reasons=reasons, missing=np.where(kept, votes.missing, len(reasons)).astype(np.int16))


ELSEWHERE = "not of this part"


def _judges(
    seen: _Seen,
    votes: CodedVotes,
    panel: CodedVotes,
    agreement: Agreement,
    clusters: Clusters,
    kept: NDArray[np.bool_],
) -> Iterator[JudgeHealth]:
    draws = seen.collected.draws[seen.criterion_id]
    draws = replace(draws, missing=np.where(kept[:, None], draws.missing, 1).astype(np.int16))
    for row, judge in enumerate(seen.collected.design.judges):
        missing = votes.missing[row][kept]
        counts = np.bincount(missing, minlength=len(votes.reasons) + 1)[1:].tolist()
        flip_rate, first_shown = flips_of(draws, row, clusters, seen.seed)
        yield JudgeHealth(
            judge_id=judge.id,
            family=judge.family,
            votes=judge.votes,
            n=int((missing == 0).sum()),
            missing=tuple((reason, n) for reason, n in zip(votes.reasons, counts, strict=True) if n),
            figure=_figure(agreement, judge.id, seen),
            accuracy=agreement.judge(judge.id).accuracy,
            severity=_severity(seen, votes, panel, row, clusters),
            flip_rate=flip_rate,
            first_shown=first_shown,
            consistency=consistency_of(draws, row, clusters, seen.seed),
        )


def _figure(agreement: Agreement, name: str, seen: _Seen) -> Finding | Undefined:
    rater = agreement.panel if name == "panel" else agreement.judge(JudgeId(name))
    match seen.measure:
        case "kappa":
            return rater.kappa
        case "mean_absolute_error":
            return rater.mean_absolute_error
        case _:
            return rater.with_panel


def _accuracy(agreement: Agreement) -> float | Undefined:
    found = agreement.panel.accuracy
    return found if isinstance(found, Undefined) else found.value


def _severity(seen: _Seen, votes: CodedVotes, panel: CodedVotes, row: int, clusters: Clusters) -> Finding | Undefined:
    """How much higher than gold, or without gold than the panel, a judge rates."""
    held = panel if seen.gold is None else seen.gold
    both = votes.present[row] & held.present[0]
    ours, theirs, unit = votes.codes[row], held.codes[0], "points of the scale"
    if isinstance(votes.scale, NominalScale):
        if len(votes.labels) != 2:
            return Undefined("labels without an order are neither high nor low")
        positive = votes.labels.index(votes.scale.positive)
        ours, theirs, unit = (ours == positive).astype(float), (theirs == positive).astype(float), "shares"
    elif votes.n_positions:
        return Undefined("a choice is neither high nor low")
    against = "the panel" if seen.gold is None else "gold"
    amounts = np.where(both, ours - theirs, 0.0)
    return share_of(
        "severity",
        votes.raters[row],
        amounts,
        both.astype(float),
        clusters,
        seen.seed,
        f"mean minus {against}'s, in {unit}",
    )


def _leave_one_out(seen: _Seen, reference: Reference, panel: CodedVotes) -> Iterator[tuple[JudgeId, Finding]]:
    if len(seen.voting) < 2:
        return
    for judge_id in seen.voting:
        rest = replace(seen.own, judges=tuple(one for one in seen.voting if one != judge_id))
        without = seen.decisions.of(rest)
        yield judge_id, subtract_paired(without, panel, reference, about=f"panel without {judge_id}", seed=seen.seed)


def _sizes(seen: _Seen, reference: Reference, notes: list[str]) -> Iterator[SizeHealth]:
    passed_over: list[int] = []
    for size in range(1, len(seen.voting) + 1):
        if comb(len(seen.voting), size) > MOST_OF_A_SIZE:
            passed_over.append(size)
            continue
        variants = [replace(seen.own, judges=panel) for panel in combinations(seen.voting, size)]
        decided = [seen.decisions.of(variant) for variant in variants]
        sums = sum_by_group(decided, reference)
        n = [int((one.present[0] & reference.present).sum()) for one in decided]
        eligible = np.array(n) >= LEAST_DECIDED * reference.present.sum()
        yield SizeHealth(size=size, chosen=recommend(variants, sums, reference, eligible, seed=seen.seed))
    if passed_over:
        notes.append(
            f"Panels of {_spelt(passed_over)} judges are more than {MOST_OF_A_SIZE} each: the best was not looked for. "
            "venire replay --max-size tries more."
        )


def _spelt(sizes: Sequence[int]) -> str:
    return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
