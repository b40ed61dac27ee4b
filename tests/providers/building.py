"""Judges, requests and materials for the tests of providers, with only what a test cares about spelled out."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from venire.domain.call import AnswerFormat, Reply, Request, material
from venire.domain.design import scale_content
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.item import Message
from venire.domain.panel import Judge
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, Rubric, Scale
from venire.ports import Provider

YES_NO = NominalScale(labels=("yes", "no"))
FIVE = IntervalScale(min=1, max=5)
CHOICE = ChoiceScale()
TEXT = AnswerFormat(kind="text")
SCHEMA = AnswerFormat(
    kind="json_schema",
    schema='{"type":"object","properties":{"correct":{"enum":["yes","no"],"type":"string"}},'
    '"required":["correct"],"additionalProperties":false}',
)


def judge(provider: str, parameters: dict[str, Any] | None = None, **fields: Any) -> Judge:
    """A judge named "j"."""
    return Judge(id=JudgeId("j"), provider=provider, parameters=tuple(sorted((parameters or {}).items())), **fields)


def rubric(*scales: Scale) -> Rubric:
    """A rubric with criteria c0, c1, …"""
    return Rubric(
        criteria=tuple(Criterion(id=CriterionId(f"c{i}"), question="?", scale=scale) for i, scale in enumerate(scales))
    )


def prompt(*messages: tuple[str, str], form: AnswerFormat = TEXT, **fields: Any) -> Request:
    """A request to a language model; each message is (role, words)."""
    values: dict[str, Any] = {
        "provider": "openai_compatible",
        "model": "m",
        "base_url": None,
        "temperature": None,
        "max_tokens": 32,
    }
    return Request(
        messages=tuple(Message(role=role, content=content) for role, content in messages),  # type: ignore[arg-type]
        format=form,
        **values | fields,
    )


def parts(
    *responses: str,
    scales: Sequence[Scale] = (YES_NO,),
    reference: Sequence[str] = ("Paris",),
    item: str = "i",
    shown: Sequence[int] | None = None,
) -> Request:
    """A request to a judge without a language model, about criteria c0, c1, …"""
    content = material(
        item_id=item,
        shown=tuple(range(len(responses)) if shown is None else shown),
        prompt="What is the capital of France?",
        context=None,
        responses=responses,
        reference=tuple(reference),
        criteria=tuple((CriterionId(f"c{i}"), scale_content(scale)) for i, scale in enumerate(scales)),
    )
    return prompt(("user", content), provider="containment", model=None)


def ask(provider: Provider, request: Request, samples: Sequence[int] = (0,), *, within_s: float | None = None) -> Reply:
    """Ask once and close; `within_s` is the deadline, which whoever asks keeps."""

    async def whole() -> Reply:
        try:
            async with asyncio.timeout(within_s):
                return await provider.complete(request, samples)
        finally:
            await provider.close()

    return asyncio.run(whole())


def value(reply: Reply, criterion: str = "c0") -> Any:
    """What the first choice says about a criterion."""
    return json.loads(reply.choices[0].text)[criterion]
