"""Foreign names: which column of a file, or which place inside an object, holds a field of venire."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from venire.datasets.complaints import BadValue
from venire.datasets.files import refused
from venire.domain.identity import Json

Columns = Sequence[tuple[str, str]]
"""Pairs of venire's name and the file's: a column, or a dotted path into objects and lists (answers.0.text)."""

_SHOWN = 30


@dataclass(slots=True)
class Renaming:
    """Gives the fields of a file's rows the names that venire knows, and notes which columns were there at all."""

    path: Path
    columns: Columns
    is_table: bool = False
    """Whether all rows have the same columns, so that the first one tells whether they are there."""
    _known: dict[str, None] = field(default_factory=dict)
    _found: set[str] = field(default_factory=set)

    def rename(self, fields: Mapping[str, Json]) -> Mapping[str, Json]:
        """The fields of a row under venire's names; what is not mapped stays as it is.

        Raises:
            BadValue: a field stands under venire's name and under the foreign one.
        """
        if not self.columns:
            return fields
        if len(self._known) < _SHOWN:
            self._known.update(dict.fromkeys(fields))
        sources = {source for _, source in self.columns}
        renamed = {name: value for name, value in fields.items() if name not in sources}
        for name, source in self.columns:
            value = _look_up(fields, source)
            if isinstance(value, _Absent):
                continue
            if name in renamed:
                raise BadValue(
                    f"the row has {name!r} and {source!r}, which the design's columns make {name!r}, too; keep one"
                )
            self._found.add(source)
            renamed[name] = value
        if self.is_table:
            # A place inside an object may be absent in the first row and there in the next.
            self.check([(name, source) for name, source in self.columns if "." not in source])
        return renamed

    def check(self, columns: Columns | None = None) -> None:
        """Refuse a mapping whose columns, all or some of them, were in no row of the file.

        Raises:
            DataError: with the columns that the file has.
        """
        asked = self.columns if columns is None else columns
        missing = [f"{name}: {source}" for name, source in asked if source not in self._found]
        if missing and self._known:
            raise refused(
                self.path,
                f"the design's columns name {missing!r}, which no row of this file has; "
                f"its columns are {list(self._known)[:_SHOWN]!r}",
            )


class _Absent:
    """Nothing stands there: not the same as null."""


_ABSENT = _Absent()


def _look_up(fields: Mapping[str, Json], source: str) -> "Json | _Absent":
    if source in fields:
        return fields[source]
    place: Json = fields
    for part in source.split("."):
        if isinstance(place, Mapping) and part in place:
            place = place[part]
        elif isinstance(place, list) and part.isdecimal() and int(part) < len(place):
            place = place[int(part)]
        else:
            return _ABSENT
    return place if "." in source else _ABSENT
