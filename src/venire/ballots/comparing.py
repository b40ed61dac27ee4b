"""How much better one of two responses is: likert words, pairs of scores and preferences, as one number.

A preference is 0 where the first response shown is better, 1 where the second is, and 0.5 where they are even:
Salinas et al. (2025), Tuning LLM Judge Design Decisions for Large Language Models, section 4.2, arXiv:2501.17178.
"""

import math
import re

from venire.ballots.form import LIKERT
from venire.domain.folding import fold
from venire.domain.judgment import Label
from venire.domain.rubric import TIE

LIKERT_PATTERN = r"[ab]\s*(?:>>?|≫|<<?|≪|==?)\s*[ab]"
"""A likert word in folded text, the mirrored spellings included: B<<A says what A>>B says."""

_LIKERT = re.compile(r"([ab])(>>?|<<?|=)([ab])")
_MIRROR = str.maketrans("<>", "><")
_SPELLINGS = str.maketrans({"≫": ">>", "≪": "<<"})


def likert_word(text: str) -> str | None:
    """Which of A>>B, A>B, A=B, B>A, B>>A a piece of text is, whatever its spaces and direction; None: none."""
    plain = "".join(fold(text).translate(_SPELLINGS).split()).strip("[](){}*_`\"'.").replace("==", "=")
    match = _LIKERT.fullmatch(plain)
    if match is None or match[1] == match[3]:
        return None
    left, sign, right = match.groups()
    if "<" in sign:
        left, sign, right = right, sign.translate(_MIRROR), left
    word = f"{left}{sign}{right}".upper()
    return "A=B" if word == "B=A" else word


def likert_preference(word: str) -> float:
    """The preference that a likert word stands for: 0, 0.25, 0.5, 0.75 or 1."""
    return LIKERT.index(word) / (len(LIKERT) - 1)


def pair_preference(first: float, second: float, steepness: float) -> float:
    """The preference that two scores stand for: 1 / (1 + exp(−steepness (second − first))).

    >>> pair_preference(6, 6, 0.3), round(pair_preference(5, 8, 0.3), 3)
    (0.5, 0.711)
    """
    return 1.0 / (1.0 + math.exp(-steepness * (second - first)))


def preferring(preference: float, shown: tuple[int, ...]) -> Label:
    """The label that a preference between the two responses shown comes to.

    Args:
        preference: of the second one shown, in [0, 1].
        shown: their indices in the order shown; the label's own preference is that of the later index.
    """
    value = TIE if preference == 0.5 else shown[preference > 0.5]
    return Label(value=value, preference=preference if shown[0] < shown[1] else 1.0 - preference)
