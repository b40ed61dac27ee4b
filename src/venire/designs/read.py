"""From the design file to a Design: what the file says, checked, with the line of every mistake."""

import hashlib
from pathlib import Path

from venire.designs.files import read_text
from venire.designs.mistakes import Mistakes
from venire.designs.parts import aggregation_of, ballot_of, capabilities_of, criterion_of, part
from venire.designs.prices import price_of, read_prices
from venire.designs.schema import DesignFile, JudgeFile
from venire.designs.yaml_lines import parse_yaml
from venire.domain.aggregation import Aggregation
from venire.domain.ballot import BallotForm
from venire.domain.design import Design, Policy, default_votes
from venire.domain.identity import JsonScalar, JudgeId
from venire.domain.panel import DEFAULT_CONCURRENCY, Judge
from venire.domain.price import Price
from venire.domain.rubric import Criterion, Rubric
from venire.errors import DesignError


def read_design(path: Path | str) -> Design:
    """Read a design file; templates and recordings that it names are looked for beside it.

    Raises:
        DesignError: every mistake found, each with its line and what to do.
    """
    path = Path(path)
    return parse_design(read_text(path, "design"), file=str(path), folder=path.parent)


def parse_design(text: str, *, file: str = "design", folder: Path | str = ".") -> Design:
    """As `read_design`, from the text of a design file.

    Args:
        text: YAML.
        file: what the messages call it.
        folder: where templates and recordings that it names are looked for.
    """
    from pydantic import ValidationError

    document = parse_yaml(text, file)
    mistakes = Mistakes(document, file)
    try:
        shape = DesignFile.model_validate(document.value)
    except ValidationError as error:
        mistakes.add_shape(error.errors(include_url=False))
        mistakes.raise_any()
        raise
    return _Builder(mistakes, Path(folder)).design(shape)


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
                criteria.append(criterion_of(criterion, shape.protocol))
        for index, judge in enumerate(shape.judges):
            with at(("judges", index)):
                judges.append(self._judge(judge))
        ballot, aggregation, policy = BallotForm(), Aggregation(), Policy()
        prices: dict[str, Price] = {}
        with at(("ballot",)):
            ballot = ballot_of(shape.ballot)
        with at(("policy",)):
            policy = Policy(reask=shape.policy.reask)
        if isinstance(shape.prices, str):
            with at(("prices",)):
                prices = read_prices(self._beside(shape.prices))
        else:
            for name, price in shape.prices.items():
                with at(("prices", name)):
                    prices[name] = price_of(name, price)
        with at(("aggregation",)):
            aggregation = aggregation_of(shape.aggregation)
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
                policy=policy,
                prices=tuple(sorted(prices.items())),
                columns=tuple(sorted(shape.columns.items())),
                aliases=tuple(sorted(shape.aliases.items())),
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
            with part("ballot"):
                ballot = ballot_of(judge.ballot)
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
            requests_per_minute=judge.requests_per_minute,
            tokens_per_minute=judge.tokens_per_minute,
            timeout_s=judge.timeout_s,
            template=self._template(judge),
            ballot=ballot,
            votes=default_votes(judge.provider) if judge.votes is None else judge.votes,
            parameters=tuple(sorted(parameters.items())),
            capabilities=() if judge.capabilities is None else capabilities_of(judge.capabilities),
        )

    def _template(self, judge: JudgeFile) -> str | None:
        if judge.prompt is None:
            return judge.template
        if judge.template is not None:
            raise DesignError(f"Judge {judge.id!r} has both prompt and template; keep one of them")
        return read_text(self._beside(judge.prompt), "prompt template")

    def _beside(self, name: str) -> Path:
        # Absolute, so that the design that is kept in a run folder still finds its files.
        try:
            return self._folder / Path(name).expanduser()
        except RuntimeError as error:
            raise DesignError(
                f"{name!r} names the home of a user who is not known here. Write the path out."
            ) from error


def _rubric(criteria: list[Criterion]) -> Rubric:
    with part("rubric"):
        return Rubric(criteria=tuple(criteria))


def _concurrency(judge: JudgeFile) -> int:
    if judge.max_concurrency is not None:
        return judge.max_concurrency
    # A model in this process answers as many at once as it has workers; waiting for one counts as the call's time.
    workers = judge.parameters.get("workers", 1) if judge.provider == "embedded" else DEFAULT_CONCURRENCY
    return workers if isinstance(workers, int) else 1


def _content_hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except (OSError, ValueError) as error:
        raise DesignError(f"{str(path)!r}: the recording cannot be read: {error}. Check the path.") from error
