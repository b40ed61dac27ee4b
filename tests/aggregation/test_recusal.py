"""Recusal: a judge has no vote where its own model or family wrote a response."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from venire.aggregation.decide import Aggregated, aggregate
from venire.aggregation.known import Known
from venire.domain.design import Design
from venire.domain.item import Item, Response, Subject
from venire.domain.rubric import Scale
from venire.domain.verdict import Decided, Undecided

from .panels import PAIR, YES_NO, Vote, criterion, design, judgment, subject

MODELS = {"gpt": "gpt-4o", "claude": "claude-sonnet-4-5", "llama": "llama-3.1-70b"}


def seats(scale: Scale = YES_NO, **how: object) -> Design:
    plan = design([criterion(scale)], list(MODELS), **{"recuse": "own_family", **how})
    return replace(plan, judges=tuple(replace(judge, model=MODELS[judge.id], family=None) for judge in plan.judges))


def said(plan: Design, systems: Sequence[str | None], votes: Sequence[Vote]) -> Aggregated:
    """What the three judges decide on one subject of responses of these systems."""
    about: Subject = subject("i1", *range(len(systems)))
    item = Item(id=about.item_id, responses=tuple(Response(text="", system=system) for system in systems))
    judgments = [judgment(name, about, vote) for name, vote in zip(MODELS, votes, strict=True)]
    return aggregate(judgments, [about], plan, Known(items=[item]))


def test_a_judge_has_no_vote_on_its_own_family() -> None:
    (verdict,) = said(seats(denominator="counted"), ["gpt-4.1-mini"], ["yes", "no", "no"]).verdicts

    assert (verdict.outcome, verdict.n_counted, verdict.missing) == (Decided(value="no"), 2, (("recused", 1),))


def test_nobody_is_recused_unless_the_design_says_so() -> None:
    (verdict,) = said(seats(recuse="nobody"), ["gpt-4.1-mini"], ["yes", "no", "no"]).verdicts

    assert (verdict.n_counted, verdict.missing) == (3, ())


def test_either_response_of_a_pair_recuses() -> None:
    (verdict,) = said(seats(PAIR), ["mistral-large", "claude-3-opus"], [0, 1, 0]).verdicts

    assert verdict.missing == (("recused", 1),)


def test_the_design_s_aliases_tell_who_a_system_is() -> None:
    plan = replace(seats(), aliases=(("system-7", "claude-3-opus"),))

    (verdict,) = said(plan, ["system-7"], ["yes", "no", "yes"]).verdicts

    assert verdict.missing == (("recused", 1),)


def test_a_family_that_the_design_gives_is_enough() -> None:
    plan = seats()
    plan = replace(plan, judges=(replace(plan.judges[0], model="my-own", family="anthropic"), *plan.judges[1:]))

    (verdict,) = said(plan, ["claude-3-opus"], ["yes", "no", "yes"]).verdicts

    assert verdict.missing == (("recused", 2),)


@pytest.mark.parametrize("system", [None, "system-7"])
def test_who_is_not_known_recuses_nobody_and_that_is_said(system: str | None) -> None:
    found = said(seats(), [system], ["yes", "no", "no"])

    assert found.verdicts[0].n_counted == 3
    assert any("On 1 of 1 subjects it is not known" in note for note in found.notes)


def test_a_subject_of_relatives_alone_is_undecided() -> None:
    plan = seats()
    plan = replace(plan, judges=plan.judges[:1])
    about = subject()
    known = Known(items=[Item(id=about.item_id, responses=(Response(text="", system="gpt-5"),))])

    found = aggregate([judgment("gpt", about, "yes")], [about], plan, known)

    assert found.verdicts[0].outcome == Undecided(reason="quorum: 0 of 1 votes, 1 needed")
    assert any("every voting judge is recused" in note for note in found.notes)


def test_the_notes_count_the_recused_and_tell_of_the_denominator() -> None:
    notes = said(seats(), ["gpt-4.1-mini"], ["yes", "no", "no"]).notes

    assert notes[0] == "Recused for their own family's words, of 1 subjects: gpt on 1."
    assert "denominator: counted" in notes[1]
    assert len(said(seats(denominator="counted"), ["gpt-4.1-mini"], ["yes", "no", "no"]).notes) == 1


def test_a_failure_of_a_recused_judge_counts_as_recused() -> None:
    (verdict,) = said(seats(), ["gpt-4.1-mini"], [None, "no", None]).verdicts

    assert verdict.missing == (("recused", 1), ("unreadable", 1))
