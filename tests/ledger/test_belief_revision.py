"""An answer revises earlier beliefs, and no dialogue ends inconsistent."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import InputError
from holdtrue.ledger.belief_revision import Revision, contract, expand, revise
from holdtrue.ledger.beliefs import Belief, BeliefBase, Rules
from holdtrue.ledger.entries import EventKind
from holdtrue.ledger.policies import POLICIES, SCREENED, RevisionPolicy
from holdtrue.logic.formula import Formula, Variable
from holdtrue.record import Label, Satisfiability
from holdtrue.solving.engine import Soft
from holdtrue.solving.result import Satisfiable, Unsatisfiable
from holdtrue.solving.route import make_engine
from tests.ledger.horn import (
    BUDGET,
    Clause,
    Horn,
    Possible,
    atoms,
    believe,
    corrections,
    cost,
    dialogues,
    possible_in,
)

OURS: list[RevisionPolicy] = [policy for policy in POLICIES if policy in SCREENED]
A, B, C, X = atoms(4)


def kinds(revision: Revision) -> list[tuple[str, str]]:
    return [(event.kind.value, event.entry.id) for event in revision.events]


def talk(base: BeliefBase, policy: RevisionPolicy, *said: tuple[Variable, bool]) -> list[Revision]:
    """One answer a turn: q1, q2 ..."""
    start = len(base.known)
    return [
        revise(base, [believe(f"q{turn}", atom, true, turn)], policy, BUDGET)
        for turn, (atom, true) in enumerate(said, start=start + 1)
    ]


# The three cases that the published algorithm leaves impossible.
TWO_CONFLICTS = Horn((A, B, C, X), (Clause((3, 0), None), Clause((3, 1), None))), [(A, True), (B, True), (X, True)]
SAID_TWICE = Horn((A, B, C, X), ()), [(A, True), (A, True), (A, False)]
AGAINST_RULES = Horn((A, B, C, X), (Clause((0,), None),)), [(B, True), (A, True)]
FAILING = [TWO_CONFLICTS, SAID_TWICE, AGAINST_RULES]


@pytest.mark.parametrize(("world", "said"), FAILING, ids=["two conflicts", "said twice", "against the rules"])
def test_the_printed_algorithm_fails_where_ours_do_not(world: Horn, said: list[tuple[Variable, bool]]) -> None:
    possible = possible_in(world)
    printed = BeliefBase(world.known())
    last = talk(printed, "greedy_printed", *said)[-1]
    assert last.status is Satisfiability.UNSAT and not last.retracted
    assert not possible(printed.active.values())
    for policy in OURS:
        base = BeliefBase(world.known())
        last = talk(base, policy, *said)[-1]
        assert last.status is Satisfiability.SAT
        assert possible(base.active.values()), policy


def test_what_our_policies_do_about_them() -> None:
    base = BeliefBase(TWO_CONFLICTS[0].known())
    last = talk(base, "greedy", *TWO_CONFLICTS[1])[-1]
    assert kinds(last) == [("added", "q3"), ("set_aside", "q1"), ("set_aside", "q2")]
    assert [event.because for event in last.events] == [(), ("P1", "q3"), ("P2", "q3")]
    assert last.events[1].reason == (
        '"a0 holds." is given up: it cannot hold together with P1, q3 ("a3 holds.")'
    )  # fmt: skip

    base = BeliefBase(SAID_TWICE[0].known())
    steps = talk(base, "recency", *SAID_TWICE[1])
    assert kinds(steps[1]) == [("restated", "q2")] and steps[1].kept == ("q2",)
    assert kinds(steps[2]) == [("added", "q3"), ("set_aside", "q1")]
    assert steps[2].retracted == ("q1",) and list(base.active) == ["q3"]
    assert not base.holds("q2")

    base = BeliefBase(AGAINST_RULES[0].known())
    last = talk(base, "min_change", *AGAINST_RULES[1])[-1]
    assert kinds(last) == [("rejected", "q2")] and last.rejected == ("q2",)
    assert (last.events[0].because, last.events[0].reason) == (("P1",), "it contradicts the rules (P1)")
    assert list(base.active) == ["q1"]


def test_expanding_asks_nobody() -> None:
    base = BeliefBase(AGAINST_RULES[0].known())
    assert [event.kind for event in expand(base, [believe("q1", A, True, 1)])] == [EventKind.ADDED]
    assert list(base.active) == ["q1"] and base.witness is None


def test_in_min_change_what_is_new_gives_way_if_it_weighs_least_and_comes_back_when_it_can() -> None:
    base = BeliefBase(SAID_TWICE[0].known())
    revise(base, [believe("q1", A, True, 1, 0.9)], "min_change", BUDGET)
    second = revise(base, [believe("q2", A, False, 2, 0.5)], "min_change", BUDGET)
    assert kinds(second) == [("added", "q2"), ("set_aside", "q2")]
    assert second.retracted == ("q2",) and second.kept == () and second.tied is False
    third = contract(base, "q1", 3, "min_change", BUDGET)
    assert kinds(third) == [("withdrawn", "q1"), ("reinstated", "q2")]
    assert third.reinstated == ("q2",) and list(base.active) == ["q2"]


def test_a_person_withdraws_by_any_answer_that_said_it_and_for_good() -> None:
    base = BeliefBase(SAID_TWICE[0].known())
    talk(base, "greedy", (A, True), (A, True), (A, False))
    assert kinds(contract(base, "q1", 4, "greedy", BUDGET)) == [("withdrawn", "q1")]
    assert kinds(contract(base, "q3", 5, "greedy", BUDGET, "a slip")) == [("withdrawn", "q3")]
    assert base.events[-1].reason == "a slip" and not base.active
    with pytest.raises(InputError, match="nothing is believed by 'q2'"):
        contract(base, "q2", 6, "greedy", BUDGET)


def test_what_cannot_be_a_belief_is_refused_and_changes_nothing() -> None:
    base = BeliefBase(AGAINST_RULES[0].known())
    talk(base, "greedy", (B, True))
    unknown = Belief("q9", Label.UNKNOWN, B.eq(1), "", 2)
    foreign = believe("q9", atoms(9)[8], True, 2)
    for wrong, message in [
        (believe("q1", B, False, 2), "the id 'q1' is in use"),
        (believe("P1", B, False, 2), "the id 'P1' is in use"),
        (believe("q9", B, True, 2, 1.5), "a confidence of 1.5 is not in 0..1"),
        (unknown, "UNKNOWN commits to nothing"),
        (foreign, "about a variable that the rules do not have"),
    ]:
        with pytest.raises(InputError, match=message):
            revise(base, [wrong], "greedy", BUDGET)
    with pytest.raises(InputError, match="q8 is of turn 3, and q7 of turn 2"):
        revise(base, [believe("q7", B, True, 2), believe("q8", B, True, 3)], "greedy", BUDGET)
    assert len(base.events) == 1


def test_rules_that_are_impossible_together_are_named() -> None:
    world = Horn((A, B, C, X), (Clause((1,), None),))
    rules = Rules(world.atoms, (), {**world.rules, "P2": B.eq(1), "P3": A.eq(1)})
    with pytest.raises(InputError, match="the rules are impossible together: P1, P2"):
        revise(BeliefBase(rules), [believe("q1", A, True, 1)], "greedy", BUDGET)


def test_a_base_that_is_impossible_already_is_mended_by_the_next_step() -> None:
    base = BeliefBase(SAID_TWICE[0].known())
    expand(base, [believe("q1", A, True, 1)])
    expand(base, [believe("q2", A, False, 2)])
    step = revise(base, [], "greedy", BUDGET)
    assert kinds(step) == [("set_aside", "q1")] and step.status is Satisfiability.SAT


# Laws, over random worlds and dialogues, one answer or several a turn.


def look(before: BeliefBase, step: Revision, after: BeliefBase, possible: Possible) -> None:
    """Check the guarantees for every step of a screened policy."""
    assert step.status is Satisfiability.SAT and possible(after.active.values())
    assert after.witness is not None
    formulas = (*after.soft.values(), *after.rules.rules.values())
    assert all(formula.holds(after.witness) for formula in formulas)
    # Retractions are subset-minimal: each clashes with the kept beliefs, for the given reason.
    candidates = entering(before, step)
    if step.retracted:
        assert set(step.retracted) in corrections(candidates, possible)
    for event in step.events:
        if event.kind in (EventKind.SET_ASIDE, EventKind.REJECTED):
            said = {belief.id: belief.formula for belief in after.known.values()} | dict(after.rules.rules)
            reason = {name: said[name] for name in event.because} | {event.entry.id: event.entry.formula}
            bare = make_engine(after.rules.engine.variables)
            assert isinstance(bare.decide(reason, BUDGET), Unsatisfiable)
            for name in reason:
                assert isinstance(bare.decide(_less(reason, name), BUDGET), Satisfiable)
    # No belief that is set aside is consistent, unless an active belief has the same content.
    for belief in after.set_aside.values():
        assert after.find(belief.formula) is not None or not possible((*after.active.values(), belief))
    # Events tell the whole story.
    again = BeliefBase(after.rules, after.events)
    assert (again.active, again.set_aside, again.known) == (after.active, after.set_aside, after.known)
    assert list(again.active) == list(after.active)


def entering(before: BeliefBase, step: Revision) -> dict[str, Belief]:
    """Return the candidates of a policy: the earlier beliefs with the new ones."""
    base = before.fork()
    for event in step.events:
        if event.kind in (EventKind.ADDED, EventKind.RESTATED):
            base.append(event)
    return dict(base.active)


def _less(soft: Soft, gone: str) -> dict[str, Formula]:
    return {id: formula for id, formula in soft.items() if id != gone}


@given(dialogues(), st.sampled_from(OURS))
@settings(deadline=None, max_examples=80)
def test_every_step_keeps_the_laws_and_min_change_gives_up_least(
    dialogue: tuple[Horn, list[list[Belief]]], own: RevisionPolicy
) -> None:
    """All policies start from the states that one of them leads to."""
    world, turns = dialogue
    possible = possible_in(world)
    base = BeliefBase(world.known())
    for new in turns:
        given_up: dict[RevisionPolicy, int] = {}
        for policy in OURS:
            fork = base.fork()
            step = revise(fork, new, policy, BUDGET)
            look(base, step, fork, possible)
            candidates = entering(base, step)
            given_up[policy] = cost(candidates, step.retracted)
            if policy == "min_change":
                best = min(cost(candidates, ids) for ids in corrections(candidates, possible))
                assert given_up[policy] == best
            if policy in ("greedy", "recency") and len(new) == 1 and not step.rejected:
                assert step.kept == (new[0].id,)  # the newest always stays
        assert given_up["min_change"] == min(given_up.values())
        revise(base, new, own, BUDGET)


@given(dialogues(), st.sampled_from(OURS))
@settings(deadline=None, max_examples=40)
def test_withdrawing_keeps_the_laws_too(dialogue: tuple[Horn, list[list[Belief]]], policy: RevisionPolicy) -> None:
    world, turns = dialogue
    possible = possible_in(world)
    base = BeliefBase(world.known())
    for new in turns:
        revise(base, new, policy, BUDGET)
    for turn in range(len(turns) + 1, len(turns) + 3):
        if base.active:
            before, id = base.fork(), list(base.active)[len(base.active) // 2]
            step = contract(base, id, turn, policy, BUDGET)
            assert not base.holds(id) and not step.retracted
            look(before, step, base, possible)


def test_what_cannot_hold_by_itself_is_not_said_to_be_unexplained() -> None:
    base = BeliefBase(Rules([A, B], (), {}))
    revise(base, [Belief("q1", Label.ENTAILED, A.eq(1) & A.eq(0), "a and not a", 1)], "greedy_printed", BUDGET)
    (_, gone) = revise(base, [believe("q2", B, True, 2)], "greedy_printed", BUDGET).events
    assert (gone.kind, gone.entry.id, gone.because) == (EventKind.SET_ASIDE, "q1", ())
    assert gone.reason == '"a and not a" is given up: it cannot hold by itself'
