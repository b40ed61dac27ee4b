"""Labels as people write them: words, numbers, response indices and names of systems, to values of a scale.

Words are matched exactly; outer spaces and case are forgiven where only one word is meant. In comparisons a label
is the index of the better response (from 0), the name of its system, "tie" or "both_bad" in one of the spellings
listed here. Any other spelling is a problem, never a tie.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from venire.datasets.complaints import BadValue, quote
from venire.domain.design import Protocol
from venire.domain.identity import CriterionId, Json
from venire.domain.rubric import (
    BOTH_BAD,
    TIE,
    ChoiceScale,
    Criterion,
    IntervalScale,
    NominalScale,
    OrdinalScale,
    Rubric,
    Value,
    admits,
)

_SPELLINGS: Mapping[str, str] = {
    **dict.fromkeys(("tie", "tied", "draw", "equal", "equally good"), TIE),
    **dict.fromkeys(("both bad", "bothbad", "both are bad", "tie (bothbad)", "tie (both bad)"), BOTH_BAD),
}
"""Usual spellings, with `_` and `-` as spaces; "tie (bothbad)" is that of Chatbot Arena's votes.

"neither" is not here: it may mean that neither is better, or that neither is good.
"""

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_INDEX = re.compile(r"\d{1,6}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the design asks about each item."""

    protocol: Protocol
    rubric: Rubric
    best_of: bool = False
    """Whether the best of an item's responses is chosen too, each of which is judged alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What a label may name."""

    indices: tuple[int, ...]
    systems: Mapping[str, int] = field(default_factory=dict)
    """Index by name of the system, of those indices alone."""
    untyped: bool = False
    """Whether numbers arrive as text (CSV); elsewhere the text "1" is not the number 1."""


def read_label(written: Json, criterion: Criterion, candidates: Candidates) -> Value:
    """The value of the criterion's scale that a label means.

    Raises:
        BadValue: it means none, or several.
    """
    if isinstance(written, str | int | float) and not isinstance(written, bool) and _fits_a_float(written):
        value = _meant(written, criterion, candidates)
        if admits(criterion.scale, value, candidates.indices):
            if isinstance(criterion.scale, IntervalScale) and not isinstance(value, str):
                return int(value) if criterion.scale.integer else float(value)
            return value
    raise BadValue(
        f"label {quote(written)} is not on the scale of criterion {criterion.id!r}; "
        f"expected {_expected(criterion, candidates)}"
    )


def only_criterion(rubric: Rubric) -> Criterion | None:
    """The rubric's criterion where it has just one, so that it need not be named."""
    return rubric.criteria[0] if len(rubric.criteria) == 1 else None


def named_criterion(name: Json, rubric: Rubric) -> Criterion:
    """The criterion that is named; null names the only one.

    Raises:
        BadValue: the rubric has no such criterion, or several where none is named.
    """
    only = only_criterion(rubric)
    if name is None and only is not None:
        return only
    if isinstance(name, str):
        for criterion in rubric.criteria:
            if criterion.id == CriterionId(name):
                return criterion
    said = "no criterion is named" if name is None else f"criterion {quote(name)} is not in the rubric"
    raise BadValue(f"{said}; there are {[criterion.id for criterion in rubric.criteria]!r}")


def _meant(written: str | float, criterion: Criterion, candidates: Candidates) -> Value:
    if not isinstance(written, str):
        return written
    match criterion.scale:
        case NominalScale(labels=labels) | OrdinalScale(labels=labels):
            return _forgiving(written, labels)
        case IntervalScale():
            number = written.strip()
            return float(number) if candidates.untyped and _NUMBER.fullmatch(number) else written
        case ChoiceScale():
            return _choice(written, criterion, candidates)


def _choice(written: str, criterion: Criterion, candidates: Candidates) -> Value:
    name = _forgiving(written, candidates.systems)
    spelled = _SPELLINGS.get(" ".join(re.sub(r"[_-]", " ", written.casefold()).split()))
    if name in candidates.systems:
        if spelled is not None:
            raise BadValue(
                f"label {quote(written)} of criterion {criterion.id!r} is the name of a system "
                f"and also means {spelled!r}; write the index of the response, or rename the system"
            )
        return candidates.systems[name]
    if spelled is not None:
        return spelled
    if candidates.untyped and _INDEX.fullmatch(written.strip()):
        return int(written)
    return written


def _forgiving(written: str, words: Iterable[str]) -> str:
    known = tuple(words)
    if written in known:
        return written
    matches = [word for word in known if word.strip().casefold() == written.strip().casefold()]
    return matches[0] if len(matches) == 1 else written


def _fits_a_float(written: str | float) -> bool:
    # A whole number of JSON has no bound; beyond 1.8e308 Python raises OverflowError wherever it meets a float.
    try:
        float(0 if isinstance(written, str) else written)
    except OverflowError:
        return False
    return True


def _expected(criterion: Criterion, candidates: Candidates) -> str:
    match criterion.scale:
        case NominalScale(labels=labels) | OrdinalScale(labels=labels):
            return f"one of {list(labels)!r}"
        case IntervalScale(min=low, max=high, integer=integer):
            return f"{'a whole number' if integer else 'a number'} from {low:g} to {high:g}"
        case ChoiceScale(tie=tie, both_bad=both_bad):
            names: list[Value] = [*candidates.indices, *candidates.systems]
            return f"one of {[*names, *(TIE,) * tie, *(BOTH_BAD,) * both_bad]!r}"
