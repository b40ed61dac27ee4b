"""Speed of statistics beside other implementations: python -m benchmarks.speed_of_statistics [SHARED]

The name is not "statistics": scripts of this folder would find it in place of the standard library's.

Everything is synthetic and seeded unless a data set is named. scipy and scikit-learn, krippendorff and evalica run in
the same process (requirements/oracles.txt), once each, on what they can do in some seconds. Times are the best of five.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.bounds import Bound, conclude, say
from benchmarks.timing import best_of, peak_mb
from venire.metaeval.intervals import N_RESAMPLES
from venire.stats.alike_groups import find_alike, resampled_alike
from venire.stats.bradley_terry import fit_bradley_terry
from venire.stats.bradley_terry_resamples import Games, resample_bradley_terry
from venire.stats.cohen_kappa import kappa_of_tables
from venire.stats.krippendorff_alpha import krippendorff_alpha

N_BATTLES, N_SYSTEMS, N_PROMPTS, N_REFITS = 1_000_000, 100, 10_000, 1_000


def bounds(shared: Path) -> Iterator[Bound]:
    """Every bound, as it is measured."""
    # First, while this process holds nothing else: its memory is a bound.
    yield from ranking()
    yield kappa()
    yield alpha()
    yield from commands(shared)


def ranking() -> Iterator[Bound]:
    """Bradley-Terry strengths of 100 systems and 1,000 resamples."""
    import evalica

    generator = np.random.default_rng(0)
    first = generator.integers(0, N_SYSTEMS, N_BATTLES)
    second = (first + generator.integers(1, N_SYSTEMS, N_BATTLES)) % N_SYSTEMS
    strengths = generator.normal(0, 1, N_SYSTEMS)
    won = generator.random(N_BATTLES) < 1 / (1 + np.exp(strengths[second] - strengths[first]))
    score = np.where(generator.random(N_BATTLES) < 0.1, 0.5, won.astype(float))
    games = Games(first=first, second=second, score=score, n_players=N_SYSTEMS)
    prompts = generator.integers(0, N_PROMPTS, N_BATTLES)
    clustered, drawn = best_of(lambda: resample_bradley_terry(games, prompts, N_REFITS, seed=0), 3)
    memory = peak_mb()
    alone, _ = best_of(lambda: resample_bradley_terry(games, None, N_REFITS, seed=0), 3)
    names = [f"s{n}" for n in range(N_SYSTEMS)]
    winners = [evalica.Winner.Draw if one == 0.5 else evalica.Winner.X if one else evalica.Winner.Y for one in score]
    start = time.perf_counter()
    evalica.bradley_terry([names[n] for n in first], [names[n] for n in second], winners)
    say(f"evalica: {time.perf_counter() - start:.2f} s for one fit, which a resample needs each")
    fit, _ = best_of(lambda: fit_bradley_terry(games.wins()))
    say(f"one fit here: {fit:.3f} s; {drawn.n_alone} resamples were fitted one by one")
    yield Bound(
        name="Bradley-Terry, 1,000,000 battles, 100 systems, 1,000 resamples <= 1.6 s",
        holds=alone <= 1.6,
        measured=f"{alone:.2f} s",
    )
    yield Bound(
        name="the same by 10,000 prompts <= 2 s and <= 300 MB",
        holds=clustered <= 2.0 and memory <= 300,
        measured=f"{clustered:.2f} s, {memory:.0f} MB",
    )


def kappa() -> Bound:
    """Kappa of two raters over 10,000 items with 10,000 resamples of items."""
    from scipy.stats import bootstrap
    from sklearn.metrics import cohen_kappa_score

    generator = np.random.default_rng(0)
    first = generator.integers(0, 5, 10_000)
    second = np.where(generator.random(10_000) < 0.7, first, generator.integers(0, 5, 10_000))

    def resampled() -> float:
        sums = np.zeros((10_000, 25))
        sums[np.arange(10_000), first * 5 + second] = 1.0
        tables = resampled_alike(sums, find_alike([sums]), 10_000, seed=0).reshape(-1, 5, 5)
        return float(np.quantile(kappa_of_tables(tables).values, 0.025))

    seconds, _ = best_of(resampled)
    start = time.perf_counter()
    bootstrap(
        (first, second),
        lambda a, b: cohen_kappa_score(a, b),
        paired=True,
        vectorized=False,
        n_resamples=100,
        method="percentile",
        rng=generator,
    )
    theirs = 100 * (time.perf_counter() - start)
    say(f"scipy and scikit-learn: {theirs:.0f} s for as many resamples, from 100 of them")
    return Bound(
        name="kappa, 10,000 items, 10,000 resamples <= 0.04 s", holds=seconds <= 0.04, measured=f"{seconds:.3f} s"
    )


def alpha() -> Bound:
    """Krippendorff's alpha at the ordinal level, a tenth missing."""
    import krippendorff

    generator = np.random.default_rng(0)
    codes = generator.integers(0, 5, (5, 200_000)).astype(float)
    present = generator.random((5, 200_000)) < 0.9
    seconds, found = best_of(lambda: krippendorff_alpha(codes, present, 5, "ordinal"))
    start = time.perf_counter()
    theirs = krippendorff.alpha(
        reliability_data=np.where(present, codes, np.nan), level_of_measurement="ordinal", value_domain=list(range(5))
    )
    say(
        f"krippendorff: {time.perf_counter() - start:.2f} s; the values differ by {abs(theirs - found.alpha):.1e} "
        f"({N_RESAMPLES:,} resamples are the product's own)"
    )
    return Bound(
        name="ordinal alpha, 200,000 units x 5 raters <= 0.02 s", holds=seconds <= 0.02, measured=f"{seconds:.4f} s"
    )


def commands(shared: Path) -> Iterator[Bound]:
    """The commands, from their start to the end of their files."""
    from venire.importing import import_run

    folder = shared / "data" / "triviaqa_judges"
    with tempfile.TemporaryDirectory() as name:
        if folder.exists():
            run = Path(name) / "trivia"
            import_run(folder / "items.jsonl.gz", folder / "judgments.jsonl.gz", out=run)
            seconds, _ = best_of(lambda: _command("audit", str(run)), 2)
            yield Bound(
                name="audit of triviaqa_judges (3,195 x 11) with all intervals <= 10 s",
                holds=seconds <= 10,
                measured=f"{seconds:.1f} s",
            )
        else:
            say("triviaqa_judges is not there: its audit is skipped")
        run = Path(name) / "many"
        _make_run(run)
        seconds, _ = best_of(lambda: _command("report", str(run)), 2)
        size = (run / "full-report.html").stat().st_size / 1e6
        yield Bound(
            name="report of 10,000 items <= 5 s and <= 5 MB",
            holds=seconds <= 5 and size <= 5,
            measured=f"{seconds:.1f} s, {size:.1f} MB",
        )


def _command(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "venire", *arguments], check=True, capture_output=True)


def _make_run(folder: Path) -> None:
    """10,000 answers of two systems, judged by three rules, a tenth of them labelled."""
    from venire import Item, ItemId, Message, Response, judge, parse_design
    from venire.domain.annotation import GIVEN, Annotation
    from venire.domain.identity import CriterionId
    from venire.domain.item import Subject

    design = """
protocol: pointwise
rubric: {criteria: [{id: correct, question: Is it right?, scale: {type: nominal, labels: [correct, incorrect]}}]}
judges:
  - {id: inside, provider: containment}
  - {id: words, provider: containment, parameters: {tokens: true}}
  - {id: dice, provider: random, votes: true}
aggregation: {rule: majority}
"""
    items = [
        Item(
            id=ItemId(f"q{n:05d}"),
            prompt=(Message(role="user", content=f"What is {n} + 1, and why? " + "Explain in some words. " * 5),),
            responses=(
                Response(text=f"It is {n + 1 + (n % 3 == 0)}. " + "Because of this. " * 40, system=f"s{n % 2}"),
            ),
            reference=(str(n + 1),),
        )
        for n in range(10_000)
    ]
    labels = [
        Annotation(
            subject=Subject(item_id=item.id, responses=(0,)),
            criterion_id=CriterionId("correct"),
            annotator=GIVEN,
            value="incorrect" if n % 30 == 0 else "correct",
        )
        for n, item in enumerate(items)
        if n % 10 == 0
    ]
    judge(items, parse_design(design, file="design.yaml", folder=folder), out=folder, annotations=labels)


if __name__ == "__main__":
    sys.exit(conclude("bench-statistics", bounds(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared"))))
