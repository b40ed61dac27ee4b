"""Judges without a language model: the item's parts in, one value for each criterion out."""

import json
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from venire.domain.call import Choice, Reply, Request, Usage
from venire.domain.identity import CriterionId, ItemId, Json, canonical_json
from venire.domain.rubric import (
    BOTH_BAD,
    CANNOT_ASSESS,
    TIE,
    ChoiceScale,
    IntervalScale,
    NominalScale,
    OrdinalScale,
    Scale,
)
from venire.errors import DesignError, ProviderError

NOTHING_BILLED = Usage(input_tokens=0, output_tokens=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One criterion of the material: what is to be answered, on which scale."""

    id: CriterionId
    scale: Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The parts of one item, as `venire.domain.call.material` wrote them."""

    item_id: ItemId
    shown: tuple[int, ...]
    responses: tuple[str, ...]
    """In the order shown."""
    reference: tuple[str, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """The value given for one question, and what it was decided on."""

    value: str | int | float
    """A label, a number, or in comparisons the letter by shown position, tie or both_bad."""
    evidence: Mapping[str, Json]


CANNOT = Assessment(value=CANNOT_ASSESS, evidence={})


def read_material(request: Request) -> Material:
    """Read the one message of a request to a judge without a language model.

    Raises:
        ProviderError: the message is no material, as when a prompt for a language model was sent.
    """
    try:
        (message,) = request.messages
        document = json.loads(message.content)
        return Material(
            item_id=ItemId(document["item"]),
            shown=tuple(document["shown"]),
            responses=tuple(document["responses"]),
            reference=tuple(document["reference"]),
            questions=tuple(
                Question(id=CriterionId(entry["id"]), scale=read_scale(entry["scale"]))
                for entry in document["criteria"]
            ),
        )
    except (ValueError, KeyError, TypeError, DesignError) as error:
        raise ProviderError(
            "bad_request",
            f"A judge with provider {request.provider!r} was sent something else than an item's parts: {error}. "
            "It reads no prompt; leave its template out.",
        ) from error


def read_scale(content: Mapping[str, Json]) -> Scale:
    """Turn a scale's canonical content back into the scale."""
    fields = {name: value for name, value in content.items() if name != "type"}
    if "labels" in fields:
        fields["labels"] = tuple(cast("list[str]", fields["labels"]))
    kinds: Mapping[str, Callable[..., Scale]] = {
        "nominal": NominalScale,
        "ordinal": OrdinalScale,
        "interval": IntervalScale,
        "choice": ChoiceScale,
    }
    return kinds[str(content["type"])](**fields)


def asked(material: Material, criterion: Json) -> Question | None:
    """The one question that a judge with a single measure can answer: the named one, or the only one."""
    named = [question for question in material.questions if criterion in (None, question.id)]
    return named[0] if len(named) == 1 else None


def reply_of(assessments: Mapping[CriterionId, Assessment], n: int, served_model: str | None = None) -> Reply:
    """A judge's reply whose draws are all the same, with the evidence in the raw text."""
    return reply_of_draws([assessments] * n, served_model)


def reply_of_draws(draws: Sequence[Mapping[CriterionId, Assessment]], served_model: str | None = None) -> Reply:
    """A judge's reply with one choice for each draw."""
    raw: Json = [
        {name: {"value": each.value, **each.evidence} for name, each in assessments.items()} for assessments in draws
    ]
    return Reply(
        choices=tuple(
            Choice(
                text=json.dumps({name: each.value for name, each in assessments.items()}, ensure_ascii=False),
                finish_reason="stop",
            )
            for assessments in draws
        ),
        usage=NOTHING_BILLED,
        served_model=served_model,
        raw=canonical_json(raw[0] if len(draws) == 1 and isinstance(raw, list) else raw),
    )


def single_answer(
    material: Material, criterion: Json, assess: Callable[[Scale], Assessment]
) -> dict[CriterionId, Assessment]:
    """One question assessed, all others left out of the judge's competence."""
    question = asked(material, criterion)
    return {
        each.id: assess(each.scale) if question is not None and each.id == question.id else CANNOT
        for each in material.questions
    }


def two_labels(scale: NominalScale, *, positive: bool) -> str:
    """The positive label of two, or the other."""
    (other,) = (label for label in scale.labels if label != scale.positive)
    return scale.positive if positive else other


def point_on(scale: IntervalScale, share: float) -> int | float:
    """The number that lies this share of the way from min to max."""
    value = scale.min + min(max(share, 0.0), 1.0) * (scale.max - scale.min)
    return round(value) if scale.integer else value


def best_of(scores: Sequence[float], scale: ChoiceScale) -> str:
    """The letter of the single highest score; where several share it, a tie if the scale has one."""
    top = max(scores)
    if sum(score == top for score in scores) == 1:
        return letter(list(scores).index(top))
    return TIE if scale.tie else CANNOT_ASSESS


def none_is_good(scale: ChoiceScale) -> str:
    """What is said when no response is acceptable; where the scale cannot say so, they are equal."""
    if scale.both_bad:
        return BOTH_BAD
    return TIE if scale.tie else CANNOT_ASSESS


def letter(position: int) -> str:
    """The name under which the response at this shown position goes: A, B, C, …"""
    return string.ascii_uppercase[position]


def refuse(provider: str, scale: Scale) -> ProviderError:
    """The error for a scale that this provider has no answer on; `check_judge` finds it before anything is asked."""
    return ProviderError("bad_request", f"A judge with provider {provider!r} cannot answer on {scale!r}.")
