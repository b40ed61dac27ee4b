"""The same content has the same id, everywhere and for ever."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.domain.identity import canonical_json, content_id, seeded_index

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), JSON), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_count(value: dict[str, Any], order: Any) -> None:
    keys = list(value)
    order.shuffle(keys)

    assert canonical_json({key: value[key] for key in keys}) == canonical_json(value)


@given(JSON)
def test_canonical_json_is_ascii_and_loses_nothing(value: Any) -> None:
    written = canonical_json(value)

    assert written.isascii()
    assert json.loads(written) == value


def test_a_content_id_never_changes() -> None:
    """Golden: printf '{"a":[1,"\\\\u00e9"],"b":null}' | sha256sum begins with these 32 digits."""
    assert content_id({"b": None, "a": [1, "é"]}) == "sha256:e6ad993c7a569e941cdd65aa57c817cb"


def test_a_lone_surrogate_has_an_id() -> None:
    assert content_id("\ud800").startswith("sha256:")


@pytest.mark.parametrize(("one", "other"), [(1, "1"), (1, True), (0, False), (None, ""), ([], {}), ("a", ["a"])])
def test_values_of_other_types_have_other_ids(one: Any, other: Any) -> None:
    assert content_id(one) != content_id(other)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_not_finite_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json([number])


@given(st.integers(1, 1000), st.lists(JSON, max_size=3))
def test_a_key_chooses_the_same_index_every_time(n_choices: int, key: list[Any]) -> None:
    chosen = seeded_index(n_choices, *key)

    assert chosen == seeded_index(n_choices, *key)
    assert 0 <= chosen < n_choices


def test_the_indices_are_spread_evenly() -> None:
    """Chi-squared with 9 degrees of freedom stays below 27.9 (p = 0.001); the keys are fixed, so the value is too."""
    counts = Counter(seeded_index(10, "seed", number) for number in range(10_000))

    assert sum((counts[index] - 1000) ** 2 / 1000 for index in range(10)) < 27.9


def test_nothing_cannot_be_chosen_from() -> None:
    with pytest.raises(ValueError, match="at least one to choose from"):
        seeded_index(0, "key")
