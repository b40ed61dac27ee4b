"""The files that make up a design, read as text with one complaint for everything that can be wrong with them."""

from pathlib import Path

from venire.errors import DesignError

LARGEST = 8 * 2**20
"""Bytes of a design or template file: far beyond what anybody writes, and far below a file of items."""


def read_text(path: Path, what: str) -> str:
    """The text of a file; `what` says which kind of file was expected."""
    try:
        if path.stat().st_size > LARGEST:
            raise DesignError(
                f"{path}: this {what} file has {path.stat().st_size} bytes; at most {LARGEST} are read. "
                "Is it another file, such as the items?"
            )
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise DesignError(f"{path}: there is no such {what} file. Check the path.") from error
    except IsADirectoryError as error:
        raise DesignError(f"{path}: this is a folder; a {what} file was expected.") from error
    except UnicodeDecodeError as error:
        raise DesignError(f"{path}: not UTF-8 (byte {error.start}). Save the {what} file as UTF-8.") from error
    except (OSError, ValueError) as error:
        raise DesignError(f"{str(path)!r}: the {what} file cannot be read: {error}. Check the path.") from error
