"""venire as one more client of ../shared/bench: the same items, the same report line, through `venire.collect`.

Started by `benchmarks.judging` in a process of its own, with the drivers' environment (MOCK_PORT, PROFILE, N, CONC)
and with their folder on the path. VENIRE_RUN names the run folder; by default it is thrown away.
STREAM makes items only when they are looked at, as is always done with many.
"""

import importlib
import os
import tempfile
from collections.abc import Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import overload

import common  # type: ignore[import-not-found]  # of ../shared/bench

import venire
from venire.store.sqlite import open_sqlite_store

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
    "uvloop",
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
            group=marker,  # else the prompt would be hashed each time that the item is made
        )


def main() -> None:
    """Ask once, everything stored, and print the report line."""
    made = Items(common.N)
    # Few are made before the clock starts, as in the other drivers; many would be most of the memory that is measured.
    items = tuple(made) if common.N <= HELD and "STREAM" not in os.environ else made
    with tempfile.TemporaryDirectory() as name:
        run = Path(os.environ.get("VENIRE_RUN", f"{name}/run"))
        for module in IMPORTS:
            importlib.import_module(module)
        design = parse(DESIGN.format(base_url=common.base_url(), in_flight=common.CONC))
        with common.Timer() as timer:
            venire.collect(items, design, out=run)
        report(run, design, timer)


def parse(text: str) -> venire.Design:
    """A design from its text."""
    return venire.parse_design(text, file="design.yaml", folder=Path())


def report(run: Path, design: venire.Design, timer: object) -> None:
    """Compare every stored judgment, of each item the last, with the truth that the item carries."""
    n_right = n_wrong = 0
    last: venire.Judgment | None = None
    with closing(open_sqlite_store(run / "store.sqlite", read_only=True)) as store:
        for judgment in chain(store.judgments(design.asking_id), [None]):
            if last is not None and (judgment is None or judgment.subject != last.subject):
                is_right = is_correct(last)
                n_right, n_wrong = n_right + (is_right is True), n_wrong + (is_right is False)
            last = judgment
    common.report("venire", timer, common.N, n_right, common.N - n_right - n_wrong, n_wrong)


def is_correct(judgment: venire.Judgment) -> bool | None:
    """Whether a label is the true one; None where there is no label."""
    if not isinstance(judgment.outcome, venire.Label):
        return None
    return judgment.outcome.value == common.truth(int(judgment.subject.item_id[1:]))


if __name__ == "__main__":
    main()
