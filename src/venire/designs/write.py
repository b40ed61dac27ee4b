"""The resolved design: a Design written back as the YAML file that gives it, every default spelled out."""

import io
import string
from dataclasses import asdict
from typing import Any

from venire.designs.prices import GIVEN
from venire.domain.aggregation import Aggregation, TiePolicy
from venire.domain.ballot import BallotForm, Example
from venire.domain.best_of import BestOf
from venire.domain.design import Design, scale_content
from venire.domain.panel import Judge
from venire.domain.price import Price


def design_yaml(design: Design) -> str:
    """The design as YAML; reading it again gives the same design; own templates stand in it as text."""
    document: dict[str, Any] = {
        "protocol": design.protocol,
        "orders": design.orders,
        "pairs": "all" if design.baseline is None else {"baseline": design.baseline},
        "reference": design.reference,
        "rubric": {
            "criteria": [
                {
                    "id": str(criterion.id),
                    "question": criterion.question,
                    "scale": scale_content(criterion.scale),
                    "weight": criterion.weight,
                }
                for criterion in design.rubric.criteria
            ]
        },
        "ballot": _ballot(design.ballot),
        "judges": [_judge(judge) for judge in design.judges],
        "aggregation": _aggregation(design.aggregation),
        "policy": {"reask": design.policy.reask},
        "prices": {name: _price(price) for name, price in design.prices},
        "columns": dict(design.columns),
        "aliases": dict(design.aliases),
    }
    return _dump(document)


def _dump(document: dict[str, Any]) -> str:
    from ruamel.yaml import YAML
    from ruamel.yaml.representer import SafeRepresenter

    class Representer(SafeRepresenter):
        """Writes every text so that it comes back as it was."""

    Representer.add_representer(str, _represent_text)
    yaml = YAML(typ="safe", pure=True)
    yaml.Representer = Representer
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    yaml.width = 10**9  # where ruamel folds long lines, it loses spaces around special characters
    stream = io.StringIO()
    yaml.dump(document, stream)
    return stream.getvalue()


def _represent_text(representer: Any, text: str) -> Any:
    # Unprintable characters (line separators among them) survive only as escapes; templates are for people to read.
    style = None
    if any(not char.isprintable() and char != "\n" for char in text):
        style = '"'
    elif "\n" in text and not text[0].isspace():
        style = "|"
    return representer.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _judge(judge: Judge) -> dict[str, Any]:
    parameters = {name: value for name, value in judge.parameters if name != "path"}
    fields: dict[str, Any] = {
        "id": str(judge.id),
        "provider": judge.provider,
        "model": judge.model,
        "family": judge.family,
        "base_url": judge.base_url,
        "api_key_env": judge.api_key_env,
        "headers": dict(judge.headers) or None,
        "samples": judge.samples,
        "samples_per_request": judge.samples_per_request,
        "temperature": judge.temperature,
        "max_concurrency": judge.max_concurrency,
        "requests_per_minute": judge.requests_per_minute,
        "tokens_per_minute": judge.tokens_per_minute,
        "timeout_s": judge.timeout_s,
        "template": judge.template,
        "ballot": None if judge.ballot is None else _ballot(judge.ballot),
        "votes": judge.votes,
        "path": judge.parameter("path"),
        "parameters": parameters or None,
        "capabilities": dict(judge.capabilities) or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _ballot(ballot: BallotForm) -> dict[str, Any]:
    fields = {
        "form": ballot.form,
        "fields": list(ballot.fields),
        "json": ballot.json,
        "max_tokens": ballot.max_tokens,
        "abstain": ballot.abstain,
        "steepness": ballot.steepness,
        "threshold": ballot.threshold,
        "probabilities": ballot.probabilities,
        "examples": [_example(example) for example in ballot.examples] or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _example(example: Example) -> dict[str, Any]:
    compares = len(example.responses) > 1
    fields = {
        "prompt": example.prompt,
        "responses": list(example.responses),
        "reference": example.reference,
        "verdicts": {
            str(name): string.ascii_uppercase[value] if compares and isinstance(value, int) else value
            for name, value in example.verdicts
        },
        "answer": example.answer or None,
        "explanation": example.explanation or None,
        "confidence": example.confidence,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _price(price: Price) -> dict[str, float | int | str]:
    fields = asdict(price)
    return {name: value for name, value in fields.items() if value is not None and (name, value) != ("source", GIVEN)}


def _aggregation(how: Aggregation) -> dict[str, Any]:
    """With the fields that its rule reads."""
    fields: dict[str, Any] = {
        "rule": how.rule,
        "denominator": how.denominator,
        "quorum": how.quorum,
        "tie": _tie(how.tie),
        "flip": how.flip,
        "criteria": how.criteria,
        "recuse": how.recuse,
    }
    if how.best_of is not None:
        fields["best_of"] = _best_of(how.best_of)
    match how.rule:
        case "at_least":
            fields["at_least"] = how.at_least
        case "trimmed_mean":
            fields["trim"] = how.trim
        case "weighted":
            fields["weights"] = {str(judge_id): weight for judge_id, weight in how.weights}
        case "geometric_median":
            fields["over"] = how.over
        case "dawid_skene":
            fields["seed"] = how.seed
        case "reliability":
            fields |= {"by_category": how.by_category, "folds": how.folds, "seed": how.seed}
        case "calibrated":
            fields |= {"folds": how.folds, "seed": how.seed}
        case _:
            pass
    return fields


def _best_of(best_of: BestOf) -> dict[str, Any]:
    lot = {"seed": best_of.seed} if best_of.tie == "random" else {}
    return {"tie": best_of.tie, "missing": best_of.missing, **lot}


def _tie(tie: TiePolicy) -> Any:
    match tie.kind:
        case "label":
            return {"label": tie.label}
        case "random":
            return {"random": tie.seed}
        case _:
            return tie.kind
