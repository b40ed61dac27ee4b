"""The table of verdicts: a shared verdict names its values, and no name acts on the terminal."""

from dataclasses import replace

from venire.domain.identity import CriterionId
from venire.domain.verdict import Shared
from venire.reporting.verdict_table import verdict_table
from venire.store.results import verdict_record

from .test_item_view import HOSTILE, ITEM, VERDICT


def test_a_shared_verdict_names_the_values_that_share_it() -> None:
    record = verdict_record(replace(VERDICT, outcome=Shared(values=("yes", "no"))), ITEM)

    assert "shared: yes, no" in verdict_table([record])


def test_criteria_and_reasons_are_shown_as_escapes() -> None:
    hostile = replace(VERDICT, criterion_id=CriterionId(HOSTILE), missing=((HOSTILE, 1),))

    assert not {"\x1b", "\u202e"} & set(verdict_table([verdict_record(hostile, ITEM)]))
