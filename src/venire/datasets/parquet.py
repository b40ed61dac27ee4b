"""Parquet files as rows of JSON values, a slice in memory at a time."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from venire.datasets.complaints import BadValue, quote
from venire.datasets.files import refused
from venire.domain.identity import Json

SLICE = 2_000
"""Rows held at once."""


def read_parquet(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a file with their numbers from 1; their values are as polars gives them, see `json_value`.

    Raises:
        DataError: the file is missing or is no Parquet file.
    """
    import polars as pl

    try:
        frame = pl.scan_parquet(path, glob=False)
        n_rows = frame.select(pl.len()).collect().item()
        for start in range(0, n_rows, SLICE):
            yield from enumerate(frame.slice(start, SLICE).collect().iter_rows(named=True), start=start + 1)
    except FileNotFoundError as error:
        raise refused(path, "cannot be read: No such file or directory") from error
    except (OSError, pl.exceptions.PolarsError) as error:
        raise refused(path, f"no Parquet file that can be read: {str(error).splitlines()[0]}") from error


def json_value(value: Any) -> Json:
    """A value of a table as the JSON that it would be in another file.

    A number that is no number (NaN) is refused, not taken for a missing one: in Parquet null says that.

    Raises:
        BadValue: the value has no form in JSON.
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise BadValue(f"{value} is no number; write null where there is none")
        return value
    if isinstance(value, list | tuple):
        return [json_value(each) for each in value]
    if isinstance(value, Mapping):
        return {str(name): json_value(each) for name, each in value.items()}
    raise BadValue(f"{quote(str(value))} is of type {type(value).__name__}; text, numbers, lists or objects are read")
