"""A calibrated combiner of judges without a language model: python -m benchmarks.papers.evouna_combiner [SHARED]

(make paper-evouna) EVOUNA's answers of five systems with a human label each. Containment alone has kappa .68 over all
24,789 answers to proper questions. Here a penalised logistic regression over containment, exact and soft, and MiniLM
similarities is fitted and judged on questions of their own: cross-fitted by question, so that it never marks an answer
to a question it has learned from.

The sample: questions in ascending order of their text, shuffled by seed 0. The signals were written with the first
1,200 in view; these are left out, and the next 500 are taken, all systems' answers to each.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.papers.binary import Estimate
from benchmarks.papers.evouna_signals import Answer, embed, signals_of
from benchmarks.papers.figures import Figure, conclude
from benchmarks.papers.recorded import Row, rows
from venire.providers.containment import contains
from venire.stats.brier import brier
from venire.stats.cluster_bootstrap import percentile_interval, resampled_sums
from venire.stats.cohen_kappa import kappa_of_tables
from venire.stats.cross_fitting import assign_folds, cross_fit
from venire.stats.expected_calibration_error import expected_calibration_error
from venire.stats.log_loss import log_loss
from venire.stats.penalised_logistic import logistic_probabilities, penalised_logistic

SEED = 0
N_SEEN = 1200
N_QUESTIONS = 500
N_RESAMPLES = 2000
SIMILARITIES = ("sentence_similarity", "response_similarity", "similarity_with_question")
Truth = NDArray[np.intp]


def main(shared: Path) -> int:
    """Print the table and the figures; the exit code says whether a figure differs without a reason."""
    proper = [row for row in rows(shared / "data" / "evouna" / "items.jsonl.gz") if row["gold"] and not row["improper"]]
    sample = sample_of(proper)
    answers = [_answer(row) for row in sample]
    vectors = embed(answers)
    found = [signals_of(answer, vectors) for answer in answers]
    _, groups = np.unique(np.array([_question(row) for row in sample]), return_inverse=True)
    truth = _truth(sample)
    say(f"{len(sample):,} answers of five systems to {groups.max() + 1} questions; {truth.mean():.3f} are correct")
    names = list(found[0])
    combiners = {
        "containment, calibrated": ["contained"],
        "containment and three similarities": ["contained", *SIMILARITIES],
        "all signals": names,
    }
    verdicts = {"containment": np.array([one["contained"] for one in found]).astype(np.intp)}
    losses: dict[str, Mapping[str, float]] = {}
    for name, kept in combiners.items():
        chances = combine(found, kept, truth, groups)
        verdicts[name] = chances.argmax(axis=1)
        losses[name] = {
            "log loss": log_loss(chances, truth).loss,
            "Brier": brier(chances, truth).loss,
            "calibration error": expected_calibration_error(chances, truth).error,
        }
    kappas = kappa_table(verdicts, truth, groups)
    for name, kappa in kappas.items():
        more = "  ".join(f"{key} {value:.3f}" for key, value in losses.get(name, {}).items())
        say(f"{name}: kappa {kappa}  {more}".rstrip())
    figures = figures_of(kappas, losses, len(sample), _kappa_of_all(proper))
    return conclude("evouna", figures, {"kappa": {k: str(v) for k, v in kappas.items()}, "losses": losses})


def sample_of(proper: Sequence[Row]) -> list[Row]:
    """The answers to the questions drawn."""
    questions = sorted({_question(row) for row in proper})
    order = np.random.Generator(np.random.PCG64(SEED)).permutation(len(questions))
    kept = {questions[place] for place in order[N_SEEN : N_SEEN + N_QUESTIONS]}
    return [row for row in proper if _question(row) in kept]


def combine(
    found: Sequence[Mapping[str, float]], names: Sequence[str], truth: Truth, groups: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Probabilities of both labels, each answer's learned from the answers to other questions."""
    signals = np.array([[one[name] for name in names] for one in found])
    present = np.ones(signals.shape, dtype=np.bool_)

    def fit_and_predict(learn: NDArray[np.intp], test: NDArray[np.intp]) -> NDArray[np.float64]:
        fit = penalised_logistic(signals[learn], present[learn], truth[learn], 2)
        return logistic_probabilities(fit, signals[test], present[test])

    return cross_fit(assign_folds(groups, seed=SEED), fit_and_predict)


def kappa_table(
    verdicts: Mapping[str, NDArray[np.intp]], truth: Truth, groups: NDArray[np.intp]
) -> Mapping[str, Estimate]:
    """Kappa with people of every row, and of the last minus the first, resampling questions."""
    n_groups = int(groups.max()) + 1
    tables = np.zeros((n_groups, len(verdicts), 4))
    for row, codes in enumerate(verdicts.values()):
        cells = groups * 4 + codes * 2 + truth
        tables[:, row] = np.bincount(cells, minlength=n_groups * 4).reshape(n_groups, 4)
    drawn = resampled_sums(tables, N_RESAMPLES, SEED).reshape(N_RESAMPLES, -1, 2, 2)
    whole = kappa_of_tables(tables.sum(axis=0).reshape(-1, 2, 2)).values
    resampled = np.stack([kappa_of_tables(drawn[:, row]).values for row in range(len(verdicts))])
    result = {name: _estimate(whole[row], resampled[row]) for row, name in enumerate(verdicts)}
    return result | {"all signals minus containment": _estimate(whole[-1] - whole[0], resampled[-1] - resampled[0])}


def figures_of(
    kappas: Mapping[str, Estimate], losses: Mapping[str, Mapping[str, float]], n: int, of_all: float
) -> list[Figure]:
    """What the project's own requirement says, beside what was measured."""
    reached, gain = kappas["all signals"].value, kappas["all signals minus containment"]
    ours, alone = losses["all signals"], losses["containment, calibrated"]
    return [
        Figure(name="kappa of containment, all 24,789 proper answers", source=0.68, measured=of_all, decimals=2),
        Figure(name="answers in the sample, >= 1,200", source=None, measured=n, decimals=0, holds=n >= 1200),
        Figure(name="kappa of all signals, >= .77", source=None, measured=reached, holds=reached >= 0.77),
        Figure(name=f"gain over containment above 0: {gain}", source=None, measured=gain.value, holds=gain.low > 0),
        *(
            Figure(
                name=f"{key} below that of containment", source=None, measured=ours[key], holds=ours[key] < alone[key]
            )
            for key in ("log loss", "Brier")
        ),
    ]


def _kappa_of_all(proper: Sequence[Row]) -> float:
    truth = _truth(proper)
    verdicts = np.array([contains(row["answers"][0]["text"] or "", row["reference"]) for row in proper])
    table = np.bincount(verdicts.astype(np.intp) * 2 + truth, minlength=4).reshape(1, 2, 2)
    return float(kappa_of_tables(table.astype(np.float64)).values[0])


def _answer(row: Row) -> Answer:
    response = row["answers"][0]["text"] or ""
    return Answer(question=row["prompt"], response=response, reference=tuple(row["reference"]))


def _question(row: Row) -> str:
    return f"{row['subset']}/{row['prompt']}"


def _truth(found: Sequence[Row]) -> Truth:
    return np.array([row["gold"] == "correct" for row in found]).astype(np.intp)


def _estimate(value: float, resampled: NDArray[np.float64]) -> Estimate:
    interval = percentile_interval(resampled, np.ones(len(resampled), dtype=np.bool_))
    return Estimate(value=float(value), low=interval.low, high=interval.high)


def say(line: str) -> None:
    """Print at once, so that a pipe sees it."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")))
