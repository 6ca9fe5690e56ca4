from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Deadline
from holdtrue.solving.explain import hitting_set
from holdtrue.solving.explain.hitting_set import HittingSets
from tests.solving.explain.naive import cost, late_first

ELEMENTS = tuple("abcdefgh")
NEVER = Deadline(None)

families = st.lists(st.sets(st.sampled_from(ELEMENTS), min_size=1, max_size=5), max_size=9)
weights = st.dictionaries(st.sampled_from(ELEMENTS), st.integers(1, 4))


def _naive(family: list[set[str]], costs: dict[str, int]) -> set[str]:
    every = [set(some) for size in range(len(ELEMENTS) + 1) for some in combinations(ELEMENTS, size)]
    hitting = [some for some in every if all(some & one for one in family)]
    return min(hitting, key=lambda some: (cost(some, costs), late_first(some, ELEMENTS)))


def _found(family: list[set[str]], costs: dict[str, int]) -> set[str]:
    sets = HittingSets(ELEMENTS, costs)
    for one in family:
        sets.add(one)
    found = sets.cheapest(NEVER)
    assert found is not None
    assert sets.cost(found) == cost(found, costs)
    return set(found)


@settings(deadline=None, max_examples=150)
@given(families, weights)
def test_the_search_finds_the_defined_one_of_the_cheapest(family: list[set[str]], costs: dict[str, int]) -> None:
    assert _found(family, costs) == _naive(family, costs)


def test_maxsat_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hitting_set, "search", lambda *_: None)

    @settings(deadline=None, max_examples=60)
    @given(families, weights)
    def law(family: list[set[str]], costs: dict[str, int]) -> None:
        assert _found(family, costs) == _naive(family, costs)

    law()


@settings(deadline=None, max_examples=40)
@given(families, st.randoms(use_true_random=False))
def test_it_depends_on_the_family_and_not_on_its_history(family: list[set[str]], random: st.DataObject) -> None:
    sets = HittingSets(ELEMENTS)
    shuffled = [*family, *family]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for one in shuffled:
        sets.add(one)
        sets.cheapest(NEVER)
    assert set(sets.cheapest(NEVER) or ()) == _found(family, {})


def test_too_large_a_family_is_left_to_maxsat_and_found_optimal() -> None:
    # A cycle of odd length, covered by every other vertex and one more; the bound by disjoint pairs is one too low.
    names = [f"v{number}" for number in range(61)]
    sets = HittingSets(names)
    for number in range(61):
        sets.add((names[number], names[(number + 1) % 61]))
        sets.add((names[number], names[(number + 7) % 61]))
    family = [{number, (number + step) % 61} for number in range(61) for step in (1, 7)]
    found = sets.cheapest(NEVER)
    assert found is not None
    chosen = {names.index(name) for name in found}
    assert all(chosen & one for one in family)
    masks = [sum(1 << number for number in one) for one in family]
    assert hitting_set.search(masks, None) is None, "too large for the search"
    assert hitting_set.search(masks, None, limit=10**6) == sum(1 << number for number in chosen)


def test_many_sets_apart_do_not_nest_too_deep() -> None:
    names = [f"v{number}" for number in range(1_200)]
    sets = HittingSets(names)
    for number in range(0, len(names), 2):
        sets.add(names[number : number + 2])
    assert sets.cheapest(NEVER) == frozenset(names[::2])


def test_without_time_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hitting_set, "search", lambda *_: None)
    sets = HittingSets(ELEMENTS)
    sets.add("ab")
    sets.add("bc")
    assert sets.cheapest(Deadline(0.0)) is None
    assert sets.cheapest(NEVER) == frozenset("b")


def test_the_empty_set_cannot_be_hit() -> None:
    sets = HittingSets(ELEMENTS)
    with pytest.raises(ValueError, match="empty"):
        sets.add(())
    assert sets.cheapest(NEVER) == frozenset()
    assert "a" in sets
    assert "z" not in sets
