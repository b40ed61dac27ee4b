"""The best of n: the response with the highest score, with the ties and the gaps told."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.aggregation.decide import aggregate
from venire.domain.best_of import BestOf
from venire.domain.finding import Undefined
from venire.domain.identity import BEST_OF_N
from venire.domain.item import Subject
from venire.domain.rubric import IntervalScale
from venire.domain.verdict import Decided, Shared, Undecided, Verdict
from venire.errors import DesignError

from .panels import PAIR, YES_NO, Vote, criterion, design, judgment, subject

SCORES = IntervalScale(min=0, max=1, integer=False)


def best(rows: Sequence[Sequence[Vote]], how: BestOf | None = None, **more: object) -> Verdict:
    """What rows of judges say of an item's responses, and which one is the best."""
    plan = design(
        [criterion(SCORES)], [f"j{row}" for row in range(len(rows))], rule="mean", best_of=how or BestOf(), **more
    )
    about = [subject("i1", place) for place in range(len(rows[0]))]
    judgments = [
        judgment(f"j{row}", one, vote) for row, votes in enumerate(rows) for one, vote in zip(about, votes, strict=True)
    ]
    verdicts = aggregate(judgments, about, plan).verdicts
    assert [verdict.criterion_id for verdict in verdicts[:-1]] == ["q"] * len(about)
    return verdicts[-1]


def test_the_highest_mean_is_the_best() -> None:
    verdict = best([[0.1, 0.9, 0.3], [0.2, 0.8, 0.9]])

    assert (verdict.criterion_id, verdict.subject.responses) == (BEST_OF_N, (0, 1, 2))
    assert verdict.outcome == Decided(value=1)
    assert isinstance(verdict.support, Undefined)


@pytest.mark.parametrize(
    ("tie", "expected"),
    [
        ("strict", Undecided(reason="best of n: 2 responses share the top score")),
        ("fractional", Shared(values=(0, 2))),
    ],
)
def test_a_tie_at_the_top_is_what_the_design_says(tie: str, expected: object) -> None:
    assert best([[0.5, 0.1, 0.5]], BestOf(tie=tie)).outcome == expected  # type: ignore[arg-type]


def test_a_lot_falls_on_one_of_those_at_the_top() -> None:
    drawn = {str(best([[0.5, 0.1, 0.5]], BestOf(tie="random", seed=seed)).outcome) for seed in range(20)}

    assert drawn == {str(Decided(value=0)), str(Decided(value=2))}


def test_scores_that_are_equal_but_for_rounding_tie() -> None:
    rows = [[0.1, 0.3], [0.2, 0.3], [0.6, 0.3]]

    assert best(rows, BestOf(tie="fractional")).outcome == Shared(values=(0, 1))


def test_a_response_without_a_score_leaves_the_best_open() -> None:
    verdict = best([[0.1, None, 0.3], [0.2, None, 0.9]])

    assert verdict.outcome == Undecided(reason="best of n: response 1 has no score")
    assert (verdict.n_counted, verdict.missing) == (0, (("unreadable", 2),))


def test_a_judge_is_counted_where_its_vote_counts_on_every_response() -> None:
    verdict = best([[0.1, 0.4, 0.3], [None, 0.2, 0.9]])

    assert (verdict.n_seated, verdict.n_counted) == (2, 1)


def test_several_criteria_are_weighed_together() -> None:
    criteria = [criterion(SCORES, "q", 1.0), criterion(IntervalScale(min=0, max=10), "r", 3.0)]
    plan = design(criteria, ["j0"], rule="mean", best_of=BestOf())
    about = [subject("i1", 0), subject("i1", 1)]
    judgments = [
        judgment("j0", about[0], 1.0, "q"),
        judgment("j0", about[0], 2, "r"),
        judgment("j0", about[1], 0.0, "q"),
        judgment("j0", about[1], 9, "r"),
    ]

    verdicts = aggregate(judgments, about, plan).verdicts

    assert [verdict.criterion_id for verdict in verdicts] == ["q", "r", "overall", "q", "r", "overall", BEST_OF_N]
    assert verdicts[-1].outcome == Decided(value=1)


def test_an_item_with_one_response_has_no_best() -> None:
    plan = design([criterion(SCORES)], ["j0"], rule="mean", best_of=BestOf())

    verdicts = aggregate([judgment("j0", subject(), 1.0)], [subject()], plan).verdicts

    assert [verdict.criterion_id for verdict in verdicts] == ["q"]


@given(scores=st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=2, max_size=5), data=st.data())
def test_the_best_is_the_same_response_in_any_order_of_subjects(scores: list[float], data: st.DataObject) -> None:
    about = [subject("i1", place) for place in range(len(scores))]
    judgments = [judgment("j0", one, score) for one, score in zip(about, scores, strict=True)]
    plan = design([criterion(SCORES)], ["j0"], rule="mean", best_of=BestOf(tie="fractional"))

    shuffled = aggregate(judgments, data.draw(st.permutations(about)), plan).verdicts

    def chosen(verdicts: Sequence[Verdict]) -> Verdict:
        return next(verdict for verdict in verdicts if verdict.criterion_id == BEST_OF_N)

    assert chosen(shuffled) == chosen(aggregate(judgments, about, plan).verdicts)
    assert chosen(shuffled).subject == Subject(item_id=about[0].item_id, responses=tuple(range(len(scores))))


def test_only_numbers_of_responses_that_were_judged_alone_have_a_best() -> None:
    with pytest.raises(DesignError, match="needs numbers, but criterion 'q' has labels"):
        design([criterion(YES_NO)], ["j0"], best_of=BestOf())
    with pytest.raises(DesignError, match="protocol pairwise compares them already"):
        design([criterion(PAIR)], ["j0"], best_of=BestOf())
