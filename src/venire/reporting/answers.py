"""Answers: what a reader wants to know first, in a sentence each, from figures that stand further down."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.frontier import LOWER_IS_BETTER, Frontier, Replay
from venire.domain.health import PanelHealth
from venire.domain.measures import Agreement, RaterAgreement
from venire.reporting.replay_rows import figure_cells
from venire.reporting.text import count

Tone = Literal["yes", "no", "open"]

NO_CEILING = Undefined("there is no human ceiling")
FEW_LABELS = 100
"""Below this an interval of kappa is some .3 wide: Sim and Wright (2005), doi:10.1093/ptj/85.3.257, table 6."""
LITTLE_GAIN = 0.01
SUBSTANTIAL = 0.6
"""From here on Landis and Koch call a kappa substantial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One question and its answer."""

    question: str
    tone: Tone
    headline: str
    sentences: tuple[str, ...]


def answer_questions(
    agreement: Agreement | Undefined,
    health: PanelHealth | None,
    replay: Replay | None,
    ceiling: Finding | Undefined = NO_CEILING,
) -> tuple[Answer, ...]:
    """Can I trust this panel, is it better than its best judge, what would make it better.

    Args:
        ceiling: how far people agree among themselves.
    """
    if isinstance(agreement, Undefined):
        return ()
    return (_trust(agreement, ceiling), _best(agreement), _better(health, replay))


def _trust(agreement: Agreement, ceiling: Finding | Undefined) -> Answer:
    question = "Can I trust this panel?"
    name = agreement.compared_by
    if isinstance(name, Undefined):
        return Answer(question=question, tone="open", headline="Nobody knows yet", sentences=_no_gold(agreement))
    figure = agreement.panel.against_gold(name)
    if isinstance(figure, Undefined) or isinstance(figure.value, Undefined):
        reason = figure.reason if isinstance(figure, Undefined) else figure.value.reason  # type: ignore[union-attr]
        return Answer(question=question, tone="open", headline="It cannot be said", sentences=(f"{reason}.",))
    value, interval = figure_cells(figure)
    said = f"{name.replace('_', ' ')} {value} {interval} against gold, on {count(figure.n, 'subject')}"
    left_out = sum(n for _, n in figure.missing)
    sentences = [f"{said}{f'; {left_out:,} left out' if left_out else ''}."]
    if name == "mean_absolute_error":
        return Answer(
            question=question, tone="open", headline=f"It is off by {value} on average", sentences=tuple(sentences)
        )
    tone, headline = _beyond_chance(figure, agreement, name)
    sentences += _accuracy(agreement.panel) if name == "kappa" else []
    if isinstance(ceiling, Finding) and isinstance(ceiling.value, float):
        sentences.append(
            f"People agree with one another at kappa {' '.join(figure_cells(ceiling))}: no judge can be held to more."
        )
    if figure.n < FEW_LABELS:
        sentences.append(f"{count(figure.n, 'label')} are few: more of them would narrow the interval.")
    return Answer(question=question, tone=tone, headline=headline, sentences=tuple(sentences))


def _beyond_chance(figure: Finding, agreement: Agreement, name: str) -> tuple[Tone, str]:
    chance = 0.0
    if name == "accuracy" and isinstance(agreement.chance, Finding) and isinstance(agreement.chance.value, float):
        chance = agreement.chance.value
    if isinstance(figure.interval, Undefined) or isinstance(figure.value, Undefined):
        return "open", "One figure without an interval does not tell"
    if figure.interval.low <= chance:
        return "no", "Not on this evidence: chance alone may explain it"
    if name == "kappa":
        return _in_words(figure.interval)
    return "open", "It does better than the most frequent label alone"


def _in_words(interval: Interval) -> tuple[Tone, str]:
    """How Landis and Koch (1977), doi:10.2307/2529310, name kappas, at the lower end of the interval."""
    names = ((0.8, "almost perfect"), (0.6, "substantial"), (0.4, "moderate"), (0.2, "fair"), (0.0, "slight"))
    word = next(name for least, name in names if interval.low >= least)
    if interval.low >= SUBSTANTIAL:
        return "yes", f"Yes: {word} agreement with gold, even at the low end"
    return "open", f"With care: only {word} agreement with gold at the low end"


def _accuracy(panel: RaterAgreement) -> list[str]:
    found = panel.accuracy
    if isinstance(found, Undefined) or isinstance(found.value, Undefined):
        return []
    return [f"It gives the gold label in {found.value:.1%} of them."]


def _no_gold(agreement: Agreement) -> tuple[str, ...]:
    shares = [
        rater.with_panel.value
        for rater in agreement.judges
        if rater.votes and isinstance(rater.with_panel, Finding) and isinstance(rater.with_panel.value, float)
    ]
    agree = f" Its judges agree with it {min(shares):.0%} to {max(shares):.0%} of the time," if shares else ""
    return (
        f"There is no gold.{agree}{' but agreement' if agree else ' Agreement'} among judges is no evidence that they "
        "are right.",
        "Label some 100 subjects yourself, drawn at random, and give them as annotations.",
    )


def _best(agreement: Agreement) -> Answer:
    question = "Is it better than its best judge?"
    found = agreement.panel_minus_best
    if found is None or agreement.best_single is None:
        return Answer(
            question=question,
            tone="open",
            headline="Nobody knows yet",
            sentences=("Without gold no judge can be called the best.",),
        )
    value, interval = figure_cells(found, signed=True)
    name = found.name.removesuffix("_difference").replace("_", " ")
    said = f"Panel minus {agreement.best_single}: {value} {interval} in {name}, on {count(found.n, 'subject')}."
    if isinstance(found.interval, Undefined) or isinstance(found.value, Undefined):
        return Answer(question=question, tone="open", headline="It cannot be said", sentences=(said,))
    if not found.interval.excludes_zero:
        headline = "Not distinguishably"
        return Answer(question=question, tone="open", headline=headline, sentences=(said,))
    lower = name == "mean absolute error"
    is_better = (found.value < 0) if lower else (found.value > 0)
    headline = "Yes" if is_better else f"No: {agreement.best_single} alone is better"
    return Answer(question=question, tone="yes" if is_better else "no", headline=headline, sentences=(said,))


def _better(health: PanelHealth | None, replay: Replay | None) -> Answer:
    question = "What would make it better?"
    sentences = [*_other_design(replay), *(health.warnings[:2] if health is not None else ())]
    headline = sentences.pop(0) if sentences else "Nothing that was collected tells"
    return Answer(question=question, tone="open", headline=headline, sentences=tuple(sentences))


def _other_design(replay: Replay | None) -> Iterator[str]:
    if replay is None or replay.against != "gold":
        return
    frontier = replay.frontiers[0]
    found = frontier.recommended
    if isinstance(found, Undefined):
        return
    gain = _gain(frontier, replay)
    if found.variant == frontier.rows[0].variant or gain is None or gain < LITTLE_GAIN:
        yield "None of the other panels and rules of these judges is clearly better"
        return
    value, interval = figure_cells(found.out_of_sample)
    own, _ = figure_cells(frontier.rows[0].figure)
    yield f"Another panel of these judges: {found.variant.name}"
    name = replay.measure.replace("_", " ")
    yield f"On groups it was not chosen on it has {name} {value} {interval}; this one {own}."


def _gain(frontier: Frontier, replay: Replay) -> float | None:
    found, own = frontier.recommended, frontier.rows[0].figure.value
    if isinstance(found, Undefined) or isinstance(own, Undefined):
        return None
    other = found.out_of_sample.value
    if isinstance(other, Undefined):
        return None
    return own - other if replay.measure in LOWER_IS_BETTER else other - own


def tone_words(answers: Sequence[Answer]) -> dict[str, str]:
    """How each tone reads where colours do not."""
    signs = {"yes": "✓", "no": "✗", "open": "?"}
    return {answer.question: signs[answer.tone] for answer in answers}
