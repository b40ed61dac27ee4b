"""An audit as cells and sentences: the same on the terminal and on the page."""

from collections.abc import Iterator, Sequence

from venire.domain.audit import Audit, CorrectedSystem
from venire.domain.finding import Finding, Undefined
from venire.reporting.replay_rows import figure_cells

RATER_TITLES = ("rater", "kind", "FIGURE", "95%", "accuracy", "of ceiling", "n", "left out")


def rater_titles(audit: Audit) -> tuple[str, ...]:
    """The titles of the table of raters."""
    names = {found.name for one in audit.raters if isinstance(found := one.figure, Finding)}
    name = next(iter(sorted(names)), "kappa").replace("_", " ")
    return tuple(name if title == "FIGURE" else title for title in RATER_TITLES)


def rater_rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    """Every rater against gold."""
    for one in audit.raters:
        value, interval = ("undefined", "") if isinstance(one.figure, Undefined) else figure_cells(one.figure)
        n = 0 if isinstance(one.figure, Undefined) else one.figure.n
        lost = 0 if isinstance(one.figure, Undefined) else sum(number for _, number in one.figure.missing)
        yield (one.name, one.kind, value, interval, _short(one.accuracy), _short(one.of_ceiling), f"{n:,}", f"{lost:,}")


RATE_TITLES = (
    "system",
    "n",
    "as judged",
    "corrected",
    "95%",
    "prediction-powered",
    "95%",
    "labels only",
    "95%",
    "labels",
)


def rate_rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    """The corrected pass rate of every system."""
    if isinstance(audit.corrected, Undefined):
        return
    for row in audit.corrected.rows:
        yield _rate_row(row)


def _rate_row(row: CorrectedSystem) -> tuple[str, ...]:
    apparent = "—" if isinstance(row.apparent, Undefined) else f"{row.apparent:.3f}"
    cells: list[str] = []
    for found in (row.corrected, row.powered, row.labels_only):
        cells += ("undefined", "") if isinstance(found, Undefined) else figure_cells(found)
    return (row.system, f"{row.n:,}", apparent, *cells, f"{row.n_labelled:,}")


PART_TITLES = ("part", "FIGURE", "95%", "accuracy", "n")


def part_rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    """The panel by category and difficulty."""
    for part in audit.parts:
        value, interval = ("undefined", "") if isinstance(part.figure, Undefined) else figure_cells(part.figure)
        n = 0 if isinstance(part.figure, Undefined) else part.figure.n
        yield (part.name, value, interval, _short(part.accuracy), f"{n:,}")


DELTA_TITLES = ("judge", "system", "delta", "95%", "n", "of its own family")


def delta_rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    """How much better or worse every judge makes every system look."""
    for one in audit.deltas:
        if isinstance(one.delta, Undefined):
            continue
        value, interval = figure_cells(one.delta, signed=True)
        yield (one.judge_id, one.system, value, interval, f"{one.delta.n:,}", "yes" if one.is_kin else "")


def people_sentences(audit: Audit) -> Sequence[str]:
    """What people agree on, and who may stand in for them."""
    people = audit.people
    lines = []
    if isinstance(people.ceiling, Finding):
        value, interval = figure_cells(people.ceiling)
        lines.append(
            f"Human ceiling: kappa {value} {interval}, the mean over annotators of agreement with the majority of the "
            "others; annotators who labelled less than half as much as the busiest are left out of it."
        )
    else:
        lines.append(f"Human ceiling: undefined, {people.ceiling.reason}.")
    told = [("Krippendorff's alpha", people.alpha), ("Gwet's AC1", people.ac1)]
    lines += [f"{name} among people: {value:.3f}." for name, value in told if isinstance(value, float)]
    if isinstance(audit.alpha_of_judges, float):
        lines.append(f"Krippendorff's alpha among the voting judges: {audit.alpha_of_judges:.3f}.")
    for one, other, found in people.pairs:
        if isinstance(found, Finding):
            lines.append(f"{one} and {other}: kappa {' '.join(figure_cells(found))} on {found.n:,} subjects.")
    passing = [one.name for one in people.replaceable if one.passes]
    known = [one for one in people.replaceable if isinstance(one.winning_rate, float)]
    if known:
        lines.append(
            f"May stand in for a person (alternative annotator test, epsilon {known[0].epsilon:g}): "
            f"{', '.join(passing) if passing else 'none'}."
        )
    elif people.replaceable and isinstance(people.replaceable[0].winning_rate, Undefined):
        lines.append(f"Whether a judge may stand in for a person: {people.replaceable[0].winning_rate.reason}.")
    return lines


def rate_sentences(audit: Audit) -> Sequence[str]:
    """How the rates were corrected, and what would narrow them."""
    found = audit.corrected
    if isinstance(found, Undefined):
        return [f"Not corrected: {found.reason}."]
    return [f"{found.why[0].upper()}{found.why[1:]}.", found.advice]


def support_sentences(audit: Audit) -> Sequence[str]:
    """Whether support is a probability."""
    support = audit.support
    if isinstance(support.brier, Undefined) or isinstance(support.calibration_error, Undefined):
        return []
    bins = "; ".join(f"said {said:.2f}, right {right:.2f} (n {n:,})" for said, right, n in support.bins)
    return [
        f"Support read as a probability: Brier score {support.brier:.3f}, expected calibration error "
        f"{support.calibration_error:.3f}. {bins}."
    ]


def spread_sentences(audit: Audit) -> Sequence[str]:
    """PoLL's figure."""
    return [
        f"{judge}: the standard deviation of its deltas over systems is {value:.3f}."
        for judge, value in audit.delta_spread
    ]


def _short(found: Finding | Undefined) -> str:
    if isinstance(found, Undefined) or isinstance(found.value, Undefined):
        return "—"
    return f"{found.value:.3f}"
