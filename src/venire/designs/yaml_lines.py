"""YAML 1.2 with the line of every value, so that an error can say where it is."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from venire.errors import DesignError

Loc = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinedYaml:
    """A parsed document and where its parts stand."""

    value: Any
    lines: Mapping[Loc, int]
    """Line number, from 1, of the key or element at each path."""

    def line_of(self, loc: Loc) -> int:
        """The line of this path, or of the nearest part around it that exists."""
        while loc and loc not in self.lines:
            loc = loc[:-1]
        return self.lines.get(loc, 1)


def parse_yaml(text: str, file: str) -> LinedYaml:
    """Parse one document. YAML 1.2: yes, no, on and off are words, not truth values.

    Raises:
        DesignError: not YAML, a key given twice, or not a mapping.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        document = YAML(typ="rt", pure=True).load(io.StringIO(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else 1
        raise DesignError(f"{file}:{line}: this is not YAML: {error.problem or error.context}") from error
    except YAMLError as error:
        raise DesignError(f"{file}: this is not YAML: {error}") from error
    if not isinstance(document, Mapping):
        raise DesignError(f"{file}: a design is a mapping (protocol: …, rubric: …, judges: …), found {document!r:.60}")
    lines: dict[Loc, int] = {}
    return LinedYaml(value=_plain(document, (), lines), lines=lines)


def _plain(node: Any, loc: Loc, lines: dict[Loc, int]) -> Any:
    if isinstance(node, Mapping):
        for key in node:
            lines[(*loc, str(key))] = node.lc.key(key)[0] + 1  # type: ignore[attr-defined]
        return {str(key): _plain(value, (*loc, str(key)), lines) for key, value in node.items()}
    if isinstance(node, Sequence) and not isinstance(node, str):
        for index in range(len(node)):
            lines[(*loc, index)] = node.lc.item(index)[0] + 1  # type: ignore[attr-defined]
        return [_plain(value, (*loc, index), lines) for index, value in enumerate(node)]
    if isinstance(node, date):
        # A design knows no dates: what looks like one (api_version: 2023-06-01) is a name.
        return node.isoformat()
    # ruamel's scalars are subclasses that remember their style; plain ones compare and serialise as expected.
    for kind in (bool, int, float, str):
        if isinstance(node, kind):
            return kind(node)
    return node
