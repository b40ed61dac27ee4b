"""Which ballot fits which criterion: combinations that make no sense are refused with the reason."""

from venire.domain.ballot import COMPARING, BallotForm, Example, Form
from venire.domain.rubric import (
    ChoiceScale,
    Criterion,
    IntervalScale,
    NominalScale,
    OrdinalScale,
    Rubric,
    Scale,
    admits,
)
from venire.errors import DesignError

MOST_COUNTED = 101
"""Whole-number scales up to this many points can be listed, in a schema or as tokens."""


def form_for(scale: Scale, form: Form | None) -> Form:
    """The form of one criterion's verdict on a ballot: its own where the ballot's form leaves that to the scale."""
    if form is None or form == "multi":
        return "rating" if isinstance(scale, IntervalScale) else "label"
    return form


def has_two_labels(scale: Scale) -> bool:
    """Whether a scale is nominal with two labels, and so can be answered by yes or no."""
    return isinstance(scale, NominalScale) and len(scale.labels) == 2


def points_of(scale: IntervalScale) -> range | None:
    """The numbers of a scale where they can be listed; None where there are too many or they are not whole."""
    if not scale.integer or scale.max - scale.min >= MOST_COUNTED:
        return None
    return range(int(scale.min), int(scale.max) + 1)


def check_ballot(ballot: BallotForm, rubric: Rubric, protocol: str) -> None:
    """Refuse a ballot that cannot be asked about this rubric.

    Raises:
        DesignError: form and scale, form and protocol, or what the ballot holds contradict one another.
    """
    if ballot.form == "multi" and len(rubric.criteria) < 2:
        raise DesignError("form 'multi' asks about several criteria, but the rubric has one. Leave the form out.")
    if not ballot.json and len(rubric.criteria) > 1:
        raise DesignError(
            f"a ballot in plain text about {len(rubric.criteria)} criteria: which verdict belongs to which could not "
            "be read. Set ballot.json: true.",
            ("json",),
        )
    for criterion in rubric.criteria:
        _check_form(criterion, ballot, protocol)
    _check_threshold(ballot, rubric)
    for number, example in enumerate(ballot.examples):
        _check_example(example, ballot, rubric, protocol, at=("examples", number))


def _check_form(criterion: Criterion, ballot: BallotForm, protocol: str) -> None:
    form, scale = form_for(criterion.scale, ballot.form), criterion.scale
    if form in COMPARING:
        _check_comparing(form, criterion, protocol)
    elif (form == "rating") != isinstance(scale, IntervalScale):
        wanted = "rating" if isinstance(scale, IntervalScale) else "label"
        raise DesignError(
            f"form {form!r}, but criterion {criterion.id!r} has the scale {_named(scale)}. "
            f"Use form: {wanted}, or leave the form out.",
            ("form",),
        )
    elif form == "boolean" and not has_two_labels(scale):
        raise DesignError(
            f"form 'boolean' answers yes or no, but criterion {criterion.id!r} has the scale {_named(scale)}. "
            "Use a nominal scale with two labels, or form: label.",
            ("form",),
        )
    if ballot.probabilities != "off":
        _check_probabilities(form, criterion)


def _check_comparing(form: Form, criterion: Criterion, protocol: str) -> None:
    scale = criterion.scale
    if protocol != "pairwise" or not isinstance(scale, ChoiceScale):
        raise DesignError(
            f"form {form!r} says how much better one of two responses is, but protocol {protocol} "
            f"asks criterion {criterion.id!r} otherwise. Use it with protocol: pairwise, or leave the form out.",
            ("form",),
        )
    if not scale.tie or scale.both_bad:
        what = "can come out even" if not scale.tie else "has no way to say that both are bad"
        raise DesignError(
            f"form {form!r} {what}, but criterion {criterion.id!r} has the scale {_named(scale)}. "
            "Set tie: true and both_bad: false, or use form: label.",
            ("form",),
        )


def _check_probabilities(form: Form, criterion: Criterion) -> None:
    scale = criterion.scale
    if form in COMPARING or (isinstance(scale, IntervalScale) and points_of(scale) is None):
        raise DesignError(
            f"probabilities are read from the tokens of a verdict that is one of a list of words, but criterion "
            f"{criterion.id!r} is answered by form {form!r} on the scale {_named(scale)}. Set probabilities: off.",
            ("probabilities",),
        )


def _check_threshold(ballot: BallotForm, rubric: Rubric) -> None:
    if ballot.threshold is None:
        return
    ratings = [criterion.scale for criterion in rubric.criteria if isinstance(criterion.scale, IntervalScale)]
    n_yes_no = sum(has_two_labels(criterion.scale) for criterion in rubric.criteria)
    if len(ratings) != 1 or not n_yes_no:
        raise DesignError(
            f"threshold {ballot.threshold:g} ties one rating to criteria with two labels; the rubric has "
            f"{len(ratings)} ratings and {n_yes_no} criteria with two labels. Leave threshold out.",
            ("threshold",),
        )
    if not ratings[0].min <= ballot.threshold <= ratings[0].max:
        raise DesignError(
            f"threshold {ballot.threshold:g} lies outside the scale {_named(ratings[0])}; use a number inside it",
            ("threshold",),
        )


def _check_example(
    example: Example, ballot: BallotForm, rubric: Rubric, protocol: str, at: tuple[str | int, ...]
) -> None:
    n_shown = len(example.responses)
    if {"pointwise": n_shown != 1, "pairwise": n_shown != 2}.get(protocol, n_shown < 2):
        raise DesignError(f"an example with {n_shown} responses under protocol {protocol}", at)
    verdicts = dict(example.verdicts)
    if set(verdicts) != {criterion.id for criterion in rubric.criteria} or len(verdicts) < len(example.verdicts):
        raise DesignError(
            f"an example with verdicts on {[str(name) for name, _ in example.verdicts]!r}; exactly one on each of "
            f"{[str(criterion.id) for criterion in rubric.criteria]!r} was expected",
            at,
        )
    for criterion in rubric.criteria:
        if not admits(criterion.scale, verdicts[criterion.id], tuple(range(n_shown))):
            raise DesignError(
                f"an example with the verdict {verdicts[criterion.id]!r}, which is not on the scale of criterion "
                f"{criterion.id!r}: {_named(criterion.scale)}",
                at,
            )
    missing = [name for name in ballot.fields if getattr(example, name) in ("", None)]
    if missing:
        raise DesignError(f"an example without {missing!r}, which the ballot asks for", at)


def _named(scale: Scale) -> str:
    match scale:
        case NominalScale(labels=labels):
            return f"nominal {list(labels)!r}"
        case OrdinalScale(labels=labels):
            return f"ordinal {list(labels)!r}"
        case IntervalScale():
            return f"interval {scale.min:g} to {scale.max:g}{', whole numbers' if scale.integer else ''}"
        case ChoiceScale():
            return f"choice (tie: {str(scale.tie).lower()}, both_bad: {str(scale.both_bad).lower()})"
