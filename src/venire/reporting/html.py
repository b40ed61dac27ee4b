"""The report as one HTML page that needs nothing else: no network, no other file, and nothing judged is ever run."""

import base64
import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from venire.domain.finding import Undefined
from venire.domain.identity import Json
from venire.reporting.charts import Chart, plot_raters
from venire.reporting.explain import explain_decision, explain_figures
from venire.reporting.report import Report, Tally
from venire.reporting.rows import FIGURE_TITLES, conduct_cells, figures_of, measured, measures_of, order_raters
from venire.reporting.text import (
    count,
    make_inert,
    shorten,
    show_cost,
    show_figure,
    show_interval,
    show_latency,
    show_number,
    show_percent,
    show_value,
)

if TYPE_CHECKING:
    from jinja2 import Environment

    from venire.reporting.deeper import Deeper

_PACKAGE = "venire.reporting"


def render_html(report: Report, design_yaml: str, deeper: "Deeper | None" = None) -> str:
    """Write the page.

    Args:
        design_yaml: the exact design, shown as it is.
        deeper: what `venire report` tells beyond the report of a run.

    All text from outside is escaped where it is put; scripts are bound by their hashes in a content security policy,
    so that a script smuggled past the escaping would not run either. Text that cannot be written as UTF-8 or that
    turns the line around is shown as its escape.
    """
    environment = new_environment()
    charts = [plot_raters(criterion.agreement, report.judges) for criterion in measured(report)]
    further = () if deeper is None else deeper.sections
    scripts = page_scripts([*charts, *(one.chart for one in further if one.chart is not None)])
    if deeper is not None and deeper.cases:
        scripts.append(read_asset("assets", "search.js"))
    page: str = environment.from_string(read_asset("templates", "report.html.j2")).render(
        report=report,
        deeper=deeper,
        signs={} if deeper is None else deeper.signs,
        design_yaml=design_yaml,
        charts={criterion.id: chart for criterion, chart in zip(measured(report), charts, strict=True)},
        chart_numbers={criterion.id: number for number, criterion in enumerate(measured(report))},
        policy=content_security_policy(scripts),
        css=environment.filters["trusted"](read_asset("assets", "report.css")),
        scripts=[environment.filters["trusted"](script) for script in scripts],
        decided_by=explain_decision(report.decision, compares=report.asked.protocol != "pointwise"),
        explanations=explain_figures(report),
    )
    return page


def content_security_policy(scripts: Sequence[str]) -> str:
    """A policy under which a page loads nothing and runs these scripts alone.

    Styles may be inline because plotly writes its own.
    """
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{value}'" for value in hashes) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def embed_json(value: Json) -> str:
    """JSON that may stand inside a script element: it holds no <, > or &, and no line separators.

    >>> embed_json("</script>")
    '"\\\\u003c/script\\\\u003e"'
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def page_scripts(charts: Sequence[Chart | Undefined]) -> list[str]:
    """The scripts of the page; a page without a plot has none."""
    if not any(isinstance(chart, Chart) for chart in charts):
        return []
    return [read_asset("assets", "plotly-basic.min.js"), read_asset("assets", "plot.js")]


def new_environment() -> "Environment":
    """Templates under which all text from outside is escaped and made inert."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    def finish(value: object) -> object:
        return make_inert(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finish,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(lambda name: read_asset("templates", name)),
    )
    environment.filters |= {
        "trusted": Markup,
        "embed_json": lambda value: Markup(embed_json(value)),
        "is_undefined": lambda value: isinstance(value, Undefined),
        "tallies": _show_tallies,
        "shorten": shorten,
        "number": show_number,
        "figure": show_figure,
        "figure_value": show_value,
        "interval": show_interval,
    }
    environment.globals |= {
        "count": count,
        "show_cost": show_cost,
        "show_latency": show_latency,
        "show_percent": show_percent,
        "conduct_cells": conduct_cells,
        "order_raters": order_raters,
        "measures_of": measures_of,
        "figures_of": figures_of,
        "figure_titles": FIGURE_TITLES,
    }
    return environment


def _show_tallies(tallies: Sequence[Tally]) -> str:
    return ", ".join(f"{tally.name} {tally.n:,}" for tally in tallies)


def read_asset(*path: str) -> str:
    """A file of this package, as text."""
    return files(_PACKAGE).joinpath(*path).read_text(encoding="utf-8")
