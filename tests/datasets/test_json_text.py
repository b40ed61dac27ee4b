import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.datasets.complaints import BadValue
from venire.datasets.json_text import MAX_DEPTH, clean_text, clean_value, count_lone_halves, parse_json, parse_object
from venire.domain.identity import canonical_json


@given(st.text(st.characters()))
def test_cleaned_text_can_always_be_written_as_utf8(text: str) -> None:
    clean_text(text).encode("utf-8")


@given(st.text())
def test_text_without_lone_halves_is_left_alone(text: str) -> None:
    assert clean_text(text) == text


def test_a_lone_half_becomes_one_replacement_character() -> None:
    assert clean_text("cut \ud83d, byte \udcb2") == "cut \ufffd, byte \ufffd"


def test_a_whole_emoji_is_one_character() -> None:
    value = parse_json(r'"\ud83d\ude00"')

    assert clean_value(value) == "\U0001f600"


def test_a_zero_character_is_kept() -> None:
    assert clean_value(parse_json(r'"a\u0000b"')) == "a\x00b"


def test_halves_are_counted_in_keys_and_deep_inside() -> None:
    value = parse_json(r'{"\ud83d": [{"a": "\udcb2\ud83d"}, 1, null]}')

    assert count_lone_halves(value) == 3
    assert count_lone_halves(clean_value(value)) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": -Infinity}', "-Infinity is not JSON"),
        ('{"a": 1e999}', "1e999 is too large"),
        ('{"a": 1, "b": 2, "a": 1}', "'a' occurs twice"),
        ('{"a": {"b": 1, "b": 2}}', "'b' occurs twice"),
        ('{"a": ', "at character 7"),
        ("{'a': 1}", "is not JSON"),
        ('{"a": ' + "9" * 5000 + "}", "a number cannot be read"),
        ('{"a": ' * 50_000, "deep"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "deep"),
    ],
)
def test_json_that_could_mislead_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadValue, match=said):
        parse_json(text)


def test_brackets_inside_text_are_not_depth() -> None:
    text = canonical_json({"a": '[{"\\' * 500})

    assert parse_object(text) == {"a": '[{"\\' * 500}


@pytest.mark.parametrize("text", ["[1]", '"a"', "1", "null", "true"])
def test_a_row_that_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="is not an object"):
        parse_object(text)
