"""A gate's result for people and for machines: terminal, Markdown for a pull request, JUnit XML and JSON."""

import json
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from venire.domain.finding import Finding, Undefined
from venire.domain.gate import Checked, GateResult
from venire.domain.identity import Json
from venire.reporting.replay_json import finding_json
from venire.reporting.text import make_inert

_ILLEGAL = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)], "�")
"""Characters that no XML document may hold."""


def gate_text(result: GateResult) -> str:
    """One line for each requirement, failed ones first, and the outcome."""
    checks = sorted(result.checks, key=lambda check: check.holds)
    lines = [f"{'holds' if check.holds else 'FAILS'}  {make_inert(sentence_of(check))}" for check in checks]
    lines += [f"- {make_inert(note)}" for note in result.notes]
    return "\n".join([*lines, outcome_of(result)])


def outcome_of(result: GateResult) -> str:
    """The outcome in a sentence."""
    n_failed = sum(not check.holds for check in result.checks)
    if n_failed:
        return f"The gate is closed: {n_failed} of {len(result.checks)} requirements do not hold."
    return f"The gate is open: all {len(result.checks)} requirements hold."


def sentence_of(check: Checked) -> str:
    """What was required and what was found."""
    default = " (unless you require otherwise)" if check.requirement.is_default else ""
    return f"{check.requirement.text}{default}: {_found(check)}"


def gate_markdown(result: GateResult) -> str:
    """A summary for a pull request."""
    rows = [
        f"| {'✅' if check.holds else '❌'} | `{_cell(check.requirement.text)}` | {_cell(_found(check))} |"
        for check in result.checks
    ]
    notes = [f"- {_cell(note)}" for note in result.notes]
    head = f"### venire gate: criterion `{_cell(result.criterion_id)}`"
    table = ["| | required | found |", "|---|---|---|", *rows]
    return "\n".join([head, "", outcome_of(result), "", *table, *(["", *notes] if notes else [])]) + "\n"


def gate_junit(result: GateResult) -> str:
    """JUnit XML: a test case for each requirement."""
    n_failed = sum(not check.holds for check in result.checks)
    suite = Element(
        "testsuite", name="venire gate", tests=str(len(result.checks)), failures=str(n_failed), errors="0", skipped="0"
    )
    for check in result.checks:
        name = _xml(check.requirement.text)
        case = SubElement(suite, "testcase", classname=_xml(f"venire.{result.criterion_id}"), name=name)
        if check.holds:
            SubElement(case, "system-out").text = _xml(_found(check))
        else:
            failure = SubElement(case, "failure", message=_xml(_found(check)), type="requirement")
            failure.text = _xml(sentence_of(check))
    root = Element("testsuites", name="venire gate", tests=str(len(result.checks)), failures=str(n_failed))
    root.append(suite)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def gate_document(result: GateResult) -> str:
    """The result as JSON."""
    document: Json = {
        "criterion": result.criterion_id,
        "holds": result.holds,
        "requirements": [_check_json(check) for check in result.checks],
        "notes": list(result.notes),
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _check_json(check: Checked) -> Json:
    found, value = check.finding, check.value
    return {
        "required": check.requirement.text,
        "is_default": check.requirement.is_default,
        "holds": check.holds,
        "value": None if isinstance(value, Undefined) else value,
        "undefined": value.reason if isinstance(value, Undefined) else None,
        "finding": {"undefined": found.reason} if isinstance(found, Undefined) else finding_json(found),
    }


def _found(check: Checked) -> str:
    if isinstance(check.value, Undefined):
        return f"undefined, {check.value.reason}"
    found = check.finding
    if isinstance(found, Undefined):  # a value without its finding does not occur
        return f"{check.value:.4g}"
    return f"{_figure(found)}, n {found.n:,}{_missing(found)}"


def _figure(found: Finding) -> str:
    value = f"undefined, {found.value.reason}" if isinstance(found.value, Undefined) else f"{found.value:.4g}"
    if isinstance(found.interval, Undefined):
        return value
    return f"{value} [{found.interval.low:.4g}, {found.interval.high:.4g}]"


def _missing(found: Finding) -> str:
    return "".join(f", {n:,} {reason}" for reason, n in found.missing)


def _cell(text: str) -> str:
    return make_inert(text).replace("|", "\\|").replace("`", "'").replace("<", "&lt;").replace("\n", " ")


def _xml(text: str) -> str:
    return text.translate(_ILLEGAL)
