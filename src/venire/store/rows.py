"""Values to rows of the store and back."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy import Row

from venire.domain.annotation import Annotation
from venire.domain.call import (
    Alternative,
    AnswerFormat,
    Choice,
    Completion,
    Exchange,
    ExchangeError,
    Request,
    Token,
    Usage,
)
from venire.domain.identity import CallId, CriterionId, ItemId, Json, JudgeId
from venire.domain.item import Item, Message, Response, Subject
from venire.domain.rubric import Value
from venire.store.cells import (
    Cells,
    pack_indices,
    pack_json,
    pack_raw,
    pack_text,
    unpack_indices,
    unpack_json,
    unpack_text,
)
from venire.store.outline_rows import outline_cells


def request_row(request: Request) -> Cells:
    """The row of a request; its content is what its id was made from."""
    # Canonical JSON is made already, for the id; but it escapes what is not ASCII, at twice the bytes and more.
    is_plain = "\\u" not in request.canonical
    return {"request_id": request.id, "content": request.canonical if is_plain else pack_json(request.content())}


def read_request(row: Row[Any]) -> Request:
    """The request whose content is in a row of `requests`."""
    content: Mapping[str, Any] = unpack_json(row.content)
    form = content["format"]
    return Request(
        provider=content["provider"],
        model=content["model"],
        base_url=content["base_url"],
        messages=tuple(Message(role=role, content=text) for role, text in content["messages"]),
        temperature=content["temperature"],
        max_tokens=content["max_tokens"],
        format=AnswerFormat(kind=form["kind"], schema=form["schema"], words=tuple(form["words"])),
        parameters=tuple(content["parameters"].items()),
        top_logprobs=content.get("top_logprobs", 0),
    )


def exchange_row(exchange: Exchange, exchange_id: int) -> Cells:
    """The row of an exchange, all but its completions."""
    usage, error = exchange.usage, exchange.error
    return {
        "exchange_id": exchange_id,
        "request_id": exchange.request.id,
        "judge_id": pack_text(exchange.judge_id),
        "call_ids": pack_json(list(exchange.call_ids)),
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_input_tokens": usage.cached_input_tokens,
        "cache_write_input_tokens": usage.cache_write_input_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "reported_usd": usage.reported_usd,
        "latency_s": exchange.latency_s,
        "started_at": pack_text(exchange.started_at),
        "served_model": None if exchange.served_model is None else pack_text(exchange.served_model),
        "adjustments": pack_json(list(exchange.adjustments)) if exchange.adjustments else None,
        "raw": pack_raw(exchange.raw),
        "error_kind": None if error is None else error.kind,
        "error_message": None if error is None else pack_text(error.message),
        "error_status": None if error is None else error.status,
    }


def completion_rows(exchange: Exchange, exchange_id: int) -> list[Cells]:
    """The rows of an exchange's completions."""
    return [
        {
            "exchange_id": exchange_id,
            "position": position,
            "call_id": pack_text(completion.call_id),
            "text": pack_text(completion.choice.text),
            "finish_reason": completion.choice.finish_reason,
            "reasoning": pack_text(completion.choice.reasoning),
            "tokens": _pack_tokens(completion.choice.tokens),
        }
        for position, completion in enumerate(exchange.completions)
    ]


def failed_call_rows(exchange: Exchange, exchange_id: int) -> list[Cells]:
    """One row for each call that an exchange with an error left without a completion."""
    if exchange.error is None:
        return []
    open_calls = set(exchange.call_ids).difference(completion.call_id for completion in exchange.completions)
    return [{"call_id": pack_text(call_id), "exchange_id": exchange_id} for call_id in sorted(open_calls)]


def read_call_id(row: Row[Any]) -> CallId:
    """The call that a row is about."""
    return CallId(unpack_text(row.call_id))


def read_completion(row: Row[Any]) -> Completion:
    """The completion in a row of `completions`."""
    choice = Choice(
        text=unpack_text(row.text),
        finish_reason=row.finish_reason,
        reasoning=unpack_text(row.reasoning),
        tokens=_read_tokens(row.tokens),
    )
    return Completion(call_id=read_call_id(row), choice=choice)


def _pack_tokens(tokens: tuple[Token, ...]) -> str | bytes | None:
    if not tokens:
        return None
    return pack_json([[t.text, t.logprob, [[a.text, a.logprob] for a in t.alternatives]] for t in tokens])


def _read_tokens(cell: str | bytes | None) -> tuple[Token, ...]:
    if cell is None:
        return ()
    return tuple(
        Token(text=text, logprob=logprob, alternatives=tuple(Alternative(text=t, logprob=p) for t, p in others))
        for text, logprob, others in unpack_json(cell)
    )


def read_error(row: Row[Any]) -> ExchangeError:
    """The error in a row of `exchanges`."""
    return ExchangeError(kind=row.error_kind, message=unpack_text(row.error_message), status=row.error_status)


def read_exchange(row: Row[Any], completions: Sequence[Completion]) -> Exchange:
    """The exchange in a row of `exchanges` joined with `requests`, without its raw body."""
    return Exchange(
        request=read_request(row),
        judge_id=JudgeId(unpack_text(row.judge_id)),
        call_ids=tuple(CallId(call_id) for call_id in unpack_json(row.call_ids)),
        completions=tuple(completions),
        usage=Usage(
            input_tokens=row.input_tokens,
            output_tokens=row.output_tokens,
            cached_input_tokens=row.cached_input_tokens,
            cache_write_input_tokens=row.cache_write_input_tokens,
            reasoning_tokens=row.reasoning_tokens,
            reported_usd=row.reported_usd,
        ),
        latency_s=row.latency_s,
        started_at=unpack_text(row.started_at),
        served_model=None if row.served_model is None else unpack_text(row.served_model),
        adjustments=() if row.adjustments is None else tuple(unpack_json(row.adjustments)),
        error=None if row.error_kind is None else read_error(row),
    )


def item_row(position: int, item: Item) -> Cells:
    """The row of an item at its place in the run."""
    content: Json = {
        "prompt": [[message.role, message.content] for message in item.prompt],
        "responses": [[response.text, response.system] for response in item.responses],
        "reference": list(item.reference),
        "context": item.context,
        "category": item.category,
        "group": item.group,
    }
    cells: Cells = {"position": position, "item_id": pack_text(item.id), "content": pack_json(content)}
    return cells | outline_cells(item)


def read_item(row: Row[*tuple[Any, ...]]) -> Item:
    """The item in a row of `items`."""
    content = unpack_json(row.content)
    return Item(
        id=ItemId(unpack_text(row.item_id)),
        prompt=tuple(Message(role=role, content=text) for role, text in content["prompt"]),
        responses=tuple(Response(text=text, system=system) for text, system in content["responses"]),
        reference=tuple(content["reference"]),
        context=content["context"],
        category=content["category"],
        group=content["group"],
    )


def annotation_row(position: int, annotation: Annotation) -> Cells:
    """The row of an annotation at its place in the run."""
    return {
        "position": position,
        "item_id": pack_text(annotation.subject.item_id),
        "responses": pack_indices(annotation.subject.responses),
        "criterion_id": pack_text(annotation.criterion_id),
        "annotator": pack_text(annotation.annotator),
        "value": pack_json(annotation.value),
    }


def read_annotation(row: Row[Any]) -> Annotation:
    """The annotation in a row of `annotations`."""
    return Annotation(
        subject=Subject(item_id=ItemId(unpack_text(row.item_id)), responses=unpack_indices(row.responses)),
        criterion_id=CriterionId(unpack_text(row.criterion_id)),
        annotator=unpack_text(row.annotator),
        value=cast("Value", unpack_json(row.value)),
    )
