"""All verdicts as text: the same as one by one, and harmless in a spreadsheet."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, ItemId
from venire.domain.item import Item, Response, Subject
from venire.domain.rubric import Value
from venire.domain.verdict import Decided, Ruling, Rulings, Shared, Undecided, Verdict, Verdicts
from venire.store.results import verdict_record
from venire.store.verdict_text import verdicts_csv, verdicts_json

PAIR = (Response(text="a", system="ada"), Response(text="b", system="bea"))
ITEMS = {
    ItemId(name): Item(id=ItemId(name), responses=PAIR if name != "alone" else PAIR[:1])
    for name in ("i", "日本", "a,b", "=1", 'say "so"', "x\u2028y", "\ud800", "alone")
}
RULINGS = (
    Ruling(outcome=Decided(value=0), support=1.0, spread=0.0, n_seated=2, n_counted=2),
    Ruling(outcome=Decided(value=1), support=0.5, spread=0.5, n_seated=2, n_counted=1, missing=(("un\u2028read", 1),)),
    Ruling(outcome=Shared(values=(0, 1)), support=0.5, spread=0.5, n_seated=2, n_counted=2),
    Ruling(outcome=Undecided(reason="votes\ntied"), support=Undefined("no"), spread=0.5, n_seated=2, n_counted=2),
)


def verdict(value: Value = "good", *, item_id: str = "i") -> Verdict:
    return Verdict(
        subject=Subject(item_id=ItemId(item_id), responses=(0,)),
        criterion_id=CriterionId("quality"),
        outcome=Decided(value=value),
        support=1.0,
        spread=0.5,
        n_seated=3,
        n_counted=2,
        missing=(("unreadable", 1),),
    )


def csv_of(one: Verdict) -> str:
    ruling = Ruling(outcome=one.outcome, support=1.0, spread=0.5, n_seated=3, n_counted=2, missing=one.missing)
    rulings = (Rulings(criterion_id=one.criterion_id, kinds=(ruling,), number=[0]),)
    return "".join(verdicts_csv(Verdicts(subjects=(one.subject,), rulings=rulings, after={}), ITEMS))


@st.composite
def many(draw: st.DrawFn) -> Verdicts:
    """Some verdicts on two criteria, of items with names that some format is known to break on."""
    names = draw(st.lists(st.sampled_from(sorted(ITEMS)), max_size=6, unique=True))
    n_criteria = draw(st.integers(1, 2))
    numbers = st.lists(st.integers(0, len(RULINGS) - 1), min_size=len(names), max_size=len(names))
    after = draw(st.sets(st.sampled_from(range(len(names))))) if names else set()
    return Verdicts(
        subjects=tuple(Subject(item_id=name, responses=(0, 1)[: len(ITEMS[name].responses)]) for name in names),
        rulings=tuple(
            Rulings(criterion_id=CriterionId(f"c{n}"), kinds=RULINGS, number=draw(numbers)) for n in range(n_criteria)
        ),
        after={place: replace(verdict(item_id=names[place]), criterion_id=CriterionId("best")) for place in after},
    )


def records(verdicts: Sequence[Verdict]) -> list[dict[str, object]]:
    return [dict(verdict_record(one, ITEMS[one.subject.item_id])) for one in verdicts]


@given(many())
def test_json_is_that_of_the_records_one_by_one(verdicts: Verdicts) -> None:
    document = {"rule": "majority", "verdicts": records(tuple(verdicts))}

    assert "".join(verdicts_json("majority", verdicts, ITEMS)) == (
        json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    )


@given(many())
def test_csv_has_a_row_for_every_verdict_in_order(verdicts: Verdicts) -> None:
    rows = list(csv.DictReader(io.StringIO("".join(verdicts_csv(verdicts, ITEMS)), newline="")))

    wanted = [
        ("'=1" if one["item"] == "=1" else one["item"], one["criterion"], one["outcome"], json.dumps(one["systems"]))
        for one in records(tuple(verdicts))
    ]
    assert [(row["item"], row["criterion"], row["outcome"], row["systems"]) for row in rows] == wanted


STARTS = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", " =", "\ufeff=", "\u200b@"]


@pytest.mark.parametrize("start", STARTS)
def test_no_cell_is_a_formula(start: str) -> None:
    text = csv_of(verdict(f"{start}SUM(A1)", item_id=f"{start}1+1"))

    row = next(csv.DictReader(io.StringIO(text, newline="")))
    assert (row["item"], row["value"]) == (f"'{start}1+1", f"'{start}SUM(A1)")


@given(st.sampled_from(STARTS), st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_a_cell_that_begins_like_a_formula_is_a_number_or_inert(start: str, rest: str) -> None:
    text = csv_of(verdict(item_id=start + rest))

    cell = next(csv.DictReader(io.StringIO(text, newline="")))["item"]
    if cell.startswith("'"):
        assert cell == f"'{start}{rest}"
    else:
        float(cell)


@pytest.mark.parametrize(
    ("value", "cell"),
    [(-1, "-1"), (-0.5, "-0.5"), ("-1", "-1"), ("+1.5e-3", "+1.5e-3"), (0, "0"), ("a-b", "a-b"), ("tie", "tie")],
)
def test_numbers_and_harmless_words_are_left_as_they_are(value: Value, cell: str) -> None:
    row = next(csv.DictReader(io.StringIO(csv_of(verdict(value)), newline="")))

    assert row["value"] == cell


def test_csv_cells_hold_commas_quotes_and_line_breaks() -> None:
    text = csv_of(verdict('a,"b"\r\nc\rd\ne', item_id="日本"))

    row = next(csv.DictReader(io.StringIO(text, newline="")))
    assert (row["value"], row["item"], row["winner"]) == ('a,"b"\r\nc\rd\ne', "日本", "")
