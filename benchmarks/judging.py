"""Speed, memory, faults and a kill beside other clients in one run: python -m benchmarks.judging [SHARED]

Starts the mock judge server of ../shared/bench on a free loopback port and runs every client in a process of its own:
the reference (bare aiohttp: the floor), venire (`venire.collect`: asked, read and stored, each before it counts), and
two peers where their environments exist: JUDGE_KAPPA_PYTHON and OPENJURY_PYTHON name a Python in which the package of
that name is installed. Prints one JSON line for each client and run, then every bound with what was measured. A machine
is noisy, so rates and CPU seconds are compared as medians of runs that take turns. About two minutes.
"""

import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.bounds import Bound, conclude, say

ROOT = Path(__file__).resolve().parents[1]
IN_FLIGHT = 200
N_ITEMS = 2_000
N_MANY = 100_000
N_REFERENCE_MANY = 20_000  # it holds a task for each item
N_TURNS = 7
KILL_AFTER = 1_000
TORN_BYTES = 5_000
"""Cut off the end of the write-ahead log: more than its last page of 4,096 bytes."""

PEERS = {"JUDGE_KAPPA_PYTHON": "drv_judge_kappa", "OPENJURY_PYTHON": "drv_openjury"}

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The server that answers, and how clients are started against it."""

    folder: Path
    """The drivers'."""
    port: int
    venire: tuple[str, ...] = (sys.executable, str(ROOT / "benchmarks" / "drv_venire.py"))

    @property
    def reference(self) -> tuple[str, ...]:
        """The command of the reference client."""
        return (sys.executable, str(self.folder / "drv_reference.py"))

    def start(self, command: tuple[str, ...], profile: str, n_items: int, **more: str) -> subprocess.Popen[str]:
        """Start a client."""
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT), str(self.folder)])
        environment = os.environ | {"PYTHONPATH": path, "MOCK_PORT": str(self.port), "PROFILE": profile}
        environment |= {"N": str(n_items), "CONC": str(IN_FLIGHT), **more}
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, command: tuple[str, ...], profile: str, n_items: int, **more: str) -> Line:
        """Run a client to its end and pass on its report line."""
        client = self.start(command, profile, n_items, **more)
        out, errors = client.communicate()
        if client.returncode != 0:
            raise SystemExit(f"{command[-1]} ended with {client.returncode}: {errors[-2000:]}")
        line: Line = json.loads(out.splitlines()[-1])
        say(json.dumps(line))
        return line

    def requests(self, profile: str) -> int:
        """How many requests the server has got under a profile since the last reset."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/stats") as answer:
            return int(json.load(answer).get(profile, {}).get("requests", 0))

    def reset(self) -> None:
        """Let the server count from 0."""
        urllib.request.urlopen(f"http://127.0.0.1:{self.port}/reset").close()


def main() -> int:
    """Measure everything once; the exit status is 1 where a bound does not hold."""
    shared = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT.parent / "shared").resolve()
    if not (shared / "bench" / "mock_server.py").exists():
        say(f"bench-judging: skipped, because there is no bench/mock_server.py in {str(shared)!r}.")
        return 0
    with serving(shared / "bench") as bench:
        bounds = [*at_50_ms(bench), *at_0_ms(bench), under_faults(bench), *killed(bench)]
    return conclude("bench-judging", bounds)


def at_50_ms(bench: Bench) -> Iterator[Bound]:
    """Rate, CPU and memory with a judge that takes 50 ms."""
    turns = [
        (bench.run(bench.reference, "lat50", N_ITEMS), bench.run(bench.venire, "lat50", N_ITEMS))
        for _ in range(N_TURNS)
    ]
    rate = ratio(turns, "judg_per_s")
    cpu = ratio(turns, "cpu_s")
    peak = max(line["peak_rss_mb"] for _, line in turns)
    yield Bound(name="50 ms: judgments/s >= 0.7 x reference", holds=rate >= 0.7, measured=f"{rate:.2f} x")
    yield Bound(name="50 ms: CPU seconds <= 2 x reference", holds=cpu <= 2, measured=f"{cpu:.2f} x")
    yield Bound(name="peak memory of 2,000 <= 150 MB", holds=peak <= 150, measured=f"{peak:.0f} MB")
    yield from beside_peers(bench, statistics.median(line["judg_per_s"] for _, line in turns))


def beside_peers(bench: Bench, judgments_per_s: float) -> Iterator[Bound]:
    """The same work by other tools; only judge-kappa, the fastest of them, has a bound."""
    for variable, driver in PEERS.items():
        python = os.environ.get(variable)
        if python is None:
            say(f"{driver}: not run, because {variable} names no Python that has the package.")
            continue
        peer = bench.run((python, str(bench.folder / f"{driver}.py")), "lat50", N_ITEMS)
        if driver == "drv_judge_kappa":
            times = judgments_per_s / peer["judg_per_s"]
            yield Bound(name="50 ms: judgments/s >= 4 x judge-kappa", holds=times >= 4, measured=f"{times:.1f} x")


def at_0_ms(bench: Bench) -> Iterator[Bound]:
    """Memory and rate of a long run, with a judge that takes no time; the reference before and after it."""
    few = bench.run(bench.venire, "lat0", N_ITEMS, STREAM="1")
    before = bench.run(bench.reference, "lat0", N_REFERENCE_MANY)
    many = bench.run(bench.venire, "lat0", N_MANY)
    after = bench.run(bench.reference, "lat0", N_REFERENCE_MANY)
    more = many["peak_rss_mb"] - few["peak_rss_mb"]
    rate = 2 * many["judg_per_s"] / (before["judg_per_s"] + after["judg_per_s"])
    yield Bound(name="peak memory of 100,000 <= 25 MB more", holds=more <= 25, measured=f"{more:.0f} MB more")
    yield Bound(name="0 ms: judgments/s >= 0.4 x reference", holds=rate >= 0.4, measured=f"{rate:.2f} x")


def under_faults(bench: Bench) -> Bound:
    """Refusals, errors and spoilt ballots: 5 %, 2 % and 3 % of all requests."""
    bench.run(bench.reference, "lat50-faults", N_ITEMS)
    line = bench.run(bench.venire, "lat50-faults", N_ITEMS)
    n_calls = line["server"]["requests"]
    is_whole = (line["right"], line["lost"], line["silent_wrong"]) == (N_ITEMS, 0, 0)
    return Bound(
        name="50 ms with faults: 2,000 right, 0 lost, 0 silently wrong, in <= 2,250 calls",
        holds=is_whole and n_calls <= 2250,
        measured=f"{line['right']} right, {line['lost']} lost, {line['silent_wrong']} silently wrong, {n_calls} calls",
    )


def killed(bench: Bench) -> Iterator[Bound]:
    """kill -9 after 1,000 requests, then the same run again; and once more with the end of the log torn off."""
    with tempfile.TemporaryDirectory() as name:
        run, torn = Path(name) / "run", Path(name) / "torn"
        bench.reset()
        client = bench.start(bench.venire, "lat50", N_ITEMS, VENIRE_RUN=str(run), NORESET="1")
        wait_until(lambda: bench.requests("lat50") >= KILL_AFTER or client.poll() is not None)
        client.kill()
        client.communicate()
        shutil.copytree(run, torn)
        line = bench.run(bench.venire, "lat50", N_ITEMS, VENIRE_RUN=str(run), NORESET="1")
        paid_again = bench.requests("lat50") - N_ITEMS
        yield Bound(
            name="kill -9 after 1,000 requests: paid again <= calls in flight",
            holds=line["right"] == N_ITEMS and paid_again <= IN_FLIGHT,
            measured=f"{paid_again} of {IN_FLIGHT} in flight paid again, {line['right']} right",
        )
        log = torn / "store.sqlite-wal"
        n_bytes = log.stat().st_size if log.exists() else 0
        if n_bytes:
            os.truncate(log, max(0, n_bytes - TORN_BYTES))
        line = bench.run(bench.venire, "lat50", N_ITEMS, VENIRE_RUN=str(torn), NORESET="1")
        yield Bound(
            name="a torn last page does not stop the rerun",
            holds=n_bytes > TORN_BYTES and line["right"] == N_ITEMS,
            measured=f"{line['right']} right after {TORN_BYTES} of {n_bytes} bytes of the log were cut off",
        )


def ratio(turns: list[tuple[Line, Line]], key: str) -> float:
    """venire's median over the reference's."""
    reference, venire = zip(*turns, strict=True)
    return float(statistics.median(line[key] for line in venire) / statistics.median(line[key] for line in reference))


@contextmanager
def serving(folder: Path) -> Iterator[Bench]:
    """The mock judge server on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    server = subprocess.Popen(
        [sys.executable, str(folder / "mock_server.py"), "--port", str(port)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        if not server.stdout.readline():
            raise SystemExit(f"The mock server did not start on port {port}.")
        yield Bench(folder=folder, port=port)
    finally:
        server.kill()
        server.wait()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Look every few milliseconds."""
    while not is_so():
        time.sleep(0.005)


if __name__ == "__main__":
    sys.exit(main())
