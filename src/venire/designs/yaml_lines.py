"""YAML 1.2 with the line of every value, so that an error can say where it is."""

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from venire.errors import DesignError

Loc = tuple[str | int, ...]

MOST_NODES = 100_000
"""Values in one file, aliases counted each time: a few lines of aliases of aliases can stand for billions."""

_MERGE = "<<"


def _read_int(words: str) -> int:
    digits = words.replace("_", "")
    return int(digits, 0) if digits.lstrip("+-")[:2] in ("0x", "0o") else int(digits)


_READERS: Mapping[str, Callable[[str], str | int | float | bool | None]] = {
    "str": str,
    "timestamp": str,
    "null": lambda _: None,
    "bool": lambda words: {"true": True, "false": False}[words.casefold()],
    "int": _read_int,
    "float": lambda words: float(words.replace("_", "").casefold().replace(".inf", "inf").replace(".nan", "nan")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinedYaml:
    """A parsed document and where its parts stand."""

    value: Any
    lines: Mapping[Loc, int]
    """Line number, from 1, of the key or element at each path."""
    written: Mapping[Loc, str]
    """The words of every scalar as the file has them, without quotes."""

    def line_of(self, loc: Loc) -> int:
        """The line of this path, or of the nearest part around it that exists."""
        while loc and loc not in self.lines:
            loc = loc[:-1]
        return self.lines.get(loc, 1)


A_DESIGN = "a design is a mapping (protocol: …, rubric: …, judges: …)"


def parse_yaml(text: str, file: str, shape: str = A_DESIGN) -> LinedYaml:
    """Parse one document. YAML 1.2: yes, no, on and off are words, not truth values; dates are words too.

    Raises:
        DesignError: not YAML, a key given twice, a tag, or not a mapping.
    """
    root = _compose(text, file)
    if root is None or root.id != "mapping":
        found = "nothing" if root is None else f"a {root.id}"
        raise DesignError(f"{file}: {shape}, but here is {found}.")
    reading = _Reading(file)
    value = reading.plain(root, ())
    return LinedYaml(value=value, lines=reading.lines, written=reading.written)


def _compose(text: str, file: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return YAML(typ="rt", pure=True).compose(io.StringIO(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else 1
        problem = error.problem or error.context
        advice = " Indent with spaces." if "\\t" in str(problem) else ""
        raise DesignError(f"{file}:{line}: this is not YAML: {problem}.{advice}") from error
    except YAMLError as error:
        raise DesignError(f"{file}: this is not YAML: {error}") from error
    except RecursionError as error:
        raise DesignError(f"{file}: this is nested too deeply for a design.") from error


@dataclass(slots=True)
class _Reading:
    """One walk over the nodes of a document."""

    file: str
    lines: dict[Loc, int] = field(default_factory=dict)
    written: dict[Loc, str] = field(default_factory=dict)
    open_nodes: list[Any] = field(default_factory=list)
    """The nodes around the one being read: an alias of one of them would never end."""
    n_nodes: int = 0

    def plain(self, node: Any, loc: Loc) -> Any:
        self._enter(node)
        if node.id == "scalar":
            self.written[loc] = node.value
            return self._scalar(node)
        self.open_nodes.append(node)
        value = self._mapping(node, loc) if node.id == "mapping" else self._sequence(node, loc)
        self.open_nodes.pop()
        return value

    def _enter(self, node: Any) -> None:
        self.n_nodes += 1
        if self.n_nodes > MOST_NODES or any(node is around for around in self.open_nodes):
            raise self._refuse(node, "the aliases here never end, or stand for too much; write the parts out")

    def _mapping(self, node: Any, loc: Loc) -> dict[str, Any]:
        self._check_tag(node, "map")
        value: dict[str, Any] = {}
        own = [pair for pair in node.value if pair[0].value != _MERGE]
        for key, inner in own:
            name = self._key(key)
            if name in value:
                first = self.lines[(*loc, name)]
                raise self._refuse(key, f"{name!r} is given a second time (first in line {first}); remove one of them")
            self.lines[(*loc, name)] = key.start_mark.line + 1
            value[name] = self.plain(inner, (*loc, name))
        for key, inner in self._merged(node):
            name = self._key(key)
            if name not in value:
                self.lines[(*loc, name)] = key.start_mark.line + 1
                value[name] = self.plain(inner, (*loc, name))
        return value

    def _merged(self, node: Any) -> Iterator[tuple[Any, Any]]:
        # "<<: *base" takes over what is not given here; of several bases the first wins.
        for merge, base in node.value:
            if merge.value != _MERGE:
                continue
            for source in base.value if base.id == "sequence" else [base]:
                if source.id != "mapping":
                    raise self._refuse(merge, "<< takes over the fields of another mapping: <<: *name")
                self._enter(source)
                yield from (pair for pair in source.value if pair[0].value != _MERGE)
                yield from self._merged(source)

    def _sequence(self, node: Any, loc: Loc) -> list[Any]:
        self._check_tag(node, "seq")
        for index, inner in enumerate(node.value):
            self.lines[(*loc, index)] = inner.start_mark.line + 1
        return [self.plain(inner, (*loc, index)) for index, inner in enumerate(node.value)]

    def _key(self, node: Any) -> str:
        if node.id != "scalar":
            raise self._refuse(node, "the name of a field is a word, not a list or a mapping")
        return str(node.value)

    def _scalar(self, node: Any) -> str | int | float | bool | None:
        words: str = node.value
        tag = _tag_of(node)
        if tag not in _READERS:
            raise self._refuse(node, f"the tag {node.tag} has no meaning in a design; remove it")
        try:
            return _READERS[tag](words)
        except (ValueError, KeyError) as error:
            raise self._refuse(
                node, f"{words!r:.60} cannot be read as {tag}; write it in quotes if it is text"
            ) from error

    def _check_tag(self, node: Any, wanted: str) -> None:
        if _tag_of(node) != wanted:
            raise self._refuse(node, f"the tag {node.tag} has no meaning in a design; remove it")

    def _refuse(self, node: Any, why: str) -> DesignError:
        return DesignError(f"{self.file}:{node.start_mark.line + 1}: {why}.")


def _tag_of(node: Any) -> str:
    prefix, _, name = str(node.tag).rpartition("tag:yaml.org,2002:")
    return name if not prefix and name != str(node.tag) else ""
