"""Leans: how judges are drawn to a position, to their own family, to length, or to one end of the scale."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedDraws, CodedVotes
from venire.domain.audit import Lean, SystemDelta
from venire.domain.design import Design
from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.identity import JudgeId
from venire.domain.relatives import relation_to
from venire.domain.rubric import NominalScale
from venire.metaeval.behaviour import consistency_of, flips_of, leans_of, share_of
from venire.metaeval.intervals import N_RESAMPLES, Resampled, interval_of
from venire.metaeval.rows import Clusters
from venire.stats.cluster_bootstrap import resampled_sums

_KIN = ("same model", "same family")
WORDS = 100


def position_leans(draws: CodedDraws, clusters: Clusters, seed: int) -> Iterator[Lean]:
    """Of comparisons in both orders: how often a judge stays with its choice, and where it goes otherwise."""
    leans = leans_of(draws, range(len(draws.raters)))
    if leans is None:
        return
    for row, name in enumerate(draws.raters):
        flips, first = flips_of(draws, row, clusters, seed)
        if isinstance(flips, Undefined) or isinstance(flips.value, Undefined):
            continue
        where = "" if isinstance(first, Undefined) else f"; {first:.0%} of these go to what is shown first"
        yield Lean(
            kind="position",
            judge_id=name,
            figure=flips,
            sentence=f"{name} changes its mind with the order in {flips.value:.1%} of pairs{where}.",
        )


def noise_leans(draws: CodedDraws, clusters: Clusters, seed: int) -> Iterator[Lean]:
    """How far a judge agrees with itself over samples."""
    for row, name in enumerate(draws.raters):
        found = consistency_of(draws, row, clusters, seed)
        if isinstance(found, Undefined) or isinstance(found.value, Undefined):
            continue
        what = (
            f"two samples of {name} on one subject agree in {found.value:.1%}"
            if draws.labels
            else f"samples of {name} on one subject differ by {found.value:.2f} (standard deviation)"
        )
        yield Lean(kind="noise", judge_id=name, figure=found, sentence=f"{what[0].upper()}{what[1:]}.")


def severity_leans(votes: CodedVotes, held: CodedVotes, clusters: Clusters, seed: int, against: str) -> Iterator[Lean]:
    """How much higher or lower than gold, or the panel, a judge rates."""
    made = goodness_of(votes)
    reference = goodness_of(held)
    if made is None or reference is None:
        return
    unit = " of the verdicts" if isinstance(votes.scale, NominalScale) else " points"
    for row, name in enumerate(votes.raters):
        both = votes.present[row] & held.present[0]
        amounts = np.where(both, made[row] - reference[0], 0.0)
        found = share_of("severity", name, amounts, both.astype(float), clusters, seed, f"mean minus {against}'s")
        if isinstance(found, Undefined) or isinstance(found.value, Undefined):
            continue
        way = "more lenient" if found.value > 0 else "more severe"
        size = f"{abs(found.value):.1%}" if isinstance(votes.scale, NominalScale) else f"{abs(found.value):.2f}"
        sure = "" if _is_apart(found) else ", not distinguishable from 0"
        yield Lean(
            kind="severity",
            judge_id=name,
            figure=found,
            sentence=f"{name} is {way} than {against} by {size}{unit}{sure}.",
        )


def verbosity_leans(
    votes: CodedVotes,
    held: CodedVotes | None,
    lengths: NDArray[np.float64],
    clusters: Clusters,
    seed: int,
) -> Iterator[Lean]:
    """What a hundred words more add to a judge's score where gold is the same.

    Args:
        held: gold; None: without it length and quality cannot be told apart, and nothing is said.
        lengths: shape (n_subjects,): words of the response; NaN where its text is missing.
    """
    made = None if held is None else goodness_of(votes)
    if held is None or made is None:
        return
    known = np.isfinite(lengths)
    for row, name in enumerate(votes.raters):
        counted = votes.present[row] & held.present[0] & known
        if counted.sum() < 20:
            continue
        found = _slope(name, made[row], held.codes[0], np.where(known, lengths, 0.0), counted, clusters, seed)
        if isinstance(found.value, Undefined):
            continue
        sure = "" if _is_apart(found) else ", not distinguishable from 0"
        yield Lean(
            kind="verbosity",
            judge_id=name,
            figure=found,
            sentence=f"{WORDS} words more change the score of {name} by {found.value:+.3f} at equal gold{sure}.",
        )


def _slope(
    name: str,
    made: NDArray[np.float64],
    gold: NDArray[np.float64],
    lengths: NDArray[np.float64],
    counted: NDArray[np.bool_],
    clusters: Clusters,
    seed: int,
) -> Finding:
    """Least squares of score on length within each gold label: what is the same in gold cannot explain a difference."""
    label = np.unique(gold[counted], return_inverse=True)[1]
    x, y = lengths[counted] / WORDS, made[counted]
    n_of = np.bincount(label)
    x = x - (np.bincount(label, weights=x) / n_of)[label]
    y = y - (np.bincount(label, weights=y) / n_of)[label]
    group = clusters.among(counted)
    sums = np.stack([np.bincount(group, weights=x * y), np.bincount(group, weights=x * x)], axis=1)
    whole = sums.sum(axis=0)
    value: float | Undefined = (
        float(whole[0] / whole[1]) if whole[1] > 0 else Undefined("all responses of one gold label are equally long")
    )
    drawn = resampled_sums(sums, N_RESAMPLES, seed) if len(sums) > 1 else np.zeros((0, 2))
    defined = drawn[:, 1] > 0
    values = np.divide(drawn[:, 0], drawn[:, 1], out=np.zeros(len(drawn)), where=defined)
    interval = interval_of(value, Resampled(values=values, defined=defined), n_groups=len(sums), seed=seed)
    return Finding(
        name="verbosity",
        about=name,
        value=value,
        interval=interval,
        n=int(counted.sum()),
        n_groups=len(sums),
        provenance="least squares of the score on length, within equal gold labels, per hundred words",
    )


def system_deltas(
    votes: CodedVotes,
    held: CodedVotes,
    systems: Sequence[tuple[str | None, ...]],
    design: Design,
    clusters: Clusters,
    seed: int,
) -> tuple[SystemDelta, ...]:
    """For every judge and system, the judge's mean score of it minus that of gold, or of the other judges.

    Args:
        votes: of all judges.
        held: gold, one rater; or the panel.
    """
    made, reference = goodness_of(votes), goodness_of(held)
    names = sorted({own[0] for own in systems if own and own[0] is not None})
    if made is None or reference is None or len(names) < 2:
        return ()
    aliases = dict(design.aliases)
    wrote = {name: np.array([own[:1] == (name,) for own in systems], dtype=np.bool_) for name in names}
    found = []
    for row, judge in enumerate(votes.raters):
        both = votes.present[row] & held.present[0]
        for name, mask in wrote.items():
            counted = both & mask
            amounts = np.where(counted, made[row] - reference[0], 0.0)
            delta = share_of(
                "delta", judge, amounts, counted.astype(float), clusters, seed, f"score of {name} minus gold's"
            )
            relation = relation_to(design.judge(JudgeId(judge)), name, aliases)
            found.append(SystemDelta(judge_id=JudgeId(judge), system=name, delta=delta, is_kin=relation in _KIN))
    return tuple(found)


def spread_of_deltas(deltas: Sequence[SystemDelta]) -> tuple[tuple[JudgeId, float], ...]:
    """By judge, the standard deviation of its deltas over systems: PoLL (arXiv 2404.18796), table 4."""
    by_judge: dict[JudgeId, list[float]] = {}
    for one in deltas:
        if isinstance(one.delta, Finding) and isinstance(one.delta.value, float):
            by_judge.setdefault(one.judge_id, []).append(one.delta.value)
    return tuple((judge, float(np.std(values))) for judge, values in by_judge.items() if len(values) > 1)


def preference_leans(deltas: Sequence[SystemDelta]) -> Iterator[Lean]:
    """How much better a judge makes its own family look than it makes all others look."""
    by_judge: Mapping[JudgeId, list[SystemDelta]] = {}
    for one in deltas:
        by_judge.setdefault(one.judge_id, []).append(one)  # type: ignore[attr-defined]
    for judge, rows in by_judge.items():
        kin, others = _values(rows, is_kin=True), _values(rows, is_kin=False)
        if not kin or not others:
            continue
        value = float(np.mean(kin) - np.mean(others))
        spread = float(np.std(others, ddof=1)) if len(others) > 1 else 0.0
        sure = "" if abs(value) > 2 * spread else ", within what it does to other systems"
        figure = Finding(
            name="self_preference",
            about=judge,
            value=value,
            interval=Undefined("the systems of its own family are too few to vary"),
            n=len(kin) + len(others),
            n_groups=len(kin) + len(others),
            provenance="mean delta of systems of its own model or family minus that of the others; n counts systems",
        )
        yield Lean(
            kind="self-preference",
            judge_id=judge,
            figure=figure,
            sentence=f"{judge} makes its own family look {value:+.3f} better than it makes the others look{sure}.",
        )


def _values(rows: Sequence[SystemDelta], *, is_kin: bool) -> list[float]:
    return [
        row.delta.value
        for row in rows
        if row.is_kin is is_kin and isinstance(row.delta, Finding) and isinstance(row.delta.value, float)
    ]


def goodness_of(votes: CodedVotes) -> NDArray[np.float64] | None:
    """How good every vote is, higher is better: shape (n_raters, n_subjects); None where labels have no order."""
    if isinstance(votes.scale, NominalScale):
        if len(votes.labels) != 2:
            return None
        return np.asarray(votes.codes == votes.labels.index(votes.scale.positive), dtype=np.float64)
    return None if votes.n_positions else votes.codes


def _is_apart(found: Finding) -> bool:
    return isinstance(found.interval, Interval) and found.interval.excludes_zero
