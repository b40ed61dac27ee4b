"""Disagreements: the subjects on which the judges differ most."""

from collections.abc import Mapping, Sequence

from venire.coding.code import value_of
from venire.coding.votes import CodedVotes
from venire.domain.annotation import Gold
from venire.domain.finding import Undefined
from venire.domain.identity import ItemId
from venire.domain.item import Item, Subject
from venire.domain.rubric import Value
from venire.domain.verdict import Decided, Shared, Undecided, Verdict, VerdictOutcome
from venire.reporting.report import Disagreement, Said
from venire.reporting.text import show_value_of_scale

N_SHOWN = 20
"""As many as a person looks through in one sitting."""


def find_disagreements(
    verdicts: Sequence[Verdict], votes: CodedVotes, golds: Sequence[Gold], items: Sequence[Item]
) -> tuple[Disagreement, ...]:
    """Find up to 20 subjects with the largest spread of votes, largest first; unanimous ones are never among them.

    Args:
        verdicts, votes: of one criterion.
        golds: of any criteria.
    """
    ranked = sorted(
        ((spread, verdict) for verdict in verdicts if (spread := _spread_of(verdict)) > 0),
        key=lambda pair: (-pair[0], pair[1].subject),
    )[:N_SHOWN]
    if not ranked:
        return ()
    columns = {subject: column for column, subject in enumerate(votes.subjects)}
    by_id = {item.id: item for item in items}
    criterion_id = ranked[0][1].criterion_id
    labels = {gold.subject: gold.value for gold in golds if gold.criterion_id == criterion_id}
    return tuple(tell_disagreement(verdict, votes, columns[verdict.subject], labels, by_id) for _, verdict in ranked)


def tell_disagreement(
    verdict: Verdict,
    votes: CodedVotes,
    column: int,
    labels: Mapping[Subject, Value],
    items: Mapping[ItemId, Item],
) -> Disagreement:
    """What was said of one subject, in words.

    Args:
        column: of the subject among the votes.
        labels: gold, by subject.
        items: for the names of systems.
    """
    subject = verdict.subject
    return Disagreement(
        item_id=subject.item_id,
        responses=subject.responses,
        systems=tuple(items[subject.item_id].responses[index].system for index in subject.responses),
        spread=_spread_of(verdict),
        votes=_votes_on(votes, column),
        panel=_decided_by_panel(verdict.outcome, subject, votes),
        gold=_gold_of(labels.get(subject), subject, votes),
    )


def _spread_of(verdict: Verdict) -> float:
    """The spread for ranking; a subject without one is not in disagreement."""
    return 0.0 if isinstance(verdict.spread, Undefined) else verdict.spread


def _votes_on(votes: CodedVotes, column: int) -> tuple[Said, ...]:
    subject = votes.subjects[column]
    said: list[Said] = []
    for row, rater in enumerate(votes.raters):
        missing = int(votes.missing[row, column])
        if missing:
            said.append(Said(rater=rater, words=votes.reasons[missing - 1].replace("_", " "), is_label=False))
        else:
            value = value_of(votes.scale, float(votes.codes[row, column]), subject, votes.n_positions)
            said.append(Said(rater=rater, words=show_value_of_scale(value, subject, votes.scale), is_label=True))
    return tuple(said)


def _decided_by_panel(outcome: VerdictOutcome, subject: Subject, votes: CodedVotes) -> Said:
    match outcome:
        case Decided(value=value):
            return Said(rater="panel", words=show_value_of_scale(value, subject, votes.scale), is_label=True)
        case Shared(values=values):
            words = " / ".join(show_value_of_scale(value, subject, votes.scale) for value in values)
            return Said(rater="panel", words=f"shared: {words}", is_label=False)
        case Undecided(reason=reason):
            return Said(rater="panel", words=f"undecided: {reason}", is_label=False)


def _gold_of(value: Value | None, subject: Subject, votes: CodedVotes) -> Said:
    if value is None:
        return Said(rater="gold", words="no gold", is_label=False)
    return Said(rater="gold", words=show_value_of_scale(value, subject, votes.scale), is_label=True)
