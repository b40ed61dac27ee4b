"""One item in view: undefined figures say why, and nothing from outside acts on the terminal."""

from dataclasses import replace

import pytest

from venire.domain.annotation import Annotation
from venire.domain.finding import Undefined
from venire.domain.identity import CallId, CriterionId, ItemId, Json, JudgeId
from venire.domain.item import Item, Response, Subject
from venire.domain.judgment import Abstention, Judgment, Label, Outcome
from venire.domain.verdict import Decided, Shared, Undecided, Verdict, VerdictOutcome
from venire.reporting.item_view import AskedCall, ItemView, item_view_json, item_view_text
from venire.store.results import verdict_record

HOSTILE = "\x1b[2Jgone\u202e"
SUBJECT = Subject(item_id=ItemId("i"), responses=(0,))
ITEM = Item(id=ItemId("i"), responses=(Response(text="yes"),))
VERDICT = Verdict(
    subject=SUBJECT,
    criterion_id=CriterionId("correct"),
    outcome=Decided(value="yes"),
    support=Undefined("a mean has none"),
    spread=0.5,
    n_seated=3,
    n_counted=2,
    missing=(("unreadable", 1),),
)


def view(verdict: Verdict = VERDICT, name: str = "ann", outcome: Outcome | None = None) -> ItemView:
    """One item, one call, one verdict, one label."""
    judgment = Judgment(
        call_id=CallId("call1:x"),
        subject=SUBJECT,
        shown=(0,),
        criterion_id=CriterionId(name),
        judge_id=JudgeId(name),
        sample=0,
        attempt=0,
        outcome=outcome or Label(value="yes"),
        step="object",
        reader_version=1,
    )
    asked = AskedCall(request=None, completion=None, judgments=(judgment,))
    person = Annotation(subject=SUBJECT, criterion_id=CriterionId(name), annotator=name, value=name)
    return ItemView(item=ITEM, asked=(asked,), verdicts=(verdict,), annotations=(person,), suspicions=((0, name),))


def test_a_support_that_is_undefined_says_why() -> None:
    assert "support undefined: a mean has none" in item_view_text(view())


@pytest.mark.parametrize("outcome", [Label(value=HOSTILE), Abstention(reason=HOSTILE)])
@pytest.mark.parametrize("decided", [Decided(value=HOSTILE), Undecided(reason=HOSTILE), Shared(values=(HOSTILE, "a"))])
def test_names_and_reasons_from_outside_are_shown_as_escapes(outcome: Outcome, decided: VerdictOutcome) -> None:
    hostile = replace(
        VERDICT,
        criterion_id=CriterionId(HOSTILE),
        outcome=decided,
        support=Undefined(HOSTILE),
        missing=((HOSTILE, 1),),
    )

    text = item_view_text(view(hostile, HOSTILE, outcome))

    assert not {"\x1b", "\u202e"} & set(text)


@pytest.mark.parametrize("outcome", [Decided(value="yes"), Undecided(reason="tied"), Shared(values=("yes", "no"))])
def test_a_verdict_has_the_names_that_it_has_in_the_results(outcome: VerdictOutcome) -> None:
    verdict = replace(VERDICT, outcome=outcome)

    shown = item_view_json(view(verdict))

    assert isinstance(shown, dict)
    record: dict[str, Json] = {
        name: value
        for name, value in verdict_record(verdict, ITEM).items()
        if name not in {"item", "systems", "winner"}
    }
    assert shown["verdicts"] == [record]
