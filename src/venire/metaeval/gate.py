"""Gates: requirements held to the figures of a run, and to their change from a baseline."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from venire.domain.change import RunChange
from venire.domain.finding import Finding, Undefined
from venire.domain.gate import Checked, GateResult, Requirement, parse_requirement
from venire.domain.measures import PANEL
from venire.errors import UsageError

DEFAULTS = ("failures<=10%", "undecided<=10%", "unasked<=0%", "dropped<=0%")
"""What is required of every run unless another bound is given: a gate must not pass because cases dropped out."""
DROPPED = "dropped"

_Figures = Mapping[tuple[str, str], Finding]


def check_gate(
    requirements: Sequence[Requirement],
    findings: Sequence[Finding],
    *,
    criterion_id: str,
    change: RunChange | None = None,
) -> GateResult:
    """Hold requirements to a run; a figure without a value fails.

    Args:
        requirements: those of `DEFAULTS` whose figure none of them names are added.
        findings: of the run.
        change: from the baseline, where there is one; then no subject may have dropped out, unless a requirement on
            "dropped" says otherwise.

    Raises:
        UsageError: a requirement names a figure, a judge or a system that the run does not have, or a change without
            a baseline.
    """
    figures = {(finding.name, finding.about): finding for finding in findings}
    changes: dict[tuple[str, str], Finding] = {}
    if change is not None:
        changes = {(one.before.name, one.before.about): one.difference for one in change.figures}
        figures[DROPPED, PANEL] = _dropped(change)
    wanted = [*requirements, *_defaults(requirements, figures)]
    checks = [_check(requirement, figures, changes, has_baseline=change is not None) for requirement in wanted]
    return GateResult(criterion_id=criterion_id, checks=tuple(checks), notes=() if change is None else change.notes)


def _defaults(requirements: Sequence[Requirement], figures: _Figures) -> list[Requirement]:
    named = {one.name for one in requirements if one.about is None and not one.is_change}
    found = [replace(parse_requirement(text), is_default=True) for text in DEFAULTS]
    return [one for one in found if one.name not in named and (one.name, PANEL) in figures]


def _dropped(change: RunChange) -> Finding:
    n = change.n_shared + change.n_only_before
    return Finding(
        name=DROPPED,
        about=PANEL,
        value=change.n_dropped / n,
        interval=Undefined("it is a count of what was there before, not an estimate"),
        n=n,
        n_groups=n,
        provenance="share of the baseline's subjects that it decided and that this run lacks or leaves undecided",
    )


def _check(requirement: Requirement, figures: _Figures, changes: _Figures, *, has_baseline: bool) -> Checked:
    if requirement.is_change and not has_baseline:
        raise UsageError(f"{requirement.text!r} speaks of a change; name the run to compare with as --baseline.")
    found = _find(requirement, changes if requirement.is_change else figures)
    value = _part_of(found, requirement)
    return Checked(
        requirement=requirement,
        finding=found,
        value=value,
        holds=isinstance(value, float) and requirement.holds(value),
    )


def _find(requirement: Requirement, figures: _Figures) -> Finding | Undefined:
    found = figures.get((requirement.name, requirement.about or PANEL))
    if found is not None:
        return found
    known = sorted({name for name, _ in figures})
    abouts = sorted({about for name, about in figures if name == requirement.name})
    if requirement.name in _GOLD and requirement.name not in known:
        return Undefined("the run has no gold on this criterion")
    if not abouts:
        raise UsageError(f"{requirement.text!r}: this run has no figure {requirement.name!r}; it has {known!r}.")
    raise UsageError(
        f"{requirement.text!r}: there is no {requirement.name} of {requirement.about or PANEL!r}; "
        f"there is one of {abouts!r}."
    )


_GOLD = frozenset({"kappa", "accuracy", "mean_absolute_error"})


def _part_of(found: Finding | Undefined, requirement: Requirement) -> float | Undefined:
    if isinstance(found, Undefined):
        return found
    if requirement.part == "n":
        return float(found.n)
    if requirement.part == "value" or isinstance(found.value, Undefined):
        return found.value
    if isinstance(found.interval, Undefined):
        return Undefined(f"no interval: {found.interval.reason}")
    return found.interval.low if requirement.part == "low" else found.interval.high
