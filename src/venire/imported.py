"""Imported: judgments that were made elsewhere, as the values of a run: design, items, judgments, people's labels."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from venire.datasets.complaints import BadValue
from venire.datasets.labels import Candidates, read_label
from venire.datasets.recorded.detect import read_recorded
from venire.datasets.recorded.scales import infer_criteria
from venire.datasets.recorded.votes import Recorded, RecordedVote
from venire.designs.read import read_design
from venire.domain.aggregation import Aggregation, RuleName
from venire.domain.annotation import Annotation
from venire.domain.design import Design
from venire.domain.identity import BEST_OF_N, CallId, CriterionId, JudgeId, canonical_json, id_of_canonical
from venire.domain.item import Item, Subject
from venire.domain.judgment import IMPORTED_READER, Failure, Judgment, Label, Outcome
from venire.domain.panel import IMPORTED, Judge
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, Rubric
from venire.errors import DataError, Problem, UsageError

NO_LABEL = Failure(reason="unreadable", detail="recorded without a label")
MEND = "Mend these lines."


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What was recorded, as the values of a run."""

    design: Design
    is_inferred: bool
    """Whether the design was told by the data, and should be looked at."""
    items: tuple[Item, ...]
    judgments: tuple[Judgment, ...]
    annotations: tuple[Annotation, ...]
    noticed: tuple[str, ...]
    """What the data hide, one sentence for each kind."""


def read_imported(items: Path, judgments: Sequence[Path], design: Path | Design | None = None) -> Imported:
    """Read recorded judgments, in whichever shape they are.

    Args:
        items: the file of the items; for shapes whose judgments bring their items along, any of their files.
        judgments: the file or files of the judgments.
        design: how they were asked; None: told by the data. Its judges are those of the data in any case.

    Raises:
        UsageError: a file, row or value is wrong; every one is listed.
    """
    recorded = read_recorded(items, judgments)
    if recorded.problems:
        raise DataError(tuple(recorded.problems), MEND)
    given = read_design(design) if isinstance(design, Path) else design
    if given is not None and given.protocol != recorded.protocol:
        raise UsageError(
            f"The design's protocol is {given.protocol}, but these judgments are {recorded.protocol}. "
            "Correct the design, or leave it out to see the one that the data tell."
        )
    criteria = infer_criteria(recorded) if given is None else given.rubric.criteria
    reading = _Reading(recorded, criteria)
    read = tuple(reading.judgments())
    annotations = tuple(reading.annotations())
    if recorded.problems:
        raise DataError(tuple(recorded.problems), MEND)
    if not read:
        raise UsageError("There is no judgment in these files; name the file that holds them.")
    plan = _design(recorded, criteria, reading.judges, given)
    return Imported(
        design=plan,
        is_inferred=given is None,
        items=tuple(recorded.items.values()),
        judgments=read,
        annotations=annotations,
        noticed=(*(f"{n:,} {what}" for what, n in sorted(recorded.noticed.items())), *reading.noticed()),
    )


def _design(
    recorded: Recorded, criteria: Sequence[Criterion], judges: Mapping[JudgeId, Judge], given: Design | None
) -> Design:
    orders = {vote.order for vote in recorded.votes}
    rule: RuleName = "mean" if all(isinstance(criterion.scale, IntervalScale) for criterion in criteria) else "majority"
    plain = Design(
        protocol=recorded.protocol,
        rubric=Rubric(criteria=tuple(criteria)),
        judges=tuple(judges.values()),
        orders="both" if len(orders) == 2 else orders.pop(),
        aggregation=Aggregation(rule=rule),
    )
    if given is None:
        return plain
    voting = {judge.id: judge.votes for judge in given.judges}
    return replace(
        given,
        judges=tuple(replace(judge, votes=voting.get(judge.id, True)) for judge in plain.judges),
        orders=plain.orders,
    )


class _Reading:
    """Votes as they are written, held to the scales; problems go where the others are."""

    def __init__(self, recorded: Recorded, criteria: Sequence[Criterion]) -> None:
        self._recorded = recorded
        self._criteria: dict[CriterionId, Criterion] = {criterion.id: criterion for criterion in criteria}
        self._seen: dict[tuple[object, ...], object] = {}
        self._names: dict[str, str] = {}
        self._outside: Counter[str] = Counter()
        self._outcomes: dict[tuple[CriterionId, int, object], Outcome | BadValue] = {}
        self.judges: dict[JudgeId, Judge] = {}

    def judgments(self) -> Iterator[Judgment]:
        """Every vote as a judgment."""
        named = self._judge_ids()
        subjects: dict[tuple[object, ...], Subject] = {}
        n_samples: dict[JudgeId, set[int]] = {}
        for vote in self._recorded.votes:
            judge_id = named[vote.judge, vote.prompt]
            n_samples.setdefault(judge_id, set()).add(vote.sample)
            outcome = self._outcome(vote)
            if outcome is None or not self._is_new(vote, judge_id):
                continue
            place = (vote.item_id, vote.responses)
            subject = subjects.get(place)
            if subject is None:
                subject = subjects[place] = Subject(item_id=vote.item_id, responses=vote.responses)
            yield Judgment(
                subject=subject,
                criterion_id=vote.criterion_id,
                judge_id=judge_id,
                shown=vote.responses if vote.order == "AB" else vote.responses[::-1],
                sample=vote.sample,
                attempt=0,
                call_id=self._call_id(vote, judge_id),
                outcome=outcome,
                step="imported" if isinstance(outcome, Label) else "none",
                reader_version=IMPORTED_READER,
            )
        self.judges = {
            judge_id: self._judge(name, prompt, judge_id, len(n_samples.get(judge_id, {0})))
            for (name, prompt), judge_id in named.items()
        }

    def annotations(self) -> Iterator[Annotation]:
        """Every label of a person; labels of criteria that nobody judged are passed over."""
        for label in self._recorded.labels:
            criterion = self._criteria.get(label.criterion_id)
            if label.criterion_id == BEST_OF_N:
                criterion = Criterion(id=CriterionId("best"), question="Which is best?", scale=ChoiceScale())
            if criterion is None:
                continue
            subject = Subject(item_id=label.item_id, responses=label.responses)
            try:
                value = read_label(label.value, _decimals(criterion), Candidates(indices=label.responses))
            except BadValue as error:
                self._recorded.problems.append(
                    Problem(file=label.file, line=label.line, id=label.item_id, message="; ".join(error.messages))
                )
                continue
            yield Annotation(subject=subject, criterion_id=label.criterion_id, annotator=label.annotator, value=value)

    def noticed(self) -> tuple[str, ...]:
        """What was found outside of scales."""
        return tuple(f"{n:,} {what}" for what, n in sorted(self._outside.items()))

    def _judge_ids(self) -> dict[tuple[str, str | None], JudgeId]:
        """A judge under several prompts is several judges: judge@prompt."""
        prompts: dict[str, dict[str | None, None]] = {}
        for vote in self._recorded.votes:
            prompts.setdefault(vote.judge, {}).setdefault(vote.prompt)
        return {
            (judge, prompt): JudgeId(judge if len(of_judge) == 1 or prompt is None else f"{judge}@{prompt}")
            for judge, of_judge in prompts.items()
            for prompt in of_judge
        }

    def _judge(self, name: str, prompt: str | None, judge_id: JudgeId, n_samples: int) -> Judge:
        return Judge(
            id=judge_id,
            provider=IMPORTED,
            model=name,
            family=self._recorded.families.get(name),
            samples=n_samples,
            parameters=(() if prompt is None else (("prompt", prompt),)),
        )

    def _outcome(self, vote: RecordedVote) -> Outcome | None:
        """What a vote says; None where that is a problem."""
        if vote.value is None:
            return NO_LABEL
        key = (vote.criterion_id, len(vote.responses), vote.value)
        try:
            known = self._outcomes.get(key)
        except TypeError:
            known = BadValue(f"label {vote.value!r} is neither a word nor a number")
        if known is None:
            known = self._outcomes[key] = self._read(vote)
        if isinstance(known, BadValue):
            self._recorded.problems.append(
                Problem(file=vote.file, line=vote.line, id=vote.item_id, message="; ".join(known.messages))
            )
            return None
        if isinstance(known, Failure) and known.reason == "out_of_range":
            self._outside[f"numbers outside the scale of {vote.criterion_id}: judgments without a label"] += 1
        return known

    def _read(self, vote: RecordedVote) -> Outcome | BadValue:
        criterion = self._criteria.get(vote.criterion_id)
        if criterion is None:
            return BadValue(f"the design has no criterion {vote.criterion_id!r}; it has {list(self._criteria)!r}")
        scale, value = criterion.scale, vote.value
        if isinstance(scale, IntervalScale) and isinstance(value, int | float) and not isinstance(value, bool):
            if not scale.min <= value <= scale.max:
                return Failure(reason="out_of_range", detail=f"{value:g} is not in {scale.min:g} to {scale.max:g}")
            if scale.integer and value != int(value):
                return Failure(reason="not_an_integer", detail=f"{value:g}")
        try:
            return Label(value=read_label(value, criterion, Candidates(indices=vote.responses)))
        except BadValue as error:
            return error

    def _call_id(self, vote: RecordedVote, judge_id: JudgeId) -> CallId:
        """Names the draw; it is the id of a list of its parts, written by hand because there are many."""
        judge, item = self._written(judge_id), self._written(vote.item_id)
        responses = ",".join(map(str, vote.responses))
        return CallId(id_of_canonical(f'["imported",{judge},{item},[{responses}],"{vote.order}",{vote.sample}]'))

    def _written(self, name: str) -> str:
        known = self._names.get(name)
        if known is None:
            known = self._names[name] = canonical_json(name)
        return known

    def _is_new(self, vote: RecordedVote, judge_id: JudgeId) -> bool:
        key = (judge_id, vote.item_id, vote.responses, vote.criterion_id, vote.order, vote.sample)
        before = self._seen.setdefault(key, (vote.value, vote.line))
        if before == (vote.value, vote.line):
            return True
        if isinstance(before, tuple) and before[0] == vote.value:
            self._outside["judgments that were recorded twice with the same label: kept once"] += 1
        else:
            self._recorded.problems.append(
                Problem(
                    file=vote.file,
                    line=vote.line,
                    id=vote.item_id,
                    message=f"judge {judge_id!r} gave {vote.value!r} here, but "
                    f"{before[0] if isinstance(before, tuple) else before!r} in line "
                    f"{before[1] if isinstance(before, tuple) else 0}: one item judged twice. Number repeated draws "
                    "with sample, or keep one",
                )
            )
        return False


def _decimals(criterion: Criterion) -> Criterion:
    """What people's mean labels are held to: the same scale, between its whole numbers too."""
    scale = criterion.scale
    if isinstance(scale, IntervalScale) and scale.integer:
        return replace(criterion, scale=replace(scale, integer=False))
    return criterion
