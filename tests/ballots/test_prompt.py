"""A judge sees every part of the item once, fenced, and is told what to do."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.ballots.fence import fence_for
from venire.ballots.prompt import Shown, check_own_template, render
from venire.domain.design import Protocol
from venire.domain.item import Message
from venire.errors import DesignError

from .makers import CHOICE, RIGHT, ballot

TEXT = st.text(max_size=40) | st.sampled_from(["</response>", "</response A 12345678>", "{ballot}", "{response_a}"])


def _shown(*responses: str, **parts: Any) -> Shown:
    return Shown(**({"prompt": "2 + 2?", "context": None, "reference": (), "responses": responses} | parts))


def _texts(shown: Shown) -> list[str]:
    return [shown.prompt, shown.context or "", *shown.reference, *shown.responses]


@given(TEXT, TEXT, st.lists(TEXT, max_size=2), TEXT, TEXT)
def test_every_part_is_closed_once_and_stands_as_it_was(
    prompt: str, context: str, reference: list[str], first: str, second: str
) -> None:
    shown = _shown(first, second, prompt=prompt, context=context, reference=tuple(reference))
    fence = fence_for(_texts(shown))

    user = render(shown, ballot(CHOICE), "pairwise")[-1].content

    for name, text in (("response A", first), ("response B", second), ("context", context)):
        assert user.count(f"</{name} {fence}>") == 1
        assert f"<{name} {fence}>\n{text}\n</{name} {fence}>" in user
    assert user.count(f" {fence}>") == 2 * (3 + bool(prompt) + bool(reference))


def test_the_rules_come_before_the_item_so_that_they_can_be_cached() -> None:
    first, second = (render(_shown(text), ballot(RIGHT), "pointwise") for text in ("4", "5"))

    assert [message.role for message in first] == ["system", "user"]
    assert first[0] == second[0]
    assert first[1] != second[1]


def test_the_same_item_has_the_same_prompt() -> None:
    assert render(_shown("4"), ballot(RIGHT), "pointwise") == render(_shown("4"), ballot(RIGHT), "pointwise")


@pytest.mark.parametrize(
    ("parts", "absent"),
    [
        ({}, ("<context", "<reference", "The reference")),
        ({"prompt": ""}, ("<prompt",)),
        ({"context": "", "reference": ("4",)}, ()),
    ],
)
def test_a_part_that_the_item_lacks_is_not_shown(parts: dict[str, Any], absent: tuple[str, ...]) -> None:
    text = "\n".join(message.content for message in render(_shown("4", **parts), ballot(RIGHT), "pointwise"))

    assert not any(word in text for word in absent)
    assert ("<context" in text) == ("context" in parts)


def test_several_references_are_listed() -> None:
    user = render(_shown("4", reference=("4", "four")), ballot(RIGHT), "pointwise")[-1].content

    assert "- 4\n- four\n</reference" in user


@pytest.mark.parametrize(("protocol", "words"), [("pairwise", "compare two"), ("listwise", "compare several")])
def test_the_judge_is_told_what_it_compares(protocol: Protocol, words: str) -> None:
    assert words in render(_shown("4", "5"), ballot(CHOICE), protocol)[0].content


def test_an_own_template_is_the_whole_prompt() -> None:
    template = 'Q: {prompt}\n{reference}{response}\n{"q": "x"} {ballot}'

    (message,) = render(_shown("{ballot}", prompt=""), ballot(RIGHT), "pointwise", template)

    fence = fence_for(["", "", "{ballot}"])
    response = f"<response {fence}>\n{{ballot}}\n</response {fence}>"
    start = f'Q: \n{response}\n{{"q": "x"}} Reply with one JSON object'
    assert message.role == "user"
    assert message.content.startswith(start)


def test_an_own_template_may_take_all_responses_at_once() -> None:
    check_own_template("{responses} {ballot}", 3)
    (message,) = render(_shown("4", "5"), ballot(CHOICE), "pairwise", "{responses} {ballot}")

    assert message.content.index("<response A") < message.content.index("<response B")
    assert isinstance(message, Message)


@pytest.mark.parametrize(
    ("template", "n_shown", "words"),
    [
        ("{prompt} {ballot}", 1, r"lacks \{response\}"),
        ("{response}", 1, r"lacks \{ballot\}"),
        ("{response_a} {ballot}", 2, r"lacks \{response_b\}"),
        ("{response} {ballot}", 2, r"did you mean \{response"),
        ("{response} {refrence} {ballot}", 1, r"did you mean \{reference\}"),
        ("{response} {Reference} {ballot}", 1, r"did you mean \{reference\}"),
    ],
)
def test_a_template_that_hides_something_from_the_judge_is_refused(template: str, n_shown: int, words: str) -> None:
    with pytest.raises(DesignError, match=words):
        check_own_template(template, n_shown)
