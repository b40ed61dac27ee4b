"""Quantiles of seconds that were collected one by one."""

from array import array

import numpy as np
import numpy.typing as npt

from venire.domain.finding import Undefined


def percentile(seconds: "array[float] | npt.NDArray[np.float64]", percent: int) -> float | Undefined:
    """The exact percentile, interpolated between neighbours; undefined without any value."""
    if not len(seconds):
        return Undefined("no round trip brought an answer")
    return float(np.percentile(np.asarray(seconds), percent))
