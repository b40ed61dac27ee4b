"""The best of n against gold: ties by the stated rule, gaps left out and counted wrong."""

from collections.abc import Mapping, Sequence

import pytest

from venire.domain.annotation import Gold
from venire.domain.best_of import BestOf, BestOfMeasure, BestTie, no_score, tied
from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.identity import BEST_OF_N, ItemId
from venire.domain.item import Item, Response, Subject
from venire.domain.verdict import Decided, Shared, Undecided, Verdict, VerdictOutcome
from venire.metaeval.best_of_n import measure_best_of_n

UNSCORED = Undecided(reason=no_score(2))
TIED = Undecided(reason=tied(2))
RIGHT = Decided(value=0)
"""Gold is always the first response."""


def measure(
    outcomes: Sequence[VerdictOutcome],
    tie: BestTie = "strict",
    groups: Mapping[int, str] | None = None,
    n_gold: int | None = None,
) -> BestOfMeasure:
    subjects = [Subject(item_id=ItemId(f"i{place}"), responses=(0, 1, 2, 3)) for place in range(len(outcomes))]
    why = Undefined("none")
    verdicts = [
        Verdict(
            subject=subject, criterion_id=BEST_OF_N, outcome=outcome, support=why, spread=why, n_seated=1, n_counted=1
        )
        for subject, outcome in zip(subjects, outcomes, strict=True)
    ]
    golds = [
        Gold(subject=subject, criterion_id=BEST_OF_N, value=0, reason="given", n_annotators=1)
        for subject in subjects[:n_gold]
    ]
    items = [
        Item(id=subject.item_id, responses=(Response(text=""),) * 4, group=(groups or {}).get(place, f"g{place}"))
        for place, subject in enumerate(subjects)
    ]
    return measure_best_of_n(verdicts, golds, items, BestOf(tie=tie))


def value(figure: Finding | Undefined) -> float | Undefined:
    return figure if isinstance(figure, Undefined) else figure.value


def test_a_response_without_a_score_is_left_out_and_counted_wrong() -> None:
    found = measure([RIGHT, RIGHT, Decided(value=1), UNSCORED])

    assert (value(found.left_out), value(found.wrong)) == (pytest.approx(2 / 3), 0.5)
    assert isinstance(found.left_out, Finding)
    assert (found.left_out.n, found.left_out.missing) == (3, (("a response without a score", 1),))
    assert (found.n_items, found.n_decided, found.n_unscored) == (4, 3, 1)


def test_a_tie_is_wrong_where_ties_are_strict() -> None:
    found = measure([RIGHT, TIED])

    assert (value(found.left_out), found.n_tied, found.n_unscored) == (0.5, 1, 0)


def test_a_shared_tie_is_right_in_part() -> None:
    found = measure([Shared(values=(0, 2)), Shared(values=(1, 2)), RIGHT, RIGHT], "fractional")

    assert (value(found.left_out), found.n_shared) == (0.625, 2)


def test_chance_is_a_draw_among_all_responses() -> None:
    assert measure([RIGHT, UNSCORED]).chance == 0.25


def test_items_without_gold_are_not_held_against_it() -> None:
    found = measure([RIGHT, RIGHT, Decided(value=3), UNSCORED], n_gold=2)

    assert (value(found.left_out), value(found.wrong), found.n_items) == (1.0, 1.0, 4)


def test_without_gold_there_is_no_accuracy_and_the_counts_stand() -> None:
    found = measure([RIGHT, TIED], n_gold=0)

    assert isinstance(found.left_out, Undefined)
    assert isinstance(found.chance, Undefined)
    assert (found.n_decided, found.n_tied) == (1, 1)


def test_nothing_scored_has_no_accuracy_but_is_wrong() -> None:
    found = measure([UNSCORED, UNSCORED])

    assert isinstance(value(found.left_out), Undefined)
    assert value(found.wrong) == 0.0


def test_intervals_are_over_groups() -> None:
    outcomes: list[VerdictOutcome] = [RIGHT, Decided(value=1)] * 40
    apart = measure(outcomes)
    together = measure(
        outcomes, groups={place: f"g{place // 8}" if place % 2 else f"h{place // 8}" for place in range(80)}
    )

    assert isinstance(apart.wrong, Finding)
    assert isinstance(together.wrong, Finding)
    assert (apart.wrong.n_groups, together.wrong.n_groups) == (80, 20)
    assert isinstance(apart.wrong.interval, Interval)
    assert isinstance(together.wrong.interval, Interval)
    assert together.wrong.interval.low < apart.wrong.interval.low


def test_the_first_accuracy_is_the_one_that_the_design_asks_for() -> None:
    found = measure([RIGHT, UNSCORED])

    assert found.accuracies == (found.left_out, found.wrong)
