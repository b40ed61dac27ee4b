"""Choosing on a third of the questions, measuring on the rest: what a chosen judge or panel is worth."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from benchmarks.papers.binary import verdicts_of
from benchmarks.papers.figures import Figure
from benchmarks.papers.recorded import Recorded
from venire.stats.cohen_kappa import kappa_of_tables

N_SPLITS = 200
SEED = 0
SOURCES = {1: 0.864, 3: 0.864, 5: 0.857, 9: 0.831}
"""By size, the mean kappa on the questions that were not chosen on."""


def choose_out_of_sample(trivia: Recorded, judges: Sequence[str]) -> Iterator[Figure]:
    """The majority panel of each size that is best on a random third of the questions, on the other two thirds."""
    _, question = np.unique(np.array(trivia.groups("question_id")), return_inverse=True)
    n_questions = int(question.max()) + 1
    gold = trivia.gold.codes[0].astype(np.intp)
    tables = {
        size: _tables([verdicts_of(trivia.votes, panel) for panel in combinations(judges, size)], gold, question)
        for size in SOURCES
    }
    generator = np.random.Generator(np.random.PCG64(SEED))
    picked = np.zeros((N_SPLITS, n_questions))
    for split in picked:
        split[generator.permutation(n_questions)[: n_questions // 3]] = 1
    for size, source in SOURCES.items():
        flat = tables[size].reshape(n_questions, -1)
        seen = kappa_of_tables((picked @ flat).reshape(-1, 2, 2)).values.reshape(N_SPLITS, -1)
        unseen = kappa_of_tables(((1 - picked) @ flat).reshape(-1, 2, 2)).values.reshape(N_SPLITS, -1)
        chosen = unseen[np.arange(N_SPLITS), seen.argmax(axis=1)]
        what = "judge" if size == 1 else f"panel of {size}"
        yield Figure(
            name=f"triviaqa kappa on unseen questions, best {what} chosen on a third (mean of {N_SPLITS} splits)",
            source=source,
            measured=float(chosen.mean()),
            reason=f"other random splits; their standard deviation is {chosen.std():.3f}",
        )


def _tables(panels: Sequence[object], gold: np.ndarray, question: np.ndarray) -> np.ndarray:
    n_questions = int(question.max()) + 1
    tables = np.zeros((n_questions, len(panels), 4))
    for row, panel in enumerate(panels):
        cells = (question * 4 + panel.codes.astype(np.intp) * 2 + gold)[panel.present]
        tables[:, row] = np.bincount(cells, minlength=n_questions * 4).reshape(n_questions, 4)
    return tables
