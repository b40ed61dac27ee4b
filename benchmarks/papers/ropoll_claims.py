"""RoPoLL's claims, looked for on public judgments: the shape of each, since its own data were not released."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from benchmarks.papers.figures import Figure
from benchmarks.papers.ropoll_data import Numbers, Scored, within_scale
from venire.domain.stress import CorruptionName, Loss, StressCurve, StressPlan
from venire.metaeval.stress import draw_curves
from venire.metaeval.stress_rules import COORDINATE_MEDIAN, GEOMETRIC_MEDIAN, MEAN, number_rules
from venire.metaeval.stressed_votes import StressedVotes, contaminate

PLAN = StressPlan(n_repeats=6)
JURY_PLAN = StressPlan(n_repeats=3)
ONE_OF_THREE = StressPlan(n_repeats=3, who="fixed", rates=(0.4,))
"""One of three, throughout."""
HARMLESS: tuple[CorruptionName, ...] = ("zeros", "inverted")
"""Where RoPoLL finds the smallest differences."""
ORDERS_OF_MAGNITUDE = 100.0
"""What "orders of magnitude" is held to: two of them."""
SMALL_GAP = 0.3 / 4
"""RoPoLL's gap under zeros and inverted, 0.3 on a scale of 0 to 4, as a share of the range."""
MOST_PREMIUM = 0.064
"""The largest premium on clean data that RoPoLL prints."""

Shares = Mapping[tuple[CorruptionName, str, float], float]
"""Share right by corruption, rule and rate."""
Key = tuple[CorruptionName, str, bool, float]
Table = Mapping[Key, float]
"""Loss by corruption, rule (or judge), whether range-checked, and rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """The losses of one panel, or the mean over several."""

    of: Table
    judges: tuple[str, ...]
    reach: float
    """The range of a scale in the units of the losses."""
    rates: tuple[float, ...]

    @property
    def usual(self) -> float:
        """The rate of most claims: 30 %, or the highest there is below."""
        return max(rate for rate in self.rates if rate <= 0.3 or rate == min(r for r in self.rates if r > 0))

    def at(self, corruption: CorruptionName, rule: str, rate: float, *, is_checked: bool = False) -> float:
        """One loss."""
        return self.of[corruption, rule, is_checked, rate]

    def best_single(self) -> str:
        """The judge that loses least on clean votes."""
        return min(self.judges, key=lambda judge: self.at("zeros", judge, 0.0))


def stressed(scored: Scored, *, judges: Sequence[int] | None = None) -> StressedVotes:
    """The votes of a set; unlike scales are put on 0 … 1, values outside their scale are missing.

    Args:
        judges: these alone, on the items on which each of them has a whole vector; None: all, where any of them has.
    """
    differ = len(set(zip(scored.low.tolist(), scored.high.tolist(), strict=True))) > 1
    shift, unit = (scored.low, scored.high - scored.low) if differ else (np.zeros_like(scored.low), 1.0)
    present = within_scale(scored)
    shape = scored.values.shape[1:]
    votes = StressedVotes(
        values=np.where(present, (scored.values - shift) / unit, 0.0),
        present=present,
        low=np.broadcast_to((scored.low - shift) / unit, shape),
        high=np.broadcast_to((scored.high - shift) / unit, shape),
        zero=np.broadcast_to((0.0 - shift) / unit, shape),
        gold=None if scored.gold is None else (scored.gold - shift) / unit,
    )
    if judges is None:
        return votes.on(np.asarray(votes.present.all(axis=2).any(axis=0), dtype=np.bool_))
    votes = votes.of(judges)
    return votes.on(np.asarray(votes.present.all(axis=(0, 2)), dtype=np.bool_))


def without_severity(votes: StressedVotes) -> StressedVotes:
    """The same with each judge's mean error on each criterion taken out, which takes gold."""
    if votes.gold is None:
        raise ValueError("there is no gold to know a severity by")
    errors = np.where(votes.present, votes.values - votes.gold, 0.0).sum(axis=1) / votes.present.sum(axis=1)
    return replace(votes, values=np.where(votes.present, votes.values - errors[:, None, :], 0.0))


def losses_of(votes: StressedVotes, judges: Sequence[str], plan: StressPlan) -> Losses:
    """Every rule and every judge alone, at every rate of every corruption."""
    curves, singles = draw_curves(votes, number_rules(votes.shape[2], plan.trim), judges, plan)
    return Losses(
        of=dict(_entries([*curves, *singles])),
        judges=tuple(judges),
        reach=float((votes.high - votes.low).max()),
        rates=plan.rates,
    )


def _entries(curves: Sequence[StressCurve]) -> Iterator[tuple[Key, float]]:
    for curve in curves:
        for point in curve.points:
            if isinstance(point.loss, Loss):
                yield (curve.corruption, curve.rule, curve.is_checked, point.rate), point.loss.value


def juries(scored: Scored) -> list[tuple[int, ...]]:
    """Three judges of three families under one prompt each, as RoPoLL's committees are."""
    prompts = list(dict.fromkeys(name.partition("@")[2] for name in scored.judges))
    found = []
    for prompt in prompts:
        of_prompt = [place for place, name in enumerate(scored.judges) if name.endswith(f"@{prompt}")]
        families = list(dict.fromkeys(scored.families[place] for place in of_prompt))
        by_family = [[place for place in of_prompt if scored.families[place] == family] for family in families]
        found += list(product(*by_family))
    return found


def losses_of_juries(scored: Scored, plan: StressPlan) -> Losses:
    """The mean over all juries of three."""
    seats = ["first", "second", "third"]
    tables = [losses_of(stressed(scored, judges=jury), seats, plan) for jury in juries(scored)]
    keys = set.intersection(*(set(found.of) for found in tables))
    of = {key: float(np.mean([found.of[key] for found in tables])) for key in keys}
    return Losses(of=of, judges=tuple(seats), reach=tables[0].reach, rates=plan.rates)


def claims(name: str, losses: Losses, reasons: Mapping[str, str]) -> Iterator[Figure]:
    """The claims that need gold, on one set.

    Args:
        reasons: why a claim does not hold here, by its key.
    """
    rate, best = losses.usual, losses.best_single()

    def claim(key: str, words: str, measured: float, *, holds: bool) -> Figure:
        return Figure(
            name=f"claim, {name}: {words}", source=None, measured=measured, holds=holds, reason=reasons.get(key, "")
        )

    def against(corruption: CorruptionName, other: str, at: float = rate) -> float:
        return losses.at(corruption, GEOMETRIC_MEDIAN, at) / losses.at(corruption, other, at) - 1

    mean, geometric = losses.at("cauchy-far", MEAN, 0.4), losses.at("cauchy-far", GEOMETRIC_MEDIAN, 0.4)
    yield claim(
        "far",
        f"cauchy-far at 40 %, mean {mean:.4g} over geometric median {geometric:.4g} is {ORDERS_OF_MAGNITUDE:g} or more "
        "(RoPoLL 538)",
        mean / geometric,
        holds=mean / geometric >= ORDERS_OF_MAGNITUDE,
    )
    for key, other, words in (
        ("bimodal-mean", MEAN, "the mean (RoPoLL −19 %)"),
        ("bimodal-median", COORDINATE_MEDIAN, "the coordinate median"),
        ("bimodal-single", best, "the best judge alone (RoPoLL −24 %)"),
    ):
        gain = against("bimodal-random", other)
        yield claim(
            key, f"bimodal-random at {rate:.0%}, geometric median below {words}, as a share", gain, holds=gain < 0
        )
    for corruption in HARMLESS:
        gap = losses.at(corruption, MEAN, rate) - losses.at(corruption, GEOMETRIC_MEDIAN, rate)
        words = (
            f"{corruption} at {rate:.0%}, mean and geometric median at most {SMALL_GAP:g} ranges apart (RoPoLL's 0.3)"
        )
        yield claim(corruption, words, gap / losses.reach, holds=abs(gap) <= SMALL_GAP * losses.reach)
    loss = {rule: losses.at("unbiased-noise", rule, rate) for rule in (MEAN, COORDINATE_MEDIAN, GEOMETRIC_MEDIAN)}
    yield claim(
        "noise",
        f"unbiased noise at {rate:.0%}, the mean is best; what the geometric median loses beside it, as a share",
        against("unbiased-noise", MEAN),
        holds=loss[MEAN] == min(loss.values()),
    )
    premium = against("zeros", MEAN, at=0.0)
    yield claim(
        "premium",
        f"clean, the geometric median costs 0 to {MOST_PREMIUM:.1%} (RoPoLL +0.9 % in the median), as a share",
        premium,
        holds=0 <= premium <= MOST_PREMIUM,
    )


def best_of_four(scored: Scored, plan: StressPlan) -> Shares:
    """The share of items whose right response has the strict maximum in the consensus, by corruption, rule and rate.

    A subject that is undecided is not right. Noise lies about the mean of the clean votes: there is no truth.
    """
    votes = stressed(scored)
    rules = number_rules(votes.shape[2], plan.trim)
    centre = rules[0].decide(votes.values, votes.present).values
    found: dict[tuple[CorruptionName, str, float], list[float]] = {}
    for repeat, name in product(range(plan.repeats), plan.corruptions):
        drawn = contaminate(name, votes, plan, repeat, centre)
        for rate, rule in product(plan.rates, rules):
            present = votes.present
            if rule.needs_whole:
                present = np.repeat(present.all(axis=2, keepdims=True), votes.shape[2], axis=2)
            consensus = rule.decide(np.where(present, drawn.at(rate), 0.0), present)
            found.setdefault((name, rule.name, rate), []).append(_share_right(consensus.values, consensus.decided))
    return {key: float(np.median(shares)) for key, shares in found.items()}


def _share_right(values: Numbers, decided: NDArray[np.bool_]) -> float:
    return float(((values[:, 0] > values[:, 1:].max(axis=1) + 1e-9) & decided).mean())


def best_of_claims(name: str, shares: Shares, reasons: Mapping[str, str]) -> Iterator[Figure]:
    """The same shapes where gold says only which response is right; in points, geometric median minus another rule."""
    table: tuple[tuple[str, CorruptionName, float, str], ...] = (
        ("far", "cauchy-far", 0.4, MEAN),
        ("bimodal-mean", "bimodal-random", 0.3, MEAN),
        ("bimodal-median", "bimodal-random", 0.3, COORDINATE_MEDIAN),
        ("noise", "unbiased-noise", 0.3, MEAN),
        ("premium", "zeros", 0.0, MEAN),
    )
    for key, corruption, rate, other in table:
        gain = 100 * (shares[corruption, GEOMETRIC_MEDIAN, rate] - shares[corruption, other, rate])
        is_price = key in ("noise", "premium")
        more = "less" if is_price else "more"
        where = "clean votes" if key == "premium" else f"{corruption} at {rate:.0%}"
        yield Figure(
            name=f"claim, {name}: {where}, geometric median right {more} often than the {other}",
            source=None,
            measured=gain,
            decimals=1,
            holds=gain <= 0 if is_price else gain > 0,
            reason=reasons.get(key, ""),
        )
