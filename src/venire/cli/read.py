"""`venire read`: one reply of a judge, and what it was understood as."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from venire.errors import UsageError

if TYPE_CHECKING:
    from venire.ballots.questions import Question
    from venire.domain.call import FinishReason

LARGEST = 16 * 2**20
"""Bytes of a reply that are read."""

_FINISH: "dict[str, FinishReason]" = {
    "stop": "stop",
    "end_turn": "stop",
    "eos": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
    "refusal": "refusal",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
}


def read(
    file: Annotated[Path | None, typer.Argument(help="The reply; left out or -: stdin.", show_default=False)] = None,
    *,
    design: Annotated[Path | None, typer.Option(help="The design under which it was asked.")] = None,
    judge: Annotated[str | None, typer.Option(metavar="ID", help="The judge in it; by default the first.")] = None,
    form: Annotated[
        str | None, typer.Option(help="In short: rating:1-10, label:a,b, multi:x,y, boolean, choice, likert, pair.")
    ] = None,
    expects: Annotated[str | None, typer.Option(metavar="JSON", help="As an object of expectations.")] = None,
    finish_reason: Annotated[str, typer.Option(help="Why the judge stopped, as its API says.")] = "stop",
    judged: Annotated[
        list[Path] | None, typer.Option(help="A judged text: what the reply only quotes from it is no verdict.")
    ] = None,
) -> None:
    """Read one reply and print the outcome as one JSON object: label, abstention or failure, why, and by which step.

    What was asked is given by exactly one of --design, --form and --expects.
    """
    from venire.ballots.explanation import explain_reply
    from venire.domain.call import Choice

    if sum(given is not None for given in (design, form, expects)) != 1:
        raise UsageError("say what was asked by exactly one of --design DESIGN.yaml, --form FORM and --expects JSON")
    question = _question(design, judge, form, expects)
    texts = [_text(path) for path in judged or ()]
    choice = Choice(text=_text(file), finish_reason=_FINISH.get(finish_reason.strip().casefold(), "other"))
    typer.echo(json.dumps(explain_reply(question, choice, texts), ensure_ascii=False, allow_nan=False))


def _question(design: Path | None, judge: str | None, form: str | None, expects: str | None) -> "Question":
    from venire.ballots.questions import question_of_expectations, question_of_form

    if design is not None:
        return _question_of_design(design, judge)
    if judge is not None:
        raise UsageError("--judge names a judge of a design; give --design too")
    if form is not None:
        return question_of_form(form)
    try:
        document = json.loads(expects or "")
    except ValueError as error:
        raise UsageError(f"--expects is no JSON: {error}. Write it in single quotes: '{{\"form\": …}}'") from error
    if not isinstance(document, dict):
        raise UsageError(f"--expects is {document!r}; a JSON object was expected")
    return question_of_expectations(document)


def _question_of_design(path: Path, judge: str | None) -> "Question":
    from venire.ballots.form import Ballot
    from venire.ballots.questions import Question
    from venire.designs.read import read_design

    design = read_design(path)
    known = [each for each in design.judges if judge is None or each.id == judge]
    if not known:
        raise UsageError(f"no judge {judge!r} in {str(path)!r}; there are {[str(each.id) for each in design.judges]!r}")
    n_shown = 1 if design.protocol == "pointwise" else 2
    return Question(ballot=Ballot(rubric=design.rubric, form=design.ballot_of(known[0]), n_shown=n_shown))


def _text(path: Path | None) -> str:
    try:
        if path is None or str(path) == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with path.open("rb") as file:
                content = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error.strerror}. Check the path.") from error
    if len(content) > LARGEST:
        raise UsageError(f"{str(path or 'stdin')!r} has more than {LARGEST} bytes; a reply is far shorter")
    return content.decode("utf-8-sig", "replace")
