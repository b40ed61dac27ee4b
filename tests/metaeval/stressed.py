"""Simulated panels of judges on numbers, for the tests of stress."""

import numpy as np

from venire.metaeval.stressed_votes import LabelKind, StressedVotes


def panel(n_judges: int, n_items: int = 60, n_dims: int = 3, *, seed: int = 0, sd: float = 0.5) -> StressedVotes:
    """Judges that err on their own around gold, on a scale of 1 to 5."""
    generator = np.random.default_rng(seed)
    gold = generator.uniform(2, 4, (n_items, n_dims))
    values = np.clip(gold + generator.normal(0, sd, (n_judges, n_items, n_dims)), 1, 5)
    return StressedVotes(
        values=values,
        present=np.ones(values.shape, dtype=np.bool_),
        low=np.ones((n_items, n_dims)),
        high=np.full((n_items, n_dims), 5.0),
        zero=np.zeros((n_items, n_dims)),
        gold=gold,
    )


def labelled(n_judges: int, n_items: int = 80, *, seed: int = 0, accuracy: float = 0.8) -> StressedVotes:
    """Judges of two labels who are right with this chance."""
    generator = np.random.default_rng(seed)
    gold = generator.integers(0, 2, (n_items, 1)).astype(float)
    right = generator.random((n_judges, n_items, 1)) < accuracy
    return StressedVotes(
        values=np.where(right, gold, 1 - gold),
        present=np.ones((n_judges, n_items, 1), dtype=np.bool_),
        low=np.zeros((n_items, 1)),
        high=np.ones((n_items, 1)),
        zero=np.zeros((n_items, 1)),
        gold=gold,
        labels=LabelKind(n_labels=np.full(n_items, 2), is_ordered=False),
    )
