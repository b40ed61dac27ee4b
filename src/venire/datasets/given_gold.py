"""An item's own `gold` field: shorthand for annotations of the annotator "given".

Pointwise: a label (the item has one response), a list of labels in the responses' order (null: none), or
{system: label}. Pairwise and listwise: the index of the better response, from 0, its system's name, "tie" or
"both_bad". With several criteria, {criterion: any of these}. null is no gold. Where the design chooses the best of
several responses, {"best_of_n": index or system} names it, also beside criteria; where nothing else could be meant,
the index or the system alone.
"""

from functools import partial

from venire.datasets.best_label import best_subject, read_best
from venire.datasets.complaints import BadValue, Complaints, quote
from venire.datasets.labels import Asked, Candidates, named_criterion, only_criterion, read_label
from venire.domain.annotation import GIVEN, Annotation
from venire.domain.identity import BEST_OF_N, Json
from venire.domain.item import Item, Subject
from venire.domain.rubric import Criterion


def systems_of(item: Item, indices: tuple[int, ...]) -> dict[str, int]:
    """The index of each named system among these responses of an item."""
    named = ((item.responses[index].system, index) for index in indices)
    return {system: index for system, index in named if system is not None}


def read_gold(written: Json, *, item: Item, asked: Asked, untyped: bool) -> tuple[Annotation, ...]:
    """The annotations that an item's gold field stands for.

    Args:
        untyped: whether numbers arrive as text, as they do in CSV.

    Raises:
        BadValue: with one message for each label that cannot be read.
    """
    if written is None:
        return ()
    if asked.best_of and _names_best(written, item):
        return _with_best(written, item, asked, untyped=untyped)
    if asked.protocol == "pairwise" and len(item.responses) > 2:
        raise BadValue(
            f"gold in the item cannot say which two of its {len(item.responses)} responses it compares; "
            "give people's judgments in a file of their own: --annotations"
        )
    read = partial(_of_criterion, item=item, asked=asked, untyped=untyped)
    complaints = Complaints()
    annotations = [
        annotation
        for criterion, gold in _by_criterion(written, item, asked)
        for annotation in complaints.attempt(partial(read, criterion=criterion), gold, otherwise=())
    ]
    complaints.settle()
    return tuple(annotations)


def _names_best(written: Json, item: Item) -> bool:
    if isinstance(written, dict):
        return BEST_OF_N in written
    return len(item.responses) > 1 and not isinstance(written, list)


def _with_best(written: Json, item: Item, asked: Asked, *, untyped: bool) -> tuple[Annotation, ...]:
    """The best of the item's responses, and what else the gold says."""
    complaints = Complaints()
    subject = best_subject(item)
    reading = partial(read_best, item=item, systems=systems_of(item, subject.responses), untyped=untyped)
    label = written[BEST_OF_N] if isinstance(written, dict) else written
    value = None if label is None else complaints.attempt(reading, label, otherwise=0)
    others: tuple[Annotation, ...] = ()
    if isinstance(written, dict) and len(written) > 1:
        rest: Json = {name: gold for name, gold in written.items() if name != BEST_OF_N}
        read = partial(read_gold, item=item, asked=asked, untyped=untyped)
        others = complaints.attempt(read, rest, otherwise=())
    complaints.settle()
    if value is None:  # in Parquet an object has the keys of all rows
        return others
    return (*others, Annotation(subject=subject, criterion_id=BEST_OF_N, annotator=GIVEN, value=value))


def _by_criterion(written: Json, item: Item, asked: Asked) -> list[tuple[Criterion, Json]]:
    only = only_criterion(asked.rubric)
    if only is not None:
        names_it = isinstance(written, dict) and set(written) == {only.id}
        if not (names_it and only.id not in systems_of(item, tuple(range(len(item.responses))))):
            return [(only, written)]
    if not isinstance(written, dict):
        raise BadValue(
            f"gold is {quote(written)}, but the rubric has several criteria; "
            f"write {{criterion: label}} with {[criterion.id for criterion in asked.rubric.criteria]!r}"
        )
    try:
        return [(named_criterion(name, asked.rubric), gold) for name, gold in written.items()]
    except BadValue as error:
        raise BadValue(*(f"gold: {message}" for message in error.messages)) from error


def _of_criterion(
    written: Json, *, criterion: Criterion, item: Item, asked: Asked, untyped: bool
) -> tuple[Annotation, ...]:
    if written is None:
        return ()
    complaints = Complaints()
    annotations: list[Annotation] = []
    for indices, label in _by_subject(written, item, asked).items():
        if label is None:
            continue
        candidates = Candidates(indices=indices, systems=systems_of(item, indices), untyped=untyped)
        reading = partial(read_label, criterion=criterion, candidates=candidates)
        value = complaints.attempt(reading, label, otherwise="")
        subject = Subject(item_id=item.id, responses=indices)
        annotations.append(Annotation(subject=subject, criterion_id=criterion.id, annotator=GIVEN, value=value))
    complaints.settle()
    return tuple(annotations)


def _by_subject(written: Json, item: Item, asked: Asked) -> dict[tuple[int, ...], Json]:
    if asked.protocol == "pointwise":
        return {(index,): label for index, label in _by_response(written, item).items()}
    if isinstance(written, dict | list):
        raise BadValue(f"gold is {quote(written)}; the index or the system of the better response was expected")
    return {tuple(range(len(item.responses))): written}


def _by_response(written: Json, item: Item) -> dict[int, Json]:
    n_responses = len(item.responses)
    if isinstance(written, list):
        if len(written) != n_responses:
            raise BadValue(f"gold lists {len(written)} labels for {n_responses} responses; write null for none")
        return dict(enumerate(written))
    if isinstance(written, dict):
        systems = systems_of(item, tuple(range(n_responses)))
        # In Parquet an object has the keys of all rows: null, which is no gold, says nothing about a system.
        unknown = [name for name, label in written.items() if name not in systems and label is not None]
        if unknown:
            raise BadValue(f"gold names {unknown!r}; the item's systems are {list(systems)!r}")
        return {systems[name]: label for name, label in written.items() if name in systems}
    if n_responses > 1:
        raise BadValue(
            f"gold is {quote(written)}, one label for {n_responses} responses; "
            "write a list in the responses' order, or {system: label}"
        )
    return {0: written}
