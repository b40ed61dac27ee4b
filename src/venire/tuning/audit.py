"""The audit of a run: every rater against gold and people, corrected rates, leans, and where the panel is weak."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.collected import Collected
from venire.domain.aggregation import LEARNED, RULES, rule_fits
from venire.domain.audit import Audit, CorrectedRates, Lean, Part, RaterAudit, RaterKind, Support
from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.frontier import Variant
from venire.domain.identity import CriterionId
from venire.domain.measures import PANEL
from venire.domain.rubric import IntervalScale
from venire.errors import DesignError, UsageError
from venire.metaeval.agreement import measure_agreement
from venire.metaeval.corrected import correct_rates
from venire.metaeval.leans import (
    noise_leans,
    position_leans,
    preference_leans,
    severity_leans,
    spread_of_deltas,
    system_deltas,
    verbosity_leans,
)
from venire.metaeval.people import NOBODY, alpha_of, measure_people, with_others
from venire.metaeval.rows import Clusters, number_groups
from venire.stats.brier import brier
from venire.stats.expected_calibration_error import expected_calibration_error
from venire.tuning.difficulty import difficulty_parts
from venire.tuning.replay import Decisions, own_variant

_NO_GOLD = Undefined("there is no gold")
FEW_LABELS = 10
EPSILON = 0.2
_NO_ACCURACY = Undefined("gold is partly its own")
_NO_CEILING = Undefined("there is no human ceiling")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What the parts share."""

    collected: Collected
    criterion_id: CriterionId
    own: Variant
    decisions: Decisions
    votes: CodedVotes
    panel: CodedVotes
    gold: CodedVotes | None
    people: CodedVotes | None
    systems: Sequence[tuple[str | None, ...]]
    clusters: Clusters
    seed: int


def audit_run(
    collected: Collected,
    *,
    criterion_id: CriterionId | None = None,
    lengths: NDArray[np.float64] | None = None,
    epsilon: float = EPSILON,
    seed: int = 0,
) -> Audit:
    """Audit a run. No judge is asked.

    Args:
        criterion_id: of several, the one to look at; by default the first.
        lengths: shape (n_subjects,): words of each response judged alone, NaN where its text is missing.
        epsilon: of the alternative annotator test: 0.2 experts, 0.15 skilled, 0.1 crowd workers.
        seed: of the resamples.

    Raises:
        UsageError: there is no such criterion.
    """
    seen = _look(collected, criterion_id, seed)
    raters = _against_gold(seen)
    singles = [seen.panel, *(seen.votes.only([name]) for name in seen.votes.raters)]
    people = measure_people(seen.people, singles, seen.clusters.numbers, epsilon=epsilon, seed=seed)
    held = seen.panel if seen.gold is None else seen.gold
    against = "the panel" if seen.gold is None else "gold"
    deltas = system_deltas(seen.votes, held, seen.systems, collected.design, seen.clusters, seed)
    leans: list[Lean] = [
        *position_leans(collected.draws[seen.criterion_id], seen.clusters, seed),
        *preference_leans(deltas),
        *(verbosity_leans(seen.votes, seen.gold, lengths, seen.clusters, seed) if lengths is not None else ()),
        *severity_leans(seen.votes, held, seen.clusters, seed, against),
        *noise_leans(collected.draws[seen.criterion_id], seen.clusters, seed),
    ]
    return Audit(
        criterion_id=seen.criterion_id,
        gold_is=_what_gold_is(seen),
        raters=tuple(_of_ceiling(rater, people.ceiling) for rater in raters),
        people=people,
        alpha_of_judges=alpha_of(seen.votes.only(seen.own.judges))
        if len(seen.own.judges) > 1
        else Undefined("one judge"),
        corrected=_corrected(seen),
        support=_support(seen),
        leans=tuple(leans),
        deltas=deltas,
        delta_spread=spread_of_deltas(deltas),
        parts=tuple(_parts(seen)),
        warnings=tuple(_warnings(seen)),
        seed=seed,
    )


def _look(collected: Collected, criterion_id: CriterionId | None, seed: int) -> _Seen:
    criterion = criterion_id or collected.design.rubric.criteria[0].id
    if criterion not in collected.draws:
        raise UsageError(f"There is no criterion {criterion!r} in this run; it has {list(collected.draws)!r}.")
    decisions, own = Decisions(collected, criterion), own_variant(collected, criterion)
    by_id = {item.id: item for item in collected.items}
    return _Seen(
        collected=collected,
        criterion_id=criterion,
        own=own,
        decisions=decisions,
        votes=decisions.votes_of(criterion, replace(own, judges=collected.judge_ids)),
        panel=decisions.of(own),
        gold=collected.gold.get(criterion),
        people=collected.people.get(criterion),
        systems=[
            tuple(by_id[subject.item_id].responses[index].system for index in subject.responses)
            for subject in collected.subjects
        ],
        clusters=number_groups(collected.groups, len(collected.subjects)),
        seed=seed,
    )


def _against_gold(seen: _Seen) -> list[RaterAudit]:
    """The panel, judges and every other rule against gold; people against the others of them."""
    if seen.gold is None:
        return []
    kinds: list[tuple[RaterKind, CodedVotes]] = [("judge", seen.votes.only([name])) for name in seen.votes.raters]
    kinds += [("rule", votes) for votes in _by_rules(seen)]
    together = _side_by_side([votes for _, votes in kinds])
    agreement = measure_agreement(
        votes=together,
        panel=seen.panel,
        gold=seen.gold,
        groups=seen.collected.groups,
        voting=list(seen.own.judges),
        seed=seen.seed,
    )
    names: list[RaterKind] = [*(kind for kind, _ in kinds), "panel"]
    found = [
        RaterAudit(
            name=rater.rater,
            kind=kind,
            figure=rater.mean_absolute_error if isinstance(together.scale, IntervalScale) else rater.kappa,
            accuracy=rater.accuracy,
            of_ceiling=_NO_CEILING,
        )
        for kind, rater in zip(names, agreement.raters, strict=True)
    ]
    return [found[-1], *found[:-1], *_persons(seen)]


def _persons(seen: _Seen) -> Iterator[RaterAudit]:
    """Every person against the majority of the others: gold is partly its own."""
    if seen.people is None or len(seen.people.raters) < 2:
        return
    for name, figure in with_others(seen.people, seen.clusters.numbers, seen.seed).items():
        yield RaterAudit(name=name, kind="person", figure=figure, accuracy=_NO_ACCURACY, of_ceiling=_NO_CEILING)


def _by_rules(seen: _Seen) -> Iterator[CodedVotes]:
    """What every other rule decides from the panel's votes; those that need gold are learned across groups."""
    scale = seen.panel.scale
    for rule in RULES:
        needs_more = rule in {"at_least", "weighted"} or rule in LEARNED
        if rule == seen.own.rule or needs_more or not rule_fits(rule, scale):
            continue
        try:
            decided = seen.decisions.of(replace(seen.own, rule=rule))
        except DesignError:
            continue
        yield replace(decided, raters=(f"rule {rule}",))


def _side_by_side(votes: Sequence[CodedVotes]) -> CodedVotes:
    reasons = tuple(sorted({reason for one in votes for reason in one.reasons}))
    rows = []
    for one in votes:
        number = np.array([0, *(1 + reasons.index(reason) for reason in one.reasons)], dtype=np.int16)
        rows.append(number[one.missing])
    return replace(
        votes[0],
        raters=tuple(name for one in votes for name in one.raters),
        codes=np.concatenate([one.codes for one in votes]),
        missing=np.concatenate(rows),
        reasons=reasons,
    )


def _of_ceiling(rater: RaterAudit, ceiling: Finding | Undefined) -> RaterAudit:
    """The rater's kappa as a share of the ceiling; the interval keeps the ceiling as it is."""
    if rater.kind == "person" or isinstance(ceiling, Undefined):
        return rater
    if isinstance(ceiling.value, Undefined) or ceiling.value <= 0:
        return rater
    figure = rater.figure
    if isinstance(figure, Undefined) or isinstance(figure.value, Undefined) or figure.name != "kappa":
        return rater
    interval = figure.interval
    if isinstance(interval, Interval):
        low, high = interval.low / ceiling.value, interval.high / ceiling.value
        method = f"{interval.method}; the ceiling {ceiling.value:.3f} is taken as it is"
        interval = Interval(low=low, high=high, level=interval.level, method=method)
    share = replace(
        figure,
        name="of_ceiling",
        value=figure.value / ceiling.value,
        interval=interval,
        provenance="kappa divided by the human ceiling; above 1 a rater is closer to gold than people to one another",
    )
    return replace(rater, of_ceiling=share)


def _corrected(seen: _Seen) -> CorrectedRates | Undefined:
    return correct_rates(seen.panel, seen.gold, seen.systems)


def _support(seen: _Seen) -> Support:
    """The share of votes for the positive label as the chance that it is true."""
    none = Undefined("support is read as a probability on scales of two labels, with gold")
    if seen.gold is None or len(seen.panel.labels) != 2 or seen.panel.n_positions:
        return Support(brier=none, calibration_error=none, bins=())
    votes = seen.votes.only(seen.own.judges)
    n = votes.present.sum(axis=0)
    counted = seen.gold.present[0] & (n > 0)
    if not counted.any():
        return Support(brier=none, calibration_error=none, bins=())
    share = ((votes.codes == 1) & votes.present).sum(axis=0)[counted] / n[counted]
    both = np.stack([1.0 - share, share], axis=1)
    truth = seen.gold.codes[0][counted].astype(np.intp)
    found = expected_calibration_error(both, truth)
    return Support(
        brier=brier(both, truth).loss,
        calibration_error=found.error,
        bins=tuple((one.confidence, one.right, one.n) for one in found.bins),
    )


def _parts(seen: _Seen) -> Iterator[Part]:
    if seen.gold is None:
        return
    names = sorted({category for category in seen.collected.categories if category is not None})
    masks = [
        (f"category {name}", np.array([one == name for one in seen.collected.categories], dtype=np.bool_))
        for name in names
    ]
    masks += difficulty_parts(seen.votes.only(seen.own.judges)).parts
    for name, mask in masks:
        missing = np.where(mask, seen.gold.missing, 1).astype(np.int16)
        gold = replace(seen.gold, missing=missing)
        agreement = measure_agreement(
            votes=seen.panel,
            panel=seen.panel,
            gold=gold,
            groups=seen.collected.groups,
            voting=[PANEL],
            seed=seen.seed,
        )
        rater = agreement.panel
        figure = rater.kappa if seen.panel.labels else rater.mean_absolute_error
        yield Part(name=name, figure=figure, accuracy=rater.accuracy)


def _what_gold_is(seen: _Seen) -> str:
    if seen.gold is None:
        return "there is no gold: figures against it are undefined"
    n = int(seen.gold.present.sum())
    who = "given with the items" if seen.people is None else f"from {_people(len(seen.people.raters))} by majority"
    return f"{n:,} subjects have gold, {who}; a label under the name 'given' goes first"


def _people(n: int) -> str:
    return "one annotator" if n == 1 else f"{n} annotators"


def _warnings(seen: _Seen) -> Iterator[str]:
    gold = seen.gold
    if gold is None:
        yield "There is no gold. Label some 100 subjects, drawn at random, and give them with --annotations."
        return
    n = int(gold.present.sum())
    if n < FEW_LABELS:
        yield f"{n} subjects have gold: nothing can be concluded from fewer than {FEW_LABELS}."
    if gold.labels and len(np.unique(gold.codes[gold.present])) == 1:
        yield "Gold has one and the same label throughout: kappa has no value, and accuracy tells of that label alone."
    if seen.people is None:
        yield f"No human ceiling: {NOBODY.reason}."
    elif len(seen.people.raters) > 1 and not (seen.people.present.sum(axis=0) > 1).any():
        yield "No subject has labels of two annotators: what people agree on cannot be told. Let them share some."
    decided = seen.panel.present[0]
    for name in sorted({own[0] for own in seen.systems if own and own[0] is not None}):
        mask = np.array([name in own for own in seen.systems], dtype=np.bool_)
        if not (decided & mask).any():
            yield f"The panel decided nothing on system {name}: no figure speaks of it."
