"""A secret is in nothing that venire keeps or shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.providers.redaction import redact

SECRET = "sk-test/0123+456789abcdef=SECRET"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"key {SECRET} refused", "key [redacted] refused"),
        ("?key=sk-test%2F0123%2B456789abcdef%3DSECRET&x=1", "?key=[redacted]&x=1"),
        ("?key=sk-test%2f0123%2b456789abcdef%3dSECRET", "?key=[redacted]"),
        ("?key=sk-test/0123%2B456789abcdef%3DSECRET", "?key=[redacted]"),
        ("key ending in f=SECRET is wrong", "key ending in [redacted] is wrong"),
        ("...56789abcdef=SECRET", "...[redacted]"),
        (SECRET + SECRET, "[redacted][redacted]"),
        ("https://api.example/v1/models/m", "https://api.example/v1/models/m"),
        ("SECRET alone is six letters", "SECRET alone is six letters"),
    ],
)
def test_a_secret_is_hidden_whole_encoded_or_cut_to_its_tail(text: str, wanted: str) -> None:
    assert redact(text, [SECRET]) == wanted


def test_a_placeholder_key_of_a_local_server_hides_nothing() -> None:
    assert redact("the EMPTY set", ["EMPTY"]) == "the EMPTY set"


@given(st.text(), st.text(), st.text(alphabet="abcxyz019-_/+=% ", min_size=8, max_size=40))
def test_no_tail_of_eight_characters_survives(before: str, after: str, secret: str) -> None:
    assert secret[-8:] not in redact(before + secret + after, [secret]).replace("[redacted]", "\0")
