"""Verdicts as a table for the terminal, one a line."""

from collections.abc import Mapping, Sequence

from venire.domain.identity import Json
from venire.reporting.text import one_line


def verdict_table(records: Sequence[Mapping[str, Json]]) -> str:
    """The verdicts as aligned columns; ids and labels cannot reach the terminal as anything but text."""
    rows = [("item", "system", "criterion", "verdict", "support", "votes", "missing")]
    for record in records:
        support = record["support"]
        rows.append(
            (
                one_line(str(record["item"])),
                one_line(" / ".join(str(system) for system in _sequence(record["systems"]) if system is not None)),
                one_line(str(record["criterion"])),
                one_line(_words(record)),
                f"{support:.2f}" if isinstance(support, float) else "–",
                f"{record['n_counted']}/{record['n_seated']}",
                ", ".join(f"{n} {one_line(reason)}" for reason, n in _mapping(record["missing"]).items()),
            )
        )
    widths = [min(40, max(len(row[column]) for row in rows)) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _words(record: Mapping[str, Json]) -> str:
    match record["outcome"]:
        case "decided":
            value = record["winner"] if record.get("winner") is not None else record["value"]
            return f"{value:.3g}" if isinstance(value, float) else str(value)
        case "shared":
            return "shared: " + ", ".join(map(str, _sequence(record["shared"])))
        case _:
            return f"undecided: {record['reason']}"


def verdict_counts(records: Sequence[Mapping[str, Json]]) -> str:
    """How many verdicts came to each outcome."""
    n_of: dict[str, int] = {}
    for record in records:
        n_of[str(record["outcome"])] = n_of.get(str(record["outcome"]), 0) + 1
    return ", ".join(f"{n} {outcome}" for outcome, n in sorted(n_of.items()))


def _sequence(value: Json) -> list[Json]:
    return list(value) if isinstance(value, list | tuple) else []


def _mapping(value: Json) -> dict[str, Json]:
    return dict(value) if isinstance(value, dict) else {}
