"""Notes on how labels were found: what rests on repairs, on asking again, and on probabilities that are not there."""

from collections.abc import Iterator, Mapping

from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import JudgeId
from venire.domain.measures import HowRead
from venire.metaeval.tally import Unanswered

LOW_COVERAGE = 0.9
"""Below this, much of the probability went to what is no label; the rest may say little."""


def tell_how_read(how_read: Mapping[JudgeId, HowRead], design: Design) -> tuple[str, ...]:
    """One plain sentence for each thing that a reader of the figures should know."""
    return tuple(note for judge_id, read in how_read.items() for note in _tell(judge_id, read, design))


def _tell(judge_id: JudgeId, read: HowRead, design: Design) -> Iterator[str]:
    steps = dict(read.steps)
    mended = [
        f"{steps[step]} {words}"
        for step, words in (
            ("repaired_json", "in JSON that had to be repaired"),
            ("truncated_json", "in JSON that was cut off after them"),
        )
        if step in steps
    ]
    if mended:
        yield f"Judge {judge_id}: of {read.n_labels} labels, {' and '.join(mended)} (no label itself was repaired)."
    if read.n_later_attempts:
        yield f"Judge {judge_id}: {read.n_later_attempts} of {read.n_labels} labels came when it was asked again."
    if design.ballot_of(design.judge(judge_id)).probabilities == "off" or not read.n_labels:
        return
    if read.n_with_probabilities < read.n_labels:
        n = read.n_labels - read.n_with_probabilities
        yield f"Judge {judge_id}: {n} of {read.n_labels} labels have no probabilities, though they were asked for."
    if not isinstance(read.mean_coverage, Undefined) and read.mean_coverage < LOW_COVERAGE:
        yield (
            f"Judge {judge_id}: the probabilities of its labels cover {read.mean_coverage:.0%} on average; "
            "the rest went to what is no label, or was not told."
        )


def tell_unanswered(without_reply: Mapping[JudgeId, Unanswered]) -> Iterator[str]:
    """One plain sentence for each judge that gave no reply to some calls."""
    for judge_id, unanswered in without_reply.items():
        calls = "1 call" if unanswered.n_calls == 1 else f"{unanswered.n_calls:,} calls"
        yield (
            f"Judge {judge_id} gave no reply to {calls}; the last reason: {unanswered.reason.rstrip('.')}. "
            "`venire judge` with --retry-failures asks these again."
        )
