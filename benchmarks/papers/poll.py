"""PoLL on public judgments: python -m benchmarks.papers.poll [SHARED]  (make paper-poll)

Replacing Judges with Juries (Verga et al. 2024, arXiv:2404.18796) released neither judgments nor labels. Here every
panel of three disjoint families judges TriviaQA answers (triviaqa_judges) by every rule, beside every single judge,
containment, and the best member made as lenient; then what the paper left open: the size of a panel, one family against
several, substitution of a member, one judge asked several times (llmbar), open weights only, the three judges of nq301.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from benchmarks.papers.binary import Scores, Verdicts, inflation, judge_of, verdicts_of
from benchmarks.papers.figures import Figure, conclude
from benchmarks.papers.poll_ablations import ablations
from benchmarks.papers.poll_choice import choose_out_of_sample
from benchmarks.papers.poll_pairs import llmbar_figures
from benchmarks.papers.recorded import Recorded, read_reference
from venire.domain.aggregation import RuleName
from venire.stats.dawid_skene import dawid_skene

RULES: tuple[RuleName, ...] = ("max", "majority", "plurality", "unanimity", "mean")
LEXICAL = ("contains", "exact-match")
BEST_THREE = ("gpt-4-turbo", "llama3-70b", "llama2-70b")
"""The three judges with the highest kappa."""


def main(shared: Path) -> int:
    """Print the tables and figures; the exit code says whether a figure differs without a reason."""
    trivia = read_reference(shared / "data" / "triviaqa_judges")
    judges = [name for name in trivia.votes.raters if name not in LEXICAL]
    panels = disjoint_panels(trivia, judges)
    singles = [judge_of(trivia.votes, name) for name in trivia.votes.raters]
    of_panels = [verdicts_of(trivia.votes, panel, rule) for panel in panels for rule in RULES]
    nine = [verdicts_of(trivia.votes, judges), verdicts_of(trivia.votes, BEST_THREE), _dawid_skene(trivia, judges)]
    questions = trivia.groups("question_id")
    scores = Scores([*singles, *of_panels, *nine], trivia, questions)
    say('## TriviaQA, 3,195 answers to 400 questions: kappa, precision, recall, F1 of "correct" [95 % by question]')
    table = [tell(scores, one.name) for one in [*singles, *nine]]
    for panel in panels:
        ruled = {rule: verdicts_of(trivia.votes, panel, rule) for rule in RULES}
        for rule, one in ruled.items():
            if rule not in ("plurality", "mean") or not same(one, ruled["majority"]):
                table.append(tell(scores, one.name, of=panel))
    say("(plurality and mean are not listed where every verdict is the majority's: two labels and three votes)")
    say("\n## Inflation: share called correct minus share that is, where it is largest [95 % by question]")
    inflated = {one.name: inflation(one, trivia, questions) for one in [*singles, *of_panels]}
    for name, by_system in inflated.items():
        if not name.startswith(("plurality", "mean")):
            most = max(by_system, key=lambda system: abs(by_system[system].value))
            say(f"{name}: {most} {by_system[most]}")
    more = {
        "panels": table,
        "inflation": {name: {k: str(v) for k, v in one.items()} for name, one in inflated.items()},
        "ablations": ablations(trivia, judges, shared),
    }
    figures = [
        *claims(scores, panels),
        *section_6(scores, judges, trivia, singles),
        *choose_out_of_sample(trivia, judges),
        *llmbar_figures(shared / "data" / "llmbar"),
    ]
    return conclude("poll", figures, more)


def disjoint_panels(recorded: Recorded, judges: Sequence[str]) -> list[tuple[str, ...]]:
    """Every panel of three judges from three families."""
    return [three for three in combinations(judges, 3) if len({recorded.families[name] for name in three}) == 3]


def tell(scores: Scores, name: str, of: Sequence[str] = ()) -> str:
    """Print one line of the table."""
    figures = "  ".join(f"{key} {estimate}" for key, estimate in scores.row(name).items() if key != "accuracy")
    line = f"{name}: n {scores.n(name):,}  {figures}  calls correct {scores.leniency(name):.3f}"
    if of:
        best = max(of, key=lambda member: scores.kappa(member).value)
        line += f"  |  minus best member ({best}) {scores.kappa_difference(name, best)}"
        line += f"; that member as lenient: kappa {scores.matched(best, scores.leniency(name)):.3f}"
    say(line)
    return line


def same(one: Verdicts, other: Verdicts) -> bool:
    """Whether two panels or rules say the same of every item."""
    return bool((one.present == other.present).all() and (one.codes == other.codes)[one.present].all())


def claims(scores: Scores, panels: Sequence[Sequence[str]]) -> Iterator[Figure]:
    """PoLL's claims, as shares of the panels for which they hold here: told, not held to the paper's data."""
    majorities = [f"majority of {', '.join(panel)}" for panel in panels]
    beats_members = beats_best_judge = 0
    for name, panel in zip(majorities, panels, strict=True):
        kappa = scores.kappa(name).value
        beats_members += kappa > max(scores.kappa(member).value for member in panel)
        beats_best_judge += kappa > scores.kappa("gpt-4-turbo").value
    beats_contains = sum(scores.kappa(name).value > scores.kappa("contains").value for name in majorities)
    n = len(panels)
    for name, number, reason in (
        ("beat containment", beats_contains, ""),
        (
            "beat gpt-4-turbo alone, as PoLL's panel beat GPT-4",
            beats_best_judge,
            "here GPT-4 Turbo is the best judge of all; in PoLL it was the worst of four",
        ),
        (
            "beat their best member, as PoLL's did on two of three sets",
            beats_members,
            "a panel is not better than its best member by itself: members of unlike strength drag each other down",
        ),
    ):
        yield Figure(
            name=f"claim: most of {n} panels of three families {name}",
            source=None,
            measured=number,
            decimals=0,
            holds=2 * number > n,
            reason=reason,
        )


def section_6(scores: Scores, judges: Sequence[str], trivia: Recorded, singles: Sequence[Verdicts]) -> Iterator[Figure]:
    """The figures measured before on these data: missing votes left out, a tied vote counts as incorrect."""
    kappas = {"gpt-4-turbo": 0.867, "llama3-70b": 0.832, "mistral-7b": 0.745, "contains": 0.669, "gemma-2b": 0.460}
    for name, source in kappas.items():
        yield Figure(name=f"triviaqa kappa, {name}", source=source, measured=scores.kappa(name).value)
    nine = f"majority of {', '.join(judges)}"
    yield Figure(name="triviaqa kappa, majority of nine", source=0.830, measured=scores.kappa(nine).value)
    yield Figure(name="triviaqa kappa, Dawid-Skene", source=0.827, measured=scores.kappa("Dawid-Skene of nine").value)
    three = f"majority of {', '.join(BEST_THREE)}"
    yield Figure(name="triviaqa kappa, majority of the best three", source=0.857, measured=scores.kappa(three).value)
    difference = scores.kappa_difference(nine, "gpt-4-turbo")
    for side, source, measured in (("low", -0.071, difference.low), ("high", -0.007, difference.high)):
        yield Figure(
            name=f"triviaqa kappa, majority of nine minus gpt-4-turbo, 95 % {side}",
            source=source,
            measured=measured,
            reason=f"other resamples: {abs(measured - source):.4f} apart, the noise of 2,000 draws",
        )
    for name, source in (("contains", 1.00), ("gemma-2b", -0.04)):
        one = next(single for single in singles if single.name == name)
        tau = ranking_tau(one, trivia)
        yield Figure(name=f"triviaqa rank tau over 8 systems, {name}", source=source, measured=tau, decimals=2)
    gemma = scores.row("gemma-2b")["accuracy"].value
    yield Figure(name="triviaqa accuracy, gemma-2b", source=0.81, measured=gemma, decimals=2)


def ranking_tau(one: Verdicts, recorded: Recorded) -> float:
    """Kendall's tau-b of the systems' shares called correct with their shares that are."""
    systems = sorted({system for systems in recorded.systems for system in systems})
    called, are = [], []
    for system in systems:
        of_system = [system in systems for systems in recorded.systems]
        called.append(float(one.codes[of_system].mean()))
        are.append(float(recorded.gold.codes[0][of_system].mean()))
    pairs = list(combinations(range(len(systems)), 2))
    signs = [(_sign(called[a] - called[b]), _sign(are[a] - are[b])) for a, b in pairs]
    untied = [sum(sign[side] != 0 for sign in signs) for side in (0, 1)]
    return float(sum(a * b for a, b in signs) / (untied[0] * untied[1]) ** 0.5)


def _sign(number: float) -> int:
    return (number > 1e-12) - (number < -1e-12)


def _dawid_skene(trivia: Recorded, judges: Sequence[str]) -> Verdicts:
    votes = trivia.votes.only(judges)
    fit = dawid_skene(votes.codes, votes.present, n_labels=2)
    codes = (fit.posterior[:, 1] > 0.5).astype(float)
    return Verdicts(name="Dawid-Skene of nine", codes=codes, present=fit.defined)


def say(line: str) -> None:
    """Print at once: the whole takes a while."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")))
