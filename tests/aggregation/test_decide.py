"""From judgments to verdicts: who votes, what is kept, and the faults of other tools."""

import json
from pathlib import Path
from typing import Any

import pytest

from venire.aggregation.decide import aggregate
from venire.domain.judgment import Abstention, Failure
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, Scale
from venire.domain.verdict import Decided, Undecided
from venire.errors import DesignError

from .panels import PAIR, YES_NO, Vote, criterion, decide, design, judgment, outcome, subject

FAULTS = Path(__file__).parents[3] / "shared" / "faults" / "faults.json"


def fault(fault_id: str) -> dict[str, Any]:
    if not FAULTS.exists():
        pytest.skip("the shared fault collection is not here")
    found: dict[str, Any] = next(one for one in json.loads(FAULTS.read_text()) if one["id"] == fault_id)
    return found


def test_judges_without_a_vote_are_kept_and_do_not_decide() -> None:
    about = subject()
    judgments = [judgment(judge, about, vote) for judge, vote in (("j1", "yes"), ("base", "no"), ("length", "no"))]
    aggregated = aggregate(judgments, [about], design([criterion(YES_NO)], ["j1"], silent=["base", "length"]))

    assert aggregated.verdicts[0].outcome == Decided(value="yes")
    assert aggregated.verdicts[0].n_seated == 1
    assert aggregated.votes[criterion(YES_NO).id].raters == ("j1", "base", "length")


def test_verdicts_come_by_subject_then_by_criterion() -> None:
    criteria = [criterion(YES_NO, "y"), criterion(YES_NO, "x")]
    verdicts = aggregate([], [subject("i2"), subject("i1")], design(criteria, ["j"])).verdicts

    assert [(one.subject.item_id, one.criterion_id) for one in verdicts] == [
        (item, on) for item in ("i2", "i1") for on in ("y", "x", "overall")
    ]


def test_missing_votes_are_counted_by_reason_in_alphabetical_order() -> None:
    failures: list[Vote] = [
        Failure(reason="timeout"),
        Abstention(),
        Failure(reason="refused"),
        Failure(reason="timeout"),
        "yes",
    ]

    verdict = decide(YES_NO, failures)

    assert verdict.missing == (("abstained", 1), ("refused", 1), ("timeout", 2))
    assert (verdict.n_seated, verdict.n_counted) == (5, 1)


def test_a_judge_that_was_not_asked_is_a_missing_vote() -> None:
    about = subject()
    panel = design([criterion(YES_NO)], ["j1", "j2"])
    (verdict,) = aggregate([judgment("j1", about, "yes")], [about], panel).verdicts

    assert verdict.missing == (("not_asked", 1),)
    assert verdict.outcome == Undecided(reason="no majority")


def test_no_subject_has_no_verdict() -> None:
    assert aggregate([], [], design([criterion(YES_NO), criterion(YES_NO, "x")], ["j"])).verdicts == ()


@pytest.mark.parametrize(("votes", "spread"), [(["yes"] * 3, 0.0), (["yes", "no"], 0.5), (["yes", "yes", "no"], 4 / 9)])
def test_the_spread_of_labels_is_the_chance_that_two_votes_differ(votes: list[str], spread: float) -> None:
    """Simpson (1949), doi:10.1038/163688a0: 1 minus the sum of squared shares."""
    assert decide(YES_NO, votes).spread == pytest.approx(spread)


def test_support_is_a_share_of_the_declared_denominator() -> None:
    votes = ["yes", "yes", None, None, None]

    assert decide(YES_NO, votes, rule="plurality").support == 0.4
    assert decide(YES_NO, votes, rule="plurality", denominator="counted").support == 1.0


def test_subjects_of_different_length_share_the_code_of_a_tie() -> None:
    short, long = subject("i1", 0, 1), subject("i2", 0, 1, 2)
    judgments = [judgment("j", short, "tie"), judgment("j", long, 2)]
    verdicts = aggregate(judgments, [short, long], design([criterion(PAIR)], ["j"], protocol="listwise")).verdicts

    assert [one.outcome for one in verdicts] == [Decided(value="tie"), Decided(value=2)]


def test_a_mean_of_choices_among_three_is_refused() -> None:
    panel = design([criterion(PAIR)], ["j"], protocol="listwise", rule="mean")

    with pytest.raises(DesignError, match="Use plurality"):
        aggregate([], [subject("i1", 0, 1, 2)], panel)


def test_criteria_that_cannot_be_combined_are_refused_before_anything_is_decided() -> None:
    criteria = [criterion(YES_NO, "x"), criterion(NominalScale(labels=("a", "b", "c")), "y")]

    with pytest.raises(DesignError, match="'y'"):
        aggregate([], [], design(criteria, ["j"]))


def test_choices_come_back_as_response_indices() -> None:
    about = subject("i1", 1, 3)
    panel = design([criterion(PAIR)], ["j"])

    assert aggregate([judgment("j", about, 3)], [about], panel).verdicts[0].outcome == Decided(value=3)


def test_fault_29_a_failed_judge_stays_in_the_denominator() -> None:
    for case in fault("F29")["input"]["cases"]:
        votes = list(case["votes"].values())
        scale: Scale = NominalScale(labels=("C", "I"))
        if any(isinstance(vote, int) for vote in votes):
            scale = IntervalScale(min=1, max=10)

        decided = outcome(scale, votes)

        assert decided == Decided(value=case["want"]) if case["want"] else isinstance(decided, Undecided)


def test_fault_30_a_failure_is_no_score() -> None:
    case = fault("F30")
    scores = {**case["input"]["scores"], "all_failed": case["input"]["also"]["all_failed"]}
    for system, want in case["right"]["value"].items():
        verdict = decide(IntervalScale(min=0, max=5), scores[system], rule="mean")

        mean = verdict.outcome.value if isinstance(verdict.outcome, Decided) else None
        assert (mean, verdict.n_counted) == (want["mean"], want["n_scored"])
        assert sum(count for _, count in verdict.missing) == want["n_failed"]


def test_fault_31_replies_in_both_orders_are_swapped_once() -> None:
    case = fault("F31")["input"]
    shown = {"[[A]]": "first", "[[B]]": "second"}
    about = subject("i1", 0, 1)
    panel = design([criterion(PAIR)], ["j"], orders="both")
    got = []
    for pair in case["cases"]:
        judgments = []
        for name, swapped in (("order1", False), ("order2", True)):
            order = pair[name]
            seen = shown.get(order["reply"])
            label = "tie" if seen is None else case["models"].index(order[seen])
            judgments.append(judgment("j", about, label, swapped=swapped))
        got.append(aggregate(judgments, [about], panel).verdicts[0].outcome)

    assert got == [Decided(value=0), Decided(value="tie"), Decided(value="tie")]


@pytest.mark.parametrize(("first", "second", "expected"), [(0, 0, 0), (0, 1, "tie"), ("tie", 0, "tie")])
def test_position_flips_are_ties_not_two_wins(first: int | str, second: int | str, expected: int | str) -> None:
    """Kind of fault F31: labels are response indices, so that nothing is left to swap."""
    about = subject("i1", 0, 1)
    judgments = [judgment("j", about, first), judgment("j", about, second, swapped=True)]

    verdict = aggregate(judgments, [about], design([criterion(ChoiceScale())], ["j"], orders="both")).verdicts[0]

    assert (verdict.outcome, verdict.n_counted) == (Decided(value=expected), 1)
