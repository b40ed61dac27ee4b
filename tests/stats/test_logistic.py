"""Penalised logistic regression and conditional logit: other implementations, laws, missing signals, refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from venire.errors import UndefinedStatistic
from venire.stats.conditional_logit import ConditionalLogitFit, choice_probabilities, conditional_logit
from venire.stats.newton import Local, minimise
from venire.stats.penalised_logistic import LogisticFit, logistic_probabilities, penalised_logistic
from venire.stats.standardised_signals import learn_standardisation, standardise

Floats = NDArray[np.float64]


def labelled(n_labels: int, n_items: int = 300, seed: int = 0) -> tuple[Floats, NDArray[np.intp]]:
    """Four signals, of which two tell of the label."""
    generator = np.random.default_rng(seed)
    signals = generator.normal(size=(n_items, 4)) * [1, 5, 0.1, 1] + [0, 3, 0, -1]
    scores = np.outer(signals[:, 0], np.arange(n_labels)) + np.outer(signals[:, 1] / 5, np.arange(n_labels)[::-1])
    return signals, (scores + generator.gumbel(size=scores.shape)).argmax(axis=1)


def everywhere(signals: Floats) -> NDArray[np.bool_]:
    return np.ones(signals.shape, dtype=np.bool_)


def probabilities(signals: Floats, labels: NDArray[np.intp], n_labels: int, penalty: float = 1.0) -> Floats:
    fit = penalised_logistic(signals, everywhere(signals), labels, n_labels, penalty=penalty)
    assert fit.converged
    return logistic_probabilities(fit, signals, everywhere(signals))


@pytest.mark.parametrize("n_labels", [2, 3, 5])
@pytest.mark.parametrize("penalty", [0.1, 1.0, 30.0])
def test_probabilities_are_scikit_learns(n_labels: int, penalty: float) -> None:
    signals, labels = labelled(n_labels)
    scaled = (signals - signals.mean(axis=0)) / signals.std(axis=0)

    theirs = LogisticRegression(C=1 / penalty, tol=1e-10, max_iter=5000).fit(scaled, labels).predict_proba(scaled)

    assert probabilities(signals, labels, n_labels, penalty) == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("n_labels", [2, 3])
def test_units_of_signals_and_the_order_of_items_change_nothing(n_labels: int) -> None:
    signals, labels = labelled(n_labels)
    order = np.random.default_rng(1).permutation(len(labels))

    other = probabilities(signals[order] * [2, -3, 100, 1] + [5, 0, 0, 1e3], labels[order], n_labels)

    assert other == pytest.approx(probabilities(signals, labels, n_labels)[order], abs=1e-7)


@pytest.mark.parametrize("n_labels", [2, 3])
def test_names_of_labels_change_nothing(n_labels: int) -> None:
    signals, labels = labelled(n_labels)
    names = np.roll(np.arange(n_labels), 1)

    assert probabilities(signals, names[labels], n_labels)[:, names] == pytest.approx(
        probabilities(signals, labels, n_labels), abs=1e-7
    )


@pytest.mark.parametrize("n_labels", [2, 4])
def test_mean_probabilities_are_the_shares_of_labels_since_intercepts_are_free(n_labels: int) -> None:
    signals, labels = labelled(n_labels)

    found = probabilities(signals, labels, n_labels, penalty=50.0)

    assert found.mean(axis=0) == pytest.approx(np.bincount(labels, minlength=n_labels) / len(labels), abs=1e-6)


def test_a_doubled_signal_shares_its_weight() -> None:
    signals, labels = labelled(2)
    doubled = np.concatenate([signals, signals[:, :1]], axis=1)

    fit = penalised_logistic(doubled, everywhere(doubled), labels, 2)

    assert fit.weights[0, 0] == pytest.approx(fit.weights[0, 4])


def test_signals_that_separate_labels_are_fitted_all_the_same() -> None:
    signals, labels = np.array([[1.0], [2.0], [8.0], [9.0]]), np.array([0, 0, 1, 1])

    fit = penalised_logistic(signals, everywhere(signals), labels, 2, penalty=1e-6)

    assert fit.converged
    assert logistic_probabilities(fit, signals, everywhere(signals)).argmax(axis=1).tolist() == [0, 0, 1, 1]


def test_a_judge_below_chance_carries_signal() -> None:
    labels = np.arange(200) % 2
    opposite = 1.0 - labels[:, None]

    assert (probabilities(opposite, labels, 2).argmax(axis=1) == labels).all()


@given(data=st.data())
@settings(max_examples=30)
def test_any_table_of_signals_converges_to_probabilities(data: st.DataObject) -> None:
    n_items, n_labels = data.draw(st.integers(4, 15)), data.draw(st.integers(2, 3))
    cells = data.draw(st.lists(st.integers(-3, 3), min_size=2 * n_items, max_size=2 * n_items))
    signals = np.array(cells, dtype=float).reshape(n_items, 2)
    present = np.abs(signals) < 3

    fit = penalised_logistic(signals, present, np.arange(n_items) % n_labels, n_labels)

    found = logistic_probabilities(fit, signals, present)
    assert fit.converged
    assert found.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("garbage", [float("nan"), 1e300])
def test_what_lies_under_a_missing_signal_is_never_read(garbage: float) -> None:
    signals, labels = labelled(2)
    present = np.random.default_rng(2).random(signals.shape) < 0.7

    clean, soiled = (
        logistic_probabilities(penalised_logistic(given, present, labels, 2), given, present)
        for given in (np.where(present, signals, 0.0), np.where(present, signals, garbage))
    )

    assert np.array_equal(clean, soiled)


def test_that_a_signal_is_missing_is_a_signal_itself() -> None:
    labels = np.arange(100) % 2
    present = (labels == 0)[:, None]

    fit = penalised_logistic(np.zeros((100, 1)), present, labels, 2)

    found = logistic_probabilities(fit, np.zeros((100, 1)), present)
    assert (found.argmax(axis=1) == labels).all()


def test_a_signal_that_never_was_there_or_never_changed_says_nothing() -> None:
    signals, labels = labelled(2)
    more = np.concatenate([signals, np.full((300, 1), 0.1), np.zeros((300, 1))], axis=1)
    present = everywhere(more)
    present[:, 5] = False

    fit = penalised_logistic(more, present, labels, 2)

    assert logistic_probabilities(fit, more, present) == pytest.approx(probabilities(signals, labels, 2), abs=1e-9)


def test_standardised_columns_have_mean_0_and_variance_1_with_gaps_at_0() -> None:
    signals, _ = labelled(2)
    present = np.random.default_rng(3).random(signals.shape) < 0.6

    columns = standardise(learn_standardisation(signals, present), signals, present)

    assert columns.shape == (300, 8)
    assert columns.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert columns[:, 4:].std(axis=0) == pytest.approx(1)
    assert (columns[:, :4][~present] == 0).all()


def test_a_label_that_does_not_occur_is_said() -> None:
    with pytest.raises(UndefinedStatistic, match="label 2 is the true one of none of 2 items"):
        penalised_logistic(np.zeros((2, 1)), np.ones((2, 1), dtype=bool), np.array([0, 1]), 3)


@pytest.mark.parametrize(
    ("signal", "labels", "penalty"),
    [(0.0, [0, 2], 1.0), (0.0, [0, 1], 0.0), (float("nan"), [0, 1], 1.0), (0.0, [0], 1.0)],
)
def test_what_cannot_be_fitted_is_refused(signal: float, labels: list[int], penalty: float) -> None:
    with pytest.raises(ValueError, match=r"is not one of|penalty|signal \(0, 0\)|shapes"):
        penalised_logistic(np.full((2, 1), signal), np.ones((2, 1), dtype=bool), np.array(labels), 2, penalty=penalty)


def choices(n_alternatives: int, n_items: int = 200) -> tuple[Floats, NDArray[np.bool_], NDArray[np.intp]]:
    """Three signals, of which the first tells of the best; some items have an alternative less."""
    generator = np.random.default_rng(5)
    signals = generator.normal(size=(n_items, n_alternatives, 3)) + generator.normal(size=(n_items, 1, 1)) * 10
    offered = np.ones((n_items, n_alternatives), dtype=bool)
    offered[::7, -1] = n_alternatives == 2
    scores = np.where(offered, 1.5 * signals[:, :, 0] + generator.gumbel(size=offered.shape), -np.inf)
    return signals, offered, scores.argmax(axis=1)


def fitted(signals: Floats, offered: NDArray[np.bool_], best: NDArray[np.intp]) -> tuple[ConditionalLogitFit, Floats]:
    fit = conditional_logit(signals, everywhere(signals), offered, best)
    assert fit.converged
    return fit, choice_probabilities(fit, signals, everywhere(signals), offered)


def test_of_two_alternatives_it_is_a_logistic_regression_of_differences() -> None:
    signals, offered, best = choices(2)
    fit, found = fitted(signals, offered, best)
    differences = (signals[:, 1] - signals[:, 0]) / fit.deviations

    theirs = LogisticRegression(C=1.0, fit_intercept=False, tol=1e-10, max_iter=5000).fit(differences, best)

    assert found == pytest.approx(theirs.predict_proba(differences), abs=1e-6)


def test_of_four_alternatives_it_is_what_scipy_finds() -> None:
    signals, offered, best = choices(4)
    fit, _ = fitted(signals, offered, best)

    def loss(weights: Floats) -> float:
        total = 0.5 * float(weights @ weights)
        for item, there in enumerate(offered):
            scores = (signals[item] / fit.deviations) @ weights
            total += float(np.log(np.exp(scores[there] - scores[best[item]]).sum()))
        return total

    theirs = minimize(loss, np.zeros(3), tol=1e-12)

    assert fit.weights == pytest.approx(theirs.x, abs=1e-4)
    assert 0.5 * fit.weights @ fit.weights - fit.log_likelihood == pytest.approx(theirs.fun)


def test_a_number_added_to_all_alternatives_of_an_item_changes_nothing() -> None:
    signals, offered, best = choices(4)
    shift = np.random.default_rng(0).normal(size=(len(best), 1, 3)) * 100

    assert fitted(signals + shift, offered, best)[1] == pytest.approx(fitted(signals, offered, best)[1], abs=1e-6)


def test_where_an_alternative_stands_changes_nothing() -> None:
    signals, offered, best = choices(4)

    turned = fitted(signals[:, ::-1], offered[:, ::-1], 3 - best)[1]

    assert turned[:, ::-1] == pytest.approx(fitted(signals, offered, best)[1], abs=1e-6)


def test_what_is_not_offered_has_no_chance_and_is_never_read() -> None:
    signals, offered, best = choices(4)
    soiled = np.where(offered[:, :, None], signals, 1e6)

    found = fitted(soiled, offered, best)[1]

    assert (found[~offered] == 0).all()
    assert np.array_equal(found, fitted(signals, offered, best)[1])


def test_a_missing_score_is_flagged_and_moves_no_other() -> None:
    signals, offered, best = choices(4)
    present = np.random.default_rng(9).random(signals.shape) < 0.8

    fit = conditional_logit(np.where(present, signals, np.nan), present, offered, best)

    found = choice_probabilities(fit, np.where(present, signals, np.nan), present, offered)
    assert fit.flagged.tolist() == [0, 1, 2]
    assert (found.argmax(axis=1) == best).mean() > 0.5


def test_a_flag_is_scaled_by_how_far_it_lies_from_its_items_mean() -> None:
    """Missing in one of two alternatives of every other item: ± ½ in half of them, 0 where both are there."""
    signals, present = np.zeros((4, 2, 1)), np.ones((4, 2, 1), dtype=bool)
    present[::2, 0] = False

    fit = conditional_logit(signals, present, np.ones((4, 2), dtype=bool), np.array([1, 0, 1, 1]))

    assert fit.deviations == pytest.approx([0.0, 0.5 / np.sqrt(2)])
    assert fit.weights[1] < 0


def test_items_with_one_alternative_teach_nothing() -> None:
    with pytest.raises(UndefinedStatistic, match="none of 2 items offers two alternatives"):
        conditional_logit(
            np.zeros((2, 2, 1)), np.ones((2, 2, 1), dtype=bool), np.array([[True, False]] * 2), np.zeros(2)
        )


@pytest.mark.parametrize("best", [2, -1, 0.5, 1])
def test_a_best_alternative_that_is_not_on_offer_is_refused(best: float) -> None:
    offered = np.array([[True, False], [True, True]])

    with pytest.raises(ValueError, match="item 0: the best alternative"):
        conditional_logit(np.zeros((2, 2, 1)), np.ones((2, 2, 1), dtype=bool), offered, np.array([best, 0]))


def test_newton_halves_steps_that_go_too_far() -> None:
    """log cosh: from far away a whole Newton step goes further away still."""

    def log_cosh(x: Floats) -> Local:
        return Local(float(np.logaddexp(x[0], -x[0])), np.tanh(x), np.diag(np.maximum(1 - np.tanh(x) ** 2, 1e-12)))

    found = minimise(log_cosh, np.array([3.0]), scale=1.0)

    assert found.converged
    assert found.point == pytest.approx([0.0], abs=1e-8)


def test_a_fit_is_the_same_bytes_again() -> None:
    signals, labels = labelled(3)

    first, second = (penalised_logistic(signals, everywhere(signals), labels, 3) for _ in range(2))

    assert isinstance(first, LogisticFit)
    assert first.weights.tobytes() == second.weights.tobytes()
