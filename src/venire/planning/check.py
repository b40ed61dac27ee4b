"""Checks before anything is asked: do the items fit the design, and what is worth a warning?"""

from collections.abc import Collection, Sequence

from venire.ballots.prompt import check_own_template
from venire.ballots.suspicion import suspicions
from venire.domain.design import Design, family_warnings
from venire.domain.identity import ItemId
from venire.domain.item import Item
from venire.errors import DesignError, UsageError
from venire.planning.subjects import is_askable, subjects_of

NEEDS_REFERENCE = frozenset({"containment", "similarity"})
SHOWN_IDS = 5
MOST_SHOWN = 26
"""Responses in one comparison: they are named by the letters A to Z."""


def check_plan(items: Sequence[Item], design: Design) -> tuple[str, ...]:
    """Refuse what cannot work; return plain sentences about what may surprise.

    Raises:
        DesignError: a reference is required or needed and missing, the baseline system answers nothing, there are
            more responses than can be compared at once, an own template leaves out a response, or there is nothing
            to judge.
        UsageError: two items have one id.
    """
    _check_ids(items)
    sizes = _sizes(items, design)
    _check_sizes(items, sizes)
    _check_templates(sizes, design)
    return (
        *family_warnings(design),
        *_check_references(items, design),
        *_check_baseline(items, design),
        *_check_texts(items, design),
        *_check_injections(items, design),
    )


def _check_ids(items: Sequence[Item]) -> None:
    # The store refuses them too, but it takes the items in while the first requests are under way.
    seen: set[ItemId] = set()
    for item in items:
        if item.id in seen:
            raise UsageError(f"item id {item.id!r} comes twice; the items of a run have an id each, so rename one")
        seen.add(item.id)


def _sizes(items: Sequence[Item], design: Design) -> set[int]:
    """How many responses are shown together."""
    if design.protocol == "pointwise":
        return {1}
    return {len(subject.responses) for item in items for subject in subjects_of(item, design)}


def _check_sizes(items: Sequence[Item], sizes: Collection[int]) -> None:
    if max(sizes, default=0) > MOST_SHOWN:
        too_large = [item.id for item in items if len(item.responses) > MOST_SHOWN]
        raise DesignError(
            f"{len(too_large)} items have more than {MOST_SHOWN} responses ({_listed(too_large)}); a judge can compare "
            f"at most {MOST_SHOWN} at once. Use protocol: pairwise, or fewer responses.",
            at=("protocol",),
        )


def _check_templates(sizes: Collection[int], design: Design) -> None:
    for position, judge in enumerate(design.judges):
        for n_shown in sorted(sizes) if judge.template is not None else ():
            try:
                needs_reference = design.reference == "required"
                check_own_template(judge.template or "", n_shown, needs_reference=needs_reference)
            except DesignError as error:
                raise DesignError(f"Judge {judge.id!r}: {error}", at=("judges", position)) from error


def _check_texts(items: Sequence[Item], design: Design) -> list[str]:
    warnings = []
    n_subjects = 0
    alone: list[ItemId] = []
    unaskable: list[ItemId] = []
    for item in items:
        if len(item.responses) == 1 and design.protocol != "pointwise":
            alone.append(item.id)
        subjects = subjects_of(item, design)
        n_subjects += len(subjects)
        unaskable += [item.id for subject in subjects if not is_askable(item, subject)]
    if len(unaskable) == n_subjects:
        why = (
            "no response has text" if n_subjects else "no item has responses to compare" if items else "there are none"
        )
        raise DesignError(f"None of the {len(items)} items has anything to judge {design.protocol}: {why}.")
    if alone:
        warnings.append(f"{len(alone)} items have one response ({_listed(alone)}), and nothing to compare it with.")
    if unaskable:
        warnings.append(
            f"{len(unaskable)} of {n_subjects} subjects have a response without text and are not asked about "
            f"({_listed(unaskable)}); their verdicts stay undecided."
        )
    return warnings


def _check_injections(items: Sequence[Item], design: Design) -> list[str]:
    suspected = [
        item.id
        for item in items
        if any(response.text and suspicions(response.text, design.rubric) for response in item.responses)
    ]
    if not suspected:
        return []
    return [
        f"Injection suspected in {len(suspected)} of {len(items)} items ({_listed(suspected)}): a response holds what "
        "looks like a verdict, a marker of a prompt or an order to the judge. venire show DIR ITEM tells which. They "
        "are judged like all others; no such text is read as a verdict."
    ]


def _check_references(items: Sequence[Item], design: Design) -> list[str]:
    needy = [judge.id for judge in design.judges if judge.provider in NEEDS_REFERENCE]
    if not needy and design.reference != "required":
        return []
    without = [item.id for item in items if not item.reference]
    if without and design.reference == "required":
        raise DesignError(
            f"reference: required, but {len(without)} of {len(items)} items have none ({_listed(without)}). "
            "Add them, or set reference: if_given."
        )
    hidden = design.reference == "hidden"
    if needy and (hidden or len(without) == len(items)):
        why = "the design hides references" if hidden else "no item has one"
        raise DesignError(
            f"Judges {', '.join(needy)} compare with a reference, but {why}. Drop them or give references."
        )
    if needy and without:
        return [
            f"{len(without)} of {len(items)} items have no reference ({_listed(without)}): {', '.join(needy)} abstain."
        ]
    return []


def _check_baseline(items: Sequence[Item], design: Design) -> list[str]:
    if design.baseline is None:
        return []
    without = [item.id for item in items if design.baseline not in {r.system for r in item.responses}]
    if len(without) == len(items):
        systems = sorted({r.system for item in items for r in item.responses if r.system is not None})
        raise DesignError(
            f"The baseline system {design.baseline!r} has no response in any item; the systems are {systems!r}.",
            at=("pairs",),
        )
    if without:
        return [f"{len(without)} items have no response of {design.baseline!r} ({_listed(without)}) and form no pair."]
    return []


def _listed(ids: Sequence[str]) -> str:
    more = f", … {len(ids) - SHOWN_IDS} more" if len(ids) > SHOWN_IDS else ""
    return ", ".join(ids[:SHOWN_IDS]) + more
