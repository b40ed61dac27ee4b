"""Preferred pairs from votes: of comparisons, or of responses of one item that were scored alone."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.domain.identity import ItemId
from venire.domain.preference import Preference
from venire.domain.rubric import NominalScale, OrdinalScale


def preferred_pairs(votes: CodedVotes, panel: CodedVotes) -> Iterator[Preference]:
    """Every two responses of which the panel prefers one; ties, both bad and undecided are no preference.

    Args:
        votes: of the voting judges.
        panel: its decisions, one rater, over the same subjects.
    """
    yield from _of_comparisons(votes, panel) if votes.n_positions else _of_scores(votes, panel)


def _of_comparisons(votes: CodedVotes, panel: CodedVotes) -> Iterator[Preference]:
    n = votes.present.sum(axis=0)
    for column in np.flatnonzero(panel.present[0]).tolist():
        subject, chosen = panel.subjects[column], int(panel.codes[0][column])
        if chosen >= len(subject.responses) or not n[column]:
            continue
        there = votes.present[:, column]
        shares = [
            float((votes.codes[there, column] == position).sum() / n[column])
            for position in range(len(subject.responses))
        ]
        for other in range(len(subject.responses)):
            if other != chosen:
                yield Preference(
                    item_id=subject.item_id,
                    chosen=subject.responses[chosen],
                    rejected=subject.responses[other],
                    margin=shares[chosen] - shares[other],
                    confidence=shares[chosen],
                    n_judges=int(n[column]),
                )


def _of_scores(votes: CodedVotes, panel: CodedVotes) -> Iterator[Preference]:
    scores = _scores(votes)
    columns: dict[ItemId, list[int]] = {}
    for column in np.flatnonzero(panel.present[0]).tolist():
        columns.setdefault(panel.subjects[column].item_id, []).append(column)
    for item_id, own in columns.items():
        for one, other in combinations(own, 2):
            both = votes.present[:, one] & votes.present[:, other]
            if not both.any():
                continue
            # The same judges score both: whoever scored one alone would move the difference by its own severity.
            difference = scores[both, one] - scores[both, other]
            margin = float(difference.mean())
            if margin == 0.0:
                continue
            better, worse = (one, other) if margin > 0 else (other, one)
            higher = np.where(difference == 0, 0.5, (difference > 0) == (margin > 0))
            yield Preference(
                item_id=item_id,
                chosen=votes.subjects[better].responses[0],
                rejected=votes.subjects[worse].responses[0],
                margin=abs(margin),
                confidence=float(higher.mean()),
                n_judges=int(both.sum()),
            )


def _scores(votes: CodedVotes) -> NDArray[np.float64]:
    if isinstance(votes.scale, NominalScale):
        return np.asarray(votes.codes == votes.labels.index(votes.scale.positive), dtype=np.float64)
    return votes.codes / (len(votes.labels) - 1) if isinstance(votes.scale, OrdinalScale) else votes.codes
