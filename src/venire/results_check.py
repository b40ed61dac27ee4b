"""Whether the results in a run folder are what its store gives now."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from venire.designs.write import design_yaml
from venire.domain.design import Design
from venire.pipeline import decide, report_on
from venire.ports import Store
from venire.reporting.html import render_html
from venire.reporting.json_report import report_json
from venire.store.folder import REPORT_HTML, REPORT_JSON, VERDICTS_JSONL, VERDICTS_PARQUET, RunFolder
from venire.store.results import write_verdicts

_Found = bool | str
"""Whether a file is the same; in words, why it cannot be read."""
_NEW = "venire judge or venire reread writes it anew"


def compare_results(run: RunFolder, store: Store, design: Design) -> Iterator[str]:
    """A sentence for each file of results that is missing, unreadable or out of date."""
    if not run.verdicts_jsonl.exists():
        yield f"{VERDICTS_JSONL} is not there: the run has not ended yet."
        return
    decision = decide(store, design)
    by_id = {item.id: item for item in decision.items}
    with TemporaryDirectory(prefix="venire-") as folder:
        derived = RunFolder(path=Path(folder))
        write_verdicts(derived, decision.verdicts, by_id.get)
        yield from _told(VERDICTS_JSONL, _same_bytes(run.verdicts_jsonl, derived.verdicts_jsonl.read_bytes()))
        yield from _told(VERDICTS_PARQUET, _same_table(run.verdicts_parquet, derived.verdicts_parquet))
    seed, warnings = _seed_and_warnings(run.report_json)
    report = report_on(decision, store, design, seed=seed, warnings=warnings)
    yield from _told(REPORT_JSON, _same_bytes(run.report_json, report_json(report).encode()))
    yield from _told(REPORT_HTML, _same_bytes(run.report_html, render_html(report, design_yaml(design)).encode()))


def _told(name: str, found: _Found) -> Iterator[str]:
    if isinstance(found, str):
        yield f"{name} cannot be read ({found}); {_NEW}."
    elif not found:
        yield f"{name} is not what the store gives now; {_NEW}."


def _same_bytes(path: Path, derived: bytes) -> _Found:
    try:
        return path.read_bytes() == derived
    except OSError as error:
        return error.strerror or str(error)


def _same_table(path: Path, derived: Path) -> _Found:
    import polars as pl

    try:
        return pl.read_parquet(path).equals(pl.read_parquet(derived))
    except (OSError, pl.exceptions.PolarsError) as error:
        return str(error).splitlines()[0]


def _seed_and_warnings(path: Path) -> tuple[int, Sequence[str]]:
    """What the report was made with besides the store; the usual where it does not say."""
    try:
        written = json.loads(path.read_bytes())
        return int(written["seed"]), tuple(str(warning) for warning in written["warnings"])
    except (OSError, ValueError, LookupError, TypeError):
        return 0, ()
