from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.kinds.claims.cliques import maximal_cliques

PAIRS = list(combinations(range(6), 2))


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 6), st.sets(st.sampled_from(PAIRS)))
def test_they_are_all_sets_that_are_linked_and_cannot_grow(count: int, links: set[tuple[int, int]]) -> None:
    linked = {
        place: {other for other in range(count) if (place, other) in links or (other, place) in links}
        for place in range(count)
    }
    agreeing = [
        set(places)
        for size in range(1, count + 1)
        for places in combinations(range(count), size)
        if all(other in linked[one] for one, other in combinations(places, 2))
    ]
    expected = [tuple(sorted(one)) for one in agreeing if not any(one < other for other in agreeing)]
    assert maximal_cliques(linked) == sorted(expected, key=lambda clique: (-len(clique), clique))


def test_many_that_agree_are_found_at_once() -> None:
    everyone = set(range(200))
    assert maximal_cliques({place: everyone - {place} for place in everyone}) == [tuple(range(200))]
