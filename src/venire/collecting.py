"""Collecting: a run's stored judgments, gold and costs become one value of arrays; no judge is asked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from venire.coding.code import code_gold, code_people
from venire.coding.draws import code_outcomes
from venire.coding.votes import Draw
from venire.collected import Collected, DrawCosts
from venire.datasets.gold import gold_of
from venire.domain.annotation import Annotation
from venire.domain.call import Exchange
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import CallId, ItemId, JudgeId
from venire.domain.item import Subject
from venire.domain.price import Price, cost_of
from venire.errors import ProviderError
from venire.planning.subjects import subjects_of_all
from venire.ports import Store
from venire.pricing import Payers, prices_at_start

_NO_CALLS = "no request is stored: these judgments were recorded elsewhere"

_Place = tuple[JudgeId, ItemId, tuple[int, ...], Draw]
"""Which draw a call is: judge, item, responses, order and sample."""


def collect_run(
    store: Store,
    design: Design,
    *,
    table: Mapping[str, Price] | None = None,
    batch: bool = False,
    more_annotations: Sequence[Annotation] = (),
    exchanges: Iterable[Exchange] | None = None,
) -> Collected:
    """Code everything that a run has stored under a design.

    Args:
        store: of the run.
        design: what was asked; how it decides does not matter here.
        table: prices that go before the design's.
        batch: as if everything had been sent through batch APIs.
        more_annotations: of people, beside those that the run holds.
        exchanges: the store's, where they have been read already.

    Raises:
        UsageError: one annotator gave one subject two labels.
    """
    items = tuple(store.outlines())
    by_id = {item.id: item for item in items}
    subjects = subjects_of_all(items, design)
    criteria = design.rubric.criteria
    judge_ids = [judge.id for judge in design.judges]
    draws = code_outcomes(store.outcomes(design.asking_id), subjects, judge_ids, criteria)
    annotations = (*store.annotations(), *more_annotations)
    golds = gold_of(annotations)
    people = {criterion.id: code_people(annotations, subjects, criterion) for criterion in criteria}
    coded = {criterion.id: code_gold(golds, subjects, criterion) for criterion in criteria}
    payers = Payers(design, prices_at_start(store, design, table=table), table or {}, batch=batch)
    return Collected(
        design=design,
        items=items,
        subjects=subjects,
        groups=tuple(by_id[subject.item_id].group for subject in subjects),
        categories=tuple(by_id[subject.item_id].category for subject in subjects),
        draws=draws,
        gold={criterion_id: gold for criterion_id, gold in coded.items() if bool(gold.present.any())},
        people={criterion_id: votes for criterion_id, votes in people.items() if votes is not None},
        costs=_cost_draws(
            store,
            design,
            payers,
            subjects,
            draws[criteria[0].id].draws,
            store.exchanges(words=False) if exchanges is None else exchanges,
        ),
    )


def _places_of_calls(store: Store, design: Design) -> dict[CallId, _Place]:
    """Which draw each call is; what is asked once is billed to whoever came first."""
    places: dict[CallId, _Place] = {}
    criterion_id = design.rubric.criteria[0].id
    for judgment in store.judgments(design.asking_id):
        if judgment.criterion_id == criterion_id and judgment.call_id not in places:
            subject = judgment.subject
            draw = Draw(order="AB" if judgment.shown == subject.responses else "BA", sample=judgment.sample)
            places[judgment.call_id] = (judgment.judge_id, subject.item_id, subject.responses, draw)
    return places


def _cost_draws(
    store: Store,
    design: Design,
    payers: Payers,
    subjects: tuple[Subject, ...],
    draws: tuple[Draw, ...],
    exchanges: Iterable[Exchange],
) -> DrawCosts:
    judge_ids = tuple(payers.prices)
    rows = {judge_id: row for row, judge_id in enumerate(judge_ids)}
    columns = {(subject.item_id, subject.responses): column for column, subject in enumerate(subjects)}
    depths = {draw: depth for depth, draw in enumerate(draws)}
    usd = np.zeros((len(judge_ids), len(subjects), len(draws)))
    n_known, n_unknown = np.zeros(usd.shape, dtype=np.int32), np.zeros(usd.shape, dtype=np.int32)
    unknown: dict[JudgeId, str] = {}
    trips = iter(exchanges)
    first_trip = next(trips, None)
    # What was recorded elsewhere has no calls to look for.
    places = {} if first_trip is None else _places_of_calls(store, design)
    for exchange in map(payers.charge, chain([] if first_trip is None else [first_trip], trips)):
        cells = [
            (rows[judge_id], columns[item_id, responses], depths[draw])
            for judge_id, item_id, responses, draw in sorted(
                (places[call_id] for call_id in exchange.call_ids if call_id in places), key=_by_sample
            )
            if (item_id, responses) in columns
        ]
        if not cells or _is_unbilled(exchange):
            continue
        bill = _bill(exchange, payers.prices.get(exchange.judge_id, Undefined("no price is known for this judge")))
        if isinstance(bill, Undefined):
            unknown.setdefault(judge_ids[cells[0][0]], bill.reason)
            for cell in cells:
                n_unknown[cell] += 1
            continue
        first, part = bill
        for place, cell in enumerate(cells):
            usd[cell] += part / len(cells) + (first if place == 0 else 0.0)
            n_known[cell] += 1
    known = (n_known > 0) & (n_unknown == 0)
    for judge_id, row in rows.items():
        if not known[row].any():
            unknown.setdefault(judge_id, _NO_CALLS)
    return DrawCosts(draws=draws, usd=usd, known=known, unknown=unknown)


def _by_sample(place: _Place) -> Draw:
    return place[3]


def _bill(exchange: Exchange, price: Price | Undefined) -> tuple[float, float] | Undefined:
    """What is billed once for the round trip, and what its choices cost together."""
    whole = cost_of(exchange.usage, price)
    if isinstance(whole, Undefined):
        return whole
    if len(exchange.call_ids) == 1 or exchange.usage.reported_usd is not None:
        return 0.0, whole
    once = cost_of(replace(exchange.usage, output_tokens=0), price)
    return (0.0, whole) if isinstance(once, Undefined) else (once, whole - once)


def _is_unbilled(exchange: Exchange) -> bool:
    usage = exchange.usage
    says_nothing = usage.input_tokens is None and usage.output_tokens is None and usage.reported_usd is None
    return says_nothing and exchange.error is not None and exchange.error.kind in ProviderError.UNBILLED


def response_lengths(store: Store, collected: Collected) -> NDArray[np.float64]:
    """Words of the first response of every subject, NaN where its text is missing: shape (n_subjects,)."""
    texts: dict[ItemId, tuple[float, ...]] = {}
    for item in store.items():
        texts[item.id] = tuple(np.nan if one.text is None else float(len(one.text.split())) for one in item.responses)
    return np.array([texts[subject.item_id][subject.responses[0]] for subject in collected.subjects], dtype=np.float64)
