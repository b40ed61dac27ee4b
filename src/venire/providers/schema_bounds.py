"""Bounds in a schema: not every endpoint takes them; a reply is checked against them all the same."""

from collections.abc import Mapping

from venire.domain.identity import Json

# Those that Anthropic's structured outputs refuse (https://platform.claude.com/docs/en/build-with-claude/structured-outputs,
# "JSON Schema limitations").
BOUNDS = frozenset(
    {
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "minItems", "maxItems", "uniqueItems"),
    }
)
_NAMED_SCHEMAS = frozenset({"properties", "$defs", "definitions"})
"""Keywords whose own keys are names, so that a criterion may be called "minimum"."""


def without_bounds(schema: Json) -> Json:
    """A schema without the bounds on numbers, lengths and counts; enumerations and types stay."""
    if isinstance(schema, list):
        return [without_bounds(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: dict[str, Json] = {}
    for keyword, value in schema.items():
        if keyword in _NAMED_SCHEMAS and isinstance(value, Mapping):
            kept[keyword] = {name: without_bounds(each) for name, each in value.items()}
        elif keyword not in BOUNDS:
            kept[keyword] = value if keyword in ("enum", "const", "required") else without_bounds(value)
    return kept
