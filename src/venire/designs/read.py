"""From the design file to a Design: what the file says, checked, with the line of every mistake."""

import difflib
import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from venire.designs.schema import (
    AggregationFile,
    BallotFile,
    CapabilitiesFile,
    ChoiceFile,
    CriterionFile,
    DesignFile,
    IntervalFile,
    JudgeFile,
    NominalFile,
    OrdinalFile,
    TieFile,
)
from venire.designs.yaml_lines import LinedYaml, Loc, parse_yaml
from venire.domain.ballot import BallotForm
from venire.domain.capabilities import Override
from venire.domain.design import Aggregation, Design, TiePolicy, default_votes
from venire.domain.identity import CriterionId, JsonScalar, JudgeId
from venire.domain.panel import Judge
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Rubric, Scale
from venire.errors import DesignError

T = TypeVar("T")


def read_design(path: Path) -> Design:
    """Read a design file; templates and recordings that it names are looked for beside it.

    Raises:
        DesignError: every mistake found, each with its line and what to do.
    """
    return parse_design(_read_text(path, "design"), file=str(path), folder=path.parent)


def parse_design(text: str, *, file: str, folder: Path) -> Design:
    """As `read_design`, from the text of a design file."""
    from pydantic import ValidationError

    document = parse_yaml(text, file)
    try:
        shape = DesignFile.model_validate(document.value)
    except ValidationError as error:
        raise DesignError("\n".join(_explain(problem, document, file) for problem in error.errors())) from error
    return _Builder(document, file, folder).design(shape)


class _Builder:
    """Turns the parts of a file into values; a mistake found by a value gets the line of its part."""

    def __init__(self, document: LinedYaml, file: str, folder: Path) -> None:
        self.document = document
        self.file = file
        self.folder = folder

    def design(self, shape: DesignFile) -> Design:
        criteria = [
            self._at(("rubric", "criteria", index), partial(_criterion, criterion, shape.protocol))
            for index, criterion in enumerate(shape.rubric.criteria)
        ]
        judges = [self._at(("judges", index), partial(self._judge, judge)) for index, judge in enumerate(shape.judges)]
        rubric = self._at(("rubric",), lambda: Rubric(criteria=tuple(criteria)))
        ballot = self._at(("ballot",), lambda: _ballot(shape.ballot))
        aggregation = self._at(("aggregation",), lambda: _aggregation(shape.aggregation))
        return self._at(
            (),
            lambda: Design(
                protocol=shape.protocol,
                rubric=rubric,
                judges=tuple(judges),
                orders=shape.orders,
                baseline=None if isinstance(shape.pairs, str) else shape.pairs.baseline,
                reference=shape.reference,
                ballot=ballot,
                aggregation=aggregation,
            ),
        )

    def _at(self, loc: Loc, build: Callable[[], T]) -> T:
        try:
            return build()
        except DesignError as error:
            raise DesignError(f"{self.file}:{self.document.line_of((*loc, *error.at))}: {error}") from error

    def _judge(self, judge: JudgeFile) -> Judge:
        parameters: dict[str, JsonScalar] = dict(judge.parameters)
        if judge.path is not None:
            recording = self.folder / judge.path
            parameters["path"] = str(recording)
            # The answers are the file's content, so its hash is part of what is asked; a resolved design keeps it.
            parameters.setdefault("recording", _content_hash(recording))
        model = judge.model
        if judge.provider == "embedded" and model is not None and model.endswith(".gguf"):
            model = str(self.folder / model)
        return Judge(
            id=JudgeId(judge.id),
            provider=judge.provider,
            model=model,
            family=judge.family,
            base_url=judge.base_url.rstrip("/") if judge.base_url is not None else None,
            api_key_env=judge.api_key_env,
            headers=tuple(sorted(judge.headers.items())),
            samples=judge.samples,
            samples_per_request=judge.samples_per_request,
            temperature=judge.temperature,
            max_concurrency=judge.max_concurrency,
            timeout_s=judge.timeout_s,
            template=self._template(judge),
            ballot=None if judge.ballot is None else _ballot(judge.ballot),
            votes=default_votes(judge.provider) if judge.votes is None else judge.votes,
            parameters=tuple(sorted(parameters.items())),
            capabilities=() if judge.capabilities is None else _capabilities(judge.capabilities),
        )

    def _template(self, judge: JudgeFile) -> str | None:
        if judge.prompt is None:
            return judge.template
        if judge.template is not None:
            raise DesignError(f"Judge {judge.id!r} has both prompt and template; keep one of them")
        return _read_text(self.folder / judge.prompt, "prompt template")


def _criterion(criterion: CriterionFile, protocol: str) -> Criterion:
    if criterion.scale is None and protocol == "pointwise":
        raise DesignError(
            f"Criterion {criterion.id!r} has no scale. Add one, for example "
            "scale: {type: nominal, labels: [correct, incorrect]} or scale: {type: interval, min: 1, max: 10}."
        )
    return Criterion(
        id=CriterionId(criterion.id),
        question=criterion.question,
        scale=ChoiceScale() if criterion.scale is None else _scale(criterion.scale),
        weight=criterion.weight,
    )


def _scale(scale: NominalFile | OrdinalFile | IntervalFile | ChoiceFile) -> Scale:
    match scale:
        case NominalFile():
            return NominalScale(labels=tuple(scale.labels), positive=scale.positive or "")
        case OrdinalFile():
            return OrdinalScale(labels=tuple(scale.labels))
        case IntervalFile():
            return IntervalScale(min=scale.min, max=scale.max, integer=scale.integer)
        case ChoiceFile():
            return ChoiceScale(tie=scale.tie, both_bad=scale.both_bad)


def _ballot(ballot: BallotFile) -> BallotForm:
    return BallotForm(
        form=ballot.form,
        fields=tuple(ballot.fields),
        json=ballot.json_,
        max_tokens=ballot.max_tokens,
        abstain=ballot.abstain,
    )


def _capabilities(capabilities: CapabilitiesFile) -> tuple[tuple[str, Override], ...]:
    given: dict[str, Override] = capabilities.model_dump(exclude_none=True)
    return tuple(sorted(given.items()))


def _aggregation(shape: AggregationFile) -> Aggregation:
    return Aggregation(
        rule=shape.rule,
        denominator=shape.denominator,
        quorum=shape.quorum,
        tie=_tie(shape.tie),
        flip=shape.flip,
        criteria=shape.criteria,
    )


def _tie(tie: str | TieFile) -> TiePolicy:
    if isinstance(tie, str):
        return TiePolicy(kind="fractional" if tie == "fractional" else "undecided")
    if (tie.label is None) == (tie.random is None):
        raise DesignError("aggregation.tie takes exactly one of {label: X} and {random: SEED}")
    if tie.label is not None:
        return TiePolicy(kind="label", label=tie.label)
    return TiePolicy(kind="random", seed=tie.random or 0)


def _read_text(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise DesignError(f"{path}: there is no such {what} file. Check the path.") from error
    except IsADirectoryError as error:
        raise DesignError(f"{path}: this is a folder; a {what} file was expected.") from error
    except UnicodeDecodeError as error:
        raise DesignError(f"{path}: not UTF-8 (byte {error.start}). Save the {what} file as UTF-8.") from error
    except OSError as error:
        raise DesignError(f"{path}: the {what} file cannot be read: {error.strerror}.") from error


def _content_hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except OSError as error:
        raise DesignError(f"{path}: the recording cannot be read: {error.strerror}. Check the path.") from error


def _explain(problem: Any, document: LinedYaml, file: str) -> str:
    loc: Loc = tuple(part for part in problem["loc"] if not str(part).startswith(("function-", "literal[")))
    loc = _in_document(loc, document)
    name = ".".join(str(part) for part in loc) or "the design"
    place = f"{file}:{document.line_of(loc)}: {name}"
    match problem["type"]:
        case "extra_forbidden":
            close = difflib.get_close_matches(str(loc[-1]), sorted(_known_names()), n=1)
            hint = f" Did you mean {close[0]!r}?" if close else " Remove it or check its place."
            return f"{place}: there is no such field.{hint}"
        case "missing":
            return f"{place}: this field is missing. {_advice(loc)}"
        case "string_type":
            return f'{place}: {problem["input"]!r} is not text. Write it in quotes: "{problem["input"]}".'
        case _:
            return f"{place}: {problem['input']!r:.80} does not fit: {problem['msg']}."


def _in_document(loc: Loc, document: LinedYaml) -> Loc:
    # pydantic puts the names of union members into the path ("scale", "nominal", "labels"); the file has none of
    # them. A last part that is not in the file is kept: it is what is missing.
    kept: Loc = ()
    for position, part in enumerate(loc):
        if (*kept, part) in document.lines or position == len(loc) - 1:
            kept = (*kept, part)
    return kept


def _advice(loc: Loc) -> str:
    examples = {
        "protocol": "Add protocol: pointwise, pairwise or listwise.",
        "rubric": "Add rubric: with criteria:, each with id, question and scale.",
        "judges": "Add judges: with at least one id and provider.",
        "type": "Add type: nominal, ordinal, interval or choice.",
    }
    return examples.get(str(loc[-1]), "Add it.")


def _known_names() -> set[str]:
    judge = (JudgeFile, CapabilitiesFile, BallotFile)
    models = (DesignFile, *judge, AggregationFile, CriterionFile, NominalFile, IntervalFile, ChoiceFile)
    return {info.alias or name for model in models for name, info in model.model_fields.items()}
