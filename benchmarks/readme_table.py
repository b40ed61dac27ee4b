"""The README's table of results, from the report of a run: python benchmarks/readme_table.py RUN README.md"""

import json
import sys
from pathlib import Path
from typing import Any

START, END = "<!-- results: make readme -->", "<!-- end -->"


def table(report: dict[str, Any]) -> str:
    """Every judge and the panel with accuracy and kappa, as Markdown."""
    agreement = report["criteria"][0]["agreement"]
    baselines = {judge["id"] for judge in report["judges"] if judge["baseline"]}
    lines = ["| judge | accuracy [95%] | Cohen's kappa [95%] |", "|---|---|---|"]
    for rater in sorted(agreement["raters"], key=lambda rater: rater["rater"] in baselines):
        name = rater["rater"]
        if rater["is_panel"]:
            name = "**panel** (majority)"
        elif name in baselines:
            name += " (baseline)"
        elif name == agreement["best_single"]:
            name += " (best single judge)"
        lines.append(f"| {name} | {figure(rater['accuracy'])} | {figure(rater['kappa'])} |")
    difference = agreement["panel_minus_best"]
    lines.append("")
    lines.append(
        f"Panel minus best single judge, in {agreement['compared_by']}: {figure(difference)}. "
        f"n = {difference['n']} answers in {difference['n_groups']} groups; intervals by bootstrap over groups."
    )
    return "\n".join(lines)


def figure(finding: dict[str, Any]) -> str:
    """A value with its interval, or why there is none."""
    if finding["value"] is None:
        return f"undefined: {finding['reason']}"
    interval = finding["interval"]
    if interval["low"] is None:
        return f"{finding['value']:.2f} (no interval: {interval['reason']})"
    return f"{finding['value']:.2f} [{interval['low']:.2f}, {interval['high']:.2f}]"


def main() -> None:
    """Replace what stands between the markers."""
    run, readme = Path(sys.argv[1]), Path(sys.argv[2])
    report = json.loads((run / "results/report.json").read_text(encoding="utf-8"))
    text = readme.read_text(encoding="utf-8")
    before, rest = text.split(START, 1)
    _, after = rest.split(END, 1)
    readme.write_text(f"{before}{START}\n{table(report)}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
