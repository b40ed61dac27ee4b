"""The change between two runs: the same figures over the subjects that both have, resampled in pairs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.coding.labels import value_of
from venire.coding.votes import CodedVotes
from venire.collected import Collected
from venire.domain.change import FigureChange, RunChange, VerdictChange
from venire.domain.finding import Finding, Undefined
from venire.domain.identity import CriterionId
from venire.domain.measures import PANEL
from venire.domain.panel import IMPORTED
from venire.domain.rubric import Value
from venire.errors import UsageError
from venire.metaeval.gauges import LOWER_IS_BETTER, Gauge, gauges_of, measure_gauge
from venire.metaeval.gauges import value_of as gauge_value
from venire.metaeval.intervals import N_RESAMPLES, interval_of
from venire.stats.cluster_bootstrap import resampled_sums
from venire.tuning.replay import Decisions, own_variant

DECIDED = "decided in both"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauged:
    """A run's verdicts and gauges on one criterion."""

    collected: Collected
    criterion_id: CriterionId
    panel: CodedVotes
    gold: CodedVotes | None
    gauges: Sequence[Gauge]
    systems: Sequence[tuple[str | None, ...]]
    groups: NDArray[np.intp]

    def findings(self, *, seed: int) -> tuple[Finding, ...]:
        """Every gauge as a figure."""
        return tuple(measure_gauge(gauge, self.groups, seed=seed) for gauge in self.gauges)


def gauge_run(collected: Collected, criterion_id: CriterionId | None = None) -> Gauged:
    """Decide a run by its own design, and gauge it.

    Args:
        criterion_id: of several, the one to look at; by default the first.

    Raises:
        UsageError: there is no such criterion.
    """
    criterion = criterion_id or collected.design.rubric.criteria[0].id
    if criterion not in collected.draws:
        raise UsageError(f"There is no criterion {criterion!r} in this run; it has {list(collected.draws)!r}.")
    decisions, own = Decisions(collected, criterion), own_variant(collected, criterion)
    panel = decisions.of(own)
    by_id = {item.id: item for item in collected.items}
    systems = [
        tuple(by_id[subject.item_id].responses[index].system for index in subject.responses)
        for subject in collected.subjects
    ]
    gauges = gauges_of(
        votes=decisions.votes_of(criterion, own),
        draws=collected.draws[criterion],
        panel=panel,
        gold=collected.gold.get(criterion),
        voting=[judge.id for judge in collected.design.seated],
        asked={judge.id for judge in collected.design.judges if judge.provider != IMPORTED},
        systems=systems,
    )
    return Gauged(
        collected=collected,
        criterion_id=criterion,
        panel=panel,
        gold=collected.gold.get(criterion),
        gauges=gauges,
        systems=systems,
        groups=np.unique(np.array(collected.groups, dtype=object), return_inverse=True)[1],
    )


def compare_runs(before: Gauged, after: Gauged, *, seed: int = 0) -> RunChange:
    """Compare two runs over the subjects that both have.

    Raises:
        UsageError: they have no subject in common, or the criterion has another scale.
    """
    if before.panel.scale != after.panel.scale:
        raise UsageError(
            f"Criterion {before.criterion_id!r} has the scale {before.panel.scale!r} in one run and "
            f"{after.panel.scale!r} in the other; their verdicts cannot be compared."
        )
    places = {subject: column for column, subject in enumerate(before.panel.subjects)}
    pairs = [(places[subject], column) for column, subject in enumerate(after.panel.subjects) if subject in places]
    if not pairs:
        raise UsageError(
            "The two runs have no subject in common: no item id with the same responses. "
            "Compare runs over the same items."
        )
    first, second = (np.array(columns, dtype=np.intp) for columns in zip(*pairs, strict=True))
    others = {(gauge.name, gauge.about): gauge for gauge in after.gauges}
    figures = [
        _change(gauge.at(first), others[gauge.name, gauge.about].at(second), before.groups[first], seed)
        for gauge in before.gauges
        if (gauge.name, gauge.about) in others
    ]
    was_decided, is_decided = before.panel.present[0], after.panel.present[0]
    n_dropped = int((was_decided[first] & ~is_decided[second]).sum() + was_decided.sum() - was_decided[first].sum())
    return RunChange(
        criterion_id=before.criterion_id,
        n_shared=len(pairs),
        n_only_before=len(before.panel.subjects) - len(pairs),
        n_only_after=len(after.panel.subjects) - len(pairs),
        n_dropped=n_dropped,
        changed=_share_changed(before, after, first, second, seed),
        figures=tuple(figures),
        verdicts=tuple(_changed_verdicts(before, after, first, second)),
        notes=tuple(_notes(before, after, first, second)),
        seed=seed,
    )


def _change(one: Gauge, other: Gauge, groups: NDArray[np.intp], seed: int) -> FigureChange:
    counted = (one.numbers > 0) & (other.numbers > 0)
    names, numbers = np.unique(groups[counted], return_inverse=True)
    own = np.zeros(len(groups), dtype=np.intp)
    own[counted] = numbers
    sums = [gauge.sums(own, len(names), counted) for gauge in (one, other)]
    points = [gauge_value(gauge, each.sum(axis=0)) for gauge, each in zip((one, other), sums, strict=True)]
    together = np.concatenate(sums, axis=1)
    drawn = resampled_sums(together, N_RESAMPLES, seed) if len(names) > 1 else np.zeros((0, together.shape[1]))
    cut = sums[0].shape[1]
    figures = [one.figures(drawn[:, :cut]), other.figures(drawn[:, cut:])]
    n = int(counted.sum())
    missing = ((f"{one.why_not} in one of the runs", len(counted) - n),) if n < len(counted) else ()

    def finding(name: str, value: float | Undefined, resampled: int | None) -> Finding:
        spread = figures[1].minus(figures[0]) if resampled is None else figures[resampled]
        return Finding(
            name=name,
            about=one.about,
            value=value,
            interval=interval_of(value, spread, n_groups=len(names), seed=seed),
            n=n,
            n_groups=len(names),
            missing=missing,
            provenance=f"{one.provenance}; over the subjects that count in both runs, resampled in pairs",
        )

    undefined = next((point for point in points if isinstance(point, Undefined)), None)
    match points:
        case [float() as was, float() as is_now]:
            difference: float | Undefined = is_now - was
        case _:
            difference = undefined or Undefined("one of the figures has no value")
    return FigureChange(
        before=finding(one.name, points[0], 0),
        after=finding(one.name, points[1], 1),
        difference=finding(f"{one.name}_difference", difference, None),
        lower_is_better=one.name in LOWER_IS_BETTER,
    )


def _share_changed(
    before: Gauged, after: Gauged, first: NDArray[np.intp], second: NDArray[np.intp], seed: int
) -> Finding:
    both = before.panel.present[0][first] & after.panel.present[0][second]
    differs = before.panel.codes[0][first] != after.panel.codes[0][second]
    gauge = Gauge(
        name="changed",
        about=PANEL,
        amounts=(both & differs).astype(np.float64),
        numbers=both.astype(np.float64),
        why_not="undecided in one of the runs",
        provenance="share of subjects decided in both runs on which the verdicts differ",
    )
    return measure_gauge(gauge, before.groups[first], seed=seed)


def _changed_verdicts(
    before: Gauged, after: Gauged, first: NDArray[np.intp], second: NDArray[np.intp]
) -> Iterator[VerdictChange]:
    was, now = before.panel, after.panel
    differs = (was.codes[0][first] != now.codes[0][second]) | (was.present[0][first] != now.present[0][second])
    differs &= was.present[0][first] | now.present[0][second]
    amount = np.abs(was.codes[0][first] - now.codes[0][second])
    amount[~(was.present[0][first] & now.present[0][second])] = np.inf
    order = np.lexsort((np.arange(len(first)), -amount))
    gold = after.gold if after.gold is not None else before.gold
    of_gold = second if after.gold is not None else first
    categories = after.collected.categories
    for place in order[differs[order]].tolist():
        column = int(second[place])
        yield VerdictChange(
            subject=now.subjects[column],
            systems=after.systems[column],
            category=categories[column],
            before=_value(was, int(first[place])),
            after=_value(now, column),
            gold=None if gold is None else _value(gold, int(of_gold[place])),
        )


def _value(votes: CodedVotes, column: int) -> Value | None:
    if not votes.present[0][column]:
        return None
    code = float(votes.codes[0][column])
    if not votes.labels:
        return code
    return value_of(votes.scale, code, votes.subjects[column], votes.n_positions)


def _notes(before: Gauged, after: Gauged, first: NDArray[np.intp], second: NDArray[np.intp]) -> Iterator[str]:
    changed_group = sum(
        before.collected.groups[one] != after.collected.groups[other]
        for one, other in zip(first.tolist(), second.tolist(), strict=True)
    )
    if changed_group:
        yield (
            f"{changed_group:,} shared subjects belong to another group in the second run: their prompts changed, so "
            "that a difference is not that of judges or systems alone."
        )
    was, now = before.collected.design, after.collected.design
    if [judge.id for judge in was.seated] != [judge.id for judge in now.seated]:
        yield (
            f"The panels differ: {', '.join(judge.id for judge in was.seated)} before, "
            f"{', '.join(judge.id for judge in now.seated)} after."
        )
    if was.aggregation != now.aggregation:
        yield f"The runs decide otherwise: rule {was.aggregation.rule} before, {now.aggregation.rule} after."
    if was.rubric != now.rubric:
        yield "The rubric's words or criteria differ between the runs."
