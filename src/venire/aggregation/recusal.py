"""Recusal: a judge has no vote where it would judge its own family's words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.domain.design import Design
from venire.domain.identity import ItemId
from venire.domain.item import Item, Subject
from venire.domain.lineage import Relation
from venire.domain.relatives import relation_to

RECUSED = "recused"
"""Why a vote is missing that its judge was not to give."""

_KIN: frozenset[Relation] = frozenset({"same model", "same family"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Recusals:
    """Who is to have no vote on what."""

    is_recused: NDArray[np.bool_]
    """Shape (n_judges, n_subjects): all judges of the design, in its order."""
    notes: tuple[str, ...]
    """How often, where it could not be told, and what it does to the denominator."""


def find_recusals(design: Design, items: Sequence[Item], subjects: Sequence[Subject]) -> Recusals:
    """Recuse every judge on the subjects in which a response comes from its own model or family.

    A system or a judge whose family is not known recuses nobody, and the notes count these subjects.

    Args:
        design: its judges, aliases and `recuse`; with "nobody" nobody is.
        items: of the subjects, with the systems of their responses.
    """
    is_recused = np.zeros((len(design.judges), len(subjects)), dtype=np.bool_)
    if design.aggregation.recuse == "nobody":
        return Recusals(is_recused=is_recused, notes=())
    systems_of = {item.id: tuple(response.system for response in item.responses) for item in items}
    is_open = np.zeros(len(subjects), dtype=np.bool_)
    wrote = _by_system(subjects, systems_of)
    aliases = dict(design.aliases)
    for system, columns in wrote.items():
        for row, judge in enumerate(design.judges):
            relation: Relation = "unknown" if system is None else relation_to(judge, system, aliases)
            if relation in _KIN:
                is_recused[row, columns] = True
            elif relation == "unknown" and judge.votes:
                is_open[columns] = True
    return Recusals(is_recused=is_recused, notes=_notes(design, is_recused, is_open))


def recuse(votes: CodedVotes, is_recused: NDArray[np.bool_]) -> CodedVotes:
    """The same votes, with those missing as "recused" that are not to count, whatever they were.

    Args:
        votes: of all judges of the design, in its order.
        is_recused: shape (n_judges, n_subjects).
    """
    if not is_recused.any():
        return votes
    reasons = votes.reasons if RECUSED in votes.reasons else (*votes.reasons, RECUSED)
    number = 1 + reasons.index(RECUSED)
    missing = np.where(is_recused, number, votes.missing).astype(np.int16)
    return replace(votes, missing=missing, reasons=reasons)


def _by_system(
    subjects: Sequence[Subject], systems_of: Mapping[ItemId, tuple[str | None, ...]]
) -> Mapping[str | None, NDArray[np.intp]]:
    """The columns of the subjects that a system wrote a response of; None: nobody knows who did."""
    found: dict[str | None, list[int]] = {}
    for column, subject in enumerate(subjects):
        systems = systems_of.get(subject.item_id, ())
        for system in {systems[index] if index < len(systems) else None for index in subject.responses}:
            found.setdefault(system, []).append(column)
    return {system: np.array(columns, dtype=np.intp) for system, columns in found.items()}


def _notes(design: Design, is_recused: NDArray[np.bool_], is_open: NDArray[np.bool_]) -> tuple[str, ...]:
    voting = np.array([judge.votes for judge in design.judges], dtype=np.bool_)
    counts = is_recused.sum(axis=1).tolist()
    recused = [f"{judge.id} on {n:,}" for judge, n in zip(design.judges, counts, strict=True) if judge.votes and n]
    n_subjects = is_recused.shape[1]
    notes = [f"Recused for their own family's words, of {n_subjects:,} subjects: {', '.join(recused) or 'nobody'}."]
    n_empty = int(is_recused[voting].all(axis=0).sum()) if n_subjects else 0
    if n_empty:
        notes.append(f"On {n_empty:,} of {n_subjects:,} subjects every voting judge is recused: they are undecided.")
    if recused and design.aggregation.denominator == "seated":
        notes.append(
            "A recused judge stays among the seated, so that its missing vote counts against a majority; "
            "denominator: counted leaves it out."
        )
    if is_open.any():
        notes.append(
            f"On {int(is_open.sum()):,} of {n_subjects:,} subjects it is not known whether a judge and a system are of "
            "one family: nobody is recused for that. The design's aliases can say which model a name stands for."
        )
    return tuple(notes)
