"""Findings: named estimates that carry how far they may be trusted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Undefined:
    """A figure that these data do not define, and why."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float
    level: float = 0.95
    method: str
    """How it was made, for the reader: the method, its resamples and seed."""

    @property
    def excludes_zero(self) -> bool:
        """Whether 0 lies outside."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One estimate with its interval, the number counted and the number missing by reason."""

    name: str
    about: str
    """The judge, panel, rule or system that it speaks of."""
    value: float | Undefined
    interval: Interval | Undefined
    n: int
    """Subjects counted."""
    n_groups: int
    """Clusters that they fall into."""
    missing: tuple[tuple[str, int], ...] = ()
    """Subjects left out, by reason."""
    provenance: str
    """Against what it was measured, and how."""
