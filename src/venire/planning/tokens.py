"""Token counts before anything is sent: by the length of the text, and by what a ballot asks for."""

from dataclasses import dataclass
from typing import Self

from venire.domain.ballot import BallotForm
from venire.domain.call import Request
from venire.domain.design import Design
from venire.domain.panel import Judge

OUTPUT_ASSUMED = "a JSON ballot of one criterion takes 15 tokens, each further criterion 8, an explanation 120"
INPUT_ASSUMED = "a token has 4 characters of ASCII or 2 others"
"""Four characters are OpenAI's rule of thumb for English; other scripts take from one to four characters."""

_FIRST, _FURTHER = 15, 8
"""Tokens of `{"correct":"incorrect"}`, and of one more member."""
_WORD = 5
"""Of a text that ends with the verdict."""
_FIELDS = {"answer": 60, "explanation": 120, "confidence": 8}
_REASONING = 600
"""Hidden reasoning, of a model that reasons, on a question as short as a ballot: it varies with the model's effort."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """Tokens or dollars: a range in which the sum will probably lie, and what it cannot exceed."""

    low: float = 0.0
    expected: float = 0.0
    high: float = 0.0
    at_most: float = 0.0

    def __add__(self, other: Self) -> "Amount":
        return Amount(
            low=self.low + other.low,
            expected=self.expected + other.expected,
            high=self.high + other.high,
            at_most=self.at_most + other.at_most,
        )

    def times(self, factor: float) -> "Amount":
        """Each figure so many times."""
        return Amount(
            low=self.low * factor,
            expected=self.expected * factor,
            high=self.high * factor,
            at_most=self.at_most * factor,
        )

    def capped(self, limit: float) -> "Amount":
        """No figure above a limit."""
        return Amount(
            low=min(self.low, limit),
            expected=min(self.expected, limit),
            high=min(self.high, limit),
            at_most=min(self.at_most, limit),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLength:
    """How long a text is, in characters of two kinds."""

    n_ascii: int = 0
    n_other: int = 0

    def __add__(self, other: Self) -> "TextLength":
        return TextLength(n_ascii=self.n_ascii + other.n_ascii, n_other=self.n_other + other.n_other)


def measure_request(request: Request) -> TextLength:
    """The length of all that is sent to be read: messages and schema."""
    n_ascii = n_other = 0
    for text in (*(message.content for message in request.messages), request.format.schema):
        n_here = len(text) if text.isascii() else sum(map(str.isascii, text))
        n_ascii += n_here
        n_other += len(text) - n_here
    return TextLength(n_ascii=n_ascii, n_other=n_other)


def assume_input(length: TextLength) -> Amount:
    """Input tokens by length alone: see INPUT_ASSUMED, and from 5 to 3 characters, or 4 to 1 of other scripts."""
    return Amount(
        low=length.n_ascii / 5 + length.n_other / 4,
        expected=length.n_ascii / 4 + length.n_other / 2,
        high=length.n_ascii / 3 + length.n_other,
    )


def assume_output(judge: Judge, design: Design, max_tokens: int) -> Amount:
    """Output tokens of one reply by what its ballot asks for: see OUTPUT_ASSUMED, and from half to twice as many."""
    ballot = design.ballot_of(judge)
    verdict = _verdict_tokens(ballot, len(design.rubric.criteria))
    written = verdict + sum(_FIELDS[field] for field in ballot.fields)
    amount = Amount(low=written / 2, expected=float(written), high=2.0 * written)
    if reasons(judge):
        amount += Amount(low=0.0, expected=float(_REASONING), high=float(max_tokens))
    return amount.capped(max_tokens)


def reasons(judge: Judge) -> bool:
    """Whether the judge's model is known to think before it writes, in tokens that are billed."""
    thinking = judge.parameter("thinking")
    if thinking is not None:
        return thinking != "disabled"
    # Newer models of Anthropic's, which fix the temperature too, think unless told otherwise.
    if judge.provider == "anthropic" and judge.takes.temperature is False:
        return True
    effort = judge.parameter("reasoning_effort")
    if effort is not None:
        return effort != "none"
    # OpenAI's reasoning models alone count their thoughts into a limit of its own name and fix the temperature.
    return judge.takes.token_limit == "max_completion_tokens" and judge.takes.temperature is not True


def _verdict_tokens(ballot: BallotForm, n_criteria: int) -> int:
    n_scores = 2 if ballot.form == "pair" else n_criteria
    return _FIRST + _FURTHER * (n_scores - 1) if ballot.json else _WORD * n_scores
