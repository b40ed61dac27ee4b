"""An inferred design in a few lines, for whoever is to confirm it."""

from venire.domain.design import Design
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, OrdinalScale, Scale
from venire.reporting.text import one_line

SHOWN = 8


def design_text(design: Design) -> str:
    """Protocol, scale of every criterion, and judges."""
    names = [judge.id for judge in design.judges]
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    lines = [
        "Inferred from the data:",
        f"  protocol {design.protocol}, orders {design.orders}, rule {design.aggregation.rule}",
        *(f"  criterion {one_line(criterion.id)}: {_scale(criterion.scale)}" for criterion in design.rubric.criteria),
        f"  {len(names)} judges: {one_line(', '.join(names[:SHOWN]))}{more}",
    ]
    return "\n".join(lines)


def _scale(scale: Scale) -> str:
    match scale:
        case IntervalScale():
            return f"{'whole ' if scale.integer else ''}numbers from {scale.min:g} to {scale.max:g}"
        case NominalScale():
            return f"labels {', '.join(map(one_line, scale.labels))}; {one_line(scale.positive)} counts as success"
        case OrdinalScale():
            return f"labels in order: {', '.join(map(one_line, scale.labels))}"
        case ChoiceScale():
            return "which response is better" + (", or a tie" if scale.tie else ", no ties")
