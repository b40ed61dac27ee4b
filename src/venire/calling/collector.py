"""Python's cycle collector while judges are asked: it looks less often, and not at what was there before."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

N_NEW = 20_000
"""New objects before the collector looks: about what fifty calls make, and some 5 MB. At Python's own 700 it went
through the calls under way at each third answer, a tenth of the time of asking (decisions/speed.md)."""


@contextmanager
def calm_collector() -> Iterator[None]:
    """Spare the collector everything that exists already, and let it look less often, until the end of the block.

    With the libraries of a run loaded, each full collection goes through some 400,000 objects that stay for ever; it
    took a fifth of the time of asking (decisions/speed.md). Whoever has frozen objects already is left alone, and
    so is a collector that was switched off or looks even less often.
    """
    if gc.get_freeze_count():
        yield
        return
    n_new, *later = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(max(n_new, N_NEW) if n_new else 0, *later)
    try:
        yield
    finally:
        gc.set_threshold(n_new, *later)
        gc.unfreeze()
