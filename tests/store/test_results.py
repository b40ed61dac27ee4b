"""Verdicts as files: strict, typed, the same bytes each time, and harmless in a spreadsheet."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, ItemId
from venire.domain.item import Item, Response, Subject
from venire.domain.rubric import Value
from venire.domain.verdict import Decided, Shared, Undecided, Verdict
from venire.errors import RunFolderError
from venire.store import folder as folders
from venire.store.folder import RunFolder
from venire.store.results import COLUMNS, verdict_record, write_verdicts

ITEM = Item(
    id=ItemId("i"),
    responses=(Response(text="a", system="ada"), Response(text="b"), Response(text="c", system="eve")),
)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return folders.create(tmp_path / "run")


def verdict(
    value: Value = "good", *, responses: tuple[int, ...] = (0,), support: float | Undefined = 1.0, item_id: str = "i"
) -> Verdict:
    return Verdict(
        subject=Subject(item_id=ItemId(item_id), responses=responses),
        criterion_id=CriterionId("quality"),
        outcome=Decided(value=value),
        support=support,
        spread=0.5,
        n_seated=3,
        n_counted=2,
        missing=(("unreadable", 1),),
    )


def find(item_id: ItemId) -> Item | None:
    return ITEM if item_id == ITEM.id else None


def table_of(run: RunFolder, *verdicts: Verdict) -> pl.DataFrame:
    write_verdicts(run, verdicts, find)
    return pl.read_parquet(run.verdicts_parquet)


def test_a_decided_verdict_as_a_record() -> None:
    assert verdict_record(verdict(), ITEM) == {
        "item": "i",
        "responses": [0],
        "systems": ["ada"],
        "criterion": "quality",
        "outcome": "decided",
        "value": "good",
        "shared": None,
        "winner": None,
        "reason": None,
        "support": 1.0,
        "support_undefined": None,
        "spread": 0.5,
        "spread_undefined": None,
        "n_seated": 3,
        "n_counted": 2,
        "missing": {"unreadable": 1},
    }


def test_every_record_has_the_same_fields_in_order() -> None:
    assert tuple(verdict_record(verdict(), None)) == COLUMNS


def test_an_undecided_verdict_has_a_reason_and_no_value() -> None:
    record = verdict_record(replace(verdict(), outcome=Undecided(reason="quorum")), ITEM)

    assert (record["outcome"], record["reason"], record["value"]) == ("undecided", "quorum", None)


def test_a_shared_verdict_lists_its_values_and_has_no_winner() -> None:
    record = verdict_record(replace(verdict(responses=(0, 2)), outcome=Shared(values=(0, 2))), ITEM)

    assert (record["outcome"], record["shared"], record["value"], record["winner"]) == ("shared", [0, 2], None, None)


def test_an_undefined_figure_is_null_with_its_reason() -> None:
    record = verdict_record(verdict(support=Undefined("a mean has no share")), ITEM)

    assert (record["support"], record["support_undefined"]) == (None, "a mean has no share")


@pytest.mark.parametrize(
    ("value", "responses", "winner"),
    [
        (2, (0, 2), "eve"),
        (0, (0, 2), "ada"),
        (1, (0, 1), None),  # that response has no system
        ("tie", (0, 2), None),
        ("both_bad", (0, 2), None),
        (2, (2,), None),  # of one response a number is a rating
        (0.0, (0, 2), None),  # the mean of several criteria is no index
    ],
)
def test_the_winner_is_the_system_of_the_chosen_response(
    value: Value, responses: tuple[int, ...], winner: str | None
) -> None:
    assert verdict_record(verdict(value, responses=responses), ITEM)["winner"] == winner


def test_without_the_item_systems_are_unknown() -> None:
    record = verdict_record(verdict(2, responses=(0, 2)), None)

    assert (record["systems"], record["winner"]) == ([None, None], None)


def test_each_line_is_the_record(run: RunFolder) -> None:
    verdicts = [verdict(), verdict(1, responses=(0, 1)), verdict("気", item_id="日本")]

    assert write_verdicts(run, iter(verdicts), find) == 3

    lines = run.verdicts_jsonl.read_text("utf-8").split("\n")
    assert [json.loads(line) for line in lines[:-1]] == [
        verdict_record(one, find(one.subject.item_id)) for one in verdicts
    ]
    assert lines[-1] == ""
    assert '"item": "日本"' in lines[2]


def test_the_same_verdicts_are_the_same_bytes(run: RunFolder) -> None:
    written = []
    for _ in range(2):
        write_verdicts(run, [verdict(), verdict(0.1 + 0.2)], find)
        written.append(run.verdicts_jsonl.read_bytes())

    assert written[0] == written[1]


@pytest.mark.parametrize("support", [float("nan"), float("inf")])
def test_a_figure_that_json_cannot_hold_is_refused_and_the_old_file_stays(run: RunFolder, support: float) -> None:
    write_verdicts(run, [verdict()], find)
    before = run.verdicts_jsonl.read_bytes()

    with pytest.raises(ValueError, match="JSON compliant"):
        write_verdicts(run, [verdict(support=support)], find)

    assert run.verdicts_jsonl.read_bytes() == before


def test_no_verdicts_are_an_empty_file_and_a_table_with_columns(run: RunFolder) -> None:
    table = table_of(run)

    assert run.verdicts_jsonl.read_bytes() == b""
    assert table.height == 0
    assert table.columns == [*COLUMNS, "value_number"]


def test_the_table_has_one_type_for_each_column(run: RunFolder) -> None:
    table = table_of(run, verdict("tie", responses=(0, 2)), verdict(2, responses=(0, 2)), verdict(2.5), verdict("1"))

    assert table["value"].to_list() == ["tie", "2", "2.5", "1"]
    assert table["value_number"].to_list() == [None, 2.0, 2.5, None]
    assert table["systems"].to_list() == [["ada", "eve"], ["ada", "eve"], ["ada"], ["ada"]]
    assert json.loads(table["missing"][0]) == {"unreadable": 1}


def test_the_types_of_the_table_do_not_depend_on_the_verdicts(run: RunFolder) -> None:
    assert table_of(run).schema == table_of(run, replace(verdict(), outcome=Shared(values=(0, "tie")))).schema


def test_many_verdicts_are_all_in_the_table(run: RunFolder) -> None:
    table = table_of(run, *(verdict(n) for n in range(12_001)))

    assert table["value_number"].to_list() == list(range(12_001))


def test_texts_that_are_not_unicode_are_written_alike_in_both_files(run: RunFolder) -> None:
    table = table_of(run, verdict(item_id="\udc80"))

    assert json.loads(run.verdicts_jsonl.read_text("utf-8"))["item"] == "\udc80"
    assert table["item"][0] == "\\udc80"


def test_results_that_cannot_be_written_are_a_run_folder_error(run: RunFolder) -> None:
    (run.path / "results").write_text("in the way")

    with pytest.raises(RunFolderError, match="cannot be written"):
        write_verdicts(run, [verdict()], find)


def test_only_csv_is_for_spreadsheets(run: RunFolder) -> None:
    table = table_of(run, verdict("=1+1"))

    assert table["value"][0] == "=1+1"
    assert json.loads(run.verdicts_jsonl.read_text("utf-8"))["value"] == "=1+1"
