"""Width: how many requests may be under way for one provider key, learned from how many of them are refused."""

TOLERATED = 0.1
"""A share of refusals that changes nothing: some endpoints refuse a few at any pace, and slowing down is no help."""
N_STEPS = 20
"""Windows without a refusal that lead from the narrowest to the widest."""


class Width:
    """Additive increase, multiplicative decrease, decided once for every window of as many outcomes as the width.

    A window without a refusal adds a step. One with more than the tolerated share takes half that share away, so
    that a window refused as a whole halves the width and one with a few refusals hardly moves it: the rule of DCTCP
    (Alizadeh and others, 2010, doi:10.1145/1851182.1851192; RFC 8257, 3.3), which reacts to how much was marked and
    not only to whether. Outcomes of requests that were sent before the last cut tell of the old width and are left out.
    """

    def __init__(self, widest: int) -> None:
        """Begin with the widest: a limit that is not reached should slow nobody down."""
        self.now = widest
        self.epoch = 0
        """How often it was cut; an outcome is told with the epoch in which its request was sent."""
        self._widest = widest
        self._width = float(widest)
        self._step = max(1.0, widest / N_STEPS)
        self._n_answered = self._n_refused = 0

    def take_answer(self, epoch: int) -> None:
        """Take note of an answer."""
        if epoch == self.epoch:
            self._n_answered += 1
            self._look_back()

    def take_refusal(self, epoch: int) -> None:
        """Take note of a refusal because of too much traffic."""
        if epoch == self.epoch:
            self._n_refused += 1
            self._look_back()

    def halve(self, epoch: int) -> None:
        """Cut at once, before the window is full."""
        if epoch == self.epoch:
            self._cut(0.5)

    def _look_back(self) -> None:
        n = self._n_answered + self._n_refused
        if n < self.now:
            return
        share = self._n_refused / n
        if share > TOLERATED:
            self._cut(1 - share / 2)
            return
        if not self._n_refused:
            self._set(min(self._width + self._step, float(self._widest)))
        self._n_answered = self._n_refused = 0

    def _cut(self, factor: float) -> None:
        self._set(max(self._width * factor, 1.0))
        self.epoch += 1
        self._n_answered = self._n_refused = 0

    def _set(self, width: float) -> None:
        self._width = width
        self.now = int(width)
