"""YAML 1.2 is read with the line of every part, and nothing in it can surprise."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.designs.yaml_lines import MOST_NODES, parse_yaml
from venire.errors import DesignError


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("yes", "yes"),
        ("Off", "Off"),
        ("true", True),
        ("FALSE", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("12", 12),
        ("012", 12),
        ("-0", 0),
        ("0x1F", 31),
        ("0o14", 12),
        ("1_000", 1000),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("-.inf", float("-inf")),
        ("1:30", "1:30"),
        ("2020-01-01", "2020-01-01"),
        ("'1'", "1"),
        ('"a\\tb"', "a\tb"),
        ("!!str 1", "1"),
        ("[a, {b: 1}]", ["a", {"b": 1}]),
    ],
)
def test_a_value_is_what_yaml_1_2_says(written: str, value: Any) -> None:
    read = parse_yaml(f"a: {written}", "f.yaml").value["a"]

    assert read == value
    assert type(read) is type(value)


def test_every_part_has_its_line() -> None:
    document = parse_yaml("a: 1\nb:\n  - c: 2\n\n  - {d: 3,\n     e: 4}\n", "f.yaml")

    assert document.line_of(("b", 1, "e")) == 6
    assert document.line_of(("b", 1)) == 5
    assert document.line_of(("b", 1, "missing")) == 5
    assert document.line_of(("missing",)) == 1
    assert document.written["b", 0, "c"] == "2"


def test_a_merged_field_gives_way_and_keeps_the_line_where_it_is_written() -> None:
    document = parse_yaml("a: &a {x: 1, y: 2}\nb: &b {<<: *a, y: 3}\nc:\n  <<: [*b, *a]\n  z: 4\n", "f.yaml")

    assert document.value["c"] == {"x": 1, "y": 3, "z": 4}
    assert document.line_of(("c", "y")) == 2


ALIASES = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
MERGES = "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}\n" for n in range(1, 12))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3", 3, "'a' is given a second time (first in line 1)"),
        ("a:\n\t- 1", 2, "Indent with spaces"),
        ("a: [1", 1, "this is not YAML"),
        ("a: 1\n---\nb: 2", 2, "another document"),
        ("a: *nobody", 1, "undefined alias"),
        ("a: &a [*a]", 1, "the aliases here never end"),
        ("a: &a {b: *a}", 1, "the aliases here never end"),
        ("a: &a {<<: *a}", 1, "the aliases here never end"),
        (ALIASES, 1, "stand for too much"),
        (MERGES, 1, "stand for too much"),
        ("a: 1\n<<: 3", 2, "takes over the fields of another mapping"),
        ("a: !thing 1", 1, "the tag !thing has no meaning"),
        ("a: !!python/object:x {}", 1, "has no meaning"),
        ("a: !!set {x}", 1, "has no meaning"),
        ("a: !!int x", 1, "cannot be read as int; write it in quotes"),
        ("a: !!bool yes", 1, "cannot be read as bool"),
        ("a: " + "9" * 5000, 1, "cannot be read as int"),
        ("? [a]\n: 1", 1, "the name of a field is a word"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_cannot_be_taken_at_its_word_is_refused_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(DesignError) as raised:
        parse_yaml(text, "f.yaml")

    assert str(raised.value).startswith(f"f.yaml:{line}: ")
    assert words in str(raised.value)


@pytest.mark.parametrize("text", ["a: \x00", "a: \ud800", "[" * 400, "- " * 400, "a: {" * 400])
def test_what_no_design_holds_is_refused(text: str) -> None:
    with pytest.raises(DesignError, match=r"^f\.yaml"):
        parse_yaml(text, "f.yaml")


def test_a_long_list_is_no_bomb() -> None:
    n_lines = MOST_NODES // 100

    assert len(parse_yaml("a:\n" + "- x\n" * n_lines, "f.yaml").value["a"]) == n_lines


@given(st.text(st.sampled_from("ab:-[]{}&*!|>'\"#%@`?,<~ \n\t01."), max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(DesignError):
        assert isinstance(parse_yaml(text, "f.yaml").value, dict)
