"""Gates: requirements held to figures; what has no value fails, and nothing passes because cases dropped out."""

import json
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.domain.change import RunChange
from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.gate import GateResult, parse_requirement
from venire.domain.identity import CriterionId
from venire.errors import UsageError
from venire.metaeval.gate import check_gate
from venire.reporting.gate_text import gate_document, gate_junit, gate_markdown, gate_text


def finding(name: str, value: float | Undefined = 0.7, about: str = "panel", n: int = 90) -> Finding:
    interval = Interval(low=0.6, high=0.8, method="bootstrap")
    return Finding(
        name=name, about=about, value=value, interval=interval, n=n, n_groups=n, missing=(), provenance="against gold"
    )


FINE = [finding("failures", 0.01), finding("undecided", 0.0), finding("unasked", 0.0), finding("pass_rate", 0.5)]


def gate(*texts: str, findings: list[Finding] | None = None, change: RunChange | None = None) -> GateResult:
    wanted = [parse_requirement(text) for text in texts]
    return check_gate(wanted, [*FINE, *(findings or [finding("kappa")])], criterion_id="q", change=change)


def change(n_dropped: int = 0) -> RunChange:
    return RunChange(
        criterion_id=CriterionId("q"),
        n_shared=100,
        n_only_before=0,
        n_only_after=0,
        n_dropped=n_dropped,
        changed=finding("changed", 0.1),
        figures=(),
        verdicts=(),
        notes=("The panels differ.",),
        seed=0,
    )


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("kappa>=0.7", True),
        ("kappa>0.7", False),
        ("kappa <= 0.7", True),
        ("kappa<0.7", False),
        ("kappa.low>=0.6", True),
        ("kappa.low>=61%", False),
        ("kappa.high<=0.8", True),
        ("kappa.n>=100", False),
        ("pass_rate>=50%", True),
        ("kappa>=-.5e1", True),
    ],
)
def test_a_requirement_is_held_to_its_figure(text: str, holds: bool) -> None:
    assert gate(text).holds is holds


@pytest.mark.parametrize("text", ["", "kappa", "kappa=0.6", "kappa>=", "kappa>=x", ">=1", "kappa.mid>=0.5", "Kappa>=1"])
def test_what_is_no_requirement_says_how_one_is_written(text: str) -> None:
    with pytest.raises(UsageError, match=r"write a figure"):
        parse_requirement(text)


def test_a_system_may_have_any_name() -> None:
    found = parse_requirement("pass_rate:org/model-1.low.v2.low>=0.8")

    assert (found.about, found.part) == ("org/model-1.low.v2", "low")


def test_a_figure_without_a_value_fails() -> None:
    result = gate("kappa>=0.1", findings=[finding("kappa", Undefined("one label throughout"))])

    assert not result.holds
    assert "undefined, one label throughout" in gate_text(result)


def test_a_gate_on_gold_fails_where_there_is_none() -> None:
    assert not gate("kappa>=-1", findings=[finding("mean")]).holds


def test_a_figure_that_does_not_exist_is_a_mistake() -> None:
    with pytest.raises(UsageError, match="no figure 'kapa'"):
        gate("kapa>=0.1")
    with pytest.raises(UsageError, match="no kappa of 'nobody'"):
        gate("kappa:nobody>=0.1")


@pytest.mark.parametrize("name", ["failures", "undecided", "unasked"])
def test_cases_that_drop_out_close_the_gate_unless_it_is_allowed(name: str) -> None:
    many = [one for one in FINE if one.name != name] + [finding(name, 0.5), finding("kappa")]
    strict = check_gate([parse_requirement("kappa>=0.1")], many, criterion_id="q")
    lenient = check_gate([parse_requirement("kappa>=0.1"), parse_requirement(f"{name}<=50%")], many, criterion_id="q")

    assert not strict.holds
    assert lenient.holds


def test_beside_a_baseline_nothing_may_drop_out() -> None:
    assert gate("kappa>=0.1", change=change()).holds
    assert not gate("kappa>=0.1", change=change(1)).holds
    assert gate("kappa>=0.1", "dropped<=1%", change=change(1)).holds


def test_a_change_needs_a_baseline() -> None:
    with pytest.raises(UsageError, match="--baseline"):
        gate("kappa.change>=0")


@given(st.text(max_size=20), st.text(max_size=20))
def test_junit_is_well_formed_whatever_the_names(system: str, reason: str) -> None:
    odd = finding("kappa", Undefined(reason), about=system)
    requirement = parse_requirement("kappa>=0.1")
    result = check_gate([requirement], [*FINE, finding("kappa"), odd], criterion_id=system)

    root = fromstring(gate_junit(result))

    assert int(root.attrib["failures"]) == sum(not check.holds for check in result.checks)
    assert len(root.findall("./testsuite/testcase")) == len(result.checks)


def test_all_forms_tell_the_same() -> None:
    result = gate("kappa>=0.9", change=change())

    document = json.loads(gate_document(result))

    assert document["holds"] is False
    assert [one["holds"] for one in document["requirements"]] == [False, True, True, True, True]
    assert "❌ | `kappa>=0.9` | 0.7 [0.6, 0.8], n 90" in gate_markdown(result)
    assert gate_text(result).startswith("FAILS  kappa>=0.9")
    assert "The panels differ." in gate_text(result)
