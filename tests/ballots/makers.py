"""Short ways to write ballots, choices and what was read from them."""

from typing import Any

from venire.ballots.form import Ballot
from venire.ballots.read import read_ballot
from venire.domain.ballot import BallotForm, Field
from venire.domain.call import Choice, FinishReason
from venire.domain.identity import CriterionId
from venire.domain.judgment import Failure, Label, Outcome
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, Rubric, Scale

RIGHT = NominalScale(labels=("correct", "incorrect"))
ONE_TO_TEN = IntervalScale(min=1, max=10)
CHOICE = ChoiceScale(tie=True)


def criterion(scale: Scale, name: str = "q") -> Criterion:
    return Criterion(id=CriterionId(name), question="Is it right?", scale=scale)


def ballot(
    *scales: Scale,
    json: bool = True,
    fields: tuple[Field, ...] = (),
    abstain: bool = False,
    names: tuple[str, ...] = (),
    n_shown: int | None = None,
    **more: Any,
) -> Ballot:
    """A ballot whose criteria are called q, q2, q3 … unless they have names."""
    names = names or ("q", *(f"q{number}" for number in range(2, len(scales) + 1)))
    criteria = tuple(criterion(scale, name) for scale, name in zip(scales, names, strict=True))
    compares = any(isinstance(scale, ChoiceScale) for scale in scales)
    return Ballot(
        rubric=Rubric(criteria=criteria),
        form=BallotForm(json=json, fields=fields, abstain=abstain, **more),
        n_shown=n_shown or (2 if compares else 1),
    )


def reply(text: str, finish: FinishReason = "stop", reasoning: str = "") -> Choice:
    return Choice(text=text, finish_reason=finish, reasoning=reasoning)


def outcome(form: Ballot, text: str, finish: FinishReason = "stop") -> Outcome:
    """What is read for the first criterion, the responses shown in the order of the item."""
    return read_ballot(form, reply(text, finish), tuple(range(form.n_shown)))[0].outcome


def read(scale: Scale, text: str, finish: FinishReason = "stop", name: str = "q") -> object:
    """The label's value, or the reason of the failure in <angle brackets>."""
    got = outcome(ballot(scale, names=(name,)), text, finish)
    if isinstance(got, Label):
        return got.value
    return f"<{got.reason}>" if isinstance(got, Failure) else "<abstains>"
