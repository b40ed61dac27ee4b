"""Rules reliability and calibrated: what votes are worth is learned from gold, and never from a subject's own."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from venire.aggregation.decide import aggregate
from venire.aggregation.known import Known, Training, training_of
from venire.aggregation.result import RuleResult
from venire.aggregation.rules import apply_rules
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Aggregation, RuleName
from venire.domain.annotation import Gold
from venire.domain.identity import CriterionId
from venire.domain.item import Item, Response
from venire.domain.rubric import ChoiceScale, NominalScale, Rubric
from venire.domain.verdict import Decided, Undecided
from venire.errors import DesignError

from .panels import THREE, YES_NO, Vote, coded, criterion, design, judgment, subject

Q = CriterionId("q")
LEARNED: list[RuleName] = ["reliability", "calibrated"]


def training(votes: CodedVotes, gold: Sequence[str | None], groups: Sequence[str] = (), kinds: str = "") -> Training:
    """Gold on these subjects; each is a group of its own unless `groups` says otherwise; `kinds`: a letter for each."""
    assert isinstance(votes.scale, NominalScale)
    golds = [
        Gold(subject=about, criterion_id=Q, value=value, reason="given", n_annotators=1)
        for about, value in zip(votes.subjects, gold, strict=True)
        if value is not None
    ]
    items = [
        Item(
            id=about.item_id,
            responses=(Response(text=""),),
            group=groups[place] if groups else about.item_id,
            category=kinds[place] if kinds else None,
        )
        for place, about in enumerate(votes.subjects)
    ]
    return training_of(Known(golds=golds, items=items), votes.subjects, Rubric(criteria=(criterion(votes.scale),)))


def said(votes: CodedVotes, taught: Training, rule: RuleName, **how: object) -> RuleResult:
    return apply_rules({Q: votes}, Aggregation(rule=rule, **how), taught)[Q]  # type: ignore[arg-type]


def panel(accuracies: Sequence[float], n: int, seed: int = 1) -> tuple[CodedVotes, list[str | None], NDArray[np.intp]]:
    """Judges of these accuracies, erring apart, on as many subjects; their gold and its codes."""
    generator = np.random.Generator(np.random.PCG64(seed))
    truth = generator.integers(0, 2, n)
    table: list[list[Vote]] = [
        [YES_NO.labels[code] for code in np.where(generator.random(n) < accuracy, truth, 1 - truth)]
        for accuracy in accuracies
    ]
    return coded(YES_NO, table), [YES_NO.labels[code] for code in truth], truth


@pytest.mark.parametrize("rule", LEARNED)
def test_one_good_judge_outweighs_four_that_guess(rule: RuleName) -> None:
    votes, gold, truth = panel([0.95, 0.55, 0.55, 0.55, 0.55], 300)

    found = said(votes, training(votes, gold), rule)

    majority = votes.codes.sum(axis=0) >= 3
    assert (found.codes == truth).mean() > (majority == truth).mean() + 0.1


@pytest.mark.parametrize("rule", LEARNED)
def test_a_judge_that_is_always_wrong_tells_the_truth(rule: RuleName) -> None:
    votes, gold, truth = panel([0.05, 0.5], 200)

    found = said(votes, training(votes, gold), rule)

    assert (found.codes == truth).mean() > 0.85


@pytest.mark.parametrize("rule", LEARNED)
def test_gold_of_a_subject_never_decides_it(rule: RuleName) -> None:
    votes, gold, _ = panel([0.9, 0.6, 0.6], 60)
    groups = [f"g{place // 3}" for place in range(60)]
    lied: list[str | None] = [
        ("no" if value == "yes" else "yes") if place < 3 else value for place, value in enumerate(gold)
    ]

    plain, misled = (said(votes, training(votes, labels, groups), rule) for labels in (gold, lied))

    assert np.array_equal(plain.codes[:3], misled.codes[:3])


@pytest.mark.parametrize("rule", LEARNED)
def test_subjects_without_gold_are_decided_by_all_of_it(rule: RuleName) -> None:
    votes, gold, truth = panel([0.95, 0.55, 0.55], 200)
    some = [value if place < 100 else None for place, value in enumerate(gold)]

    found = said(votes, training(votes, some), rule)

    assert found.decided.all()
    assert (found.codes[100:] == truth[100:]).mean() > 0.88
    assert any("gold on 100 of 200." in note for note in found.notes)


@pytest.mark.parametrize("rule", LEARNED)
def test_without_gold_there_is_nothing_to_learn_from(rule: RuleName) -> None:
    seats = design([criterion(YES_NO)], ["j0"], rule=rule)

    with pytest.raises(DesignError, match="learns from gold, but criterion 'q' has none on these subjects"):
        aggregate([judgment("j0", subject(), "yes")], [subject()], seats)


@pytest.mark.parametrize("rule", LEARNED)
def test_gold_of_one_group_leaves_its_own_subjects_undecided(rule: RuleName) -> None:
    votes, gold, _ = panel([0.9, 0.8], 30)
    groups = ["same"] * 20 + [f"g{place}" for place in range(10)]
    some = [value if place < 20 else None for place, value in enumerate(gold)]

    found = said(votes, training(votes, some, groups), rule)

    assert not found.decided[:20].any()
    assert found.decided[20:].all()
    assert found.otherwise == f"{rule}: nothing to learn from"
    assert any("one group alone" in note for note in found.notes)


def test_probabilities_are_scored_on_gold_that_did_not_teach_them() -> None:
    votes, gold, _ = panel([0.95, 0.6], 200)

    (told,) = [note for note in said(votes, training(votes, gold), "calibrated").notes if "Brier" in note]

    assert told.startswith("calibrated on q: on gold the Brier score is 0.1")
    assert "0.500 knows nothing" in told
    assert "log loss" in told


def test_gold_of_one_label_teaches_no_regression() -> None:
    votes, _, _ = panel([0.9, 0.8], 30)

    found = said(votes, training(votes, ["yes"] * 30), "calibrated")

    assert not found.decided.any()
    assert any("all gold to learn from is 'yes'" in note for note in found.notes)


def test_a_label_that_gold_never_has_is_never_decided() -> None:
    table: list[list[Vote]] = [["a", "b", "c"] * 20, ["a", "b", "c"] * 20]
    votes = coded(THREE, table)
    gold = ["a", "b", None] * 20

    found = said(votes, training(votes, gold), "calibrated")

    assert set(found.codes.tolist()) <= {0.0, 1.0}


def test_a_judge_may_be_good_at_one_category_and_bad_at_another() -> None:
    votes, gold, truth = panel([1.0, 0.0], 200)
    kinds = "mn" * 100
    # Judge 0 is right on m and wrong on n, judge 1 the other way round.
    codes = np.where(np.arange(200) % 2 == 0, votes.codes, 1 - votes.codes)
    votes = coded(YES_NO, [[YES_NO.labels[int(code)] for code in row] for row in codes])
    taught = training(votes, gold, kinds=kinds)

    by_kind = said(votes, taught, "reliability", by_category=True)
    overall = said(votes, taught, "reliability")

    assert (by_kind.codes == truth).all()
    assert (overall.codes == truth)[overall.decided].mean() < 0.6


@pytest.mark.parametrize("rule", LEARNED)
def test_choices_among_three_responses_are_refused(rule: RuleName) -> None:
    seats = design([criterion(ChoiceScale())], ["j0", "j1"], rule=rule, protocol="listwise")
    three = subject("i1", 0, 1, 2)

    with pytest.raises(DesignError, match="a choice of two"):
        aggregate([judgment("j0", three, 2)], [three], seats)


@pytest.mark.parametrize("rule", LEARNED)
def test_the_seed_splits_and_nothing_else_is_left_to_chance(rule: RuleName) -> None:
    votes, gold, _ = panel([0.8, 0.7, 0.6], 80)
    taught = training(votes, gold)

    once, again = (said(votes, taught, rule, seed=5) for _ in range(2))

    assert np.array_equal(once.codes, again.codes)


@pytest.mark.parametrize("rule", LEARNED)
def test_nobody_s_vote_is_no_decision(rule: RuleName) -> None:
    about = [subject(f"i{place}") for place in range(12)]
    golds = [
        Gold(subject=one, criterion_id=Q, value=YES_NO.labels[place % 2], reason="given", n_annotators=1)
        for place, one in enumerate(about)
    ]
    judgments = [
        judgment("j0", one, None if place == 0 else YES_NO.labels[place % 2]) for place, one in enumerate(about)
    ]

    verdicts = aggregate(judgments, about, design([criterion(YES_NO)], ["j0"], rule=rule), Known(golds=golds)).verdicts

    assert verdicts[0].outcome == Undecided(reason="quorum: 0 of 1 votes, 1 needed")
    assert verdicts[1].outcome == Decided(value="no")
