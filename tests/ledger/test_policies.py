"""Policies choose the beliefs that give way as brute force over all subsets does."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdtrue.ledger.beliefs import Belief
from holdtrue.ledger.policies import SCREENED, Choice, RevisionPolicy, choose, preference, weight
from tests.ledger.horn import (
    BUDGET,
    SURE,
    Clause,
    Horn,
    atoms,
    believe,
    corrections,
    cost,
    possible_in,
    preferred,
)


@st.composite
def conflicts(draw: st.DrawFn) -> tuple[Horn, dict[str, Belief]]:
    """A possible world with beliefs that are impossible in it, oldest first, some of one turn."""
    variables = atoms(5)
    places = st.integers(0, 4)
    clauses = draw(
        st.lists(
            st.builds(
                Clause,
                st.lists(places, min_size=1, max_size=4, unique=True).map(tuple),
                st.none() | places,
            ),
            max_size=6,
        )
    )
    literals = draw(st.lists(st.tuples(places, st.booleans(), st.sampled_from(SURE)), min_size=2, max_size=7))
    turns = sorted(draw(st.lists(st.integers(1, 6), min_size=len(literals), max_size=len(literals))))
    beliefs = {
        f"q{place}": believe(f"q{place}", variables[atom], true, turn, confidence)
        for place, ((atom, true, confidence), turn) in enumerate(zip(literals, turns, strict=True))
    }
    world = Horn(variables, tuple(clauses))
    possible = possible_in(world)
    assume(possible(()) and not possible(beliefs.values()))
    return world, beliefs


def chosen(policy: RevisionPolicy, world: Horn, beliefs: dict[str, Belief]) -> Choice:
    found = choose(policy, world.known().engine, beliefs, BUDGET)
    assert isinstance(found, Choice)
    return found


@given(conflicts())
@settings(deadline=None, max_examples=40)
def test_screened_policies_give_up_no_more_than_they_must(conflict: tuple[Horn, dict[str, Belief]]) -> None:
    world, beliefs = conflict
    minimal = corrections(beliefs, possible_in(world))
    for policy in SCREENED:
        choice = chosen(policy, world, beliefs)
        assert set(choice.given_up) in minimal
        kept = [belief.formula for id, belief in beliefs.items() if id not in choice.given_up]
        assert choice.witness is not None
        assert all(formula.holds(choice.witness) for formula in (*kept, *world.rules.values()))


@given(conflicts())
@settings(deadline=None, max_examples=40)
def test_min_change_gives_up_the_least_weight_and_knows_ties(conflict: tuple[Horn, dict[str, Belief]]) -> None:
    world, beliefs = conflict
    choice = chosen("min_change", world, beliefs)
    costs = [cost(beliefs, ids) for ids in corrections(beliefs, possible_in(world))]
    assert cost(beliefs, choice.given_up) == min(costs)
    assert choice.tied == (costs.count(min(costs)) > 1)
    # Of several lightest it keeps the newest that one of them keeps, then the next.
    lightest = [ids for ids, c in zip(corrections(beliefs, possible_in(world)), costs, strict=True) if c == min(costs)]
    newest = list(beliefs)[::-1]
    assert set(choice.given_up) == min(lightest, key=lambda ids: [id in ids for id in newest])


@given(conflicts())
@settings(deadline=None, max_examples=40)
@pytest.mark.parametrize("policy", ["recency", "entrenchment"])
def test_what_is_kept_is_a_preferred_subtheory(
    policy: RevisionPolicy, conflict: tuple[Horn, dict[str, Belief]]
) -> None:
    world, beliefs = conflict
    possible = possible_in(world)
    standing: Callable[[Belief], int] = weight if policy == "entrenchment" else lambda belief: belief.turn
    order = preference(policy, beliefs)
    layers = [list(group) for _, group in groupby((beliefs[id] for id in order), key=standing)]
    choice = chosen(policy, world, beliefs)
    kept = beliefs.keys() - set(choice.given_up)
    theories = preferred(layers, possible)
    assert kept in theories
    assert choice.tied == (len(theories) > 1)
    # Each layer of one: within a layer, order decides.
    assert {frozenset(kept)} == preferred([[beliefs[id]] for id in order], possible)


@given(conflicts())
@settings(deadline=None, max_examples=40)
def test_greedy_drops_the_oldest_and_puts_back_what_it_need_not(conflict: tuple[Horn, dict[str, Belief]]) -> None:
    world, beliefs = conflict
    possible = possible_in(world)
    ids = list(beliefs)
    dropped = next(count for count in range(len(ids) + 1) if possible(beliefs[id] for id in ids[count:]))
    kept = ids[dropped:]
    for id in ids[:dropped]:
        if possible(beliefs[other] for other in (*kept, id)):
            kept.append(id)
    choice = chosen("greedy", world, beliefs)
    assert set(choice.given_up) == set(ids) - set(kept)
    peers = {id: {other for other in kept if beliefs[other].turn == beliefs[id].turn} for id in choice.given_up}
    assert choice.tied == any(
        possible(beliefs[other] for other in (*(set(kept) - peers[id]), id)) for id in choice.given_up
    )


@given(conflicts())
@settings(deadline=None, max_examples=40)
def test_the_printed_algorithm_drops_one_prior_belief_or_none(conflict: tuple[Horn, dict[str, Belief]]) -> None:
    world, beliefs = conflict
    possible = possible_in(world)
    helps = [id for id in list(beliefs)[:-1] if possible(b for other, b in beliefs.items() if other != id)]
    choice = chosen("greedy_printed", world, beliefs)
    assert list(choice.given_up) == helps[:1]
    assert (choice.witness is None) == (not helps)


def test_more_confidence_keeps_more_and_policies_differ() -> None:
    """Each policy decides differently between a confident old belief and two newer, less confident ones."""
    x, a, b = atoms(3)
    world = Horn((x, a, b), (Clause((0, 1), None), Clause((0, 2), None)))
    beliefs = {
        "q1": believe("q1", x, True, 1, 0.9),
        "q2": believe("q2", a, True, 2, 0.5),
        "q3": believe("q3", b, True, 3, 0.5),
    }
    assert chosen("greedy", world, beliefs).given_up == ("q1",)
    assert chosen("recency", world, beliefs).given_up == ("q1",)
    assert chosen("entrenchment", world, beliefs).given_up == ("q2", "q3")
    assert chosen("min_change", world, beliefs).given_up == ("q1",)


def test_weights_are_thousandths_and_never_nothing() -> None:
    (a,) = atoms(1)
    assert [weight(believe("q", a, True, 1, sure)) for sure in (0.0, 0.0004, 0.25, 0.9996, 1.0)] == [
        1, 1, 250, 1000, 1000,
    ]  # fmt: skip
