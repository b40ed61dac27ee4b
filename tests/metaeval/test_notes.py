"""Notes: each says one thing that a reader must know, and only where it is so."""

from collections.abc import Mapping, Sequence

from venire.domain.design import Design
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.panel import Judge
from venire.domain.rubric import Criterion, Rubric
from venire.metaeval.agreement import measure_agreement
from venire.metaeval.notes import DEMO_QUALITY, write_notes

from .votes import YES_NO, Row, code

C = CriterionId("correct")
GOLD = ["yes", "no"] * 20
WRONG = ["no", "yes"] * 20
HALF = ["yes", "no", "no", "yes"] * 10


def notes_of(
    judges: Mapping[str, Row],
    panel: Row = GOLD,
    gold: Row | None = GOLD,
    *,
    seats: Sequence[Judge] = (),
) -> str:
    """All notes as one text; judges are APIs of unknown family unless seated otherwise."""
    seats = seats or [Judge(id=JudgeId(name), provider="openai", model=f"x-{name}") for name in judges]
    design = Design(
        protocol="pointwise",
        rubric=Rubric(criteria=(Criterion(id=C, question="Is it correct?", scale=YES_NO),)),
        judges=tuple(seats),
    )
    votes = code(YES_NO, judges)
    measured = measure_agreement(
        votes=votes,
        panel=code(YES_NO, {"panel": panel}),
        gold=None if gold is None else code(YES_NO, {"gold": gold}),
        groups=[str(number) for number in range(len(panel))],
        voting=[judge.id for judge in design.seated],
    )
    return "\n".join(write_notes({C: measured}, design, {C: votes}))


def test_a_best_judge_far_above_the_panel_is_named_as_distinguishable() -> None:
    assert (
        "The best single judge, a, beats the panel by 1.00 in kappa; the difference is distinguishable from 0 "
        "on 40 subjects."
    ) in notes_of({"a": GOLD}, panel=HALF)


def test_a_best_judge_hardly_above_the_panel_is_not_distinguishable() -> None:
    panel = ["no", *GOLD[1:]]

    assert "beats the panel by 0.05 in kappa; the difference is not distinguishable from 0" in notes_of(
        {"a": GOLD}, panel=panel
    )


def test_a_panel_above_its_best_judge_is_said_to_be() -> None:
    assert "The panel beats its best single judge, a, by 1.00 in kappa" in notes_of({"a": HALF})


def test_a_panel_that_equals_its_best_judge_is_not_said_to_be_beaten() -> None:
    assert "have the same kappa" in notes_of({"a": GOLD})


def test_a_judge_below_chance_is_worse_than_chance() -> None:
    almost = ["yes", *WRONG[1:]]

    assert "Judge b is worse than chance (kappa -0.95 on 40 subjects" in notes_of({"a": GOLD, "b": almost})


def test_a_judge_whose_interval_includes_zero_is_not_better_than_chance() -> None:
    below = [*HALF[:-4], *WRONG[:4]]

    assert "Judge b is not better than chance" in notes_of({"a": GOLD, "b": below})


def test_without_gold_agreement_is_not_accuracy() -> None:
    assert "agreement with the panel is not accuracy" in notes_of({"a": GOLD}, gold=None)


def test_more_than_five_percent_failures_are_named() -> None:
    judge = ["?unreadable", "?timeout", "?refused", *GOLD[3:]]

    assert "Judge a gave no readable label in 3 of 40 cases (8%)" in notes_of({"a": judge})


def test_five_percent_failures_and_abstentions_are_not_named() -> None:
    judge = ["?unreadable", "?timeout", "?abstained", "?abstained", *GOLD[4:]]

    assert "readable label" not in notes_of({"a": judge})


def test_what_was_not_asked_is_no_failure() -> None:
    judge = [*["?not_asked"] * 20, "?unreadable", *GOLD[21:]]

    assert "readable label" not in notes_of({"a": judge})


def test_a_baseline_as_good_as_the_panel_is_named() -> None:
    seats = [
        Judge(id=JudgeId("a"), provider="openai", model="x"),
        Judge(id=JudgeId("length"), provider="length", votes=False),
    ]

    assert "The baseline length is as good as the panel or better (kappa 1.00 against 0.00)" in notes_of(
        {"a": HALF, "length": GOLD}, panel=HALF, seats=seats
    )


def test_a_baseline_below_the_panel_is_not_named() -> None:
    seats = [
        Judge(id=JudgeId("a"), provider="openai", model="x"),
        Judge(id=JudgeId("length"), provider="length", votes=False),
    ]

    assert "baseline" not in notes_of({"a": GOLD, "length": HALF}, seats=seats)


def test_embedded_judges_are_called_demo_quality_once() -> None:
    seats = [
        Judge(id=JudgeId("a"), provider="similarity"),
        Judge(id=JudgeId("b"), provider="containment"),
    ]

    assert notes_of({"a": GOLD, "b": HALF}, seats=seats).count(DEMO_QUALITY) == 1
