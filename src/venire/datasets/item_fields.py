"""One row to one item: every field is checked, and what is wrong is said all at once.

    {"id": "q1",                        text or whole number, kept as text; 7 becomes "7"
     "prompt": "…",                     or [{"role", "content"}, …], or absent
     "responses": [{"system", "text"}], or plain texts; a text may be messages, or null where it is missing
     "reference": "…",                  or a list of texts; null, "" and [] are no reference
     "context": "…", "category": "…",
     "group": "…",                      the cluster for resampling; by default the hash of the prompt
     "gold": …}                         see given_gold

Shorthands: `response` or `answer` (with `system` beside it) for a list of one; `references` for `reference`.
CSV has columns of the same names, or `response_1`, `system_1`, `response_2`, …; see cells.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from venire.datasets.complaints import BadValue, Complaints, quote
from venire.datasets.given_gold import read_gold
from venire.datasets.labels import Asked
from venire.datasets.messages import read_prompt, read_response_text
from venire.datasets.rows import Row, read_id
from venire.domain.annotation import Annotation
from venire.domain.identity import ItemId, Json
from venire.domain.item import Item, Response

ITEM_FIELDS = (
    *("id", "prompt", "responses", "response", "answer", "system", "reference", "references"),
    *("context", "category", "group", "gold"),
)
RESPONSE_FIELDS = ("system", "text")

MAX_LISTED = 26
"""Responses that one ballot can name: they are shown as A to Z."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """What one row held."""

    item: Item
    annotations: tuple[Annotation, ...]
    unused: tuple[str, ...]
    """Names of fields that nothing was made of."""
    n_empty_references: int
    """Empty texts in the list of references, which were left out."""


def read_item(row: Row, asked: Asked) -> ItemRow:
    """The item of a row, with its own gold.

    Raises:
        BadValue: with one message for each thing wrong with the row.
    """
    fields, complaints = row.fields, Complaints()
    item_id = complaints.attempt(read_id, fields.get("id"), otherwise=ItemId(""))
    prompt = complaints.attempt(read_prompt, fields.get("prompt"), otherwise=())
    responses = complaints.attempt(partial(_responses, asked=asked), fields, otherwise=())
    reference = complaints.attempt(_reference, fields, otherwise=())
    context = complaints.attempt(partial(_text, "context"), fields.get("context"), otherwise=None)
    category = complaints.attempt(partial(_name, "category"), fields.get("category"), otherwise=None)
    group = complaints.attempt(partial(_name, "group"), fields.get("group"), otherwise=None)
    annotations: tuple[Annotation, ...] = ()
    if item_id and responses:
        bare = Item(id=item_id, responses=responses)
        reading = partial(read_gold, item=bare, asked=asked, untyped=row.untyped)
        annotations = complaints.attempt(reading, fields.get("gold"), otherwise=())
    complaints.settle()
    # Published lists of accepted answers hold empty texts, which every response would contain.
    accepted = tuple(text for text in reference if text.strip())
    item = Item(
        id=item_id,
        prompt=prompt,
        responses=responses,
        reference=accepted,
        context=context,
        category=category,
        group=group or "",
    )
    return ItemRow(
        item=item,
        annotations=annotations,
        unused=_unused(fields),
        n_empty_references=len(reference) - len(accepted),
    )


def _responses(fields: Mapping[str, Json], asked: Asked) -> tuple[Response, ...]:
    given = [name for name in ("responses", "response", "answer") if fields.get(name) is not None]
    if len(given) > 1:
        raise BadValue(f"the row gives its responses {len(given)} times, as {given!r}; keep one of these fields")
    if given == ["responses"]:
        responses = _listed(fields["responses"])
    elif given or "response" in fields or "answer" in fields:
        one: Json = {"text": fields[given[0]] if given else None, "system": fields.get("system")}
        responses = (_response(one, given[0] if given else "response"),)
    else:
        raise BadValue('there is no response; give "responses": [{"system", "text"}, …], or "response": "…"')
    _check_comparable(responses, asked)
    return responses


def _listed(written: Json) -> tuple[Response, ...]:
    if not isinstance(written, list):
        raise BadValue(f'responses is {quote(written)}; a list of texts or of {{"system", "text"}} was expected')
    if not written:
        raise BadValue("responses is an empty list; an item needs at least one response")
    complaints = Complaints()
    responses = tuple(
        complaints.attempt(partial(_response, place=f"response {index}"), entry, otherwise=Response(text=None))
        for index, entry in enumerate(written)
    )
    systems = [response.system for response in responses if response.system is not None]
    for system in sorted({system for system in systems if systems.count(system) > 1}):
        complaints.add(f"system {system!r} has {systems.count(system)} responses in this item; keep one")
    complaints.settle()
    return responses


def _response(written: Json, place: str) -> Response:
    if not isinstance(written, dict):
        written = {"text": written}
    if "text" not in written:
        raise BadValue(f'{place} has no "text"; it has {sorted(written)!r}. Write null where the text is missing.')
    try:
        text = read_response_text(written["text"])
        system = _text("system", written.get("system"))
    except BadValue as error:
        raise BadValue(*(f"{place}: {message}" for message in error.messages)) from error
    return Response(text=text, system=system)


def _check_comparable(responses: tuple[Response, ...], asked: Asked) -> None:
    n_texts = sum(response.text is not None for response in responses)
    if asked.protocol == "pointwise":
        return
    if n_texts < 2:
        raise BadValue(
            f"the item has {n_texts} {'response' if n_texts == 1 else 'responses'} with text, "
            f"but protocol {asked.protocol} compares at least two"
        )
    if asked.protocol == "listwise" and len(responses) > MAX_LISTED:
        raise BadValue(f"the item has {len(responses)} responses; listwise compares at most {MAX_LISTED}")


def _reference(fields: Mapping[str, Json]) -> tuple[str, ...]:
    given = [name for name in ("reference", "references") if fields.get(name) is not None]
    if len(given) > 1:
        raise BadValue("the row has both reference and references; keep one of them")
    written = fields[given[0]] if given else None
    if written is None or written == "":
        return ()
    listed = [written] if isinstance(written, str) else written
    if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
        raise BadValue(
            f"{given[0]} is {quote(written)}; text or a list of texts was expected. Write numbers in quotes."
        )
    return tuple(text for text in listed if isinstance(text, str))


def _text(name: str, written: Json) -> str | None:
    if written is None or written == "":
        return None
    if not isinstance(written, str):
        raise BadValue(f"{name} is {quote(written)}; text or null was expected")
    return written


def _name(name: str, written: Json) -> str | None:
    # As with ids, a whole number is a name.
    whole = isinstance(written, int) and not isinstance(written, bool)
    return _text(name, str(written) if whole else written)


def _unused(fields: Mapping[str, Json]) -> tuple[str, ...]:
    unused = [name for name in fields if name not in ITEM_FIELDS]
    written = fields.get("responses")
    if isinstance(written, list):
        unused += ["system"] if fields.get("system") is not None else []
        inner = {name: None for entry in written if isinstance(entry, dict) for name in entry}
        unused += [f"responses[].{name}" for name in inner if name not in RESPONSE_FIELDS]
    return tuple(unused)
