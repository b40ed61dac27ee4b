"""Preferences: what is chosen, by how much, and what is no preference."""

from collections.abc import Sequence

import numpy as np
import pytest

from venire.coding.labels import labels_of
from venire.coding.votes import CodedVotes
from venire.domain.identity import ItemId
from venire.domain.item import Subject
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, Scale
from venire.ranking.preferences import preferred_pairs

FIRST, SECOND, TIE, BAD = 0.0, 1.0, 2.0, 3.0


def votes_of(scale: Scale, rows: Sequence[Sequence[float | None]], subjects: Sequence[Subject]) -> CodedVotes:
    return CodedVotes(
        scale=scale,
        labels=labels_of(scale, max(len(subject.responses) for subject in subjects)),
        raters=tuple(f"j{n}" for n in range(len(rows))),
        subjects=tuple(subjects),
        codes=np.array([[code or 0.0 for code in row] for row in rows]),
        missing=np.array([[int(code is None) for code in row] for row in rows], dtype=np.int16),
        reasons=("unreadable",),
    )


def test_a_comparison_prefers_what_the_panel_chose() -> None:
    pair = [Subject(item_id=ItemId("i"), responses=(0, 2))]
    votes = votes_of(ChoiceScale(), [[FIRST], [SECOND], [SECOND], [TIE]], pair)

    (found,) = preferred_pairs(votes, votes_of(ChoiceScale(), [[SECOND]], pair))

    assert (found.chosen, found.rejected) == (2, 0)
    assert (found.margin, found.confidence, found.n_judges) == (0.25, 0.5, 4)


@pytest.mark.parametrize("decided", [TIE, BAD, None])
def test_ties_both_bad_and_undecided_are_no_preference(decided: float | None) -> None:
    pair, scale = [Subject(item_id=ItemId("i"), responses=(0, 1))], ChoiceScale(both_bad=True)

    assert list(preferred_pairs(votes_of(scale, [[FIRST]], pair), votes_of(scale, [[decided]], pair))) == []


def test_responses_scored_alone_are_paired_over_the_judges_that_scored_both() -> None:
    about = [Subject(item_id=ItemId("i"), responses=(n,)) for n in range(3)]
    scale = IntervalScale(min=1, max=9)
    votes = votes_of(scale, [[2, 4, 4], [3, 3, None], [9, None, 1]], about)

    found = {(one.chosen, one.rejected): one for one in preferred_pairs(votes, votes_of(scale, [[4, 4, 2]], about))}

    assert (1, 2) not in found
    assert (found[1, 0].margin, found[1, 0].confidence, found[1, 0].n_judges) == (1.0, 0.75, 2)
    assert (found[0, 2].margin, found[0, 2].confidence) == (3.0, 0.5)


def test_of_two_labels_the_share_of_the_positive_one_counts() -> None:
    about = [Subject(item_id=ItemId("i"), responses=(n,)) for n in range(2)]
    scale = NominalScale(labels=("no", "yes"), positive="yes")
    votes = votes_of(scale, [[1, 0], [1, 1], [1, 0]], about)

    (found,) = preferred_pairs(votes, votes_of(scale, [[1, 0]], about))

    assert (found.chosen, found.rejected) == (0, 1)
    assert found.margin == pytest.approx(2 / 3)
    assert found.confidence == pytest.approx(2.5 / 3)
