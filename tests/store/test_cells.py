"""Every text, index and body has one stored form, and comes back from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.store.cells import pack_indices, pack_json, pack_raw, pack_text, unpack_indices, unpack_raw, unpack_text

texts = st.text(st.characters(exclude_categories=()))
index_lists = st.lists(st.integers(0, 9999), max_size=4).map(tuple)


@given(text=texts)
def test_any_text_comes_back(text: str) -> None:
    assert unpack_text(pack_text(text)) == text


@given(one=texts, other=texts)
def test_two_texts_never_share_a_stored_form(one: str, other: str) -> None:
    assert (pack_text(one) == pack_text(other)) == (one == other)


@pytest.mark.parametrize("text", ["", "plain", "日本 🙂", "a\x00b"])
def test_unicode_is_stored_as_text(text: str) -> None:
    assert pack_text(text) == text


@given(text=texts)
def test_any_raw_body_comes_back(text: str) -> None:
    assert unpack_raw(pack_raw(text)) == text


@given(indices=index_lists)
def test_indices_come_back(indices: tuple[int, ...]) -> None:
    assert unpack_indices(pack_indices(indices)) == indices


@given(one=index_lists, other=index_lists)
def test_packed_indices_sort_as_the_tuples_do(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    assert (pack_indices(one) < pack_indices(other)) == (one < other)


@pytest.mark.parametrize("indices", [(-1,), (0, 10_000)])
def test_an_index_without_room_is_refused(indices: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="the store keeps 0 to 9999"):
        pack_indices(indices)


def test_json_is_stored_readable_and_without_nan() -> None:
    assert pack_json({"b": "é", "a": None}) == '{"b":"é","a":null}'
    with pytest.raises(ValueError, match="JSON compliant"):
        pack_json(float("nan"))
