"""Gold, verdicts and judges side by side, as raters over the same subjects."""

import pytest

from venire.coding.code import code_gold, code_verdicts, stack
from venire.coding.votes import CodedVotes
from venire.domain.annotation import Gold
from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId
from venire.domain.item import Subject
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, Value
from venire.domain.verdict import Decided, Shared, Undecided, Verdict, VerdictOutcome

from .makers import criterion, subject

YES_NO = criterion(NominalScale(labels=("yes", "no")))
SUBJECTS = [subject(f"i{number}") for number in range(4)]


def gold(about: Subject, value: Value, on: str = "q") -> Gold:
    return Gold(subject=about, criterion_id=CriterionId(on), value=value, reason="given", n_annotators=1)


def verdict(about: Subject, outcome: VerdictOutcome, on: str = "q") -> Verdict:
    undefined = Undefined("not needed here")
    return Verdict(
        subject=about,
        criterion_id=CriterionId(on),
        outcome=outcome,
        support=undefined,
        spread=undefined,
        n_seated=0,
        n_counted=0,
    )


def said(votes: CodedVotes, rater: str) -> list[object]:
    row = votes.rater(rater)
    return [
        votes.reasons[gone - 1] if gone else (votes.labels[int(code)] if votes.labels else code)
        for code, gone in zip(votes.codes[row].tolist(), votes.missing[row].tolist(), strict=True)
    ]


def test_subjects_without_gold_are_missing() -> None:
    coded = code_gold([gold(SUBJECTS[2], "no"), gold(SUBJECTS[0], "yes", on="other")], SUBJECTS, YES_NO)

    assert said(coded, "gold") == ["no gold", "no gold", "no", "no gold"]


def test_two_golds_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="'i0' has two labels, 'yes' and 'no'"):
        code_gold([gold(SUBJECTS[0], "yes"), gold(SUBJECTS[0], "no")], SUBJECTS, YES_NO)


def test_gold_off_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'i1'.*'perhaps'"):
        code_gold([gold(SUBJECTS[1], "perhaps")], SUBJECTS, YES_NO)


def test_undecided_and_shared_verdicts_are_missing_for_that_reason() -> None:
    outcomes: list[VerdictOutcome] = [Decided(value="no"), Shared(values=("yes", "no")), Undecided(reason="votes tied")]
    verdicts = [verdict(about, outcome) for about, outcome in zip(SUBJECTS, outcomes, strict=False)]

    assert said(code_verdicts(verdicts, SUBJECTS, YES_NO), "panel") == ["no", "shared", "undecided", "no verdict"]


def test_verdicts_on_other_criteria_are_passed_over() -> None:
    coded = code_verdicts([verdict(SUBJECTS[0], Decided(value=0.5), on="overall")], SUBJECTS, YES_NO)

    assert not coded.present.any()


def test_a_mean_between_whole_numbers_is_a_verdict() -> None:
    scale = criterion(IntervalScale(min=1, max=5))

    assert said(code_verdicts([verdict(SUBJECTS[0], Decided(value=3.5))], SUBJECTS[:1], scale), "panel") == [3.5]


def test_stacked_raters_keep_their_own_reasons() -> None:
    golds = code_gold([gold(SUBJECTS[0], "yes")], SUBJECTS[:2], YES_NO)
    panel = code_verdicts([verdict(SUBJECTS[1], Undecided(reason="no majority"))], SUBJECTS[:2], YES_NO)

    both = stack(panel, golds)

    assert both.raters == ("panel", "gold")
    assert said(both, "panel") == ["no verdict", "undecided"]
    assert said(both, "gold") == ["yes", "no gold"]


def test_chosen_raters_come_in_the_order_asked() -> None:
    both = stack(*(code_gold([gold(SUBJECTS[0], "yes")], SUBJECTS, YES_NO, name=name) for name in ("a", "b")))

    assert both.only(["b", "a"]).raters == ("b", "a")


def test_votes_on_other_subjects_do_not_stack() -> None:
    with pytest.raises(ValueError, match="different subjects or scales"):
        stack(code_gold([], SUBJECTS, YES_NO), code_gold([], SUBJECTS[:1], YES_NO, name="other"))


def test_two_raters_of_one_name_do_not_stack() -> None:
    with pytest.raises(ValueError, match="repeat"):
        stack(code_gold([], SUBJECTS, YES_NO), code_gold([], SUBJECTS, YES_NO))


def test_nothing_does_not_stack() -> None:
    with pytest.raises(ValueError, match="no votes"):
        stack()


def test_choices_are_coded_by_position_in_the_subject() -> None:
    pair = subject("i1", 0, 3)

    coded = code_gold([gold(pair, 3)], [pair], criterion(ChoiceScale()))

    assert coded.codes.tolist() == [[1.0]]
    assert coded.n_positions == 2
