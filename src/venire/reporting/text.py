"""Figures as text: the one place where a number becomes words."""

import re
from typing import assert_never

from venire.domain.finding import Finding, Interval, Undefined
from venire.domain.item import Subject
from venire.domain.rubric import BOTH_BAD, ChoiceScale, IntervalScale, NominalScale, OrdinalScale, Scale, Value

Figure = Finding | Undefined
SHARES = frozenset({"agreement", "accuracy", "kappa", "accuracy_difference", "kappa_difference"})
"""Figures between -1 and 1, written without a leading zero."""

# C0 and C1 controls but line feed and tab, bidirectional overrides and isolates, and surrogates that stand alone:
# they would move the cursor, turn text around, or could not be written as UTF-8.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def make_inert(text: str) -> str:
    """Text from outside with every character that acts instead of being read written as its escape."""
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def one_line(text: str) -> str:
    """Inert text with its line breaks and tabs written as escapes."""
    return make_inert(text).replace("\n", "\\n").replace("\t", "\\t")


def shorten(text: str, n_characters: int = 28) -> str:
    """Text on one line, cut at the end with an ellipsis where it is longer."""
    line = one_line(text)
    return line if len(line) <= n_characters else line[: n_characters - 1] + "…"


def show_share(value: float) -> str:
    """A figure between -1 and 1 with two decimals, without the leading zero.

    >>> show_share(0.617), show_share(-0.05), show_share(1.0), show_share(-0.001)
    ('.62', '-.05', '1.00', '.00')
    """
    text = f"{value:.2f}"
    if text == "-0.00":
        return ".00"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def show_number(value: float) -> str:
    """A number in units of a scale, with three significant digits below 1,000."""
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def show_interval(interval: Interval | Undefined, name: str) -> str:
    """The interval of the figure of this name.

    >>> show_interval(Interval(low=0.484, high=0.741, method="bootstrap"), "kappa")
    '[.48, .74]'
    """
    if isinstance(interval, Undefined):
        return f"no interval: {interval.reason}"
    show = show_share if name in SHARES else show_number
    return f"[{show(interval.low)}, {show(interval.high)}]"


def show_value(figure: Figure) -> str:
    """The value alone, or why there is none."""
    if isinstance(figure, Undefined):
        return f"undefined: {figure.reason}"
    if isinstance(figure.value, Undefined):
        return f"undefined: {figure.value.reason}"
    return show_share(figure.value) if figure.name in SHARES else show_number(figure.value)


def show_figure(figure: Figure) -> str:
    """A figure with its interval: `.62 [.48, .74]`, or `undefined: reason`."""
    if isinstance(figure, Undefined) or isinstance(figure.value, Undefined):
        return show_value(figure)
    return f"{show_value(figure)} {show_interval(figure.interval, figure.name)}"


def show_usd(usd: float) -> str:
    """Dollars: two decimals from $1 on, four below.

    >>> show_usd(12.345), show_usd(0.0028), show_usd(0.0), show_usd(0.00001)
    ('$12.35', '$0.0028', '$0', '< $0.0001')
    """
    if usd == 0:
        return "$0"
    if usd < 0.0001:
        return "< $0.0001"
    return f"${usd:,.2f}" if usd >= 1 else f"${usd:.4f}"


def show_cost(usd_known: float, n_unpriced: int, n_tokens: int = 0) -> str:
    """Known dollars and the calls (and their tokens) whose cost is not: an unknown cost is never counted as zero.

    >>> show_cost(0.0028, 1, 5500), show_cost(0.0, 3), show_cost(0.0, 0)
    ('$0.0028 + unknown for 1 call (5,500 tokens)', 'unknown for 3 calls', '$0')
    """
    if not n_unpriced:
        return show_usd(usd_known)
    unknown = f"unknown for {count(n_unpriced, 'call')}" + (f" ({count(n_tokens, 'token')})" if n_tokens else "")
    return f"{show_usd(usd_known)} + {unknown}" if usd_known else unknown


def show_seconds(seconds: float | Undefined) -> str:
    """Seconds with two significant digits below 10, in minutes from 100 on.

    >>> show_seconds(0.0123), show_seconds(1.234), show_seconds(42.4), show_seconds(130.0)
    ('0.012 s', '1.2 s', '42 s', '2.2 min')
    """
    if isinstance(seconds, Undefined):
        return f"undefined: {seconds.reason}"
    if seconds >= 100:
        return f"{seconds / 60:.1f} min"
    if seconds >= 9.95:
        return f"{seconds:.0f} s"
    return f"{seconds:#.2g} s" if seconds >= 0.001 else "< 0.001 s"


def show_latency(p50_s: float | Undefined, p95_s: float | Undefined) -> str:
    """The median and the 95th percentile, the unit once where it is the same.

    >>> show_latency(1.234, 5.0), show_latency(0.5, 130.0), show_latency(Undefined("why"), Undefined("why"))
    ('1.2 / 5.0 s', '0.50 s / 2.2 min', 'no answer')
    """
    if isinstance(p50_s, Undefined) or isinstance(p95_s, Undefined):
        return "no answer"
    half, most = show_seconds(p50_s), show_seconds(p95_s)
    unit = most.rpartition(" ")[2]
    return f"{half.removesuffix(f' {unit}')} / {most}"


def show_percent(n: int, of: int) -> str:
    """A share of counted things in percent; a rest above nothing is never rounded to 0%, nor one below all to 100%."""
    if of == 0:
        return "none of none"
    percent = 100 * n / of
    if 0 < percent < 1:
        return "< 1%"
    return "> 99%" if 99 < percent < 100 else f"{percent:.0f}%"


def count(n: int, thing: str) -> str:
    """A number with its noun.

    >>> count(1, "call"), count(1200, "call")
    ('1 call', '1,200 calls')
    """
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"


def show_scale(scale: Scale) -> str:
    """A scale in words."""
    match scale:
        case NominalScale(labels=labels, positive=positive):
            return f"nominal: {', '.join(labels)} (success: {positive})"
        case OrdinalScale(labels=labels):
            return f"ordinal, worst first: {', '.join(labels)}"
        case IntervalScale():
            kind = "whole numbers" if scale.integer else "numbers"
            return f"interval: {kind} from {scale.min:g} to {scale.max:g}"
        case ChoiceScale():
            more = [*(["tie"] * scale.tie), *(["both bad"] * scale.both_bad)]
            return "choice: " + ", or ".join(["one of the responses", *more])
        case _:
            assert_never(scale)


def show_value_of_scale(value: Value, subject: Subject, scale: Scale | None) -> str:
    """A label as words; a choice is named by its place among the subject's responses, counted from first.

    Args:
        scale: None for a combination of criteria.
    """
    if isinstance(value, str):
        return "both bad" if value == BOTH_BAD and isinstance(scale, ChoiceScale) else value
    if isinstance(scale, ChoiceScale):
        return show_place(subject.responses.index(int(value)))
    return show_number(value)


def show_place(position: int) -> str:
    """A response by its place in the subject."""
    return f"{_PLACES[position]} response" if position < len(_PLACES) else f"response no. {position + 1}"


_PLACES = ("first", "second", "third", "fourth")
