"""Bounds: promises of speed and memory, held to what was measured."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """One promise and whether it was kept."""

    name: str
    holds: bool
    measured: str
    remark: str = ""


def say(line: str) -> None:
    """Print at once, whoever reads."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def conclude(bench: str, bounds: Iterable[Bound]) -> int:
    """Print every bound as it is measured, then how many hold.

    Returns:
        The exit code: 1 where one does not hold.
    """
    n = n_holding = 0
    for bound in bounds:
        n, n_holding = n + 1, n_holding + bound.holds
        say(f"{'holds' if bound.holds else 'FAILS'}  {bound.name}: {bound.measured}{bound.remark}")
    say(f"{bench}: {n_holding} of {n} bounds hold")
    return int(n_holding < n)
