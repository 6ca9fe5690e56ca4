"""Which samples agree all with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

Linked = Mapping[int, set[int]]


def maximal_cliques(linked: Linked) -> list[tuple[int, ...]]:
    """All sets of places that are linked with each other and that no further place is linked with.

    `linked` has for every place those that it is linked with, itself not among them. The largest come first; of the
    same size, those with earlier places.
    """
    found = _grow(linked, frozenset(), frozenset(linked), frozenset()) if linked else ()
    return sorted(found, key=lambda clique: (-len(clique), clique))


def _grow(
    linked: Linked, clique: frozenset[int], candidates: frozenset[int], done: frozenset[int]
) -> Iterator[tuple[int, ...]]:
    """Bron and Kerbosch, "Algorithm 457: finding all cliques of an undirected graph" (CACM 1973), with a pivot."""
    if not candidates and not done:
        yield tuple(sorted(clique))
        return
    pivot = max(candidates | done, key=lambda place: len(linked[place] & candidates))
    for place in candidates - linked[pivot]:
        near = linked[place]
        yield from _grow(linked, clique | {place}, candidates & near, done & near)
        candidates, done = candidates - {place}, done | {place}
