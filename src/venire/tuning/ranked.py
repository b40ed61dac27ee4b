"""A run's systems ranked: by the panel's verdicts, by every judge alone, and held to a reference."""

from collections.abc import Iterator, Mapping

from venire.coding.votes import CodedVotes
from venire.collected import Collected
from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId
from venire.domain.standing import RankedBy, Ranking, RaterStandings, Standing
from venire.errors import UsageError
from venire.ranking.agreement import tau_finding, tau_of
from venire.ranking.contests import Contests, contests_of
from venire.ranking.standings import Ranked, rank_contests
from venire.tuning.replay import Decisions, own_variant

GOLD = "gold"
FEW = 10
_NO_REFERENCE = Undefined("there is no gold and no reference ranking")


def rank_run(
    collected: Collected,
    *,
    criterion_id: CriterionId | None = None,
    reference: Mapping[str, float] | None = None,
    reference_name: str = "the reference",
    seed: int = 0,
) -> Ranking:
    """Rank the systems of a run. No judge is asked.

    Args:
        criterion_id: of several, the one to look at; by default the first.
        reference: by system, a score, higher is better; by default that of gold, where there is gold.
        reference_name: of the reference, for the reader.
        seed: of the resamples.

    Raises:
        UsageError: there is no such criterion, or nothing that can be ranked: fewer than two systems.
    """
    criterion = criterion_id or collected.design.rubric.criteria[0].id
    if criterion not in collected.draws:
        raise UsageError(f"There is no criterion {criterion!r} in this run; it has {list(collected.draws)!r}.")
    decisions, own = Decisions(collected, criterion), own_variant(collected, criterion)
    contests = _contests(decisions.of(own), collected)
    if len(contests.systems) < 2:
        known = f"only {contests.systems[0]!r}" if contests.systems else "none"
        raise UsageError(
            f"A ranking needs at least two systems, and the items name {known}. Name the system of each response: "
            '{"responses": [{"system": "…", "text": "…"}]}, or system and system_1, system_2 in CSV.'
        )
    ranked = rank_contests(contests, seed=seed)
    order = _order(ranked.standings, ranked.by)
    votes = decisions.votes_of(criterion, own)
    alone = {judge: _scores_by(votes.only([judge]), collected, ranked.by, seed) for judge in votes.raters}
    gold = collected.gold.get(criterion)
    name = reference_name
    if gold is not None:
        alone[GOLD] = _scores_by(gold, collected, ranked.by, seed)
        if reference is None:
            reference, name = alone[GOLD], GOLD
    return Ranking(
        criterion_id=criterion,
        by=ranked.by,
        score_name=contests.score_name,
        standings=ranked.standings,
        raters=tuple(_rater(rater, scores, order, reference) for rater, scores in alone.items()),
        reference=None if reference is None else name,
        reference_tau=_NO_REFERENCE
        if reference is None
        else tau_finding(order, reference, about=f"panel and {name}", seed=seed),
        notes=(*ranked.notes, *_notes(contests, ranked)),
        seed=seed,
    )


def _contests(votes: CodedVotes, collected: Collected) -> Contests:
    by_id = {item.id: item for item in collected.items}
    systems = [
        tuple(by_id[subject.item_id].responses[index].system for index in subject.responses)
        for subject in collected.subjects
    ]
    return contests_of(votes, systems, collected.groups)


def _scores_by(votes: CodedVotes, collected: Collected, by: RankedBy, seed: int) -> dict[str, float]:
    """What one rater alone gives the systems; where its battles have no strengths, its win rates are an order too."""
    ranked = rank_contests(_contests(votes, collected), seed=seed)
    return _order(ranked.standings, by if ranked.by == by else "score")


def _rater(
    name: str, scores: Mapping[str, float], panel: Mapping[str, float], reference: Mapping[str, float] | None
) -> RaterStandings:
    told = sorted(scores.items(), key=lambda one: (-one[1], one[0]))
    return RaterStandings(
        rater=name,
        scores=tuple(told),
        tau=tau_of(panel, scores),
        tau_with_reference=_NO_REFERENCE if reference is None else tau_of(scores, reference),
    )


def _order(standings: tuple[Standing, ...], by: RankedBy) -> dict[str, float]:
    found: dict[str, float] = {}
    for row in standings:
        figure = row.strength if by == "strength" else row.score
        if not isinstance(figure, Undefined) and not isinstance(figure.value, Undefined):
            found[row.system] = figure.value
    return found


def _notes(contests: Contests, ranked: Ranked) -> Iterator[str]:
    if contests.n_unnamed:
        yield (f"{contests.n_unnamed:,} subjects are left out: a response names no system, or a system meets itself.")
    if contests.n_both_bad:
        yield f"{contests.n_both_bad:,} battles were judged bad on both sides: they count for nobody."
    n_undecided = int(contests.undecided.sum())
    if n_undecided:
        what = "battles" if contests.games is not None else "responses"
        yield f"Undecided {what} count for nobody; the table shows how many each system has."
    unjudged = [row.system for row in ranked.standings if row.score.n == 0]
    if unjudged:
        yield f"No verdict on {', '.join(unjudged)}: nothing can be said of them."
    few = [row.system for row in ranked.standings if 0 < row.score.n < FEW]
    if few:
        yield f"Fewer than {FEW} verdicts on {', '.join(few)}: their places are next to chance."
