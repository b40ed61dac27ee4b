"""Warnings about a panel, a plain sentence each."""

from collections.abc import Iterator, Sequence

import numpy as np

from venire.coding.votes import CodedVotes
from venire.collected import Collected
from venire.domain.design import family_warnings
from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.health import JudgeHealth, PartHealth
from venire.domain.identity import CriterionId
from venire.metaeval.behaviour import leans_of
from venire.metaeval.intervals import FEW_GROUPS
from venire.stats.phi_correlation import phi_correlations

FEWEST_FAMILIES = 3
MANY_FAILURES = 0.1
NOT_ASKED = "not_asked"
SHOWN = 6
"""Judges that are named for one trouble; the others are counted, and stand in the table."""
SHARED_LEAN = 0.1
"""Mean correlation of "chose what was shown first in both orders" from which a shared lean is said, …"""
MUCH_LEAN = 0.1
"""… where judges do so on at least this share of the subjects."""


def warn_of(
    part: PartHealth, collected: Collected, criterion_id: CriterionId, gold: CodedVotes | None
) -> Iterator[str]:
    """What somebody who uses this panel should know."""
    yield from _beside_best(part)
    yield from _of_judges([judge for judge in part.judges if judge.votes], has_gold=gold is not None)
    yield from _shared_lean(collected, criterion_id)
    families = {judge.family or judge.judge_id for judge in part.judges if judge.votes}
    n_voting = sum(judge.votes for judge in part.judges)
    if n_voting >= FEWEST_FAMILIES and len(families) < FEWEST_FAMILIES:
        yield (
            f"The {n_voting} judges are of {len(families)} famil{'y' if len(families) == 1 else 'ies'} "
            f"({', '.join(sorted(families))}): a panel of fewer than {FEWEST_FAMILIES} errs more alike than it looks."
        )
    yield from family_warnings(collected.design)
    n_groups = len(set(collected.groups))
    if n_groups < FEW_GROUPS:
        yield f"There are {n_groups} groups of items; with fewer than {FEW_GROUPS} every interval here is too narrow."
    if gold is None:
        yield (
            "There is no gold: judges are held to the panel, of which they are a part. That shows who is unlike the "
            "others, not who is right."
        )


def _beside_best(part: PartHealth) -> Iterator[str]:
    found = part.panel_minus_best
    if found is None or isinstance(found.value, Undefined):
        return
    lower_is_better = found.name.startswith("mean_absolute")
    gain = -found.value if lower_is_better else found.value
    told = f"{_measure(found)} {found.value:+.3f}{_interval(found)}"
    if isinstance(found.interval, Interval) and found.interval.excludes_zero and gain > 0:
        return
    if gain > 0:
        yield (
            f"The panel is not distinguishable from its best single judge, {part.best_single}, chosen on these data "
            f"({told}): it may not be worth its cost."
        )
        return
    sure = isinstance(found.interval, Interval) and found.interval.excludes_zero
    yield (
        f"The panel does not beat its best single judge, {part.best_single} ({told}"
        f"{', distinguishable from 0' if sure else ''}): ask that judge alone, or choose the panel anew."
    )


def _of_judges(judges: Sequence[JudgeHealth], *, has_gold: bool) -> Iterator[str]:
    """What is wrong with single judges, those with the same trouble together."""
    failing: list[str] = []
    below: list[str] = []
    near: list[str] = []
    unmeasured: list[str] = []
    for judge in judges:
        n_asked = judge.n + sum(count for reason, count in judge.missing if reason != NOT_ASKED)
        if n_asked - judge.n > MANY_FAILURES * n_asked:
            failing.append(f"{judge.judge_id} ({n_asked - judge.n:,} of {n_asked:,})")
        figure = judge.figure
        if not has_gold or not isinstance(figure, Finding):
            continue
        if isinstance(figure.value, Undefined):
            unmeasured.append(f"{judge.judge_id} ({figure.value.reason})")
        elif figure.name == "kappa" and isinstance(figure.interval, Interval) and figure.interval.low <= 0:
            told = f"{judge.judge_id} ({figure.value:.2f}{_interval(figure)})"
            (below if figure.interval.high < 0 else near).append(told)
    if failing:
        yield f"No vote on more than {MANY_FAILURES:.0%} of what was asked: {_listed(failing)}."
    if below:
        yield f"Below chance, kappa with gold: {_listed(below)}. Their votes make the panel worse."
    if near:
        yield f"Not distinguishable from chance, kappa with gold: {_listed(near)}."
    if unmeasured:
        yield f"Without a figure: {_listed(unmeasured)}."


def _listed(told: Sequence[str]) -> str:
    more = f" and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
    return "; ".join(told[:SHOWN]) + more


def _shared_lean(collected: Collected, criterion_id: CriterionId) -> Iterator[str]:
    draws = collected.draws[criterion_id]
    rows = collected.rows_of([judge.id for judge in collected.design.seated])
    leans = leans_of(draws, rows.tolist())
    if leans is None or len(rows) < 2:
        return
    found = phi_correlations(leans.first, leans.both)
    pairs = np.triu_indices(len(rows), k=1)
    defined = found.defined[pairs]
    if not bool(defined.any()):
        return
    mean = float(found.values[pairs][defined].mean())
    share = float(leans.first.sum() / max(int(leans.both.sum()), 1))
    if mean > SHARED_LEAN and share >= MUCH_LEAN:
        yield (
            f"Judges choose what is shown first on the same subjects (mean correlation {mean:.2f}; on {share:.0%} of "
            "subjects in both orders): dawid_skene and one_coin would take the shared lean for the truth."
        )


def _measure(found: Finding) -> str:
    return found.name.removesuffix("_difference").replace("_", " ")


def _interval(found: Finding) -> str:
    if isinstance(found.interval, Undefined):
        return ""
    return f" [{found.interval.low:.3f}, {found.interval.high:.3f}]"
