"""A base of beliefs follows from its events."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.ledger.beliefs import Belief, BeliefBase, commit, statement
from holdtrue.ledger.entries import Event, EventKind
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.record import Label
from tests.ledger.horn import Horn, atoms, believe

A, B = atoms(2)
WORLD = Horn((A, B), ())


def base_of(*events: Event[Belief]) -> BeliefBase:
    return BeliefBase(WORLD.known(), events)


def added(id: str, atom: Variable, true: bool, turn: int, confidence: float = 1.0) -> Event[Belief]:
    return Event(EventKind.ADDED, turn, believe(id, atom, true, turn, confidence))


def test_a_label_commits_to_the_statement_to_its_negation_or_to_nothing() -> None:
    yes = commit("q1", Label.ENTAILED, A.eq(1), "It rains.", 3, 0.8)
    no = commit("q2", Label.CONTRADICTED, A.eq(1), "It rains.", 3)
    assert yes is not None and (yes.formula, yes.sentence, yes.turn, yes.confidence) == (A.eq(1), "It rains.", 3, 0.8)
    assert no is not None and (no.formula, no.sentence) == (A.eq(1).negation, "Not the case: It rains.")
    assert commit("q3", Label.UNKNOWN, A.eq(1), "It rains.", 3) is None


def test_what_is_restated_is_one_belief_with_the_surer_confidence_and_counts_as_new() -> None:
    base = base_of(added("q1", A, True, 1, 0.5), added("q2", B, True, 2))
    base.append(Event(EventKind.RESTATED, 3, believe("q3", A, True, 3, 0.7), None, ("q1",)))
    assert list(base.active) == list(base.soft) == ["q2", "q1"]
    assert (base.active["q1"].turn, base.active["q1"].confidence) == (3, 0.7)
    assert base.holds("q3") and base.find_by("q3").id == "q1"
    assert list(base.known) == ["q1", "q2", "q3"]


def test_what_is_set_aside_keeps_its_reason_until_it_is_back() -> None:
    base = base_of(added("q1", A, True, 1), added("q2", B, True, 2))
    belief = base.active["q1"]
    base.append(Event(EventKind.SET_ASIDE, 2, belief, "why", ("P1", "q2")))
    assert list(base.active) == ["q2"] and list(base.set_aside) == ["q1"]
    assert base.reason_for("q1") == ("P1", "q2") and not base.holds("q1")
    base.append(Event(EventKind.REINSTATED, 3, belief))
    # It comes back to its place: it was said first.
    assert list(base.active) == ["q1", "q2"] and not base.set_aside


def test_a_witness_is_forgotten_with_what_it_breaks_and_not_before() -> None:
    base = base_of()
    base.witness = {"a0": 1, "a1": 0}
    base.append(added("q1", A, True, 1))
    assert base.witness is not None
    base.append(added("q2", B, True, 2))
    assert base.witness is None


def test_the_same_is_recognised_in_many_forms() -> None:
    five = Variable("n", IntSort(1, 5))
    assert statement(A.eq(1)) == statement(A.ne(0)) == statement(A.eq(0).negation) == statement(A >= 1)
    assert statement(A.eq(1)) != statement(A.eq(0)) != statement(B.eq(0))
    assert statement(five <= 2) == statement((five >= 3).negation) == statement(five.eq(1) | five.eq(2))
    both = A.eq(1) & B.eq(1)
    assert statement(both.negation.negation) == statement(both) != statement(both.negation)
    assert statement((A < B).negation) == statement(A >= B)
    wide = Variable("w", IntSort(0, 1_000_000))
    assert statement((wide < 7).negation) == statement(wide >= 7)


C = Variable("c", IntSort(0, 2))
ONE = [A.eq(1), A.ne(1), A <= 0, C.eq(0), C >= 1, C.ne(2), C.eq(0) | C.eq(1)]
TWO = [A < B, A >= B, A.eq(B), A.eq(1) & B.eq(1), A.eq(1) | C.eq(2)]


@given(st.sampled_from(ONE + TWO), st.sampled_from(ONE + TWO), st.integers(0, 2), st.integers(0, 2))
@settings(deadline=None, max_examples=60)
def test_what_counts_as_the_same_means_the_same(left: Formula, right: Formula, n: int, m: int) -> None:
    for _ in range(n):
        left = left.negation
    for _ in range(m):
        right = right.negation
    worlds = [{"a0": a, "a1": b, "c": c} for a, b, c in product((0, 1), (0, 1), (0, 1, 2))]
    same = all(left.holds(world) == right.holds(world) for world in worlds)
    if statement(left) == statement(right):
        assert same
    if same and len(left.variables) == len(right.variables) == 1:
        assert statement(left) == statement(right)
