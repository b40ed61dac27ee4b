"""People: what annotators agree on among themselves, and whether a rater may stand in for one of them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.domain.audit import People, Replaceable
from venire.domain.finding import Finding, Undefined
from venire.domain.rubric import OrdinalScale
from venire.errors import UndefinedStatistic
from venire.metaeval.intervals import N_RESAMPLES, Resampled, interval_of
from venire.stats.alternative_annotator import LEAST_ANNOTATORS, alternative_annotator_test
from venire.stats.cluster_bootstrap import resampled_sums
from venire.stats.cohen_kappa import Weights, kappa_of_tables
from venire.stats.gwet_ac1 import gwet_ac1
from venire.stats.krippendorff_alpha import Level, alpha_of_numbers, krippendorff_alpha

ALIKE, OVERLAP = 0.5, 0.9
NOBODY = Undefined("no person is named: labels given without a name cannot be held against one another")
_NUMBERS = Undefined("the scale holds numbers")


def weights_of(votes: CodedVotes) -> Weights:
    """Quadratic where labels have an order."""
    return "quadratic" if isinstance(votes.scale, OrdinalScale) else "nominal"


def alpha_of(votes: CodedVotes) -> float | Undefined:
    """Krippendorff's alpha of all raters, on the scale's own level."""
    level: Level = "ordinal" if isinstance(votes.scale, OrdinalScale) else "nominal"
    try:
        if not votes.labels:
            return alpha_of_numbers(votes.codes, votes.present).alpha
        return krippendorff_alpha(votes.codes, votes.present, len(votes.labels), level).alpha
    except UndefinedStatistic as reason:
        return Undefined(str(reason))


def kappa_finding(
    first: CodedVotes, second: CodedVotes, groups: NDArray[np.intp], *, about: str, seed: int
) -> Finding | Undefined:
    """Cohen's kappa of two raters, with an interval by group.

    Args:
        first, second: one rater each, over the same subjects.
        groups: shape (n_subjects,): the number of each subject's group.
    """
    if not first.labels:
        return _NUMBERS
    both = first.present[0] & second.present[0]
    sums = _tables(first.codes[0], second.codes[0], both, groups, len(first.labels))
    return _kappa(sums, int(both.sum()), about, weights_of(first), seed, "Cohen's kappa of two raters")


def _tables(
    ours: NDArray[np.float64],
    theirs: NDArray[np.float64],
    both: NDArray[np.bool_],
    groups: NDArray[np.intp],
    n_labels: int,
) -> NDArray[np.float64]:
    names, number = np.unique(groups[both], return_inverse=True)
    cells = (number * n_labels + ours[both].astype(np.intp)) * n_labels + theirs[both].astype(np.intp)
    size = len(names) * n_labels * n_labels
    return np.bincount(cells, minlength=size).astype(np.float64).reshape(len(names), n_labels, n_labels)


def _kappa(sums: NDArray[np.float64], n: int, about: str, weights: Weights, seed: int, how: str) -> Finding | Undefined:
    if not n:
        return Undefined("they share no subject")
    n_labels = sums.shape[-1]
    whole = kappa_of_tables(sums.sum(axis=0)[None], weights)
    value: float | Undefined = (
        float(whole.values[0]) if whole.defined[0] else Undefined("both gave one and the same label throughout")
    )
    drawn = resampled_sums(sums, N_RESAMPLES, seed) if len(sums) > 1 else np.zeros((0, n_labels, n_labels))
    found = kappa_of_tables(drawn, weights)
    resampled = Resampled(values=found.values, defined=found.defined)
    return Finding(
        name="kappa",
        about=about,
        value=value,
        interval=interval_of(value, resampled, n_groups=len(sums), seed=seed),
        n=n,
        n_groups=len(sums),
        provenance=how,
    )


def measure_people(
    people: CodedVotes | None,
    raters: Sequence[CodedVotes],
    groups: NDArray[np.intp],
    *,
    epsilon: float,
    seed: int,
) -> People:
    """What people agree on, and which raters may stand in for one.

    Args:
        people: every annotator over the same subjects; None where nobody is named.
        raters: one rater each, such as the panel and the judges.
        epsilon: of the alternative annotator test.
    """
    if people is None:
        return People(annotators=(), ceiling=NOBODY, alpha=NOBODY, ac1=NOBODY, pairs=(), replaceable=())
    names = people.raters
    pairs = tuple(
        (
            one,
            other,
            kappa_finding(people.only([one]), people.only([other]), groups, about=f"{one}, {other}", seed=seed),
        )
        for number, one in enumerate(names)
        for other in names[number + 1 :]
    )
    return People(
        annotators=names,
        ceiling=_ceiling(people, groups, seed),
        alpha=alpha_of(people) if len(names) > 1 else Undefined("one annotator"),
        ac1=_ac1(people),
        pairs=pairs,
        replaceable=tuple(_replaceable(people, rater, epsilon) for rater in raters),
    )


def _ac1(people: CodedVotes) -> float | Undefined:
    if not people.labels:
        return _NUMBERS
    try:
        return gwet_ac1(people.codes, people.present, len(people.labels)).ac1
    except UndefinedStatistic as reason:
        return Undefined(str(reason))


def _ceiling(people: CodedVotes, groups: NDArray[np.intp], seed: int) -> Finding | Undefined:
    """The mean over annotators of their kappa with the majority of the others; of two, their kappa with each other."""
    if not people.labels:
        return _NUMBERS
    people = people.only(_alike(people))
    if len(people.raters) < 2:
        return Undefined("there are no two annotators who labelled about the same subjects")
    tables = _against_others(people, groups)
    sums = np.stack(tables, axis=1)
    used = sums.sum(axis=(1, 2, 3)) > 0
    return _mean_kappa(sums[used], int(sums.sum()), weights_of(people), seed)


def with_others(people: CodedVotes, groups: NDArray[np.intp], seed: int) -> dict[str, Finding | Undefined]:
    """Every annotator's kappa with the majority of the others: nobody is held to a gold that is partly its own."""
    if not people.labels:
        return dict.fromkeys(people.raters, _NUMBERS)
    found: dict[str, Finding | Undefined] = {}
    how = "Cohen's kappa with the majority of the other annotators, whose ties are left out"
    for name, table in zip(people.raters, _against_others(people, groups), strict=True):
        used = table.sum(axis=(1, 2)) > 0
        found[name] = _kappa(table[used], int(table.sum()), name, weights_of(people), seed, how)
    return found


def _against_others(people: CodedVotes, groups: NDArray[np.intp]) -> list[NDArray[np.float64]]:
    """For every annotator the confusion with the majority of the others by group: (n_groups, n_labels, n_labels)."""
    n_labels = len(people.labels)
    counts = np.stack([((people.codes == code) & people.present).sum(axis=0) for code in range(n_labels)])
    names, number = np.unique(groups, return_inverse=True)
    found = []
    for row in range(len(people.raters)):
        own, there = people.codes[row].astype(np.intp), people.present[row]
        rest = counts - ((np.arange(n_labels)[:, None] == own) & there)
        top = rest.max(axis=0)
        both = there & ((rest == top).sum(axis=0) == 1) & (top > 0)
        cells = (number[both] * n_labels + own[both]) * n_labels + rest.argmax(axis=0)[both]
        table = np.bincount(cells, minlength=len(names) * n_labels**2).astype(np.float64)
        found.append(table.reshape(len(names), n_labels, n_labels))
    return found


def _mean_kappa(sums: NDArray[np.float64], n: int, weights: Weights, seed: int) -> Finding | Undefined:
    if not n:
        return Undefined("no subject has labels of two annotators")
    point = _mean_of_kappas(sums.sum(axis=0)[None], weights)
    drawn = resampled_sums(sums, N_RESAMPLES, seed) if len(sums) > 1 else np.zeros((0, *sums.shape[1:]))
    resampled = _mean_of_kappas(drawn, weights)
    value: float | Undefined = (
        float(point.values[0]) if point.defined[0] else Undefined("an annotator gave one and the same label throughout")
    )
    return Finding(
        name="human_ceiling",
        about="people",
        value=value,
        interval=interval_of(value, resampled, n_groups=len(sums), seed=seed),
        n=n,
        n_groups=len(sums),
        provenance="mean over annotators of Cohen's kappa with the majority of the others, whose ties are left out",
    )


def _mean_of_kappas(tables: NDArray[np.float64], weights: Weights) -> Resampled:
    """Shape (n, n_annotators, n_labels, n_labels) to the mean over annotators."""
    n, n_annotators, n_labels = tables.shape[:3]
    found = kappa_of_tables(tables.reshape(n * n_annotators, n_labels, n_labels), weights)
    values, defined = found.values.reshape(n, n_annotators), found.defined.reshape(n, n_annotators)
    return Resampled(values=values.mean(axis=1), defined=np.asarray(defined.all(axis=1), dtype=np.bool_))


def _alike(people: CodedVotes) -> list[str]:
    """Annotators who labelled about as much as the busiest: who was called in for hard cases alone is no ceiling."""
    n = people.present.sum(axis=1)
    return [name for name, own in zip(people.raters, n.tolist(), strict=True) if own >= ALIKE * n.max()]


def _replaceable(people: CodedVotes, rater: CodedVotes, epsilon: float) -> Replaceable:
    n_all, most = int(people.present.all(axis=0).sum()), int(people.present.sum(axis=1).max())
    if len(people.raters) >= LEAST_ANNOTATORS and n_all < OVERLAP * most:
        why = Undefined(
            f"annotators overlap on {n_all:,} of {most:,} subjects; the test needs all of them on about the same ones"
        )
        return Replaceable(name=rater.raters[0], winning_rate=why, advantage=why, passes=False, epsilon=epsilon)
    try:
        found = alternative_annotator_test(
            rater.codes[0],
            people.codes,
            rater.present[0],
            people.present,
            epsilon=epsilon,
            is_label=bool(people.labels),
        )
    except UndefinedStatistic as reason:
        why = Undefined(str(reason))
        return Replaceable(name=rater.raters[0], winning_rate=why, advantage=why, passes=False, epsilon=epsilon)
    return Replaceable(
        name=rater.raters[0],
        winning_rate=found.winning_rate,
        advantage=found.advantage,
        passes=found.passes,
        epsilon=epsilon,
    )
