"""venire as one more client of ../shared/bench: the same items, the same report line, through `venire.judge`.

Started by `benchmarks.judging` in a process of its own, with the drivers' environment (MOCK_PORT, PROFILE, N, CONC)
and with their folder on the path. VENIRE_RUN names the run folder; by default it is thrown away.
STREAM makes items only when they are looked at, as is always done with many.
"""

import importlib
import os
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import overload

import common  # type: ignore[import-not-found]  # of ../shared/bench

import venire
from venire.calling.events import CallEvent

DESIGN = """
protocol: pointwise
rubric:
  criteria:
    - id: quality
      question: How good is the answer?
      scale: {{type: interval, min: 1, max: 5, integer: true}}
judges:
  - id: mock
    provider: openai_compatible
    model: mock-0
    base_url: {base_url}
    max_concurrency: {in_flight}
    parameters: {{price_input_usd: 1, price_output_usd: 1}}
aggregation: {{rule: mean}}
"""
# What a client imports is not on its clock: the other drivers import before theirs starts, too. venire imports these
# when they are first needed.
IMPORTS = (
    "venire.api",
    "venire.providers.openai_compatible",
    "venire.store.sqlite",
    "venire.designs.write",
    "jinja2",
    "polars",
)
HELD = 20_000


class Items(Sequence[venire.Item]):
    """The drivers' items, made when they are looked at: a run of any length holds none of them."""

    def __init__(self, n_items: int) -> None:
        self._n_items = n_items

    def __len__(self) -> int:
        return self._n_items

    @overload
    def __getitem__(self, index: int) -> venire.Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[venire.Item]: ...
    def __getitem__(self, index: int | slice) -> venire.Item | Sequence[venire.Item]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._n_items))]
        if not 0 <= index < self._n_items:
            raise IndexError(index)
        marker = common.marker(index)
        answer = f"The answer to {marker} is {2 * index}. " + "Some filler text to make a paragraph. " * 8
        return venire.Item(
            id=venire.ItemId(f"i{index:06d}"),
            prompt=(venire.Message(role="user", content=f"Question {marker}: what is {index}+{index}?"),),
            responses=(venire.Response(text=answer),),
        )


class Watch:
    """Notes when the last call was told, and how much memory asking had taken by then."""

    def __init__(self, n_calls: int) -> None:
        self._n_left = n_calls
        self.asked_at = 0.0
        self.asking_mb = 0.0

    def listen(self, event: CallEvent) -> None:
        """Count down."""
        if event.kind != "retried":
            self._n_left -= event.n_calls
            if self._n_left == 0:
                self.asked_at = time.perf_counter()
                self.asking_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Judge once and print the report line."""
    made = Items(common.N)
    # Few are made before the clock starts, as in the other drivers; many would be most of the memory that is measured.
    is_held = common.N <= HELD and "STREAM" not in os.environ
    items, watch = tuple(made) if is_held else made, Watch(common.N)
    with tempfile.TemporaryDirectory() as name:
        run = Path(os.environ.get("VENIRE_RUN", f"{name}/run"))
        for module in IMPORTS:
            importlib.import_module(module)
        design = parse(DESIGN.format(base_url=common.base_url(), in_flight=common.CONC))
        with common.Timer() as timer:
            started = time.perf_counter()
            judged = venire.judge(items, design, out=run, listen=watch.listen)
        report(judged, timer, f"asking {watch.asked_at - started:.2f} s and {watch.asking_mb:.0f} MB")


def parse(text: str) -> venire.Design:
    """A design from its text."""
    return venire.parse_design(text, file="design.yaml", folder=Path())


def report(judged: venire.Run, timer: object, note: str) -> None:
    """Compare every verdict with the truth that the item carries."""
    right = wrong = 0
    for verdict in judged.verdicts:
        if isinstance(verdict.outcome, venire.Decided):
            is_right = verdict.outcome.value == common.truth(int(verdict.subject.item_id[1:]))
            right, wrong = right + is_right, wrong + (not is_right)
    common.report("venire", timer, common.N, right, common.N - right - wrong, wrong, note=note)


if __name__ == "__main__":
    main()
