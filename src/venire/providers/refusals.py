"""What a judge is asked for and its model does not take: a mistake that is known before the run."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from venire.domain.ballot import BallotForm
from venire.domain.capabilities import API_PROVIDERS, NO_SAMPLING_FROM, WRITTEN, Override, Support
from venire.domain.panel import Judge
from venire.errors import DesignError

SAMPLING = ("top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty", "logit_bias")
"""Parameters that go with temperature: a model that refuses the one refuses the others."""

_WRITABLE: dict[str, dict[str, tuple[Override, ...]]] = {
    "anthropic": {
        "response_format": ("json_schema", "tool", "none"),
        "system_role": ("system",),
        "token_limit": ("max_tokens",),
        "schema_bounds": ("dropped",),
        "n": (False,),
        "seed": (False,),
        "logprobs": (False,),
    },
    "pydantic_ai": {
        "response_format": ("json_schema", "none"),
        "system_role": ("system",),
        "token_limit": ("max_tokens",),
        "n": (False,),
        "logprobs": (False,),
        "reasoning_effort": (False,),
    },
    "openai_compatible": {"response_format": ("json_schema", "json_object", "none")},
}
"""Values that a provider has a way to write; every admitted value where none are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """One thing that a design asks of a judge, and the capability that it needs."""

    what: str
    capability: Literal["temperature", "logprobs", "n", "seed", "reasoning_effort"]
    remedy: str


def refuse_unsupported(judge: Judge, ballot: BallotForm | None = None) -> None:
    """Refuse a judge that asks for what its model does not take.

    Args:
        judge: whom to ask.
        ballot: what it fills in; None: nothing is known of that.

    Raises:
        DesignError: with judge, parameter, and what to do.
    """
    _check_overrides(judge)
    if judge.provider not in API_PROVIDERS:
        return
    for asked in _asked(judge, ballot):
        support: Support = getattr(judge.takes, asked.capability)
        if support is False or (support == "without_reasoning" and judge.parameter("reasoning_effort") != "none"):
            raise DesignError(_explain(judge, asked, support))
    if judge.provider == "anthropic":
        _check_claude(judge)


def _asked(judge: Judge, ballot: BallotForm | None) -> Iterator[_Asked]:
    if ballot is not None and ballot.probabilities == "required":
        yield _Asked(
            what="ballot.probabilities: required",
            capability="logprobs",
            remedy="set its ballot's probabilities to if_supported or off, or ask another model",
        )
    if judge.temperature is not None:
        yield _Asked(
            what=f"temperature: {judge.temperature:g}", capability="temperature", remedy="leave temperature out"
        )
    if judge.samples_per_request > 1:
        what = f"samples_per_request: {judge.samples_per_request}"
        yield _Asked(
            what=what, capability="n", remedy="leave samples_per_request out; samples are then asked one by one"
        )
    for name in SAMPLING:
        yield from _parameter(judge, name, "temperature")
    for name in ("logprobs", "top_logprobs"):
        yield from _parameter(judge, name, "logprobs")
    yield from _parameter(judge, "seed", "seed")
    yield from _parameter(judge, "reasoning_effort", "reasoning_effort")


def _parameter(
    judge: Judge, name: str, capability: Literal["temperature", "logprobs", "seed", "reasoning_effort"]
) -> Iterator[_Asked]:
    value = judge.parameter(name)
    if value is not None and value is not False:
        yield _Asked(what=f"the parameter {name}: {value}", capability=capability, remedy=f"leave {name} out")


def _explain(judge: Judge, asked: _Asked, support: Support) -> str:
    version = judge.parameter("api_version")
    by_version = isinstance(version, str) and version >= NO_SAMPLING_FROM and judge.provider == "anthropic"
    if by_version and asked.capability == "temperature":
        where = f"no model takes under api_version {version}"
    elif support == "without_reasoning":
        where = f"model {judge.model!r} takes only beside the parameter reasoning_effort: none"
    else:
        where = f"model {judge.model!r} does not take"
    add = "add that parameter, or " if support == "without_reasoning" else ""
    correction = f"; if this endpoint takes it all the same, set capabilities: {{{asked.capability}: true}}"
    if _WRITABLE.get(judge.provider, {}).get(asked.capability) == (False,):
        # There is no such field to send: no correction of the table could make one.
        correction = ""
    return f"Judge {judge.id!r} asks for {asked.what}, which {where}. To go on, {add}{asked.remedy}{correction}."


def _check_overrides(judge: Judge) -> None:
    given = dict(judge.capabilities)
    if given and judge.provider not in API_PROVIDERS:
        raise DesignError(
            f"Judge {judge.id!r} has capabilities, which are looked at for {sorted(API_PROVIDERS)!r} alone; "
            f"take them off a judge with provider {judge.provider!r}."
        )
    for name, value in given.items():
        writable = _WRITABLE.get(judge.provider, {}).get(name)
        if writable is not None and value not in writable:
            choices = " or ".join(str(each).lower() for each in writable)
            raise DesignError(
                f"Judge {judge.id!r} has capabilities: {{{name}: {str(value).lower()}}}, which provider "
                f"{judge.provider!r} has no way to send; it must be {choices}."
            )
    for name in WRITTEN:
        if name in given and judge.parameter(name) is not None:
            raise DesignError(
                f"Judge {judge.id!r} has {name} under capabilities and under parameters; keep one of them."
            )


def _check_claude(judge: Judge) -> None:
    # https://platform.claude.com/docs/en/api/messages/create (temperature) and
    # …/docs/en/build-with-claude/extended-thinking ("Feature compatibility").
    if judge.temperature is not None and judge.temperature > 1:
        raise DesignError(f"Judge {judge.id!r} has temperature: {judge.temperature:g}; the Messages API takes 0 to 1.")
    if judge.parameter("thinking") != "adaptive":
        return
    if judge.temperature is not None:
        raise DesignError(
            f"Judge {judge.id!r} has thinking: adaptive and temperature: {judge.temperature:g}, which exclude "
            "each other; leave one of them out."
        )
    if dict(judge.asked_parameters).get("response_format") == "tool":
        raise DesignError(
            f"Judge {judge.id!r} has thinking: adaptive, but model {judge.model!r} answers by a tool that it must "
            "call, and the two exclude each other; leave thinking out, or set capabilities: {response_format: none}."
        )
