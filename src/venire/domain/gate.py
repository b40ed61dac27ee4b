"""Gates: what is required of a run, and whether it holds."""

import re
from dataclasses import dataclass
from typing import Literal

from venire.domain.finding import Finding, Undefined
from venire.errors import UsageError

Part = Literal["value", "low", "high", "n"]
Comparison = Literal[">=", "<=", ">", "<"]

_FORM = re.compile(
    r"\s*(?P<name>[a-z_]+)(?::(?P<about>.+?))?(?P<change>\.change)?(?:\.(?P<part>low|high|n))?"
    r"\s*(?P<comparison>>=|<=|>|<)\s*(?P<bound>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(?P<percent>%?)\s*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One condition on one figure."""

    text: str
    """As it was written."""
    name: str
    about: str | None
    """A judge or a system; None: the panel."""
    is_change: bool
    """The difference from the baseline, and not the figure itself."""
    part: Part
    comparison: Comparison
    bound: float
    is_default: bool = False
    """Nobody wrote it: it keeps cases from dropping out unseen."""

    def holds(self, value: float) -> bool:
        """Whether a value meets the condition."""
        match self.comparison:
            case ">=":
                return value >= self.bound
            case "<=":
                return value <= self.bound
            case ">":
                return value > self.bound
            case "<":
                return value < self.bound


def parse_requirement(text: str) -> Requirement:
    """Read "NAME[:JUDGE OR SYSTEM][.change][.low|.high|.n] >= NUMBER[%]".

    Raises:
        UsageError: it has another form.

    >>> parse_requirement("kappa.low>=0.5").part
    'low'
    >>> parse_requirement("failures <= 2%").bound
    0.02
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise UsageError(
            f"{text!r} is no requirement; write a figure, >=, <=, > or <, and a number, such as 'kappa>=0.6', "
            "'kappa.low>=0.5', 'failures<=2%', 'pass_rate:my-system>=0.8' or, with --baseline, "
            "'kappa.change.low>=-0.05'."
        )
    bound = float(found["bound"])
    comparison, part = found["comparison"], found["part"] or "value"
    return Requirement(
        text=text.strip(),
        name=found["name"],
        about=found["about"],
        is_change=found["change"] is not None,
        part=part,  # type: ignore[arg-type]  # the pattern admits these alone
        comparison=comparison,  # type: ignore[arg-type]
        bound=bound / 100 if found["percent"] else bound,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One requirement, held to the run."""

    requirement: Requirement
    finding: Finding | Undefined
    """The figure that it speaks of; undefined where the run has none of this name."""
    value: float | Undefined
    """What was compared; undefined fails."""
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """All requirements, held to a run."""

    criterion_id: str
    checks: tuple[Checked, ...]
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every requirement holds."""
        return all(check.holds for check in self.checks)
