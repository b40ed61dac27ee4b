"""Calibrate, don't curate: python -m benchmarks.papers.calibrate [SHARED]  (make paper-calibrate)

Li (arXiv:2605.09702) fits a combiner to all judges' signals in place of keeping the most accurate judges. Here on
triviaqa_judges, nine LLM judges and two baselines without a model: everything that is learned or chosen is learned on
four fifths of the questions and measured on the last. Beside it: whom the judges err with, how much gold it takes, and
the best of four responses by the scores of five judges (rb2_composo).
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.papers.binary import Scores, Verdicts, judge_of, verdicts_of
from benchmarks.papers.calibrate_best_of import best_of_four
from benchmarks.papers.figures import Figure, conclude
from benchmarks.papers.recorded import Recorded, read_reference
from venire.coding.votes import CodedVotes
from venire.errors import UndefinedStatistic
from venire.stats.brier import brier
from venire.stats.cohen_kappa import cohen_kappa, confusion_table
from venire.stats.condorcet import condorcet_ideal
from venire.stats.cross_fitting import assign_folds, cross_fit
from venire.stats.dawid_skene import dawid_skene
from venire.stats.effective_votes import effective_votes
from venire.stats.log_loss import log_loss
from venire.stats.penalised_logistic import logistic_probabilities, penalised_logistic
from venire.stats.phi_correlation import phi_correlations
from venire.stats.reliability_weights import reliability_weights, weighted_plurality

LEXICAL = ("contains", "exact-match")
SEED = 0
N_DRAWS = 20
GOLD_QUESTIONS = (10, 25, 50, 100, 200)
MAJORITY = "majority of nine"
BEST_THREE = "majority of the best three of the other folds"
Items = NDArray[np.intp]
Learner = Callable[[Items, Items], NDArray[np.float64]]


def main(shared: Path) -> int:
    """Print the table and the figures; the exit code says whether a figure differs without a reason."""
    trivia = read_reference(shared / "data" / "triviaqa_judges")
    judges = [name for name in trivia.votes.raters if name not in LEXICAL]
    nine = trivia.votes.only(judges)
    truth = trivia.gold.codes[0].astype(np.intp)
    _, groups = np.unique(np.array(trivia.groups("question_id")), return_inverse=True)
    folds = assign_folds(groups, seed=SEED)
    chances = {
        "Dawid-Skene of nine (without gold)": dawid_skene(nine.codes, nine.present, 2).posterior,
        "combiner of nine": cross_fit(folds, combiner(nine, truth)),
        "combiner of nine and two baselines": cross_fit(folds, combiner(trivia.votes, truth)),
    }
    verdicts = [
        *(_everywhere(name, one.argmax(axis=1)) for name, one in chances.items()),
        _everywhere("best judge of the other folds", cross_fit(folds, best_of(trivia, judges, truth, 1))),
        _everywhere(BEST_THREE, cross_fit(folds, best_of(trivia, judges, truth, 3))),
        _everywhere("log-odds weights of nine", cross_fit(folds, weigher(nine, truth))),
        judge_of(trivia.votes, "gpt-4-turbo"),
        replace(verdicts_of(trivia.votes, judges), name=MAJORITY),
    ]
    scores = Scores(verdicts, trivia, trivia.groups("question_id"))
    for name in scores.names:
        say(f"{name}: kappa {scores.kappa(name)}{_proper(chances[name], truth) if name in chances else ''}")
    together = say_together(nine, truth, scores.row(MAJORITY)["accuracy"].value)
    curve = say_curve(trivia, nine, truth, groups)
    figures = [*claims(scores, curve), *best_of_four(shared / "data" / "rb2_composo")]
    return conclude("calibrate", figures, {"together": together, "curve": curve})


def combiner(votes: CodedVotes, truth: Items) -> Learner:
    """Probabilities by penalised logistic regression over all votes."""
    signals, present = votes.codes.T, votes.present.T

    def fit_and_predict(learn: Items, test: Items) -> NDArray[np.float64]:
        fit = penalised_logistic(signals[learn], present[learn], truth[learn], 2)
        return logistic_probabilities(fit, signals[test], present[test])

    return fit_and_predict


def weigher(votes: CodedVotes, truth: Items) -> Learner:
    """Labels by log-odds weights."""

    def fit_and_predict(learn: Items, test: Items) -> NDArray[np.float64]:
        weights = reliability_weights(votes.codes[:, learn], votes.present[:, learn], truth[learn], 2).weights
        held = weighted_plurality(votes.codes[:, test], votes.present[:, test], weights, 2).held
        return np.asarray(held.argmax(axis=0), dtype=np.float64)

    return fit_and_predict


def best_of(trivia: Recorded, judges: Sequence[str], truth: Items, size: int) -> Learner:
    """The majority of the judges who are most accurate where it learns; a missing or tied vote is incorrect."""

    def fit_and_predict(learn: Items, test: Items) -> NDArray[np.float64]:
        rows = [judge_of(trivia.votes, name) for name in judges]
        right = [(one.codes[learn] == truth[learn])[one.present[learn]].mean() for one in rows]
        kept = [judges[place] for place in np.argsort(right)[::-1][:size]]
        chosen = verdicts_of(trivia.votes, kept)
        return np.where(chosen.present, chosen.codes, 0.0)[test]

    return fit_and_predict


def say_together(votes: CodedVotes, truth: Items, accuracy: float) -> Mapping[str, float]:
    """Whom they err with: effective votes, and the majority if they erred independently."""
    errors = votes.codes != truth
    found = effective_votes(phi_correlations(errors, votes.present))
    by_label = np.array(
        [
            [1 - errors[row, seen & (truth == label)].mean() for label in (0, 1)]
            for row, seen in enumerate(votes.present)
        ]
    )
    ideal = condorcet_ideal(by_label, np.bincount(truth) / len(truth)).accuracy
    say(
        f"\n{found.n_voters} judges are worth {found.n_effective:.2f} votes (mean correlation of errors "
        f"{found.mean_correlation:.3f}); a majority of independent ones would be right in {ideal:.3f}, theirs is in "
        f"{accuracy:.3f}"
    )
    return {"n_effective": found.n_effective, "correlation": found.mean_correlation, "ideal": ideal}


def say_curve(trivia: Recorded, nine: CodedVotes, truth: Items, groups: Items) -> Sequence[Mapping[str, float]]:
    """Mean kappa on all other questions when few have gold."""
    learners = {
        "weights": weigher(nine, truth),
        "combiner of nine": combiner(nine, truth),
        "combiner of nine and two baselines": combiner(trivia.votes, truth),
    }
    majority = verdicts_of(trivia.votes, nine.raters)
    rows = []
    say("\nquestions with gold: mean kappa on the others over 20 draws")
    for n_questions in GOLD_QUESTIONS:
        kappas: dict[str, list[float]] = {name: [] for name in (MAJORITY, *learners)}
        for draw in range(N_DRAWS):
            order = np.random.Generator(np.random.PCG64(draw)).permutation(int(groups.max()) + 1)
            has_gold = np.isin(groups, order[:n_questions])
            learn, test = np.flatnonzero(has_gold), np.flatnonzero(~has_gold)
            kappas[MAJORITY].append(_kappa(majority.codes[test], truth[test]))
            for name, learner in learners.items():
                found = learner(learn, test)
                kappas[name].append(_kappa(found if found.ndim == 1 else found.argmax(axis=1), truth[test]))
        means = {name: float(np.mean(each)) for name, each in kappas.items()}
        say(f"{n_questions}: " + ", ".join(f"{name} {value:.3f}" for name, value in means.items()))
        rows.append({"questions": float(n_questions), **means})
    return rows


def claims(scores: Scores, curve: Sequence[Mapping[str, float]]) -> Iterator[Figure]:
    """The paper's claim and what bounds it, on these data."""
    nine, more = "combiner of nine", "combiner of nine and two baselines"
    best = "gpt-4-turbo"
    for one, other, reason in (
        (nine, MAJORITY, ""),
        (nine, BEST_THREE, "not told apart on 400 questions"),
        (nine, best, "not told apart from the best judge of all, whom nobody knows beforehand"),
        (more, best, ""),
    ):
        gain = scores.kappa_difference(one, other)
        yield Figure(
            name=f"claim: {one} beats {other}, kappa difference {gain}",
            source=None,
            measured=gain.value,
            holds=gain.low > 0,
            reason=reason,
        )
    first = curve[0]
    yield Figure(
        name=f"claim: gold on {first['questions']:.0f} questions is enough, on average, to match the majority of nine",
        source=None,
        measured=first[nine] - first[MAJORITY],
        holds=first[nine] >= first[MAJORITY],
    )


def _everywhere(name: str, codes: NDArray[np.number]) -> Verdicts:
    return Verdicts(name=name, codes=codes.astype(np.float64), present=np.ones(codes.shape, dtype=np.bool_))


def _proper(chances: NDArray[np.float64], truth: Items) -> str:
    try:
        loss = f"{log_loss(chances, truth).loss:.3f}"
    except UndefinedStatistic as error:
        loss = f"undefined ({error})"
    return f"  log loss {loss}  Brier {brier(chances, truth).loss:.3f}"


def _kappa(codes: NDArray[np.number], truth: Items) -> float:
    return cohen_kappa(confusion_table(codes, truth, 2)).kappa


def say(line: str) -> None:
    """Print at once, so that a pipe sees it."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")))
