"""A stress test as cells of text: the same on the terminal and on the page."""

from collections.abc import Iterator
from dataclasses import dataclass

from venire.domain.finding import Undefined
from venire.domain.stress import Breakdown, CorruptionName, Loss, Stress, StressCurve
from venire.reporting.text import count, show_percent, show_share

CHECKED = "range-checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A table: titles, and rows whose first cell names them."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def curves_shown(stress: Stress, corruption: CorruptionName) -> Iterator[StressCurve]:
    """The curves of the rules, range-checked ones only where checking changes something."""
    for rule in stress.rules:
        yield stress.curve(corruption, rule)
        if stress.changes_when_checked(corruption, rule):
            yield stress.curve(corruption, rule, is_checked=True)


def best_single(stress: Stress) -> str | None:
    """The judge that alone loses least on clean votes against gold; without gold nobody is best."""
    if not stress.has_gold:
        return None
    corruption = stress.plan.corruptions[0]
    losses = [(judge, stress.curve(corruption, judge).points[0].loss) for judge in stress.judges]
    known = [(loss.value, judge) for judge, loss in losses if isinstance(loss, Loss)]
    return min(known)[1] if known else None


def curve_rows(stress: Stress, corruption: CorruptionName) -> Rows:
    """Losses by rate, of every rule and of the best judge alone."""
    rows = [
        (curve_name(curve), *(show_loss(point.loss, stress) for point in curve.points))
        for curve in curves_shown(stress, corruption)
    ]
    best = best_single(stress)
    if best is not None:
        rows.append(
            (f"alone: {best}", *(show_loss(point.loss, stress) for point in stress.curve(corruption, best).points))
        )
    rates = tuple(show_percent(round(1000 * rate), 1000) for rate in stress.plan.rates)
    return Rows(titles=("broken", *rates), rows=tuple(rows))


def premium_rows(stress: Stress) -> Rows:
    """What every rule loses while nothing is broken."""
    losses = ("share wrong",) if stress.is_labels else ("root mean square", "mean distance")
    titles = ("clean votes", *losses, "beside the first", "n")
    rows = []
    for premium in stress.premiums:
        loss = premium.loss
        relative = "undefined" if isinstance(premium.relative, Undefined) else f"{100 * premium.relative:+.1f}%"
        mean = () if stress.is_labels else (_show_mean(loss),)
        n = "0" if isinstance(loss, Undefined) else f"{loss.n:,}"
        rows.append((premium.rule, show_loss(loss, stress), *mean, relative, n))
    return Rows(titles=titles, rows=tuple(rows))


def breakdown_rows(stress: Stress) -> Rows:
    """The fewest broken judges that break a rule, by corruption."""
    found = {(one.corruption, one.rule, one.is_checked): one for one in stress.breakdowns}
    rows = []
    for rule in stress.rules:
        for is_checked in (False, True):
            cells = [found[name, rule, is_checked] for name in stress.plan.corruptions]
            plain = [found[name, rule, False] for name in stress.plan.corruptions]
            if is_checked and [one.n_broken for one in cells] == [one.n_broken for one in plain]:
                continue
            name = f"{rule}, {CHECKED}" if is_checked else rule
            rows.append((name, *(_show_breakdown(one, len(stress.judges)) for one in cells)))
    return Rows(titles=("broken at", *stress.plan.corruptions), rows=tuple(rows))


def size_rows(stress: Stress) -> Rows:
    """Losses by the number of judges, on clean votes."""
    rows = []
    for size in stress.sizes:
        effective = "undefined" if isinstance(size.n_effective, Undefined) else f"{size.n_effective:.2f}"
        losses = (show_loss(loss, stress) for _, loss in size.losses)
        rows.append((f"{size.n_judges}", *losses, effective, f"{size.n_panels}"))
    return Rows(titles=("judges", *stress.rules, "effective", "panels"), rows=tuple(rows))


def curve_name(curve: StressCurve) -> str:
    """A curve in words."""
    return f"{curve.rule}, {CHECKED}" if curve.is_checked else curve.rule


def show_loss(loss: Loss | Undefined, stress: Stress) -> str:
    """A loss as text; in how many subjects no vote was left stands behind it."""
    if isinstance(loss, Undefined):
        return "undefined"
    text = show_share(loss.value) if stress.is_labels else _three_digits(loss.value)
    return f"{text} ({loss.n_undecided:,} undecided)" if loss.n_undecided else text


def _three_digits(value: float) -> str:
    """As many in every cell: a column of 2 and 1.95 would be hard to compare."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:#.3g}"


def _show_mean(loss: Loss | Undefined) -> str:
    return "undefined" if isinstance(loss, Undefined) else _three_digits(loss.mean_distance)


def _show_breakdown(one: Breakdown, n_judges: int) -> str:
    return "never" if isinstance(one.n_broken, Undefined) else f"{one.n_broken} of {n_judges}"


def lead_of(stress: Stress) -> str:
    """What was stressed, in one sentence."""
    plan = stress.plan
    broken = "each vote is replaced with that probability"
    if plan.who == "fixed":
        broken = "that share of the judges, rounded down, is broken throughout"
    what = "one label" if stress.is_labels else f"a vector of {count(stress.dims, 'number')}"
    if stress.over == "responses":
        what += " (the responses of an item)"
    return (
        f"{count(stress.n_subjects, 'subject')}, {count(len(stress.judges), 'judge')}, {what} of "
        f"{', '.join(stress.criteria)}; at a rate, {broken}; {count(plan.repeats, 'repeat')}, seed {plan.seed}. "
        "No judge was asked."
    )


def explain_loss(stress: Stress) -> str:
    """What the figures are."""
    against = "gold" if stress.has_gold else "each rule's own consensus on the clean votes (a proxy)"
    if stress.is_labels:
        return (
            f"Share of the decided subjects on which the rule differs from {against}; the median of the repeats. "
            "A rule that leaves hard subjects undecided looks better for it."
        )
    units = "with every scale put on 0 to 1" if stress.is_rescaled else "in units of the scale"
    return f"Root mean square distance from {against}, {units}; the median of the repeats."


def describe(corruption: CorruptionName, stress: Stress) -> str:
    """What a corruption does, with its parameters."""
    plan = stress.plan
    truth = "the truth" if stress.has_gold else "the mean of the clean votes (there is no truth)"
    if stress.is_labels:
        return {
            "zeros": "A broken judge gives the first label.",
            "inverted": "A broken judge gives the mirrored label; where labels have no order, another one.",
            "bimodal-random": "A broken judge gives the first or the last label by chance.",
        }.get(corruption, "")
    return {
        "zeros": "A broken judge gives 0 for everything, as a parser does that makes a failure a number.",
        "inverted": "A broken judge gives lowest + highest − its number.",
        "bimodal-random": "A broken judge gives one of two ends for each number by chance: positions "
        f"{plan.bimodal_low:g} and {plan.bimodal_high:g} on the scale.",
        "cauchy-far": f"A broken judge gives Cauchy numbers about {plan.cauchy_location:g} ranges above the middle of "
        f"the scale, {plan.cauchy_scale:g} ranges wide [our parameters, not sourced].",
        "unbiased-noise": f"The control: a broken judge gives {truth} with Gaussian noise of "
        f"{plan.noise_sd:g} ranges [not sourced].",
    }[corruption]


def remarks(stress: Stress) -> list[str]:
    """What to know before the figures are used."""
    found = list(stress.notes)
    found += [f"{count(n, 'subject')} left out: {reason}." for reason, n in stress.left_out]
    if stress.fewest_votes < len(stress.judges):
        found.append(
            f"Not every judge has voted on everything: a subject has as few as {count(stress.fewest_votes, 'vote')}, "
            "and there fewer broken judges are enough."
        )
    if isinstance(stress.correlation, Undefined):
        found.append(f"No correlation of errors: {stress.correlation.reason}.")
    else:
        gamma = stress.correlation
        most = (
            ""
            if isinstance(gamma.plateau, Undefined)
            else f": no panel of such judges is worth more than {gamma.plateau:.1f}"
        )
        found.append(f"Errors of two judges correlate by {gamma.mean:.2f} on average{most}.")
    return found


def explain_breakdown(stress: Stress) -> str:
    """What counts as broken."""
    return (
        "The fewest judges, broken throughout, at which the loss exceeds the clean loss and half the scale's diagonal "
        "(where replacements are counted off the scale: ten diagonals), or no vote is left. cauchy-far is moved a "
        f"thousand times farther here. No rule can bear {stress.theoretical_breakdown} of {len(stress.judges)} in "
        "every case."
    )
