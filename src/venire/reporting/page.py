"""A page of sections, each with words, a plot and a table, that needs nothing else: no network and no other file."""

from collections.abc import Sequence
from dataclasses import dataclass

from venire._version import __version__
from venire.reporting.charts import Chart
from venire.reporting.html import content_security_policy, new_environment, page_scripts, read_asset


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTable:
    """A table; the first column names the row."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    emphasised: frozenset[int] = frozenset()
    """Numbers of rows that stand out."""
    wordy: frozenset[int] = frozenset()
    """Numbers of columns that hold words, which may break, and not numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSection:
    """One part of the page."""

    heading: str
    paragraphs: tuple[str, ...] = ()
    chart: Chart | None = None
    table: PageTable | None = None


def render_page(*, title: str, lead: str, sections: Sequence[PageSection], notes: Sequence[str] = ()) -> str:
    """Write the page; all text is escaped where it is put, and nothing but our own scripts would run."""
    environment = new_environment()
    scripts = page_scripts([section.chart for section in sections if section.chart is not None])
    page: str = environment.from_string(read_asset("templates", "page.html.j2")).render(
        title=title,
        lead=lead,
        notes=notes,
        sections=sections,
        version=__version__,
        policy=content_security_policy(scripts),
        css=environment.filters["trusted"](read_asset("assets", "report.css")),
        scripts=[environment.filters["trusted"](script) for script in scripts],
    )
    return page
