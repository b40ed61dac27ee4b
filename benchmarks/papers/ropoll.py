"""RoPoLL on public judgments: python -m benchmarks.papers.ropoll [SHARED]  (make paper-ropoll)

Acharya, Pan and Verkhovsky (2026, arXiv:2606.30931) put a geometric median in the place of PoLL's mean. Neither their
judgments nor their code are public, and location, scale and variance of their corruptions are not printed: what can be
held against them is the shape of each claim. Here: twenty members on six criteria of stories (hanna), and juries of
three families of them; four members on four criteria of dialogues (topicalchat_gpt35); five judges on the four
responses of an item (rb2_composo). Then the figures that were measured before on these sets, by their definitions.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.papers.figures import Figure, conclude
from benchmarks.papers.ropoll_anchors import hanna_figures, rb2_figures, topicalchat_figures
from benchmarks.papers.ropoll_claims import (
    JURY_PLAN,
    ONE_BROKEN,
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
from benchmarks.papers.ropoll_data import read_hanna, read_rb2, read_topicalchat
from venire.domain.stress import CORRUPTIONS, CorruptionName
from venire.metaeval.stress_rules import number_rules

FIVE = ("gpt-full", "gpt-mini", "sonnet", "haiku", "gpt-nano")
RULES = tuple(rule.name for rule in number_rules(2, PLAN.trim))


def main(shared: Path) -> int:
    """Print the tables and figures; the exit code says whether a figure differs without a reason."""
    data = shared / "data"
    hanna, chat = read_hanna(data / "hanna"), read_topicalchat(data / "topicalchat_gpt35")
    sets = {
        "hanna, 20 judges": losses_of(stressed(hanna), hanna.judges, PLAN),
        "hanna, 20 judges, severity taken out": losses_of(without_severity(stressed(hanna)), hanna.judges, PLAN),
        "hanna, juries of three families": losses_of_juries(hanna, JURY_PLAN),
        "hanna, juries of three families, one broken throughout": losses_of_juries(hanna, ONE_BROKEN),
        "topicalchat, 4 judges": losses_of(stressed(chat), chat.judges, PLAN),
        "topicalchat, 4 judges, severity taken out": losses_of(without_severity(stressed(chat)), chat.judges, PLAN),
    }
    figures: list[Figure] = []
    tables: dict[str, object] = {}
    for name, losses in sets.items():
        say(f"## {name}: root mean square distance by share of broken votes (in brackets: range-checked)")
        tables[name] = [tell(losses, corruption, rule) for corruption in CORRUPTIONS for rule in RULES]
        figures += claims(name, losses, REASONS.get(name, {}))
    five = "rb2, 5 judges, best of four"
    shares = best_of_four(read_rb2(data / "rb2_composo", "base", 8, FIVE), PLAN)
    say(f"## {five}: share right by share of broken votes")
    tables[five] = [tell_shares(shares, corruption, rule) for corruption in CORRUPTIONS for rule in RULES]
    figures += best_of_claims(five, shares, REASONS.get(five, {}))
    figures += hanna_figures(data / "hanna")
    figures += topicalchat_figures(data / "topicalchat_gpt35")
    figures += rb2_figures(data / "rb2_composo")
    return conclude("ropoll", figures, tables)


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


_PAST_HALF_OF_FOUR = {
    "far": "two or more of four are broken on 52 % of the items, which no rule bears",
    "zeros": "two or more of four are broken on 35 % of the items, and 0 lies half a range below three of the scales: "
    "the geometric median follows them whole, the mean half of the way",
}
REASONS: Mapping[str, Mapping[str, str]] = {
    "hanna, 20 judges": {
        "bimodal-mean": "the panel is severe, and extremes pull its mean towards gold; with severity taken out it "
        "holds",
    },
    "hanna, juries of three families": {
        "far": "two or more of three are broken on 35 % of the items, which no rule bears; with one broken throughout "
        "it holds",
        "zeros": "two or more of three are broken on 22 % of the items, and 0 lies off the scale of 1 to 5: the "
        "geometric median follows them whole, the mean two thirds of the way",
    },
    "hanna, juries of three families, one broken throughout": {
        "zeros": "in the geometric median's favour, and more so than in RoPoLL: 0 lies off the scale of 1 to 5",
    },
    "topicalchat, 4 judges": {
        **_PAST_HALF_OF_FOUR,
        "bimodal-mean": "extremes even out what a judge errs in one direction; with severity taken out it holds",
    },
    "topicalchat, 4 judges, severity taken out": _PAST_HALF_OF_FOUR,
    "rb2, 5 judges, best of four": {
        "noise": "there is no true vector: noise of a quarter of the scale about the clean mean, wider than these "
        "judges differ; three in ten such votes among careful ones are outliers, which the mean counts in full",
    },
}
"""Why a claim does not hold on a set, by its key."""

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")))
