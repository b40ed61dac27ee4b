"""Stress: the loss of every rule, and of every judge alone, at every rate of every corruption."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from venire.domain.finding import Undefined
from venire.domain.stress import CorruptionName, Loss, Premium, StressCurve, StressPlan, StressPoint
from venire.metaeval.stress_rules import Bench, StressRule
from venire.metaeval.stressed_votes import ON_LABELS, Contamination, Mask, Numbers, StressedVotes, contaminate

Losses = list[Loss | Undefined]
_Key = tuple[CorruptionName, str, bool, float]
"""Corruption, rule or judge, whether checked, rate."""


def draw_curves(
    votes: StressedVotes, rules: Sequence[StressRule], judges: Sequence[str], plan: StressPlan
) -> tuple[tuple[StressCurve, ...], tuple[StressCurve, ...]]:
    """Stress the rules and every judge alone with the same draws.

    Draws are common to all: who is broken is the same under every corruption, whoever is broken at one rate is broken
    at every higher one, and what a broken judge gives does not depend on the rate. So curves differ by rule and
    corruption, not by luck.

    Args:
        judges: their names, in the votes' order.

    Returns:
        The curves of the rules, then those of the judges, each unchecked and checked.
    """
    bench = Bench(votes=votes, rules=tuple(rules))
    centre = centre_of(bench)
    alone = _Alone(votes)
    of_rules: dict[_Key, Losses] = {}
    of_judges: dict[_Key, Losses] = {}
    for repeat in range(plan.repeats):
        bench.forget()
        for name in corruptions_on(votes, plan):
            drawn = contaminate(name, votes, plan, repeat, centre)
            for rate in plan.rates:
                values = drawn.at(rate)
                for is_checked in (False, True):
                    for rule, loss in bench.losses(values, is_checked=is_checked).items():
                        of_rules.setdefault((name, rule, is_checked, rate), []).append(loss)
                    for judge, loss in zip(judges, alone.losses(drawn, rate, is_checked=is_checked), strict=True):
                        of_judges.setdefault((name, judge, is_checked, rate), []).append(loss)
    names = [rule.name for rule in rules]
    return tuple(_curves(of_rules, names, votes, plan)), tuple(_curves(of_judges, judges, votes, plan))


def corruptions_on(votes: StressedVotes, plan: StressPlan) -> tuple[CorruptionName, ...]:
    """The plan's corruptions that have a meaning on these votes."""
    return tuple(name for name in plan.corruptions if votes.labels is None or name in ON_LABELS)


def centre_of(bench: Bench) -> Numbers:
    """What unbiased noise lies around: gold; without it the first rule's consensus on clean votes."""
    return bench.references[bench.rules[0].name].values


def price_rules(votes: StressedVotes, rules: Sequence[StressRule]) -> tuple[Premium, ...]:
    """What every rule loses on clean votes, beside the first."""
    losses = Bench(votes=votes, rules=tuple(rules)).losses(votes.values, is_checked=False)
    first = losses[rules[0].name]
    return tuple(Premium(rule=name, loss=loss, relative=_relative(loss, first, votes)) for name, loss in losses.items())


def _relative(loss: Loss | Undefined, first: Loss | Undefined, votes: StressedVotes) -> float | Undefined:
    if votes.gold is None:
        return Undefined("there is no gold: each rule is held against itself")
    if isinstance(loss, Undefined) or isinstance(first, Undefined):
        return Undefined("no subject was decided")
    if first.value == 0:
        return Undefined("the first rule has no loss to compare with")
    return loss.value / first.value - 1


class _Alone:
    """Every judge alone: its distances do not mix with others', so that a rate only chooses between two of them."""

    def __init__(self, votes: StressedVotes) -> None:
        self._votes = votes
        self._truths = votes.values if votes.gold is None else votes.gold
        self._clean = votes.distances(votes.values, self._truths)
        self._voted: Mask = np.asarray(votes.present.all(axis=2), dtype=np.bool_)
        self._clean_on_scale = self._on_scale(votes.values)
        self._drawn: Contamination | None = None
        self._broken = self._clean
        self._broken_on_scale = self._clean_on_scale

    def losses(self, drawn: Contamination, rate: float, *, is_checked: bool) -> Iterator[Loss | Undefined]:
        """The loss of every judge, in their order."""
        if drawn is not self._drawn:
            self._broken = self._votes.distances(drawn.values, self._truths)
            self._broken_on_scale = self._on_scale(drawn.values)
            self._drawn = drawn
        broken = drawn.broken(rate)
        distances = np.where(broken, self._broken, self._clean)
        scored = self._voted
        if is_checked:
            scored = scored & np.where(broken, self._broken_on_scale, self._clean_on_scale)
        for of_judge, is_scored, voted in zip(distances, scored, self._voted, strict=True):
            yield self._votes.loss(of_judge, is_scored, voted)

    def _on_scale(self, values: Numbers) -> Mask:
        return np.asarray(self._votes.admitted(values).all(axis=2), dtype=np.bool_)


def _curves(
    losses: Mapping[_Key, Losses], names: Sequence[str], votes: StressedVotes, plan: StressPlan
) -> Iterator[StressCurve]:
    for corruption in corruptions_on(votes, plan):
        for name in names:
            for is_checked in (False, True):
                points = [_point(rate, losses[corruption, name, is_checked, rate]) for rate in plan.rates]
                yield StressCurve(corruption=corruption, rule=name, is_checked=is_checked, points=tuple(points))


def _point(rate: float, losses: Losses) -> StressPoint:
    known = [loss for loss in losses if isinstance(loss, Loss)]
    if not known:
        reason = next((loss for loss in losses if isinstance(loss, Undefined)), Undefined("nothing was repeated"))
        return StressPoint(rate=rate, loss=reason, low=reason, high=reason, n_repeats=0)
    values = [loss.value for loss in known]
    return StressPoint(rate=rate, loss=middle_loss(known), low=min(values), high=max(values), n_repeats=len(known))


def middle_loss(losses: Sequence[Loss]) -> Loss:
    """The median of each figure; of the subjects decided the fewest, of those undecided the most."""
    return Loss(
        value=float(np.median([loss.value for loss in losses])),
        mean_distance=float(np.median([loss.mean_distance for loss in losses])),
        n=min(loss.n for loss in losses),
        n_undecided=max(loss.n_undecided for loss in losses),
    )
