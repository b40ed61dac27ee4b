"""One vote per judge: samples first, then orders."""

import pytest

from venire.aggregation.decide import aggregate
from venire.domain.judgment import Abstention
from venire.domain.rubric import ChoiceScale, IntervalScale, Scale

from .panels import PAIR, THREE, Vote, criterion, design, judgment, subject

NO_TIES = ChoiceScale(tie=False)
WITH_BOTH_BAD = ChoiceScale(both_bad=True)


def vote_of(scale: Scale, ab: list[Vote], ba: list[Vote], **how: str) -> object:
    """The one judge's vote, or the reason why it is missing."""
    about = subject("i1", 0, 1) if isinstance(scale, ChoiceScale) else subject()
    judgments = [
        judgment("j", about, vote, swapped=swapped, sample=sample)
        for swapped, votes in ((False, ab), (True, ba))
        for sample, vote in enumerate(votes)
    ]
    votes = aggregate(judgments, [about], design([criterion(scale)], ["j"], **how)).votes[criterion(scale).id]
    if votes.missing[0, 0]:
        return votes.reasons[votes.missing[0, 0] - 1]
    return votes.labels[int(votes.codes[0, 0])] if votes.labels else float(votes.codes[0, 0])


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        (["a", "b", "b"], "b"),
        (["a", "b"], "samples tied"),
        ([None, "b"], "b"),
        (["a", "b", "c", None], "samples tied"),
        ([None, None], "unreadable"),
        ([Abstention(), None], "abstained"),
        ([], "not_asked"),
    ],
)
def test_samples_combine_by_plurality(samples: list[Vote], expected: str) -> None:
    assert vote_of(THREE, samples, []) == expected


def test_samples_of_numbers_combine_by_their_mean() -> None:
    assert vote_of(IntervalScale(min=1, max=5), [2, 5, None], []) == 3.5


@pytest.mark.parametrize(
    ("ab", "ba", "expected"),
    [
        ([0], [0], 0),
        ([0], [1], "tie"),
        (["tie"], [0], "tie"),
        (["tie"], ["tie"], "tie"),
        ([0], [None], "unreadable"),
        ([Abstention()], [0], "abstained"),
        ([Abstention()], [None], "abstained"),
        ([0], [], "not_asked"),
        ([0, 1], [0, 0], "samples tied"),
        ([0, 0, 1], [0, 1, 0], 0),
    ],
)
def test_a_vote_in_both_orders_needs_both(ab: list[Vote], ba: list[Vote], expected: object) -> None:
    assert vote_of(PAIR, ab, ba, orders="both") == expected


@pytest.mark.parametrize(("scale", "flip"), [(PAIR, "undecided"), (NO_TIES, "tie"), (NO_TIES, "undecided")])
def test_orders_that_disagree_leave_no_vote(scale: ChoiceScale, flip: str) -> None:
    assert vote_of(scale, [0], [1], orders="both", flip=flip) == "orders disagree"


@pytest.mark.parametrize("other", [0, "tie"])
def test_both_bad_in_one_order_never_becomes_a_tie(other: Vote) -> None:
    assert vote_of(WITH_BOTH_BAD, ["both_bad"], [other], orders="both") == "orders disagree"
    assert vote_of(WITH_BOTH_BAD, [other], ["both_bad"], orders="both") == "orders disagree"


def test_both_bad_in_both_orders_is_a_vote() -> None:
    assert vote_of(WITH_BOTH_BAD, ["both_bad"], ["both_bad"], orders="both") == "both_bad"


@pytest.mark.parametrize(("orders", "expected"), [("AB", 0), ("BA", 1)])
def test_draws_in_an_order_not_asked_for_do_not_vote(orders: str, expected: int) -> None:
    assert vote_of(PAIR, [0], [1], orders=orders) == expected
