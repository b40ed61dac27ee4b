"""Words that look the same compare the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.domain.folding import fold, fold_width, without_invisible


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(fold_width(text)) == fold(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Correct", " correct\n"),
        ("ＣＯＲＲＥＣＴ", "correct"),
        ("cor\u200brect\ufeff", "correct"),
        ("ﬁne", "FINE"),
        ("x²", "x2"),
        ("STRASSE", "Straße"),
        ("ne\u0301", "NÉ"),
        ("✅\ufe0f", "✅"),
        ("می\u200cخواهم", "میخواهم"),
    ],
)
def test_width_case_and_invisible_characters_do_not_count(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("ne", "né"), ("A", "A*"), ("1", "10"), ("सह", "सही"), ("a b", "ab")])
def test_other_words_stay_others(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_what_is_visible_stays_as_it_is() -> None:
    assert without_invisible("\ufeffＡ b\u2060\n\t²") == "Ａ b\n\t²"
