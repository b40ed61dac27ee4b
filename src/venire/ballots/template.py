"""Templates: one pass over declared names, so that braces in judged text or in JSON examples stay what they are."""

import difflib
import re
from collections.abc import Collection, Mapping

from venire.errors import DesignError

_NAME = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_ALMOST = re.compile(r"\{\s*([A-Za-z]\w*)\s*\}")
"""What somebody may have meant as a name."""


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put each value in the place of its `{name}`, literally, in one pass; all other braces stay as they are.

    Raises:
        DesignError: a value's name is nowhere in the template, or a name is close to a declared one but is not it.
    """
    check_template(template, required=values.keys(), declared=values.keys())
    return fill_checked(template, values)


def fill_checked(template: str, values: Mapping[str, str]) -> str:
    """As `fill`, for a template that has been checked once."""
    return _NAME.sub(lambda match: values.get(match[1], match[0]), template)


def check_template(template: str, *, required: Collection[str], declared: Collection[str]) -> None:
    """Refuse a template that leaves out a required name or misspells a declared one."""
    for meant in _ALMOST.finditer(template):
        close = difflib.get_close_matches(meant[1].casefold(), sorted(declared), n=1, cutoff=0.75)
        if close and meant[0] != f"{{{close[0]}}}":
            raise DesignError(f"The template has {meant[0]}; did you mean {{{close[0]}}}? Names: {_listed(declared)}.")
    missing = sorted(set(required).difference(_NAME.findall(template)))
    if missing:
        raise DesignError(f"The template lacks {_listed(missing)}; without it the judge would not see it. Add it.")


def _listed(names: Collection[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))
