"""Log probabilities in a chat completion: tokens as they were written, with the alternatives at each place; pure.

https://developers.openai.com/api/reference/resources/chat ("logprobs"); llama.cpp, vLLM and others write the same.
Nothing is invented: where the list is missing, null or in part unreadable, there are no tokens at all.
"""

import codecs
import math
import re
from collections.abc import Mapping

from venire.domain.call import Alternative, Token
from venire.domain.identity import Json

MOST_ALTERNATIVES = 20
"""More are refused by OpenAI (400); servers that give more are asked for no more either."""


def read_tokens(choice: Mapping[str, Json]) -> tuple[Token, ...]:
    """The tokens of a choice's text, in order; none where the server gave none or not all of them."""
    given = choice.get("logprobs")
    if not isinstance(given, Mapping):
        return ()
    content = given.get("content") or _in_older_form(given)
    if not isinstance(content, list):
        return ()
    texts = _Texts()
    tokens: list[Token] = []
    for place in content:
        if not isinstance(place, Mapping):
            return ()
        logprob = _logprob(place.get("logprob"))
        text = texts.next(place)
        if logprob is None or text is None:
            return ()
        tokens.append(Token(text=text, logprob=logprob, alternatives=_alternatives(place.get("top_logprobs"))))
    return tuple(tokens)


def _in_older_form(given: Mapping[str, Json]) -> Json:
    """Lists side by side, as completions had them before chat; Together and Fireworks still write them."""
    texts, logprobs, tops = (given.get(name) for name in ("tokens", "token_logprobs", "top_logprobs"))
    if not isinstance(texts, list) or not isinstance(logprobs, list) or len(texts) != len(logprobs):
        return None
    alternatives = tops if isinstance(tops, list) and len(tops) == len(texts) else [None] * len(texts)
    return [
        {
            "token": text,
            "logprob": logprob,
            "top_logprobs": [{"token": other, "logprob": value} for other, value in top.items()]
            if isinstance(top, Mapping)
            else None,
        }
        for text, logprob, top in zip(texts, logprobs, alternatives, strict=True)
    ]


class _Texts:
    """Puts characters together that are written in several tokens: such a token's own text is no valid UTF-8.

    The character stands in the token that ends it, so that all texts together are the text that was written.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def next(self, place: Mapping[str, Json]) -> str | None:
        """The text of the next token; None where it has none."""
        content = _bytes(place.get("bytes"))
        if content is not None:
            return self._decoder.decode(content)
        text = place.get("token")
        if not isinstance(text, str):
            return None
        return self._decoder.decode(b"", final=True) + _storable(text)


def _alternatives(given: Json) -> tuple[Alternative, ...]:
    found: list[Alternative] = []
    for each in given if isinstance(given, list) else []:
        if not isinstance(each, Mapping):
            continue
        content, text, logprob = _bytes(each.get("bytes")), each.get("token"), _logprob(each.get("logprob"))
        words = content.decode("utf-8", "replace") if content is not None else text
        if isinstance(words, str) and logprob is not None:
            found.append(Alternative(text=_storable(words), logprob=logprob))
    return tuple(found)


def _bytes(value: Json) -> bytes | None:
    # An empty list stands beside tokens that are not empty on some servers.
    if not isinstance(value, list) or not value:
        return None
    if not all(isinstance(each, int) and not isinstance(each, bool) and 0 <= each <= 255 for each in value):
        return None
    return bytes(each for each in value if isinstance(each, int))


def _logprob(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return min(float(value), 0.0)  # rounding makes 1e-07 of a certain token


def _storable(text: str) -> str:
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
