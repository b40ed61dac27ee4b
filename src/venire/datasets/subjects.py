"""Which responses of an item a line is about: by index or by the systems' names, or the only ones there are."""

from collections.abc import Mapping

from venire.datasets.complaints import BadValue, quote
from venire.datasets.given_gold import systems_of
from venire.domain.design import Protocol
from venire.domain.identity import Json
from venire.domain.item import Item, Subject

_SINGULAR = ("response", "system")
_PLURAL = ("responses", "systems")


def read_subject(fields: Mapping[str, Json], *, item: Item, protocol: Protocol) -> Subject:
    """The subject that a line names; where it names none, all the item's responses, if that many are meant.

    Raises:
        BadValue: it names responses that the item does not have, or too few or too many.
    """
    (by_index, by_system), others = (_SINGULAR, _PLURAL) if protocol == "pointwise" else (_PLURAL, _SINGULAR)
    misplaced = [name for name in others if fields.get(name) is not None]
    if misplaced:
        raise BadValue(f"the line has {misplaced!r}; protocol {protocol} needs {by_index!r} or {by_system!r}")
    everything = tuple(range(len(item.responses)))
    named: list[tuple[int, ...]] = []
    if fields.get(by_index) is not None:
        named.append(_indices(fields[by_index], everything, by_index))
    if fields.get(by_system) is not None:
        named.append(_of_systems(fields[by_system], systems_of(item, everything), by_system))
    if len(set(named)) > 1:
        raise BadValue(f"{by_index} and {by_system} name different responses: {[list(n) for n in named]!r}")
    indices = named[0] if named else everything
    n_wanted = {"pointwise": 1, "pairwise": 2, "listwise": len(everything)}[protocol]
    if len(indices) != n_wanted:
        meant = "names" if named else "names no response, and the item has"
        raise BadValue(
            f"the line {meant} {len(indices)}; protocol {protocol} needs {n_wanted}, as {by_index!r} or {by_system!r}"
        )
    return Subject(item_id=item.id, responses=indices)


def _indices(written: Json, everything: tuple[int, ...], name: str) -> tuple[int, ...]:
    listed = written if isinstance(written, list) else [written]
    indices = [i for i in listed if isinstance(i, int) and not isinstance(i, bool) and i in everything]
    if len(indices) < len(listed):
        raise BadValue(f"{name} is {quote(written)}; the item's responses have the indices {list(everything)!r}")
    return _distinct(indices, name, written)


def _of_systems(written: Json, systems: Mapping[str, int], name: str) -> tuple[int, ...]:
    listed = written if isinstance(written, list) else [written]
    indices = [systems[system] for system in listed if isinstance(system, str) and system in systems]
    if len(indices) < len(listed):
        raise BadValue(f"{name} is {quote(written)}; the item's systems are {list(systems)!r}")
    return _distinct(indices, name, written)


def _distinct(indices: list[int], name: str, written: Json) -> tuple[int, ...]:
    if len(set(indices)) < len(indices):
        raise BadValue(f"{name} is {quote(written)}, which names one response twice")
    return tuple(sorted(indices))
