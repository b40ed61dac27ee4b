"""Judgments are counted as they pass; of one draw, the last attempt counts."""

from dataclasses import replace

from venire.domain.ballot import BallotForm
from venire.domain.design import Design
from venire.domain.identity import CallId, CriterionId, ItemId, JudgeId
from venire.domain.item import Subject
from venire.domain.judgment import Distribution, Failure, Judgment, Label, LabelProbability, Outcome
from venire.domain.measures import HowRead
from venire.domain.panel import Judge
from venire.domain.rubric import Criterion, NominalScale, Rubric
from venire.metaeval.reading_notes import tell_how_read
from venire.metaeval.tally import JudgmentTally

YES_NO = NominalScale(labels=("yes", "no"))
DESIGN = Design(
    protocol="pointwise",
    rubric=Rubric(
        criteria=tuple(Criterion(id=CriterionId(name), question="Is it?", scale=YES_NO) for name in ("a", "b"))
    ),
    judges=(Judge(id=JudgeId("j"), provider="openai_compatible", model="m"),),
)
READ, UNREAD, REFUSED = Label(value="yes"), Failure(reason="unreadable"), Failure(reason="refused")


def _tally(*rows: tuple[str, int, Outcome]) -> JudgmentTally:
    """Count judgments on one item, in the order in which a store gives them."""
    tally = JudgmentTally(
        [
            Judgment(
                subject=Subject(item_id=ItemId("i"), responses=(0,)),
                criterion_id=CriterionId(criterion),
                judge_id=JudgeId("j"),
                shown=(0,),
                sample=0,
                attempt=attempt,
                call_id=CallId(f"c{attempt}"),
                outcome=outcome,
                step="none",
                reader_version=1,
            )
            for criterion, attempt, outcome in rows
        ],
        DESIGN,
    )
    assert len(list(tally)) == len(rows)
    return tally


def test_every_criterion_is_a_judgment_and_every_draw_one_call() -> None:
    tally = _tally(("a", 0, READ), ("b", 0, REFUSED))

    assert (tally.n_calls, tally.n_judgments, tally.n_failed, tally.n_to_ask_again) == (1, 2, 1, 0)


def test_a_later_attempt_takes_the_place_of_the_earlier() -> None:
    tally = _tally(("a", 0, UNREAD), ("a", 1, READ), ("b", 0, READ), ("b", 1, READ))

    assert (tally.n_calls, tally.n_judgments, tally.n_failed, tally.n_to_ask_again) == (1, 2, 0, 0)
    assert tally.call_ids == {"c0", "c1"}


def test_a_last_attempt_that_failed_is_left_to_ask_until_the_policy_is_exhausted() -> None:
    after = [
        _tally(*(("a", attempt, UNREAD) for attempt in range(n)), *(("b", attempt, READ) for attempt in range(n)))
        for n in (1, 2, 3)
    ]

    assert [tally.n_to_ask_again for tally in after] == [1, 1, 0]
    assert [tally.n_failed for tally in after] == [1, 1, 1]


def test_a_criterion_that_was_read_later_does_not_hide_another_that_was_not() -> None:
    tally = _tally(("a", 0, READ), ("a", 1, UNREAD), ("b", 0, UNREAD), ("b", 1, READ))

    assert (tally.n_to_ask_again, tally.n_failed) == (1, 1)


def test_it_is_counted_how_labels_were_found_and_later_attempts_replace_earlier_ones() -> None:
    share = Distribution(labels=(LabelProbability(value="yes", probability=1.0),), coverage=0.8)
    tally = _tally(("a", 0, UNREAD), ("a", 1, Label(value="yes", distribution=share)), ("b", 0, READ), ("b", 1, UNREAD))

    read = tally.how_read[JudgeId("j")]

    assert read == HowRead(steps=(("none", 1),), n_later_attempts=1, n_with_probabilities=1, mean_coverage=0.8)
    assert (tally.n_judgments, tally.n_failed) == (2, 1)


def test_what_rests_on_repairs_and_on_asking_again_is_said() -> None:
    read = HowRead(
        steps=(("json", 7), ("repaired_json", 2), ("truncated_json", 1)),
        n_later_attempts=3,
        n_with_probabilities=4,
        mean_coverage=0.5,
    )
    asked = replace(DESIGN, ballot=BallotForm(probabilities="if_supported"))

    notes = tell_how_read({JudgeId("j"): read}, asked)

    assert "of 10 labels, 2 in JSON that had to be repaired and 1 in JSON that was cut off" in notes[0]
    assert "3 of 10 labels came when it was asked again" in notes[1]
    assert "6 of 10 labels have no probabilities" in notes[2]
    assert "cover 50% on average" in notes[3]
    assert len(tell_how_read({JudgeId("j"): read}, DESIGN)) == 2
