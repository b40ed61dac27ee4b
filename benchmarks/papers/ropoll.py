"""RoPoLL on public judgments: python -m benchmarks.papers.ropoll [SHARED]  (make paper-ropoll)

Acharya, Pan and Verkhovsky (2026, arXiv:2606.30931) put a geometric median in the place of PoLL's mean. Neither their
judgments nor their code are public, and location, scale and variance of their corruptions are not printed: what can be
held against them is the shape of each claim. Here: twenty members on six criteria of stories (hanna), and juries of
three families of them; four members on four criteria of dialogues (topicalchat_gpt35); five judges on the four
responses of an item (rb2_composo). Then the figures that were measured before on these sets, by their definitions.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.papers.figures import Figure, conclude
from benchmarks.papers.ropoll_anchors import hanna_figures, rb2_figures, topicalchat_figures
from benchmarks.papers.ropoll_claims import (
    JURY_PLAN,
    ONE_OF_THREE,
    PLAN,
    Losses,
    best_of_claims,
    best_of_four,
    claims,
    losses_of,
    losses_of_juries,
    stressed,
    without_severity,
)
from benchmarks.papers.ropoll_data import Scored, read_hanna, read_rb2, read_topicalchat
from venire.domain.stress import CORRUPTIONS, CorruptionName, StressPlan
from venire.metaeval.stress_rules import number_rules

FIVE = ("gpt-full", "gpt-mini", "sonnet", "haiku", "gpt-nano")
RULES = tuple(rule.name for rule in number_rules(2, PLAN.trim))


def main(shared: Path) -> int:
    """Print the tables and figures; the exit code says whether a figure differs without a reason."""
    data = shared / "data"
    hanna, chat = read_hanna(data / "hanna"), read_topicalchat(data / "topicalchat_gpt35")
    rb2 = read_rb2(data / "rb2_composo", "base", 8, FIVE)
    sets = {
        "hanna, 20 judges": losses_of(stressed(hanna), hanna.judges, PLAN),
        "hanna, juries of three families": losses_of_juries(hanna, JURY_PLAN),
        "topicalchat, 4 judges": losses_of(stressed(chat), chat.judges, PLAN),
    }
    figures: list[Figure] = []
    tables: dict[str, object] = {}
    for name, losses in sets.items():
        say(f"## {name}: root mean square distance by share of broken votes (in brackets: range-checked)")
        tables[name] = [tell(losses, corruption, rule) for corruption in CORRUPTIONS for rule in RULES]
        figures += claims(name, losses, REASONS.get(name, {}))
    five = "rb2, 5 judges, best of four"
    shares = best_of_four(rb2, PLAN)
    say(f"## {five}: share right by share of broken votes")
    tables[five] = [tell_shares(shares, corruption, rule) for corruption in CORRUPTIONS for rule in RULES]
    figures += best_of_claims(five, shares, REASONS.get(five, {}))
    tables["checks"] = check_reasons(hanna, chat, rb2)
    figures += hanna_figures(data / "hanna")
    figures += topicalchat_figures(data / "topicalchat_gpt35")
    figures += rb2_figures(data / "rb2_composo")
    return conclude("ropoll", figures, tables)


def check_reasons(hanna: Scored, chat: Scored, rb2: Scored) -> list[str]:
    """Look whether the reasons below hold: sets chosen after claims had failed, so that none of them is counted."""
    say("## Checks of the reasons: chosen after the claims had failed, and not counted among the figures")
    sets = {
        "hanna, 20 judges, severity taken out by gold": losses_of(
            without_severity(stressed(hanna)), hanna.judges, PLAN
        ),
        "topicalchat, 4 judges, severity taken out by gold": losses_of(
            without_severity(stressed(chat)), chat.judges, PLAN
        ),
        "hanna, juries of three families, one broken throughout": losses_of_juries(hanna, ONE_OF_THREE),
        "topicalchat, one of four broken throughout": losses_of(
            stressed(chat, judges=range(4)), chat.judges, ONE_OF_FOUR
        ),
    }
    lines = []
    for name, losses in sets.items():
        for corruption in CORRUPTIONS:
            rate = losses.usual
            told = ", ".join(f"{rule} {losses.at(corruption, rule, rate):.3f}" for rule in RULES)
            lines.append(f"{name}, {corruption}: {told}")
    for sd in (0.05, 0.1, 0.25):
        shares = best_of_four(rb2, replace(NOISE_ALONE, noise_sd=sd))
        for rate in (0.3, 1.0):
            told = ", ".join(f"{rule} {shares['unbiased-noise', rule, rate]:.3f}" for rule in RULES)
            lines.append(f"rb2, noise of {sd:g} ranges at {rate:.0%}, share right: {told}")
    for line in lines:
        say(line)
    return lines


def tell(losses: Losses, corruption: CorruptionName, rule: str) -> str:
    """Print one line of a table of losses."""
    cells = []
    for rate in losses.rates:
        plain, checked = losses.at(corruption, rule, rate), losses.at(corruption, rule, rate, is_checked=True)
        cells.append(f"{plain:.3f}" if plain == checked else f"{plain:.3f} ({checked:.3f})")
    return _line(corruption, rule, cells)


def tell_shares(
    shares: Mapping[tuple[CorruptionName, str, float], float], corruption: CorruptionName, rule: str
) -> str:
    """Print one line of a table of shares."""
    return _line(corruption, rule, [f"{shares[corruption, rule, rate]:.3f}" for rate in PLAN.rates])


def _line(corruption: CorruptionName, rule: str, cells: Sequence[str]) -> str:
    line = f"{corruption}, {rule}: " + "  ".join(cells)
    say(line)
    return line


def say(line: str) -> None:
    """Print at once: the whole takes a while."""
    print(line, flush=True)


ONE_OF_FOUR = StressPlan(n_repeats=4, who="fixed", rates=(0.25,))
NOISE_ALONE = StressPlan(n_repeats=3, rates=(0.3, 1.0), corruptions=("unbiased-noise",))
REASONS: Mapping[str, Mapping[str, str]] = {
    "hanna, 20 judges": {
        "bimodal-mean": "the panel is severe, and extremes pull its mean towards gold; with severity taken out it "
        "holds (check)",
    },
    "hanna, juries of three families": {
        "far": "two or more of three are broken on 35 % of the items, which no rule bears; with one broken throughout "
        "it holds (check)",
        "zeros": "two or more of three are broken on 22 % of the items, and 0 lies off the scale of 1 to 5; with one "
        "broken throughout the geometric median is the better (check)",
    },
    "topicalchat, 4 judges": {
        "far": "two or more of four are broken on 52 % of the items, which no rule bears; with one broken throughout "
        "it holds (check)",
        "zeros": "two or more of four are broken on 35 % of the items, and 0 lies half a range below three of the "
        "scales; with one broken throughout the geometric median is the better (check)",
        "bimodal-mean": "extremes even out what a judge errs in one direction; with severity taken out it holds, "
        "barely (check)",
    },
    "rb2, 5 judges, best of four": {
        "noise": "noise of a quarter of the scale is wider than these judges differ, and three in ten such votes are "
        "outliers; with narrower noise, or where every vote is noise, the mean is best (check)",
    },
}
"""Why a claim does not hold on a set, by its key."""

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")))
