"""F46: a judge that rates its own model or family is named, and the panel's figures stand with and without it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from venire.aggregation.decide import Aggregated, aggregate, decide_by
from venire.domain.aggregation import Aggregation
from venire.domain.annotation import Gold
from venire.domain.call import CallId
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, ItemId, JudgeId
from venire.domain.item import Item, Response, Subject
from venire.domain.judgment import Judgment, Label
from venire.domain.panel import Judge
from venire.domain.relatives import PanelFigures, WithoutRelatives
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Rubric, Scale, Value
from venire.metaeval.relative_notes import tell_relatives
from venire.metaeval.relatives import Judged, find_relatives, measure_without

YES_NO = NominalScale(labels=("yes", "no"))
MODELS = {"gpt": "openai/gpt-4o-2024-08-06", "mini": "gpt-4o-mini", "claude": "claude-haiku-4-5"}


def judge(name: str, model: str, **fields: object) -> Judge:
    return Judge(id=JudgeId(name), provider="openai_compatible", model=model, **fields)  # type: ignore[arg-type]


def design(scale: Scale = YES_NO, models: Mapping[str, str] = MODELS, **fields: object) -> Design:
    criterion = Criterion(id=CriterionId("c"), question="?", scale=scale)
    values = {
        "protocol": "pairwise" if isinstance(scale, ChoiceScale) else "pointwise",
        "rubric": Rubric(criteria=(criterion,)),
        "judges": tuple(judge(name, model) for name, model in models.items()),
        "aggregation": Aggregation(rule="mean" if isinstance(scale, IntervalScale) else "majority"),
    }
    return Design(**(values | fields))  # type: ignore[arg-type]


def items(*systems: str, n: int = 4) -> list[Item]:
    responses = tuple(Response(text="t", system=system) for system in systems)
    return [Item(id=ItemId(f"i{number}"), responses=responses) for number in range(n)]


def run(
    plan: Design, shown: Sequence[Item], votes: Mapping[str, Sequence[Value]], gold: Sequence[Value] = ()
) -> Judged:
    """Facts in which every judge has one vote for each item, about all responses of a pair or else the first."""
    compares = plan.protocol == "pairwise"
    subjects = [Subject(item_id=item.id, responses=(0, 1) if compares else (0,)) for item in shown]
    golds = [
        Gold(subject=subject, criterion_id=CriterionId("c"), value=value, reason="given", n_annotators=1)
        for subject, value in zip(subjects, gold, strict=False)
    ]
    return Judged(items=shown, subjects=subjects, golds=golds)


def decided(plan: Design, judged: Judged, votes: Mapping[str, Sequence[Value]]) -> Aggregated:
    judgments = [
        Judgment(
            subject=subject,
            criterion_id=CriterionId("c"),
            judge_id=JudgeId(name),
            shown=subject.responses,
            sample=0,
            attempt=0,
            call_id=CallId("x"),
            outcome=Label(value=value),
            step="text",
            reader_version=1,
        )
        for name, values in votes.items()
        for subject, value in zip(judged.subjects, values, strict=True)
    ]
    return aggregate(judgments, judged.subjects, plan)


def without(
    plan: Design, shown: Sequence[Item], votes: Mapping[str, Sequence[Value]], gold: Sequence[Value] = ()
) -> tuple[WithoutRelatives, ...]:
    judged = run(plan, shown, votes, gold)
    aggregated = decided(plan, judged, votes)
    relatives = find_relatives(plan, shown)
    return measure_without(relatives, plan, judged, lambda judges: decide_by(aggregated.votes, judges, plan))


def test_every_pairing_of_a_judge_and_a_system_is_found() -> None:
    found = find_relatives(design(), items("gpt-4o", "mistral-large", "ours"))

    assert [(one.judge_id, one.system, one.relation) for one in found] == [
        ("gpt", "gpt-4o", "same model"),
        ("mini", "gpt-4o", "same family"),
        ("gpt", "ours", "unknown"),
        ("mini", "ours", "unknown"),
        ("claude", "ours", "unknown"),
    ]


def test_aliases_of_the_design_tell_what_a_system_is() -> None:
    plan = design(aliases=(("ours", "claude-haiku-4-5"),))

    assert [(one.judge_id, one.relation) for one in find_relatives(plan, items("ours"))] == [("claude", "same model")]


@pytest.mark.parametrize(
    ("served", "want"),
    [
        ({"house": ["gpt-4o-2024-08-06 fp_1"]}, "same model"),
        ({"house": ["something", "gpt-4o-mini"]}, "same family"),
        ({"house": ["claude-haiku-4-5", " "]}, None),
        ({"other": ["gpt-4o"]}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_the_name_that_the_endpoint_gave_tells_what_a_deployment_is(
    served: dict[JudgeId, list[str]], want: str | None
) -> None:
    plan = design(models={"house": "my-azure-deployment-7"})

    found = find_relatives(plan, items("gpt-4o"), served)

    assert [one.relation for one in found] == ([] if want is None else [want])


def test_a_family_that_the_design_gives_tells_where_the_name_does_not() -> None:
    plan = design(judges=(judge("house", "house-judge", family="OpenAI"), judge("b", "other-judge", family="x")))

    found = find_relatives(plan, items("gpt-4o"))

    assert [(one.judge_id, one.relation) for one in found] == [("house", "same family")]


def test_rules_have_no_relatives() -> None:
    rule = Judge(id=JudgeId("rule"), provider="containment")

    assert find_relatives(design(judges=(rule,)), items("gpt-4o", "ours")) == ()


def test_a_panel_that_flatters_its_own_says_less_without_its_relatives() -> None:
    votes = {"gpt": ["yes"] * 4, "mini": ["yes"] * 4, "claude": ["yes", "no", "no", "no"]}

    (row,) = without(design(), items("gpt-4o"), votes, gold=["yes", "yes", "no", "no"])

    assert (row.judge_ids, row.n_subjects, row.score_name, row.gold_name) == (
        ("gpt", "mini"),
        4,
        "share of 'yes'",
        "accuracy",
    )
    assert row.whole == PanelFigures(n_decided=4, score=1.0, against_gold=0.5)
    assert row.without == PanelFigures(n_decided=4, score=0.25, against_gold=0.75)


@pytest.mark.parametrize(
    ("scale", "votes", "gold", "want"),
    [
        (OrdinalScale(labels=("bad", "good")), ["good", "good", "bad", "bad"], ["good", "bad"], (0.5, 0.5)),
        (IntervalScale(min=0, max=10), [10, 6, 2, 2], [8, 6], (5.0, 1.0)),
        (ChoiceScale(tie=True, both_bad=True), [0, 1, "tie", "both_bad"], [0, 0, 1, 1], (0.5, 0.25)),
        (ChoiceScale(tie=False), [0, 0, 0, 1], [], (0.75, None)),
    ],
)
def test_the_score_fits_the_scale(
    scale: Scale, votes: Sequence[Value], gold: Sequence[Value], want: tuple[float, float | None]
) -> None:
    systems = ("gpt-4o", "claude-haiku-4-5") if isinstance(scale, ChoiceScale) else ("gpt-4o",)

    rows = without(design(scale), items(*systems), dict.fromkeys(MODELS, votes), gold)

    figures = next(row.whole for row in rows if row.system == "gpt-4o")
    assert figures.score == want[0]
    assert isinstance(figures.against_gold, Undefined) if want[1] is None else figures.against_gold == want[1]


def test_without_anybody_left_there_is_no_figure() -> None:
    votes = {"gpt": ["yes"] * 4, "mini": ["no"] * 4}
    plan = design(models={name: MODELS[name] for name in votes})

    (row,) = without(plan, items("gpt-4o"), votes)

    assert row.without == Undefined("every judge that votes is related to it")


def test_a_quorum_that_the_rest_cannot_reach_is_lowered() -> None:
    votes = {"gpt": ["yes"] * 4, "mini": ["yes"] * 4, "claude": ["no"] * 4}

    (row,) = without(design(aggregation=Aggregation(quorum=3)), items("gpt-4o"), votes)

    assert isinstance(row.without, PanelFigures)
    assert (row.without.n_decided, row.without.score) == (4, 0.0)


def test_a_relative_that_does_not_vote_is_named_but_changes_nothing() -> None:
    judges = (judge("gpt", "gpt-4o", votes=False), judge("claude", "claude-haiku-4-5"))
    plan = design(judges=judges)
    votes = {"gpt": ["yes"] * 4, "claude": ["no"] * 4}

    rows = without(plan, items("gpt-4o"), votes)

    assert rows == ()
    assert tell_relatives(find_relatives(plan, items("gpt-4o")), rows) == (
        "Self-preference is possible on system gpt-4o: judge gpt (which does not vote) rates its own model.",
    )


def test_the_note_names_each_pairing_with_both_figures() -> None:
    votes = {"gpt": ["yes"] * 4, "mini": ["yes"] * 4, "claude": ["yes", "no", "no", "no"]}
    plan, shown = design(), items("gpt-4o")

    notes = tell_relatives(find_relatives(plan, shown), without(plan, shown, votes, ["yes", "yes", "no", "no"]))

    assert notes == (
        "Self-preference is possible on system gpt-4o: judge gpt rates its own model; judge mini rates a model of its "
        "own family. The panel says share of 'yes' 1.00 on 4 of 4 (accuracy 0.50) with them, and share of 'yes' 0.25 "
        "on 4 of 4 (accuracy 0.75) without.",
    )


def test_what_is_unknown_is_said_once_and_not_taken_as_different() -> None:
    shown = items(*(f"system {number}" for number in range(8)))

    (note,) = tell_relatives(find_relatives(design(), shown), ())

    assert note.startswith("Whether judges gpt, mini, claude and systems system 0, system 1,")
    assert "and 3 more are related is not known" in note
    assert "aliases" in note


def test_strangers_need_no_note() -> None:
    plan = replace(design(), judges=(judge("claude", "claude-haiku-4-5"),))

    assert tell_relatives(find_relatives(plan, items("gpt-4o", "mistral-large")), ()) == ()
