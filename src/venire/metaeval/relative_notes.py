"""Notes on self-preference: who rates its own relatives, and how far the panel's figures rest on that."""

from collections.abc import Iterator, Mapping, Sequence

from venire.domain.finding import Undefined
from venire.domain.lineage import Relation
from venire.domain.relatives import PanelFigures, Relative, WithoutRelatives

MOST_NAMED = 5
"""More names than this are counted, not listed."""

_KIN: Mapping[Relation, str] = {"same model": "its own model", "same family": "a model of its own family"}


def tell_relatives(relatives: Sequence[Relative], figures: Sequence[WithoutRelatives]) -> tuple[str, ...]:
    """One sentence for every pairing of a system, with the figures beside it, and one for all that is unknown."""
    notes: list[str] = []
    for system in dict.fromkeys(relative.system for relative in relatives):
        kin = [relative for relative in relatives if relative.system == system and relative.relation != "unknown"]
        if kin:
            who = "; ".join(_pairing(relative) for relative in kin)
            rows = [row for row in figures if row.system == system]
            told = " ".join(_with_and_without(row, names_criterion=len(rows) > 1) for row in rows)
            notes.append(f"Self-preference is possible on system {system}: {who}.{' ' if told else ''}{told}")
    notes.extend(_unknown(relatives))
    return tuple(notes)


def _pairing(relative: Relative) -> str:
    beside = "" if relative.votes else " (which does not vote)"
    return f"judge {relative.judge_id}{beside} rates {_KIN[relative.relation]}"


def _with_and_without(row: WithoutRelatives, *, names_criterion: bool) -> str:
    about = f"On {row.criterion_id}, " if names_criterion else ""
    if isinstance(row.without, Undefined):
        return f"{about}{'w' if about else 'W'}ithout them there is no panel: {row.without.reason}."
    whole, without = (_words(figures, row) for figures in (row.whole, row.without))
    return f"{about}{'t' if about else 'T'}he panel says {whole} with them, and {without} without."


def _words(figures: PanelFigures, row: WithoutRelatives) -> str:
    words = f"{row.score_name} {_number(figures.score)} on {figures.n_decided} of {row.n_subjects}"
    if isinstance(figures.against_gold, Undefined):
        return words
    return f"{words} ({row.gold_name} {_number(figures.against_gold)})"


def _number(value: float | Undefined) -> str:
    return f"undefined ({value.reason})" if isinstance(value, Undefined) else f"{value:.2f}"


def _unknown(relatives: Sequence[Relative]) -> Iterator[str]:
    unknown = [relative for relative in relatives if relative.relation == "unknown"]
    if not unknown:
        return
    judges = list(dict.fromkeys(relative.judge_id for relative in unknown))
    systems = list(dict.fromkeys(relative.system for relative in unknown))
    yield (
        f"Whether {_list('judge', judges)} and {_list('system', systems)} are related is not known, since not all of "
        "their names tell a model: self-preference cannot be ruled out. The design's aliases can say which model a "
        "name stands for."
    )


def _list(what: str, names: Sequence[str]) -> str:
    shown = ", ".join(names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{what}{'s' if len(names) > 1 else ''} {shown}{more}"
