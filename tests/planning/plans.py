"""Items and designs to plan with, by hand and for hypothesis."""

from typing import Any

from hypothesis import strategies as st

from venire.domain.design import Design, Protocol
from venire.domain.identity import CriterionId, ItemId, JudgeId
from venire.domain.item import Item, Message, Response
from venire.domain.panel import Judge
from venire.domain.rubric import ChoiceScale, Criterion, NominalScale, Rubric


def item(name: str, *texts: str | None, systems: tuple[str | None, ...] = (), **fields: Any) -> Item:
    """An item whose responses come from the systems s0, s1, … unless these are named."""
    systems = systems or tuple(f"s{index}" for index in range(len(texts)))
    responses = tuple(Response(text=text, system=system) for text, system in zip(texts, systems, strict=True))
    prompt = (Message(role="user", content="2 + 2?"),)
    return Item(**({"id": ItemId(name), "prompt": prompt, "responses": responses} | fields))


def judge(name: str = "j", **fields: Any) -> Judge:
    """A judge at a model of its own name."""
    return Judge(**({"id": JudgeId(name), "provider": "openai_compatible", "model": f"m-{name}"} | fields))


def design(protocol: Protocol = "pointwise", *judges: Judge, question: str = "Is it right?", **fields: Any) -> Design:
    scale = NominalScale(labels=("yes", "no")) if protocol == "pointwise" else ChoiceScale()
    criterion = Criterion(id=CriterionId("q"), question=question, scale=scale)
    rubric = Rubric(criteria=(criterion,))
    return Design(protocol=protocol, rubric=rubric, judges=judges or (judge(),), **fields)


@st.composite
def items(draw: st.DrawFn) -> list[Item]:
    texts = st.lists(st.none() | st.text(max_size=5), min_size=1, max_size=4)
    systems = st.sampled_from(["s0", "s1", None])
    made = []
    for number in range(draw(st.integers(0, 4))):
        written = draw(texts)
        names = tuple(draw(systems) for _ in written)
        made.append(item(f"i{number}", *written, systems=names, context=draw(st.none() | st.text(max_size=3))))
    return made


@st.composite
def designs(draw: st.DrawFn) -> Design:
    protocol: Protocol = draw(st.sampled_from(["pointwise", "pairwise", "listwise"]))
    panel = [
        judge(
            f"j{number}",
            samples=draw(st.integers(1, 3)),
            provider=draw(st.sampled_from(["openai_compatible", "length"])),
        )
        for number in range(draw(st.integers(1, 3)))
    ]
    return design(
        protocol,
        *panel,
        orders="AB" if protocol == "pointwise" else draw(st.sampled_from(["AB", "BA", "both"])),
        baseline=draw(st.none() | st.just("s0")) if protocol == "pairwise" else None,
        reference=draw(st.sampled_from(["if_given", "hidden"])),
    )
