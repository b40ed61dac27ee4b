"""What a kill -9 in the middle of a run costs: python -m benchmarks.kill9 [N_CALLS [LATENCY_MS [IN_FLIGHT]]]

Starts a judge server on loopback and `venire judge` in a process of its own, kills that process when half of the
calls have reached the server, runs the same command again to its end, and prints one JSON line.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.providers.loopback import LoopbackServer

DESIGN = """
protocol: pointwise
rubric:
  criteria:
    - id: correct
      question: Is it right?
      scale: {{type: nominal, labels: [correct, incorrect]}}
judges:
  - id: remote
    provider: openai_compatible
    model: test-model
    base_url: {base_url}
    max_concurrency: {in_flight}
"""


def main() -> None:
    """Measure once."""
    n_calls, latency_ms, in_flight = (
        int(given) for given in [*sys.argv[1:], *["500", "50", "20"][len(sys.argv) - 1 :]]
    )
    with tempfile.TemporaryDirectory() as name, LoopbackServer(latency_s=latency_ms / 1000) as server:
        folder = Path(name)
        rows = (json.dumps({"id": f"i{n}", "prompt": f"Is {n} odd?", "response": f"{n}"}) for n in range(n_calls))
        (folder / "items.jsonl").write_text("\n".join(rows), encoding="utf-8")
        design = DESIGN.format(base_url=server.base_url, in_flight=in_flight)
        (folder / "design.yaml").write_text(design, encoding="utf-8")
        command = [sys.executable, "-m", "venire", "judge", str(folder / "items.jsonl")]
        command += ["--design", str(folder / "design.yaml"), "--out", str(folder / "run")]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(server.requests) < n_calls // 2 and process.poll() is None:
            time.sleep(0.002)
        process.kill()
        process.wait()
        n_at_kill = len(server.requests)
        again = subprocess.run(command, capture_output=True, text=True, check=False)
        figures = {
            "planned": n_calls,
            "in_flight_at_most": in_flight,
            "requests_at_kill": n_at_kill,
            "requests_in_all": len(server.requests),
            "paid_twice": len(server.requests) - n_calls,
            "second_run_exit": again.returncode,
        }
        print(json.dumps(figures))  # noqa: T201 - its result


if __name__ == "__main__":
    main()
