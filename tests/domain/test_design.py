"""A design refuses to contradict itself, and its id names what is asked."""

from dataclasses import replace
from typing import Any

import pytest

from venire.domain.aggregation import Aggregation, TiePolicy
from venire.domain.ballot import BallotForm
from venire.domain.design import Design, default_votes, family_warnings
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.panel import Judge
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Rubric, Scale
from venire.errors import DesignError

YES_NO = NominalScale(labels=("yes", "no"))
GRADES = OrdinalScale(labels=("bad", "good", "best"))
STARS = IntervalScale(min=1, max=5)


def _judge(name: str, **fields: Any) -> Judge:
    return Judge(**({"id": JudgeId(name), "provider": "openai_compatible", "model": f"m-{name}"} | fields))


TIE = TiePolicy(kind="label", label="tie")
A, B = _judge("a"), _judge("b")


def _rubric(*scales: Scale, question: str = "Is it?") -> Rubric:
    names = [CriterionId(f"q{number}") for number in range(len(scales))]
    return Rubric(
        criteria=tuple(Criterion(id=n, question=question, scale=s) for n, s in zip(names, scales, strict=True))
    )


def _design(*scales: Scale, **fields: Any) -> Design:
    rubric = _rubric(*(scales or (YES_NO,)))
    plain: dict[str, Any] = {"protocol": "pointwise", "rubric": rubric, "judges": (A, B)}
    return Design(**(plain | fields))


def _rule(rule: Any, **fields: Any) -> Aggregation:
    return Aggregation(rule=rule, **fields)


@pytest.mark.parametrize(
    ("scales", "fields", "at"),
    [
        ([], {"judges": ()}, ("judges",)),
        ([], {"judges": (replace(A, votes=False),)}, ("judges",)),
        ([], {"judges": (A, replace(B, id=A.id))}, ("judges",)),
        ([], {"judges": (A, replace(A, id=B.id))}, ("judges", 1)),
        ([], {"judges": (A, replace(A, id=B.id, ballot=BallotForm()))}, ("judges", 1)),
        ([ChoiceScale()], {}, ("rubric", "criteria", 0, "scale")),
        ([YES_NO], {"protocol": "pairwise"}, ("rubric", "criteria", 0, "scale")),
        ([YES_NO, ChoiceScale()], {}, ("rubric", "criteria", 1, "scale")),
        ([], {"orders": "both"}, ("orders",)),
        ([], {"baseline": "x"}, ("pairs",)),
        ([ChoiceScale()], {"protocol": "listwise", "baseline": "x"}, ("pairs",)),
        ([], {"aggregation": Aggregation(quorum=3)}, ("aggregation", "quorum")),
        ([GRADES], {"aggregation": _rule("mean")}, ("aggregation", "rule")),
        ([ChoiceScale()], {"protocol": "pairwise", "aggregation": _rule("max")}, ("aggregation", "rule")),
        ([], {"aggregation": Aggregation(tie=TiePolicy(kind="label", label="maybe"))}, ("aggregation", "tie")),
        ([STARS], {"aggregation": Aggregation(tie=TiePolicy(kind="label", label="1"))}, ("aggregation", "tie")),
        ([], {"ballot": BallotForm(form="rating")}, ("ballot", "form")),
        ([STARS], {"judges": (A, replace(B, ballot=BallotForm(form="label")))}, ("judges", 1, "ballot", "form")),
        ([YES_NO, YES_NO], {"ballot": BallotForm(json=False)}, ("ballot", "json")),
    ],
)
def test_a_contradiction_is_refused_at_its_place(scales: list[Scale], fields: dict[str, Any], at: Any) -> None:
    with pytest.raises(DesignError) as raised:
        _design(*scales, **fields)

    assert raised.value.at == at


@pytest.mark.parametrize(
    ("scales", "fields"),
    [
        ([GRADES], {"aggregation": _rule("max")}),
        ([STARS], {"aggregation": _rule("mean")}),
        ([ChoiceScale()], {"protocol": "pairwise", "aggregation": _rule("mean"), "orders": "both", "baseline": "x"}),
        ([ChoiceScale()], {"protocol": "pairwise", "aggregation": Aggregation(tie=TIE)}),
        ([YES_NO, YES_NO], {"judges": (_judge("l", provider="length"),), "ballot": BallotForm(json=False)}),
    ],
)
def test_what_fits_together_is_accepted(scales: list[Scale], fields: dict[str, Any]) -> None:
    assert _design(*scales, **fields).asking_id.startswith("sha256:")


def test_values_refuse_what_means_nothing() -> None:
    for make in (
        lambda: TiePolicy(kind="label"),
        lambda: TiePolicy(label="x"),
        lambda: Aggregation(quorum=0),
        lambda: BallotForm(max_tokens=0),
        lambda: BallotForm(fields=("answer", "answer")),
    ):
        with pytest.raises(DesignError):
            make()


@pytest.mark.parametrize(
    "fields",
    [
        {"rubric": _rubric(YES_NO, question="Is it so?")},
        {"rubric": _rubric(NominalScale(labels=("yes", "no"), positive="no"))},
        {"judges": (A,)},
        {"judges": (B, A)},
        {"judges": (replace(A, samples=2), B)},
        {"judges": (replace(A, temperature=0.0), B)},
        {"reference": "hidden"},
        {"ballot": BallotForm(abstain=True)},
    ],
)
def test_another_question_has_another_asking_id(fields: dict[str, Any]) -> None:
    assert _design(**fields).asking_id != _design().asking_id


@pytest.mark.parametrize(
    "fields",
    [
        {"aggregation": Aggregation(rule="unanimity", quorum=2)},
        {"judges": (replace(A, votes=False), B)},
        {"judges": (replace(A, timeout_s=1, max_concurrency=1, api_key_env="KEY"), B)},
    ],
)
def test_how_it_is_decided_or_sent_is_no_part_of_the_asking_id(fields: dict[str, Any]) -> None:
    assert _design(**fields).asking_id == _design().asking_id


def test_judges_of_one_family_are_named() -> None:
    same = (_judge("a", model="gpt-4o"), _judge("b", model="o3-mini"), _judge("c", model="claude-3"))

    (warning,) = family_warnings(_design(judges=same))

    assert warning.startswith("Judges a, b are of one family (openai)")
    assert family_warnings(_design(judges=(replace(same[0], votes=False), *same[1:]))) == ()


def test_a_judge_is_found_by_its_id() -> None:
    assert _design().judge(B.id) is B
    with pytest.raises(KeyError, match="there are"):
        _design().judge(JudgeId("z"))


@pytest.mark.parametrize(("provider", "votes"), [("length", False), ("random", False), ("containment", True)])
def test_only_baselines_do_not_vote_by_default(provider: str, votes: bool) -> None:
    assert default_votes(provider) is votes
