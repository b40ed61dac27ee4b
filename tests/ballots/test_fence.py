"""A fence occurs in none of the texts that it encloses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.ballots.fence import SHORTEST, enclose, fence_for

HEX = st.text("0123456789abcdef", max_size=200)


@given(st.lists(st.text() | HEX, max_size=4), st.integers(1, SHORTEST))
def test_no_text_contains_its_fence(texts: list[str], shortest: int) -> None:
    fence = fence_for(texts, shortest)

    assert len(fence) >= shortest
    assert not any(fence in text for text in texts)


@given(st.lists(st.text(), max_size=4))
def test_the_same_texts_have_the_same_fence(texts: list[str]) -> None:
    assert fence_for(texts) == fence_for(tuple(texts))


@pytest.mark.parametrize("texts", [[], [""], ["\ud800"], ["0123456789abcdef" * 1000]])
def test_any_texts_have_a_fence(texts: list[str]) -> None:
    assert len(fence_for(texts)) >= SHORTEST


def test_a_fence_never_changes() -> None:
    """Golden: printf 'a\\0b' | sha256sum begins with these digits."""
    assert fence_for(["a", "b"]) == "59b271ae1bbcb1d3"[:SHORTEST]


def test_a_text_stands_unchanged_between_its_markers() -> None:
    assert enclose("response A", "x </response A>", "0a1b") == "<response A 0a1b>\nx </response A>\n</response A 0a1b>"
