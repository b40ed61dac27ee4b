"""Columns of text in line, for the terminal."""

from collections.abc import Sequence

from venire.reporting.text import shorten


def align(rows: Sequence[Sequence[str]], *, n_left: int = 1, widest: int = 100) -> list[str]:
    """Rows as lines: the first columns to the left, numbers to the right; nothing where there are titles alone.

    Args:
        rows: the titles first; all of the same length.
        n_left: how many columns hold words.
        widest: longer cells are cut.
    """
    if len(rows) < 2:
        return []
    cut = [[shorten(cell, widest) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number < n_left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cut
    ]
