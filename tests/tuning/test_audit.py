"""The audit: raters, people, corrected rates and leans, each on data of which the truth is known."""

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from venire.coding.votes import CodedVotes
from venire.collected import Collected
from venire.domain.audit import Audit, CorrectedRates
from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.item import Item, Response
from venire.domain.panel import Judge
from venire.errors import UsageError
from venire.reporting.audit_page import audit_page
from venire.reporting.audit_text import audit_document, audit_text
from venire.tuning.audit import audit_run

from .runs import YES_NO, Q, run_of, simulated

CODES, GOLD = simulated(300, [0.9, 0.8, 0.7], seed=2)


def with_people(run: Collected, rows: Sequence[Sequence[float | None]]) -> Collected:
    gold = run.gold[Q]
    people = CodedVotes(
        scale=gold.scale,
        labels=gold.labels,
        raters=tuple(f"h{n}" for n in range(len(rows))),
        subjects=gold.subjects,
        codes=np.array([[code or 0.0 for code in row] for row in rows]),
        missing=np.array([[int(code is None) for code in row] for row in rows], dtype=np.int16),
        reasons=("no label",),
    )
    return replace(run, people={Q: people})


def with_systems(run: Collected, names: Sequence[str]) -> Collected:
    items = tuple(
        Item(id=item.id, responses=(Response(text="", system=name),), group=item.group)
        for item, name in zip(run.items, names, strict=True)
    )
    return replace(run, items=items)


def noisy(truth: Sequence[float | None], accuracy: float, seed: int) -> list[float | None]:
    right = np.random.default_rng(seed).random(len(truth)) < accuracy
    return [one if is_right or one is None else 1 - one for one, is_right in zip(truth, right.tolist(), strict=True)]


def value(found: Finding | Undefined) -> float:
    assert isinstance(found, Finding), found
    assert isinstance(found.value, float), found.value
    return found.value


def test_panel_judges_and_rules_stand_beside_one_another() -> None:
    audit = audit_run(run_of(CODES, GOLD))

    kinds = [rater.kind for rater in audit.raters]
    assert kinds[:4] == ["panel", "judge", "judge", "judge"]
    assert set(kinds[4:]) == {"rule"}
    assert "rule plurality" in {rater.name for rater in audit.raters}
    assert value(audit.raters[1].figure) > value(audit.raters[3].figure)


def test_people_have_a_ceiling_and_a_judge_a_share_of_it() -> None:
    run = with_people(run_of(CODES, GOLD), [noisy(GOLD, 0.9, seed) for seed in (1, 2, 3)])

    audit = audit_run(run)

    ceiling = value(audit.people.ceiling)
    assert 0.6 < ceiling < 0.85
    assert value(audit.raters[0].of_ceiling) == pytest.approx(value(audit.raters[0].figure) / ceiling)
    assert len(audit.people.pairs) == 3
    assert isinstance(audit.people.alpha, float)
    by_name = {one.name: one for one in audit.people.replaceable}
    assert by_name["j0"].passes


def test_people_are_held_to_the_others_and_not_to_a_gold_that_is_theirs() -> None:
    rows = [noisy(GOLD, 0.9, seed) for seed in (1, 2, 3)]

    audit = audit_run(with_people(run_of(CODES, GOLD), rows))

    people = [rater for rater in audit.raters if rater.kind == "person"]
    assert [rater.name for rater in people] == ["h0", "h1", "h2"]
    assert np.mean([value(rater.figure) for rater in people]) == pytest.approx(value(audit.people.ceiling))


def test_who_labelled_the_hard_cases_alone_is_no_ceiling_and_spoils_the_test() -> None:
    """The third annotator of a public set labelled only where the other two differed."""
    first, second = noisy(GOLD, 0.9, 1), noisy(GOLD, 0.9, 2)
    third = [one if a != b else None for one, a, b in zip(GOLD, first, second, strict=True)]

    audit = audit_run(with_people(run_of(CODES, GOLD), [first, second, third]))

    two = audit_run(with_people(run_of(CODES, GOLD), [first, second]))
    assert value(audit.people.ceiling) == pytest.approx(value(two.people.ceiling))
    assert isinstance(audit.people.replaceable[0].winning_rate, Undefined)
    assert "overlap on" in audit.people.replaceable[0].winning_rate.reason


def test_without_names_there_is_no_ceiling_and_it_is_said() -> None:
    audit = audit_run(run_of(CODES, GOLD))

    assert isinstance(audit.people.ceiling, Undefined)
    assert any("No human ceiling" in warning for warning in audit.warnings)


def test_without_gold_it_says_what_to_do_and_tells_the_rest() -> None:
    audit = audit_run(run_of(CODES, None))

    assert audit.raters == ()
    assert "Label some 100 subjects" in audit.warnings[0]
    assert isinstance(audit.alpha_of_judges, float)
    assert "--annotations" in audit_text(audit)


@pytest.mark.parametrize(
    ("gold", "message"),
    [([1.0] * 5 + [None] * 295, "5 subjects have gold"), ([1.0] * 300, "one and the same label")],
)
def test_gold_that_cannot_bear_a_conclusion_is_said(gold: list[float | None], message: str) -> None:
    assert any(message in warning for warning in audit_run(run_of(CODES, gold)).warnings)


def rates(audit: Audit) -> CorrectedRates:
    assert isinstance(audit.corrected, CorrectedRates)
    return audit.corrected


def biased(n: int, seed: int = 0) -> tuple[NDArray[np.float64], list[float | None]]:
    """A judge that calls a third of the wrong ones right, and nearly all right ones so; half are labelled."""
    generator = np.random.default_rng(seed)
    truth = (generator.random(n) < 0.4).astype(float)
    said = np.where(truth == 1, generator.random(n) < 0.95, generator.random(n) < 0.33).astype(float)
    labelled = generator.random(n) < 0.5
    return said[None, :], [float(one) if known else None for one, known in zip(truth, labelled.tolist(), strict=True)]


def test_a_lenient_panel_is_corrected_towards_the_truth() -> None:
    said, gold = biased(2000)

    row = rates(audit_run(run_of(said, gold))).rows[0]

    assert row.apparent == pytest.approx(0.58, abs=0.03)
    for found in (row.corrected, row.powered, row.labels_only):
        assert value(found) == pytest.approx(0.4, abs=0.04)
    assert isinstance(row.powered, Finding)
    assert isinstance(row.labels_only, Finding)
    assert isinstance(row.powered.interval, Interval)
    assert isinstance(row.labels_only.interval, Interval)
    powered, alone = row.powered.interval, row.labels_only.interval
    assert powered.high - powered.low < alone.high - alone.low


def test_error_rates_are_pooled_unless_they_differ_between_systems() -> None:
    said, gold = biased(2000)
    names = ["a", "b"] * 1000
    alike = rates(audit_run(with_systems(run_of(said, gold), names)))
    flipped = said.copy()
    flipped[0, ::2] = np.where(np.random.default_rng(5).random(1000) < 0.25, 1 - said[0, ::2], said[0, ::2])
    apart = rates(audit_run(with_systems(run_of(flipped, gold), names)))

    assert alike.pooled
    assert {row.calibrated for row in alike.rows[1:]} == {"the labels of all systems"}
    assert not apart.pooled
    assert "differs between systems" in apart.why


def test_a_judge_that_favours_its_own_family_is_told() -> None:
    n = 900
    truth = (np.random.default_rng(3).random(n) < 0.5).astype(float)
    names = ["gpt-4o", "claude-3-haiku", "mistral-7b"] * 300
    said = truth.copy()
    own = np.array([name == "gpt-4o" for name in names])
    said[own & (np.random.default_rng(4).random(n) < 0.4)] = 1.0
    run = with_systems(run_of(np.stack([said, truth]), [float(one) for one in truth]), names)
    judges = (
        Judge(
            id=JudgeId("j0"), provider="openai_compatible", model="gpt-4-turbo", base_url="http://x", family="openai"
        ),
        Judge(id=JudgeId("j1"), provider="openai_compatible", model="command-r", base_url="http://x", family="cohere"),
    )
    run = replace(run, design=replace(run.design, judges=judges))

    audit = audit_run(run)

    (lean,) = (one for one in audit.leans if one.kind == "self-preference")
    assert lean.judge_id == "j0"
    assert value(lean.figure) == pytest.approx(0.2, abs=0.05)
    assert {one.system for one in audit.deltas if one.is_kin} == {"gpt-4o"}
    assert dict(audit.delta_spread)[JudgeId("j1")] == pytest.approx(0.0)


def test_a_judge_that_likes_length_is_told_and_one_that_does_not_is_not() -> None:
    n = 600
    generator = np.random.default_rng(1)
    lengths = generator.integers(10, 300, n).astype(float)
    truth = (generator.random(n) < 0.5).astype(float)
    long_winded = np.where(generator.random(n) < lengths / 300, 1.0, truth)
    run = run_of(np.stack([long_winded, truth]), [float(one) for one in truth])

    leans = {one.judge_id: one for one in audit_run(run, lengths=lengths).leans if one.kind == "verbosity"}

    assert value(leans["j0"].figure) > 0.1
    assert "not distinguishable" not in leans["j0"].sentence
    assert value(leans["j1"].figure) == pytest.approx(0.0, abs=1e-12)


def test_texts_that_are_missing_leave_length_out() -> None:
    lengths = np.full(300, np.nan)

    assert not [one for one in audit_run(run_of(CODES, GOLD), lengths=lengths).leans if one.kind == "verbosity"]


def test_an_unknown_criterion_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="no criterion 'z'"):
        audit_run(run_of(CODES, GOLD), criterion_id=CriterionId("z"))


def test_every_form_can_be_written_whatever_is_undefined() -> None:
    for run in (run_of(CODES, GOLD), run_of(CODES, None), with_people(run_of(CODES, GOLD), [GOLD, GOLD, GOLD])):
        audit = audit_run(run)

        assert json.loads(audit_document(audit))["criterion"] == "q"
        assert audit_page(audit).startswith("<!doctype html>")
        assert audit_text(audit)
    assert YES_NO.positive == "yes"
