"""Judgments become arrays: draws, attempts and the reasons of what is missing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.coding.code import code_draws
from venire.coding.votes import CodedDraws, Draw
from venire.domain.identity import JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Abstention, Failure, Judgment
from venire.domain.rubric import ChoiceScale, NominalScale

from .makers import criterion, judgment, subject

YES_NO = criterion(NominalScale(labels=("yes", "no")))
CHOICE = criterion(ChoiceScale())
S1, S2 = subject("i1"), subject("i2")
PAIR = subject("i1", 0, 1)
JUDGES = [JudgeId("j1"), JudgeId("j2")]


def said(draws: CodedDraws) -> list[list[list[str]]]:
    """The label or the reason in every cell."""
    return [
        [
            [
                str(draws.labels[int(code)]) if not gone else draws.reasons[gone - 1]
                for code, gone in zip(*cell, strict=True)
            ]
            for cell in zip(codes, missing, strict=True)
        ]
        for codes, missing in zip(draws.codes.tolist(), draws.missing.tolist(), strict=True)
    ]


def test_every_judge_has_a_row_and_every_subject_a_column() -> None:
    draws = code_draws([judgment("j2", S1, "no"), judgment("j1", S2, "yes")], [S1, S2], JUDGES, YES_NO)

    assert said(draws) == [[["not_asked"], ["yes"]], [["no"], ["not_asked"]]]


def test_missing_labels_keep_their_reason() -> None:
    outcomes = [judgment("j1", S1, Failure(reason="truncated")), judgment("j1", S2, Abstention(reason="unclear"))]

    assert said(code_draws(outcomes, [S1, S2], JUDGES[:1], YES_NO)) == [[["truncated"], ["abstained"]]]


def test_draws_are_sorted_by_order_then_sample() -> None:
    outcomes = [
        judgment("j1", PAIR, 1, swapped=True),
        judgment("j1", PAIR, "tie", sample=1),
        judgment("j1", PAIR, 0),
    ]
    draws = code_draws(outcomes, [PAIR], JUDGES[:1], CHOICE)

    assert draws.draws == (Draw(order="AB", sample=0), Draw(order="AB", sample=1), Draw(order="BA", sample=0))
    assert said(draws) == [[["0", "tie", "1"]]]


@given(order=st.permutations(range(3)))
def test_the_highest_attempt_of_a_draw_counts(order: list[int]) -> None:
    tries = [
        judgment("j1", S1, Failure(reason="unreadable")),
        judgment("j1", S1, "no", attempt=1),
        judgment("j1", S1, "yes", attempt=2),
    ]

    assert said(code_draws([tries[place] for place in order], [S1], JUDGES[:1], YES_NO)) == [[["yes"]]]


def test_a_later_failure_counts_over_an_earlier_label() -> None:
    tries = [judgment("j1", S1, "yes"), judgment("j1", S1, Failure(reason="timeout"), attempt=1)]

    assert said(code_draws(tries, [S1], JUDGES[:1], YES_NO)) == [[["timeout"]]]


def test_two_different_judgments_of_one_attempt_are_refused() -> None:
    with pytest.raises(ValueError, match="attempt differ"):
        code_draws([judgment("j1", S1, "yes"), judgment("j1", S1, "no")], [S1], JUDGES, YES_NO)


def test_the_same_judgment_twice_is_one() -> None:
    assert said(code_draws([judgment("j1", S1, "yes")] * 2, [S1], JUDGES[:1], YES_NO)) == [[["yes"]]]


@pytest.mark.parametrize(
    "stranger",
    [judgment("j9", S1, "yes"), judgment("j1", subject("i9"), "yes"), judgment("j1", S1, "yes", on="other")],
)
def test_judgments_about_something_else_are_passed_over(stranger: Judgment) -> None:
    draws = code_draws([stranger], [S1], JUDGES[:1], YES_NO)

    assert draws.codes.shape == (1, 1, 0)


def test_a_label_off_the_scale_is_never_a_number() -> None:
    with pytest.raises(ValueError, match=r"'i1'.*'maybe'"):
        code_draws([judgment("j1", S1, "maybe")], [S1], JUDGES, YES_NO)


@pytest.mark.parametrize(("subjects", "judges"), [([S1, S1], JUDGES), ([S1], [*JUDGES, JUDGES[0]])])
def test_repeated_subjects_or_judges_are_refused(subjects: list[Subject], judges: list[JudgeId]) -> None:
    with pytest.raises(ValueError, match="repeat"):
        code_draws([], subjects, judges, YES_NO)


def test_the_label_is_the_response_whatever_the_order_shown() -> None:
    """Kind of fault F31: swapped back once, at reading; nothing is swapped here."""
    shown_first = code_draws([judgment("j1", PAIR, 1)], [PAIR], JUDGES[:1], CHOICE)
    shown_last = code_draws([judgment("j1", PAIR, 1, swapped=True)], [PAIR], JUDGES[:1], CHOICE)

    assert np.array_equal(shown_first.codes, shown_last.codes)


def test_judgments_are_not_changed_by_coding() -> None:
    given_one = judgment("j1", S1, "yes")
    copy = replace(given_one)

    code_draws([given_one], [S1], JUDGES, YES_NO)

    assert given_one == copy
