"""How a ballot is to be filled in: its form, the fields before the verdict, JSON or text."""

from dataclasses import dataclass
from typing import Literal

from venire.domain.identity import Json
from venire.errors import DesignError

Form = Literal["label", "rating"]
Field = Literal["answer", "explanation", "confidence"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BallotForm:
    """What a judge is told to write."""

    form: Form | None = None
    """label: a word of the scale; rating: a number. None: what each criterion's scale asks for."""
    fields: tuple[Field, ...] = ()
    """Asked for before the verdict, in this order."""
    json: bool = True
    """A JSON object with a schema; otherwise plain text that ends with the verdict."""
    max_tokens: int = 512
    abstain: bool = False
    """Whether the judge is offered `cannot_assess`."""

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise DesignError(f"ballot.max_tokens is {self.max_tokens!r}; a judge needs at least one token to answer")
        if len(set(self.fields)) < len(self.fields):
            raise DesignError(f"ballot.fields={list(self.fields)!r} repeat one another")

    def fingerprint(self) -> Json:
        """This form as canonical content."""
        return {
            "form": self.form,
            "fields": list(self.fields),
            "json": self.json,
            "max_tokens": self.max_tokens,
            "abstain": self.abstain,
        }
