"""venire: judge LLM outputs with panels of LLM judges.

Collect judgments once, derive everything from them, and never show a number without saying how far to trust it.

The names below are loaded when they are first used, so that `import venire` costs nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

from venire._version import __version__

if TYPE_CHECKING:
    from venire.api import Run, ajudge, collect, judge
    from venire.datasets.annotations import read_annotations
    from venire.datasets.items import read_items
    from venire.designs.read import parse_design, read_design
    from venire.domain.aggregation import Aggregation, TiePolicy
    from venire.domain.annotation import Annotation
    from venire.domain.ballot import BallotForm
    from venire.domain.design import Design
    from venire.domain.finding import Finding, Undefined
    from venire.domain.identity import CriterionId, ItemId, JudgeId
    from venire.domain.item import Item, Message, Response, Subject
    from venire.domain.judgment import Abstention, Failure, Judgment, Label
    from venire.domain.panel import Judge
    from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Rubric
    from venire.domain.verdict import Decided, Shared, Undecided, Verdict
    from venire.errors import UsageError, VenireError

_HOMES = {
    "Abstention": "domain.judgment",
    "Aggregation": "domain.aggregation",
    "Annotation": "domain.annotation",
    "BallotForm": "domain.ballot",
    "ChoiceScale": "domain.rubric",
    "Criterion": "domain.rubric",
    "CriterionId": "domain.identity",
    "Decided": "domain.verdict",
    "Design": "domain.design",
    "Failure": "domain.judgment",
    "Finding": "domain.finding",
    "IntervalScale": "domain.rubric",
    "Item": "domain.item",
    "ItemId": "domain.identity",
    "Judge": "domain.panel",
    "JudgeId": "domain.identity",
    "Judgment": "domain.judgment",
    "Label": "domain.judgment",
    "Message": "domain.item",
    "NominalScale": "domain.rubric",
    "OrdinalScale": "domain.rubric",
    "Response": "domain.item",
    "Rubric": "domain.rubric",
    "Run": "api",
    "Shared": "domain.verdict",
    "Subject": "domain.item",
    "TiePolicy": "domain.aggregation",
    "Undecided": "domain.verdict",
    "Undefined": "domain.finding",
    "UsageError": "errors",
    "VenireError": "errors",
    "Verdict": "domain.verdict",
    "ajudge": "api",
    "collect": "api",
    "judge": "api",
    "parse_design": "designs.read",
    "read_annotations": "datasets.annotations",
    "read_design": "designs.read",
    "read_items": "datasets.items",
}

__all__ = [
    "Abstention",
    "Aggregation",
    "Annotation",
    "BallotForm",
    "ChoiceScale",
    "Criterion",
    "CriterionId",
    "Decided",
    "Design",
    "Failure",
    "Finding",
    "IntervalScale",
    "Item",
    "ItemId",
    "Judge",
    "JudgeId",
    "Judgment",
    "Label",
    "Message",
    "NominalScale",
    "OrdinalScale",
    "Response",
    "Rubric",
    "Run",
    "Shared",
    "Subject",
    "TiePolicy",
    "Undecided",
    "Undefined",
    "UsageError",
    "VenireError",
    "Verdict",
    "__version__",
    "ajudge",
    "collect",
    "judge",
    "parse_design",
    "read_annotations",
    "read_design",
    "read_items",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'venire' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"venire.{home}"), name)
    globals()[name] = value  # found at once from now on
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
