"""Mistakes in a judge's parameters that can be known before anything is opened or asked."""

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from venire.domain.ballot import BallotForm
from venire.domain.design import scale_content
from venire.domain.identity import JsonScalar
from venire.domain.panel import MATERIAL_PROVIDERS, Judge
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Rubric, Scale
from venire.errors import DesignError
from venire.providers.refusals import refuse_unsupported

KNOWN_PROVIDERS = frozenset({"openai_compatible", "anthropic", "pydantic_ai", "embedded"}) | MATERIAL_PROVIDERS
"""Those that venire brings; an installed package may add others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What a parameter's value must be."""

    holds: Callable[[JsonScalar], bool]
    words: str


def _is_whole(value: JsonScalar, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_number(value: JsonScalar, low: float, high: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


_ANY = _Wanted(holds=lambda _: True, words="any value")
_WORD = _Wanted(holds=lambda value: isinstance(value, str) and bool(value), words="a word")
_SWITCH = _Wanted(holds=lambda value: isinstance(value, bool), words="true or false")
_COUNT = _Wanted(holds=lambda value: _is_whole(value, 1), words="a whole number of at least 1")
_SEED = _Wanted(holds=lambda value: _is_whole(value, 0), words="a whole number of at least 0")
_PRICE = _Wanted(
    holds=lambda value: _is_number(value, 0, 1e9), words="a number of US dollars per million tokens, at least 0"
)
_COSINE = _Wanted(holds=lambda value: _is_number(value, -1, 1), words="a number from -1 to 1")
_FORMAT = _Wanted(
    holds=lambda value: value in ("json_schema", "json_object", "none"), words="json_schema, json_object or none"
)
_WAY = _Wanted(holds=lambda value: value in ("json_schema", "tool", "none"), words="json_schema, tool or none")
_HELD = _Wanted(holds=lambda value: value in ("json_schema", "none"), words="json_schema or none")
_PENALTY = _Wanted(holds=lambda value: _is_number(value, -2, 2), words="a number from -2 to 2")
_ROLE = _Wanted(holds=lambda value: value in ("system", "developer", "user"), words="system, developer or user")
_LIMIT = _Wanted(
    holds=lambda value: value in ("max_tokens", "max_completion_tokens"), words="max_tokens or max_completion_tokens"
)
_BOUNDS = _Wanted(holds=lambda value: value in ("kept", "dropped"), words="kept or dropped")
_SHARE = _Wanted(holds=lambda value: _is_number(value, 0, 1), words="a number from 0 to 1")
_THINKING = _Wanted(holds=lambda value: value in ("adaptive", "disabled"), words="adaptive or disabled")
_DATE = _Wanted(
    holds=lambda value: isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value) is not None,
    words="a date such as 2023-06-01",
)
_ELSEWHERE = _Wanted(holds=lambda _: False, words="no parameter: it is decided by the judge's and ballot's own fields")

_PRICES = dict.fromkeys(("price_input_usd", "price_output_usd"), _PRICE)
PARAMETERS: Mapping[str, Mapping[str, _Wanted]] = {
    "containment": {"criterion": _WORD, "tokens": _SWITCH},
    "similarity": {"criterion": _WORD, "threshold": _COSINE},
    "length": {"criterion": _WORD, "min_words": _COUNT},
    "random": {"seed": _SEED},
    "recorded": {"path": _WORD, "recording": _WORD},
    "imported": {"prompt": _WORD},
    "embedded": {
        "n_threads": _COUNT,
        "n_ctx": _COUNT,
        "workers": _COUNT,
        "seed": _SEED,
        "cache_prompt": _SWITCH,
        **dict.fromkeys(("top_p", "top_k", "min_p", "repeat_penalty", "logprobs", "top_logprobs"), _ANY),
        **_PRICES,
    },
    "anthropic": {
        "api_version": _DATE,
        "response_format": _WAY,
        "thinking": _THINKING,
        "reasoning_effort": _WORD,
        "service_tier": _WORD,
        "top_p": _SHARE,
        "top_k": _COUNT,
        **_PRICES,
    },
    "pydantic_ai": {
        "response_format": _HELD,
        "schema_bounds": _BOUNDS,
        "seed": _SEED,
        "top_p": _SHARE,
        "top_k": _COUNT,
        **dict.fromkeys(("presence_penalty", "frequency_penalty"), _PENALTY),
        **_PRICES,
    },
    "openai_compatible": {
        "api_version": _WORD,
        "response_format": _FORMAT,
        "system_role": _ROLE,
        "token_limit": _LIMIT,
        "schema_bounds": _BOUNDS,
        **dict.fromkeys(("messages", "model", "n", "stream", "max_tokens", "temperature"), _ELSEWHERE),
        **_PRICES,
    },
}
"""What each provider knows of parameters."""

_OPEN_ENDED = frozenset({"openai_compatible"})
"""Providers that send unknown parameters on."""


def check_judge(judge: Judge, rubric: Rubric, ballot: BallotForm | None = None) -> None:
    """Refuse a judge whose parameters are wrong, that asks for what its model does not take, or that cannot rate so.

    Raises:
        DesignError: with what to change.
    """
    refuse_unsupported(judge, ballot)
    known = PARAMETERS.get(judge.provider)
    if known is None:
        return
    for name, value in judge.parameters:
        if name not in known and judge.provider in _OPEN_ENDED:
            continue
        if name not in known:
            raise DesignError(
                f"Judge {judge.id!r} has the parameter {name!r}, which provider {judge.provider!r} does not know; "
                f"it knows {sorted(known)!r}.{did_you_mean(name, known)}"
            )
        if not known[name].holds(value):
            raise DesignError(f"Judge {judge.id!r} has the parameter {name}={value!r}; it must be {known[name].words}.")
    prices = {name for name, _ in judge.parameters} & {"price_input_usd", "price_output_usd"}
    if len(prices) == 1:
        raise DesignError(f"Judge {judge.id!r} has {prices.pop()} alone; give price_input_usd and price_output_usd.")
    for criterion in _assessed(judge, rubric):
        _check_scale(judge, criterion)


def did_you_mean(name: str, known: Mapping[str, object] | frozenset[str]) -> str:
    """A sentence with the closest known name, or nothing."""
    close = difflib.get_close_matches(name, sorted(known), n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def _assessed(judge: Judge, rubric: Rubric) -> tuple[Criterion, ...]:
    """The criteria that a judge with a single measure answers: the named one, or the only one."""
    if judge.provider not in ("containment", "similarity", "length"):
        return ()
    named = judge.parameter("criterion")
    if named is None:
        return rubric.criteria if len(rubric.criteria) == 1 else ()
    found = tuple(criterion for criterion in rubric.criteria if criterion.id == named)
    if not found:
        ids = [criterion.id for criterion in rubric.criteria]
        raise DesignError(f"Judge {judge.id!r} names criterion {named!r}; the rubric has {ids!r}.")
    return found


def _check_scale(judge: Judge, criterion: Criterion) -> None:
    scale = criterion.scale
    advice = _objection(judge, scale)
    if advice:
        raise DesignError(
            f"Judge {judge.id!r} with provider {judge.provider!r} cannot answer criterion {criterion.id!r} "
            f"on {scale_content(scale)!r}: {advice}."
        )


def _objection(judge: Judge, scale: Scale) -> str:
    match scale:
        case OrdinalScale():
            return "it has no rule for words in order; use a scale of two labels or of numbers"
        case NominalScale(labels=labels) if len(labels) != 2:
            return f"it tells two labels apart, not {len(labels)}"
        case NominalScale() if judge.provider == "length" and judge.parameter("min_words") is None:
            return "set parameters: {min_words: …}, from which a response counts as the positive label"
        case IntervalScale() if judge.provider == "length":
            return "a number of words is no rating; use it for comparisons, or with two labels and min_words"
        case NominalScale() | IntervalScale() | ChoiceScale():
            return ""
