"""Counting: what the panel decided, over all subjects and for every system, and what each judge said."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import assert_never, get_args

import numpy as np

from venire.coding.votes import CodedVotes
from venire.domain.finding import Undefined
from venire.domain.identity import ItemId, JudgeId
from venire.domain.item import Item, Subject
from venire.domain.judgment import FailureReason
from venire.domain.rubric import BOTH_BAD, TIE, ChoiceScale, IntervalScale, NominalScale, OrdinalScale, Scale, Value
from venire.domain.verdict import Decided, Shared, Undecided, Verdict
from venire.reporting.report import JudgeVotes, Outcomes, SystemRow, Tally
from venire.reporting.text import show_place, show_value_of_scale

_FAILURES = frozenset(get_args(FailureReason))
_NO_MEAN = Undefined("labels have no mean")
_NOTHING_DECIDED = Undefined("nothing was decided")


def count_outcomes(verdicts: Sequence[Verdict], scale: Scale | None) -> Outcomes:
    """Count what was decided over all subjects; a choice is counted by the place of the response in its subject.

    Args:
        scale: of the criterion; None for a combination of criteria, whose values tell what they are.
    """
    tallies = _Tallies()
    for verdict in verdicts:
        tallies.enter(verdict, partial(_word_or_number, subject=verdict.subject, scale=scale))
    n_places = max((len(verdict.subject.responses) for verdict in verdicts), default=0)
    return tallies.outcomes(_words_of(scale, n_places))


def count_systems(verdicts: Iterable[Verdict], items: Sequence[Item], scale: Scale | None) -> tuple[SystemRow, ...]:
    """Count what was decided on the responses of each system, sorted by name, unnamed last.

    Comparisons: wins, losses, ties and both bad. A response whose system has no name is counted under None.
    """
    by_id: Mapping[ItemId, Item] = {item.id: item for item in items}
    rows: dict[str | None, _Tallies] = {}
    for verdict in verdicts:
        responses = by_id[verdict.subject.item_id].responses
        for index in verdict.subject.responses:
            tallies = rows.setdefault(responses[index].system, _Tallies())
            if isinstance(scale, ChoiceScale):
                tallies.enter(verdict, partial(_result_for, index))
            else:
                tallies.enter(verdict, partial(_word_or_number, subject=verdict.subject, scale=scale))
    if set(rows) <= {None}:
        return ()
    words = _words_of(scale, 0)
    if isinstance(scale, ChoiceScale):
        words = ["wins", "losses", *(["ties"] * scale.tie), *(["both bad"] * scale.both_bad)]
    return tuple(
        SystemRow(system=system, outcomes=rows[system].outcomes(words))
        for system in sorted(rows, key=lambda name: (name is None, name or ""))
    )


def count_votes(votes: CodedVotes, judge_id: JudgeId) -> JudgeVotes:
    """Count the votes of one judge, and its missing votes by reason."""
    numbers = np.bincount(votes.missing[votes.rater(judge_id)], minlength=len(votes.reasons) + 1)
    missing = {reason: int(n) for reason, n in zip(votes.reasons, numbers[1:], strict=True) if n}
    n_abstained = missing.pop("abstained", 0)
    return JudgeVotes(
        judge_id=judge_id,
        n_votes=int(numbers[0]),
        n_abstained=n_abstained,
        failures=tuple(Tally(name=reason, n=n) for reason, n in sorted(missing.items()) if reason in _FAILURES),
        no_vote=tuple(Tally(name=reason, n=n) for reason, n in sorted(missing.items()) if reason not in _FAILURES),
    )


class _Tallies:
    """The running counts of some subjects."""

    def __init__(self) -> None:
        self._n_subjects = 0
        self._words: Counter[str] = Counter()
        self._numbers: list[float] = []
        self._n_shared = 0
        self._undecided: Counter[str] = Counter()

    def enter(self, verdict: Verdict, read: Callable[[Value], str | float]) -> None:
        """Count one verdict; `read` gives the word or the number that a decided value is counted as."""
        self._n_subjects += 1
        match verdict.outcome:
            case Decided(value=value):
                match read(value):
                    case str(word):
                        self._words[word] += 1
                    case number:
                        self._numbers.append(number)
            case Shared():
                self._n_shared += 1
            case Undecided(reason=reason):
                self._undecided[reason] += 1
            case _:
                assert_never(verdict.outcome)

    def outcomes(self, words: Sequence[str]) -> Outcomes:
        """The counts so far: these words first, also with 0, then any others."""
        ordered = [*words, *sorted(set(self._words) - set(words))]
        mean = sum(self._numbers) / len(self._numbers) if self._numbers else _NO_MEAN if ordered else _NOTHING_DECIDED
        return Outcomes(
            n_subjects=self._n_subjects,
            decided=tuple(Tally(name=word, n=self._words[word]) for word in ordered),
            n_decided=self._words.total() + len(self._numbers),
            mean=mean,
            n_shared=self._n_shared,
            undecided=tuple(Tally(name=reason, n=n) for reason, n in sorted(self._undecided.items())),
        )


def _word_or_number(value: Value, subject: Subject, scale: Scale | None) -> str | float:
    if isinstance(value, str) or isinstance(scale, ChoiceScale):
        return show_value_of_scale(value, subject, scale)
    return float(value)


def _result_for(index: int, value: Value) -> str:
    """What a choice means for the response at this index."""
    match value:
        case str() if value == TIE:
            return "ties"
        case str() if value == BOTH_BAD:
            return "both bad"
        case _:
            return "wins" if value == index else "losses"


def _words_of(scale: Scale | None, n_places: int) -> list[str]:
    match scale:
        case NominalScale(labels=labels) | OrdinalScale(labels=labels):
            return list(labels)
        case ChoiceScale(tie=tie, both_bad=both_bad):
            places = [show_place(position) for position in range(n_places)]
            return [*places, *(["tie"] * tie), *(["both bad"] * both_bad)]
        case IntervalScale() | None:
            return []
