"""A secret is in nothing that venire keeps or shows."""

import base64
import html
import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.domain.call import Choice, Reply, Token
from venire.errors import ProviderError
from venire.providers.redaction import Redactor, SecretText, redact

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


@given(st.binary(max_size=9), st.binary(max_size=9), st.text(alphabet="abcxyz019-_/+=%", min_size=12, max_size=40))
def test_no_secret_survives_in_base64_wherever_it_stands(before: bytes, after: bytes, secret: str) -> None:
    coded = base64.b64encode(before + secret.encode() + after).decode()

    shown = redact(f"Authorization: Basic {coded}", [secret])

    assert secret.encode() not in decoded(shown)
    assert shown != f"Authorization: Basic {coded}"


def decoded(shown: str) -> bytes:
    """What can still be decoded on either side of a mark."""
    parts = shown.removeprefix("Authorization: Basic ").split("[redacted]")
    return b"|".join(base64.b64decode(part[: len(part) // 4 * 4]) for part in parts)


@pytest.mark.parametrize(
    "shown",
    [
        json.dumps(SECRET).replace("/", "\\/"),
        json.dumps(SECRET).replace("=", "\\u003d").replace("+", "\\u002b"),
        json.dumps(SECRET).replace("=", "\\u003D"),
        html.escape("a key with <&> in it"),
        f"{SECRET[:20]}…",
        f"…{SECRET[9:26]}…",
        f"{SECRET[:12]}***{SECRET[-9:]}",
        base64.b64encode(f"user:{SECRET}".encode()).decode(),
        base64.urlsafe_b64encode(f"{SECRET}:".encode()).decode(),
    ],
)
def test_a_secret_is_hidden_in_every_form_in_which_servers_write_it(shown: str) -> None:
    hidden = redact(f"before {shown} after", [SECRET, "a key with <&> in it"])

    assert hidden.startswith("before ")
    assert hidden.endswith(" after")
    assert "[redacted]" in hidden
    assert not any(SECRET[at : at + 15] in hidden for at in range(9, len(SECRET) - 15))


def test_the_password_behind_basic_credentials_is_hidden_too() -> None:
    credentials = base64.b64encode(b"ann:correct-horse-battery").decode()

    assert redact("no such user ann:correct-horse-battery", [credentials]) == "no such user [redacted]"
    assert redact("wrong password correct-horse-battery", [credentials]) == "wrong password [redacted]"


def test_how_all_keys_begin_is_no_secret() -> None:
    assert redact("keys begin with sk-ant-api03-", ["sk-ant-api03-0123456789abcdef"]).endswith("sk-ant-api03-")


def test_a_secret_that_decoding_put_together_is_in_no_part_of_a_reply() -> None:
    tokens = tuple(Token(text=letter, logprob=-0.1) for letter in SECRET)
    reply = Reply(
        choices=(
            Choice(text=SECRET, finish_reason="stop", tokens=tokens),
            Choice(text="ok", finish_reason="stop", tokens=tokens),
            Choice(text="ok", finish_reason="stop", reasoning=SECRET),
        ),
        served_model=SECRET,
        raw=SECRET,
    )

    hidden = Redactor([SECRET]).hide_in_reply(reply)

    assert SECRET[-8:] not in repr(hidden)
    assert [len(choice.tokens) for choice in hidden.choices] == [0, 0, 0]


def test_an_error_is_made_afresh_without_the_exception_that_knew_the_key() -> None:
    try:
        raise ProviderError("auth", SECRET, status=401, raw=SECRET) from ValueError(SECRET)
    except ProviderError as error:
        hidden = Redactor([SECRET]).hide_in_error(error, f"refused: {error}")

    assert (str(hidden), hidden.raw, hidden.status) == ("refused: [redacted]", "[redacted]", 401)
    assert (hidden.__cause__, hidden.__context__) == (None, None)


def test_a_secret_header_is_sent_but_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    headers = Redactor([SECRET]).headers({"Authorization": f"Bearer {SECRET}", "X-Team": "judges"})

    with caplog.at_level(logging.DEBUG):
        logging.getLogger("somebody").debug("sending %r", headers)

    assert caplog.messages == ["sending {'Authorization': '[redacted]', 'X-Team': 'judges'}"]
    assert headers["Authorization"].encode() == f"Bearer {SECRET}".encode()
    assert isinstance(headers["Authorization"], SecretText)
