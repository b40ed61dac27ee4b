"""Python's cycle collector while judges are asked: it need not look at what was there before."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def calm_collector() -> Iterator[None]:
    """Spare the collector everything that exists already, until the end of the block.

    With the libraries of a run loaded, each full collection goes through some 400,000 objects that stay for ever; it
    took a fifth of the time of asking (decisions/speed.md). Whoever has frozen objects already is left alone.
    """
    if gc.get_freeze_count():
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
