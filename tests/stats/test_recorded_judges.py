"""What the statistics say of public judgments of nine LLM judges: figures measured before by other code."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from venire.stats.cohen_kappa import cohen_kappa, confusion_table
from venire.stats.condorcet import condorcet_ideal
from venire.stats.cross_fitting import assign_folds, cross_fit
from venire.stats.dawid_skene import dawid_skene
from venire.stats.effective_votes import effective_votes
from venire.stats.penalised_logistic import logistic_probabilities, penalised_logistic
from venire.stats.phi_correlation import phi_correlations

DATA = Path(__file__).parents[3] / "shared" / "data"
LABELS = {"incorrect": 0, "correct": 1, "A": 0, "B": 1}
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the recorded judgments of ../shared/data are not here")
Codes = NDArray[np.int64]


def rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def table(name: str, rater_of: str, *, prompt: str | None = None) -> tuple[Codes, Codes, list[dict[str, str]]]:
    """Codes (n_voters, n_items), −1 where missing, and gold; `rater_of` formats the fields of a judgment."""
    items = rows(DATA / name / "items.jsonl.gz")
    column = {item["id"]: place for place, item in enumerate(items)}
    found = [row for row in rows(DATA / name / "judgments.jsonl.gz") if prompt in (None, row["prompt"])]
    raters = sorted({rater_of.format(**row) for row in found} - {"contains", "exact-match"})
    codes = np.full((len(raters), len(items)), -1)
    for row in found:
        if (rater := rater_of.format(**row)) in raters and row["label"] is not None:
            codes[raters.index(rater), column[row["item_id"]]] = LABELS[row["label"]]
    return codes, np.array([LABELS[item["gold"]] for item in items]), items


@pytest.fixture(scope="module")
def trivia() -> tuple[Codes, Codes, Codes]:
    codes, gold, items = table("triviaqa_judges", "{judge}")
    _, groups = np.unique([item["question_id"] for item in items], return_inverse=True)
    return codes, gold, groups


def test_dawid_skene_of_the_nine_judges_has_kappa_827(trivia: tuple[Codes, Codes, Codes]) -> None:
    codes, gold, _ = trivia

    fit = dawid_skene(codes, codes >= 0, 2)

    assert len(codes) == 9
    assert cohen_kappa(confusion_table(fit.posterior.argmax(axis=1), gold, 2)).kappa == pytest.approx(0.827, abs=5e-4)


@pytest.mark.parametrize(("prompt", "share"), [("Metrics_Reference", 0.779), ("Vanilla_NoRules", 0.591)])
def test_dawid_skene_fails_where_judges_share_a_position_bias(prompt: str, share: float) -> None:
    """Judge and order together are a voter; a tied posterior counts as A."""
    codes, gold, _ = table("llmbar", "{judge} {order}", prompt=prompt)

    fit = dawid_skene(codes, codes >= 0, 2)

    says_b = fit.posterior[:, 1] > fit.posterior[:, 0] + 1e-9
    assert (says_b == gold).mean() == pytest.approx(share, abs=1e-3)


def test_nine_judges_are_worth_fewer_than_three(trivia: tuple[Codes, Codes, Codes]) -> None:
    codes, gold, _ = trivia

    found = effective_votes(phi_correlations(codes != gold, codes >= 0))

    assert found.n_effective == pytest.approx(2.75, abs=0.005)


def test_their_majority_falls_short_of_independent_voters(trivia: tuple[Codes, Codes, Codes]) -> None:
    codes, gold, _ = trivia
    by_label = np.array([[(row == label)[(row >= 0) & (gold == label)].mean() for label in (0, 1)] for row in codes])

    ideal = condorcet_ideal(by_label, np.bincount(gold) / len(gold))

    majority = (codes == 1).sum(axis=0) > (codes == 0).sum(axis=0)
    assert ideal.accuracy > 0.99
    assert (majority == gold).mean() < 0.94


def test_a_cross_fitted_combiner_beats_the_majority(trivia: tuple[Codes, Codes, Codes]) -> None:
    codes, gold, groups = trivia
    signals, present = codes.T.astype(float), codes.T >= 0

    def fit_and_predict(learn: NDArray[np.intp], test: NDArray[np.intp]) -> NDArray[np.float64]:
        fit = penalised_logistic(signals[learn], present[learn], gold[learn], 2)
        return logistic_probabilities(fit, signals[test], present[test])

    found = cross_fit(assign_folds(groups), fit_and_predict).argmax(axis=1)

    majority = (codes == 1).sum(axis=0) > (codes == 0).sum(axis=0)
    assert cohen_kappa(confusion_table(majority.astype(int), gold, 2)).kappa == pytest.approx(0.83, abs=1e-3)
    assert cohen_kappa(confusion_table(found, gold, 2)).kappa > 0.86
