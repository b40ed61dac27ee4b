"""The most that a request can cost, known before it is sent and without its model's tokeniser."""

import unicodedata

from venire.domain.call import Request
from venire.domain.finding import Undefined
from venire.domain.price import Price

TOKENS_PER_REQUEST = 64
"""At most so many an endpoint adds to a request: the marks of the chat template, the date that some write into it."""
TOKENS_PER_MESSAGE = 16
"""At most so many mark the role and the ends of a message in the chat formats in use (3 to 10)."""
TOKENS_FOR_SCHEMA = 1024
"""At most so many explain a tool or a schema to the model.

The longest such text whose length is published and could be checked has 530 tokens (tool use on Claude 3 Opus,
https://docs.anthropic.com/en/docs/tool-use-pricing-and-tokens); newer models may be told more, so twice as
many are allowed.
"""


def input_tokens_at_most(request: Request) -> int:
    """No fewer tokens than any byte-level tokeniser makes of the request: one for each byte, and what is added.

    Tokenisers of current models start from the bytes of a text and only join them; some bring it into Unicode's
    normal form NFKC before, which can be longer.
    """
    texts = [*(message.content for message in request.messages), request.format.schema, *request.format.words]
    added = TOKENS_PER_REQUEST + TOKENS_PER_MESSAGE * len(request.messages)
    return sum(map(_n_bytes, texts)) + added + (TOKENS_FOR_SCHEMA if request.format.kind == "json_schema" else 0)


def usd_at_most(request: Request, n_draws: int, price: Price | Undefined) -> float | Undefined:
    """The most that one exchange for so many draws of a request can cost: all input at its dearest rate, and every
    draw as long as it may be."""
    if isinstance(price, Undefined):
        return price
    n_input = input_tokens_at_most(request)
    if price.holds_to is not None and n_input > price.holds_to:
        return Undefined(
            f"a request of up to {n_input:,} tokens is longer than the price holds ({price.holds_to:,}: {price.source})"
        )
    return (n_input * price.dearest_input_rate + request.max_tokens * n_draws * price.output_usd) / 1e6


def _n_bytes(text: str) -> int:
    if text.isascii():
        return len(text)
    forms = (text, unicodedata.normalize("NFKC", text))
    return max(len(form.encode("utf-8", "surrogatepass")) for form in forms)
