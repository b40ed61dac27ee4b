"""Mistakes in a design file: each with its line, what was found, what was expected and what to do."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from venire.designs.schema import PLACES
from venire.designs.yaml_lines import LinedYaml, Loc
from venire.errors import DesignError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_EXPECTED: Mapping[str, str] = {
    "int_type": "a whole number was expected",
    "int_from_float": "a whole number was expected",
    "float_type": "a number was expected",
    "finite_number": "a finite number was expected",
    "bool_type": "true or false was expected",
    "list_type": "a list was expected, such as [a, b]",
    "dict_type": "a mapping was expected, such as {name: value}",
    "model_attributes_type": "a mapping was expected, such as {type: nominal, labels: [correct, incorrect]}",
    "model_type": "a mapping was expected, such as {name: value}",
    "union_tag_not_found": "type: is missing; add type: nominal, ordinal, interval or choice",
    "union_tag_invalid": "type: must be nominal, ordinal, interval or choice",
}
_FIELD_EXPECTED: Mapping[str, str] = {
    "pairs": "all or {baseline: SYSTEM} was expected",
    "tie": "undecided, fractional, {label: X} or {random: SEED} was expected",
    "parameters": "a word, a number, true or false was expected",
}
_ADVICE: Mapping[str, str] = {
    "protocol": "Add protocol: pointwise, pairwise or listwise.",
    "rubric": "Add rubric: with criteria:, each with id, question and scale.",
    "judges": "Add judges: with at least one id and provider.",
    "provider": "Add provider: openai_compatible, embedded or another; see the reference of the design file.",
    "labels": "Add labels: [correct, incorrect], for example.",
}
_SECRET = frozenset({"headers", "api_key_env"})
_UNLIKE_TEXT = _SECRET | {"parameters"}
_SHOWN = 60


class Mistakes:
    """All that is wrong in one file, collected so that it can be mended in one go."""

    def __init__(self, document: LinedYaml, file: str) -> None:
        self.document = document
        self.file = file
        self._found: list[str] = []

    def add(self, loc: Loc, message: str) -> None:
        """Note a mistake in the part at this path."""
        self._found.append(f"{self.file}:{self.document.line_of(loc)}: {message}")

    def add_shape(self, problems: Sequence["ErrorDetails"]) -> None:
        """Note what pydantic found; of a field that may be several things, only what fits best."""
        placed = {_in_document(problem, self.document): problem for problem in reversed(problems)}
        for loc, problem in reversed(placed.items()):
            if not any(other[: len(loc)] == loc for other in placed if other != loc):
                name = ".".join(str(part) for part in loc) or "the design"
                self.add(loc, f"{name}: {_explain(problem, loc, self.document)}")

    @contextmanager
    def at(self, loc: Loc) -> Iterator[None]:
        """A DesignError raised inside is noted as a mistake of the part at this path."""
        try:
            yield
        except DesignError as error:
            self.add((*loc, *error.at), str(error))

    def error(self) -> DesignError:
        """All of them in one."""
        return DesignError("\n".join(self._found))

    def raise_any(self) -> None:
        """Stop here if anything is wrong."""
        if self._found:
            raise self.error()


def _explain(problem: "ErrorDetails", loc: Loc, document: LinedYaml) -> str:
    match problem["type"]:
        case "extra_forbidden":
            return f"there is no such field here. {_hint(loc)}"
        case "missing":
            return f"this field is missing. {_ADVICE.get(str(loc[-1]), 'Add it.')}"
        case "string_type" if loc in document.written and not _UNLIKE_TEXT.intersection(loc):
            written = document.written[loc]
            what = f"{written} is {_kind(problem['input'])}, not text" if written else "nothing stands here"
            return f'{what}; text was expected. Write it in quotes: "{written}".'
        case kind:
            fields = [part for part in loc if isinstance(part, str)]
            expected = next((_FIELD_EXPECTED[name] for name in reversed(fields) if name in _FIELD_EXPECTED), "")
            return f"{_found(loc, document)}; {expected or _EXPECTED.get(kind) or _in_words(problem)}."


def _found(loc: Loc, document: LinedYaml) -> str:
    if _SECRET.intersection(loc):
        return "found something else (not shown here: it may be a secret)"
    if loc not in document.written:
        return "found a list or a mapping"
    written = document.written[loc]
    if len(written) > _SHOWN:
        written = f"{written[:_SHOWN]}…"
    return f"found {written!r}" if written else "found nothing"


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    return "a truth value" if isinstance(value, bool) else "a number"


def _in_words(problem: "ErrorDetails") -> str:
    # Of a closed set pydantic lists the words: "Input should be 'AB', 'BA' or 'both'".
    return problem["msg"].replace("Input should be", "expected was")


def _hint(loc: Loc) -> str:
    name = str(loc[-1])
    if name.replace("-", "_").casefold() in ("api_key", "apikey", "key"):
        return "A key never stands in a design: name its environment variable, api_key_env: OPENAI_API_KEY."
    homes = [place for place, fields in PLACES.items() if name in fields]
    if homes:
        return f"{name!r} is a field of {' and of '.join(homes)}."
    every = sorted({field for fields in PLACES.values() for field in fields})
    close = difflib.get_close_matches(name, every, n=1)
    if close:
        return f"Did you mean {close[0]!r}?"
    own = " What only its provider understands goes under parameters:." if loc[0] == "judges" else ""
    return f"Remove it or check its indentation.{own}"


def _in_document(problem: "ErrorDetails", document: LinedYaml) -> Loc:
    # pydantic puts the names of union members into the path ("scale", "nominal", "labels"); the file has none of
    # them. Only of a missing field the last part is not in the file.
    kept: Loc = ()
    for part in problem["loc"]:
        if (*kept, part) in document.lines:
            kept = (*kept, part)
    return (*kept, problem["loc"][-1]) if problem["type"] == "missing" else kept
