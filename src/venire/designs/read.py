"""From the design file to a Design: what the file says, checked, with the line of every mistake."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from venire.designs.mistakes import Mistakes
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
from venire.designs.yaml_lines import parse_yaml
from venire.domain.ballot import BallotForm
from venire.domain.capabilities import Override
from venire.domain.design import Aggregation, Design, TiePolicy, default_votes
from venire.domain.identity import CriterionId, JsonScalar, JudgeId
from venire.domain.panel import DEFAULT_CONCURRENCY, Judge
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Rubric, Scale
from venire.errors import DesignError

LARGEST = 8 * 2**20
"""Bytes of a design or template file: far beyond what anybody writes, and far below a file of items."""


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
    mistakes = Mistakes(document, file)
    try:
        shape = DesignFile.model_validate(document.value)
    except ValidationError as error:
        mistakes.add_shape(error.errors(include_url=False))
        mistakes.raise_any()
        raise
    return _Builder(mistakes, folder).design(shape)


class _Builder:
    """Turns the parts of a file into values; a mistake found by a value gets the line of its part."""

    def __init__(self, mistakes: Mistakes, folder: Path) -> None:
        self._mistakes = mistakes
        self._folder = folder.absolute()

    def design(self, shape: DesignFile) -> Design:
        at = self._mistakes.at
        criteria: list[Criterion] = []
        judges: list[Judge] = []
        for index, criterion in enumerate(shape.rubric.criteria):
            with at(("rubric", "criteria", index)):
                criteria.append(_criterion(criterion, shape.protocol))
        for index, judge in enumerate(shape.judges):
            with at(("judges", index)):
                judges.append(self._judge(judge))
        ballot, aggregation = BallotForm(), Aggregation()
        with at(("ballot",)):
            ballot = _ballot(shape.ballot)
        with at(("aggregation",)):
            aggregation = _aggregation(shape.aggregation)
        self._mistakes.raise_any()
        try:
            return Design(
                protocol=shape.protocol,
                rubric=_rubric(criteria),
                judges=tuple(judges),
                orders=shape.orders,
                baseline=None if isinstance(shape.pairs, str) else shape.pairs.baseline,
                reference=shape.reference,
                ballot=ballot,
                aggregation=aggregation,
            )
        except DesignError as error:
            self._mistakes.add(error.at, str(error))
            raise self._mistakes.error() from error

    def _judge(self, judge: JudgeFile) -> Judge:
        parameters: dict[str, JsonScalar] = dict(judge.parameters)
        if judge.path is not None:
            recording = self._beside(judge.path)
            parameters["path"] = str(recording)
            # The answers are the file's content, so its hash is part of what is asked. A resolved design has it
            # already and can be read when the recording is gone: what was answered is in the store.
            if "recording" not in parameters:
                parameters["recording"] = _content_hash(recording)
        model = judge.model
        if judge.provider == "embedded" and model is not None and model.endswith(".gguf"):
            model = str(self._beside(model))
        ballot = None
        if judge.ballot is not None:
            with _part("ballot"):
                ballot = _ballot(judge.ballot)
        return Judge(
            id=JudgeId(judge.id),
            provider=judge.provider,
            model=model,
            family=judge.family,
            base_url=judge.base_url,
            api_key_env=judge.api_key_env,
            headers=tuple(sorted(judge.headers.items())),
            samples=judge.samples,
            samples_per_request=judge.samples_per_request,
            temperature=judge.temperature,
            max_concurrency=_concurrency(judge),
            timeout_s=judge.timeout_s,
            template=self._template(judge),
            ballot=ballot,
            votes=default_votes(judge.provider) if judge.votes is None else judge.votes,
            parameters=tuple(sorted(parameters.items())),
            capabilities=() if judge.capabilities is None else _capabilities(judge.capabilities),
        )

    def _template(self, judge: JudgeFile) -> str | None:
        if judge.prompt is None:
            return judge.template
        if judge.template is not None:
            raise DesignError(f"Judge {judge.id!r} has both prompt and template; keep one of them")
        return _read_text(self._beside(judge.prompt), "prompt template")

    def _beside(self, name: str) -> Path:
        # Absolute, so that the design that is kept in a run folder still finds its files.
        try:
            return self._folder / Path(name).expanduser()
        except RuntimeError as error:
            raise DesignError(
                f"{name!r} names the home of a user who is not known here. Write the path out."
            ) from error


@contextmanager
def _part(name: str) -> Iterator[None]:
    # A value inside another knows nothing of the field that it stands in.
    try:
        yield
    except DesignError as error:
        raise DesignError(str(error), (name, *error.at)) from error


def _rubric(criteria: list[Criterion]) -> Rubric:
    with _part("rubric"):
        return Rubric(criteria=tuple(criteria))


def _concurrency(judge: JudgeFile) -> int:
    if judge.max_concurrency is not None:
        return judge.max_concurrency
    # A model in this process answers as many at once as it has workers; waiting for one counts as the call's time.
    workers = judge.parameters.get("workers", 1) if judge.provider == "embedded" else DEFAULT_CONCURRENCY
    return workers if isinstance(workers, int) else 1


def _criterion(criterion: CriterionFile, protocol: str) -> Criterion:
    if criterion.scale is None and protocol == "pointwise":
        raise DesignError(
            f"Criterion {criterion.id!r} has no scale. Add one, for example "
            "scale: {type: nominal, labels: [correct, incorrect]} or scale: {type: interval, min: 1, max: 10}."
        )
    scale: Scale = ChoiceScale()
    if criterion.scale is not None:
        with _part("scale"):
            scale = _scale(criterion.scale)
    return Criterion(id=CriterionId(criterion.id), question=criterion.question, scale=scale, weight=criterion.weight)


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
        if path.stat().st_size > LARGEST:
            raise DesignError(
                f"{path}: this {what} file has {path.stat().st_size} bytes; at most {LARGEST} are read. "
                "Is it another file, such as the items?"
            )
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise DesignError(f"{path}: there is no such {what} file. Check the path.") from error
    except IsADirectoryError as error:
        raise DesignError(f"{path}: this is a folder; a {what} file was expected.") from error
    except UnicodeDecodeError as error:
        raise DesignError(f"{path}: not UTF-8 (byte {error.start}). Save the {what} file as UTF-8.") from error
    except (OSError, ValueError) as error:
        raise DesignError(f"{str(path)!r}: the {what} file cannot be read: {error}. Check the path.") from error


def _content_hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except (OSError, ValueError) as error:
        raise DesignError(f"{str(path)!r}: the recording cannot be read: {error}. Check the path.") from error
