"""One item from what was asked to what was decided, as text and as JSON."""

from dataclasses import dataclass

from venire.domain.annotation import Annotation
from venire.domain.call import Completion, Request
from venire.domain.finding import Undefined
from venire.domain.identity import Json
from venire.domain.item import Item, conversation_text
from venire.domain.judgment import Abstention, Failure, Judgment, Label, Outcome
from venire.domain.rubric import Value
from venire.domain.verdict import Decided, Shared, Undecided, Verdict
from venire.reporting.text import make_inert, one_line

_KINDS = {Decided: "decided", Shared: "shared", Undecided: "undecided"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCall:
    """One call about the item."""

    request: Request | None
    """None where the call never reached its judge."""
    completion: Completion | None
    judgments: tuple[Judgment, ...]
    """What was read from it, on every criterion; never empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemView:
    """One item and everything that is known about it."""

    item: Item
    asked: tuple[AskedCall, ...]
    verdicts: tuple[Verdict, ...]
    annotations: tuple[Annotation, ...]
    suspicions: tuple[tuple[int, str], ...] = ()
    """Signs of an injection: the response's index, and what it holds."""


def item_view_text(view: ItemView) -> str:
    """The item for the terminal. Text of items and judges is indented, so that it cannot pass for venire's own."""
    lines = [f"item {one_line(view.item.id)}", *_block("prompt", conversation_text(view.item.prompt))]
    if view.item.context is not None:
        lines += _block("context", view.item.context)
    for accepted in view.item.reference:
        lines += _block("reference", accepted)
    for index, response in enumerate(view.item.responses):
        system = f" of {one_line(response.system)}" if response.system else ""
        lines += _block(f"response {index}{system}", "(no text)" if response.text is None else response.text)
    lines += [f"  injection suspected: response {index} holds {one_line(sign)}" for index, sign in view.suspicions]
    lines += ["", "ASKED AND ANSWERED"]
    for call in view.asked:
        lines += _call_lines(call)
    lines += ["", "DECIDED"]
    for verdict in view.verdicts:
        place = _place(verdict.subject.responses, view)
        lines.append(f"  {place} {one_line(verdict.criterion_id)}: {_decision(verdict, view)}")
    for annotation in view.annotations:
        place = _place(annotation.subject.responses, view)
        value = _named(annotation.value, annotation.subject.responses, view)
        lines.append(
            f"  {place} {one_line(annotation.criterion_id)}: {value} (label, {one_line(annotation.annotator)})"
        )
    return "\n".join(lines)


def item_view_json(view: ItemView) -> Json:
    """The item as JSON: texts whole, outcomes typed."""
    return {
        "item": view.item.id,
        "prompt": [{"role": turn.role, "content": turn.content} for turn in view.item.prompt],
        "context": view.item.context,
        "reference": list(view.item.reference),
        "responses": [{"system": response.system, "text": response.text} for response in view.item.responses],
        "injection_suspected": [{"response": index, "sign": sign} for index, sign in view.suspicions],
        "calls": [_call_json(call) for call in view.asked],
        "verdicts": [_verdict_json(verdict) for verdict in view.verdicts],
        "annotations": [
            {
                "responses": list(annotation.subject.responses),
                "criterion": annotation.criterion_id,
                "annotator": annotation.annotator,
                "value": annotation.value,
            }
            for annotation in view.annotations
        ],
    }


def _call_lines(call: AskedCall) -> list[str]:
    first = call.judgments[0]
    where = f"responses {list(first.shown)} as shown, sample {first.sample}"
    lines = ["", f"  judge {one_line(first.judge_id)} ({where})"]
    for message in call.request.messages if call.request is not None else ():
        lines += _block(f"asked, {message.role}", message.content, indent=4)
    if call.completion is not None:
        lines += _block("answered", call.completion.choice.text, indent=4)
    lines += [
        f"    read: {one_line(judgment.criterion_id)} = {_outcome(judgment.outcome)} (step {judgment.step})"
        for judgment in call.judgments
    ]
    return lines


def _block(title: str, text: str, indent: int = 2) -> list[str]:
    pad = " " * indent
    return [f"{pad}{title}:", *(f"{pad}  | {line}" for line in make_inert(text).split("\n"))]


def _outcome(outcome: Outcome) -> str:
    match outcome:
        case Label(value=value, confidence=confidence):
            said = one_line(str(value))
            return said if confidence is None else f"{said}, confidence {confidence:g}"
        case Abstention(reason=reason):
            return f"abstained: {one_line(reason)}"
        case Failure(reason=reason, detail=detail):
            return f"failed: {reason} ({one_line(detail)})"


def _decision(verdict: Verdict, view: ItemView) -> str:
    missing = "".join(f", {n} {one_line(reason)}" for reason, n in verdict.missing)
    votes = f"{verdict.n_counted} of {verdict.n_seated} votes{missing}, support {_figure(verdict.support)}"
    match verdict.outcome:
        case Decided(value=value):
            return f"{_named(value, verdict.subject.responses, view)} ({votes})"
        case Shared(values=values):
            return f"shared by {', '.join(_named(v, verdict.subject.responses, view) for v in values)} ({votes})"
        case Undecided(reason=reason):
            return f"undecided: {one_line(reason)} ({votes})"


def _figure(figure: float | Undefined) -> str:
    return f"undefined: {one_line(figure.reason)}" if isinstance(figure, Undefined) else f"{figure:.2f}"


def _named(value: Value, responses: tuple[int, ...], view: ItemView) -> str:
    if isinstance(value, int) and len(responses) > 1:
        system = view.item.responses[value].system
        return f"response {value} ({one_line(system)})" if system else f"response {value}"
    return one_line(str(value))


def _place(responses: tuple[int, ...], view: ItemView) -> str:
    names = [view.item.responses[index].system or str(index) for index in responses]
    return f"[{one_line(' / '.join(names))}]"


def _call_json(call: AskedCall) -> Json:
    first = call.judgments[0]
    asked = [] if call.request is None else [{"role": m.role, "content": m.content} for m in call.request.messages]
    return {
        "call": first.call_id,
        "judge": first.judge_id,
        "shown": list(first.shown),
        "sample": first.sample,
        "attempt": first.attempt,
        "asked": asked,
        "answered": None if call.completion is None else call.completion.choice.text,
        "judgments": [
            {"criterion": judgment.criterion_id, "step": judgment.step, **_outcome_json(judgment.outcome)}
            for judgment in call.judgments
        ],
    }


def _outcome_json(outcome: Outcome) -> dict[str, Json]:
    match outcome:
        case Label(value=value, confidence=confidence):
            return {"outcome": "label", "value": value, "confidence": confidence}
        case Abstention(reason=reason):
            return {"outcome": "abstention", "reason": reason}
        case Failure(reason=why, detail=detail):
            return {"outcome": "failure", "reason": why, "detail": detail}


def _verdict_json(verdict: Verdict) -> Json:
    # The names and the nulls of results/verdicts.jsonl: one kind of record is read in one way.
    outcome, support, spread = verdict.outcome, verdict.support, verdict.spread
    return {
        "responses": list(verdict.subject.responses),
        "criterion": verdict.criterion_id,
        "outcome": _KINDS[type(outcome)],
        "value": outcome.value if isinstance(outcome, Decided) else None,
        "shared": list(outcome.values) if isinstance(outcome, Shared) else None,
        "reason": outcome.reason if isinstance(outcome, Undecided) else None,
        "support": None if isinstance(support, Undefined) else support,
        "support_undefined": support.reason if isinstance(support, Undefined) else None,
        "spread": None if isinstance(spread, Undefined) else spread,
        "spread_undefined": spread.reason if isinstance(spread, Undefined) else None,
        "n_seated": verdict.n_seated,
        "n_counted": verdict.n_counted,
        "missing": dict(verdict.missing),
    }
