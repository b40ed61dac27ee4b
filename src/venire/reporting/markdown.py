"""The full report as Markdown: for a repository, a wiki or a message."""

import re
from collections.abc import Iterator, Sequence

from venire.domain.finding import Finding, Undefined
from venire.reporting.cases import Case
from venire.reporting.deeper import Deeper
from venire.reporting.explain import explain_decision, explain_figures
from venire.reporting.page import PageSection
from venire.reporting.report import CriterionReport, Report, Tally
from venire.reporting.rows import FIGURE_TITLES, conduct_cells, measures_of, order_raters
from venire.reporting.text import count, make_inert, show_cost, show_figure, show_percent

SHOWN = 20
"""Cases; the page and the JSON have all of them."""
_ACTIVE = re.compile(r"[\\`*_<>|~&]|\](?=[(:\[])|^[#+=-]|^\d+(?=[.)])")
_LINK = re.compile(r":(?=//)|(?<=\bwww)\.", re.IGNORECASE)
"""What makes an address a link by itself."""
_LONGEST = 300


def full_markdown(report: Report, deeper: Deeper, design_yaml: str) -> str:
    """The report; nothing that was judged can be markup in it."""
    lines = [f"# {_text(report.title)}", "", *_answers(deeper)]
    for title, sentences in (("Before you trust this", report.notes), ("On the run", report.warnings)):
        if sentences:
            lines += [f"## {title}", "", *(f"- {_text(sentence)}" for sentence in sentences), ""]
    lines += _counts(report)
    for criterion in report.criteria:
        lines += _criterion(criterion, report)
    for section in deeper.sections:
        lines += _section(section)
    lines += _cases(deeper)
    lines += _judges(report)
    lines += ["## How this was computed", ""]
    lines += [
        f"- {_text(one)}" for one in explain_decision(report.decision, compares=report.asked.protocol != "pointwise")
    ]
    lines += [f"- {_text(one.term)}: {_text(one.sentence)}." for one in explain_figures(report)]
    fence = "`" * (3 + max((len(run) for run in re.findall("`+", design_yaml)), default=0))
    lines += ["", "## The design", "", f"{fence}yaml", make_inert(design_yaml).rstrip("\n"), fence]
    return "\n".join(lines) + "\n"


def _answers(deeper: Deeper) -> Iterator[str]:
    for about, answers in deeper.answers:
        if len(deeper.answers) > 1:
            yield from (f"**{_text(about)}**", "")
        for answer in answers:
            yield from (f"**{answer.question}** {_text(answer.headline)}.", "")
            yield from (f"- {_text(sentence)}" for sentence in answer.sentences)
            yield ""


def _counts(report: Report) -> list[str]:
    counts, cost = report.counts, report.cost
    spent = show_cost(cost.usd_known, cost.n_unpriced, cost.unpriced_tokens)
    told = (
        f"{count(counts.n_subjects, 'subject')} of {count(counts.n_items, 'item')}; {counts.n_calls_settled:,} of "
        f"{count(counts.n_calls_planned, 'call')} answered or given up on; cost {spent}."
    )
    return [_text(told), ""]


def _criterion(criterion: CriterionReport, report: Report) -> Iterator[str]:
    outcomes = criterion.outcomes
    yield from (f"## {_text(criterion.question)}", "")
    share = show_percent(outcomes.n_decided, outcomes.n_subjects)
    told = _tallies(outcomes.decided)
    yield from (
        _text(f"{outcomes.n_decided:,} of {outcomes.n_subjects:,} decided ({share}){f': {told}' if told else ''}."),
        "",
    )
    if isinstance(criterion.agreement, Undefined):
        yield from (_text(f"No agreement: {criterion.agreement.reason}."), "")
        return
    measures = measures_of(criterion.agreement)
    titles = ["judge", "with panel", *(FIGURE_TITLES[measure] for measure in measures), "n against gold"]
    rows = []
    for line in order_raters(criterion.agreement, report.judges):
        figures = [line.rater.with_panel, *(line.rater.against_gold(measure) for measure in measures)]
        n = figures[-1].n if measures and isinstance(figures[-1], Finding) else 0
        name = f"{line.rater.rater}{f' ({line.remark})' if line.remark else ''}"
        rows.append([name, *map(_figure, figures), f"{n:,}"])
    yield from _table(titles, rows)
    failures = [
        (
            judge.judge_id,
            ", ".join(f"{one.name} {one.n:,}" for one in judge.failures) or "none",
            f"{judge.n_abstained:,}",
        )
        for judge in criterion.judges
    ]
    yield from _table(["judge", "failures by reason", "abstained"], failures)


def _section(section: PageSection) -> Iterator[str]:
    yield from (f"## {_text(section.heading)}", "")
    for paragraph in section.paragraphs:
        yield from (_text(paragraph), "")
    if section.table is not None:
        yield from _table(section.table.columns, section.table.rows)


def _cases(deeper: Deeper) -> Iterator[str]:
    if not deeper.cases:
        return
    yield from ("## Cases to read", "", _text(deeper.cases_lead), "")
    rows = [
        [case.told.item_id, _systems(case), case.kind, case.told.panel.words, case.told.gold.words, _words(case)]
        for case in deeper.cases[:SHOWN]
    ]
    yield from _table(["item", "system", "kind", "panel", "gold", "response"], rows)


def _systems(case: Case) -> str:
    return " / ".join(system for system in case.told.systems if system is not None)


def _words(case: Case) -> str:
    text = " / ".join("no text" if one is None else one for one in case.responses)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _judges(report: Report) -> Iterator[str]:
    yield from ("## How the judges behaved", "")
    rows = []
    for judge in report.judges:
        cells = conduct_cells(judge, report)
        model = judge.provider if judge.model is None else f"{judge.provider}, {judge.model}"
        rows.append([judge.id, model, cells.family, cells.calls, cells.failed, cells.latency, cells.cost])
    yield from _table(["judge", "provider, model", "family", "calls answered", "failed", "p50 / p95", "cost"], rows)


def _tallies(tallies: Sequence[Tally]) -> str:
    return ", ".join(f"{tally.name} {tally.n:,}" for tally in tallies)


def _figure(figure: Finding | Undefined) -> str:
    return f"undefined: {figure.reason}" if isinstance(figure, Undefined) else show_figure(figure)


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if not rows:
        return
    yield f"| {' | '.join(map(_text, titles))} |"
    yield f"|{'---|' * len(titles)}"
    yield from (f"| {' | '.join(map(_text, row))} |" for row in rows)
    yield ""


def _text(text: str) -> str:
    """Text on one line, in which no character is markup."""
    escaped = _ACTIVE.sub(_escape, " ".join(make_inert(text).split()))
    return _LINK.sub(lambda found: f"&#{ord(found[0])};", escaped)


def _escape(found: re.Match[str]) -> str:
    # A number at the start would begin a list with its point alone.
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"
