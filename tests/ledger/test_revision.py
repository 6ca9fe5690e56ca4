"""Revision decides which commitments enter the ledger, and which give way."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.ledger.entries import Event
from holdtrue.ledger.ledger import Commitment, Ledger, Proposal
from holdtrue.ledger.restore import restore
from holdtrue.ledger.revision import amend, find_rivals, propose, reinstate, withdraw
from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.route import make_engine
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.seating import SEATING
from tests.solving.standin import StandIn

BUDGET = Budget()
NAMES = ["Ann", "Bob", "Cy", "Dee"]


@pytest.fixture
def table() -> Instance:
    return SEATING.instance(NAMES)


def engine_of(instance: Instance) -> Engine:
    return make_engine(list(instance.variables.values()), instance.background)


def said(instance: Instance, type: str, *args: str | int, doubtful: bool = False) -> Proposal:
    return Proposal(instance.constraint(type, args), confidence=0.5 if doubtful else 1.0, doubtful=doubtful)


def kinds(events: tuple[Event[Commitment], ...]) -> list[str]:
    return [event.kind.value for event in events]


def test_what_is_impossible_on_its_own_is_rejected_if_doubtful_and_a_contradiction_if_not(table: Instance) -> None:
    # Four seats in a ring: nobody can have two seats between them and another on the shorter way.
    doubtful, engine = Ledger(table), engine_of(table)
    events = propose(doubtful, engine, [said(table, "separated_by", "Ann", "Bob", 2, doubtful=True)], 1, BUDGET)
    assert kinds(events) == ["rejected"] and not doubtful.active
    assert events[0].reason == "a doubtful reading that is impossible in this setting"
    confident = Ledger(table)
    assert kinds(propose(confident, engine, [said(table, "separated_by", "Ann", "Bob", 2)], 1, BUDGET)) == ["added"]
    assert isinstance(engine.check(confident.soft, BUDGET), Core)


def test_a_doubtful_reading_that_clashes_is_rejected_with_what_it_clashes_with(table: Instance) -> None:
    ledger, engine = Ledger(table), engine_of(table)
    propose(ledger, engine, [said(table, "at_position", "Ann", 1), said(table, "at_position", "Cy", 3)], 1, BUDGET)
    events = propose(ledger, engine, [said(table, "at_position", "Bob", 1, doubtful=True)], 2, BUDGET)
    assert kinds(events) == ["rejected"]
    assert events[0].because == ("C001",)


def test_the_newest_confident_statement_sets_doubtful_readings_aside(table: Instance) -> None:
    ledger, engine = Ledger(table), engine_of(table)
    propose(ledger, engine, [said(table, "at_position", "Bob", 1, doubtful=True)], 1, BUDGET)
    events = propose(ledger, engine, [said(table, "at_position", "Ann", 1)], 2, BUDGET)
    assert kinds(events) == ["added", "set_aside"]
    assert list(ledger.active) == ["C002"]
    assert events[1].because == ("C002",)


def test_within_one_turn_the_confident_statement_goes_first(table: Instance) -> None:
    ledger = Ledger(table)
    proposals = [said(table, "at_position", "Bob", 1, doubtful=True), said(table, "at_position", "Ann", 1)]
    events = propose(ledger, engine_of(table), proposals, 1, BUDGET)
    assert kinds(events) == ["added", "rejected"]
    assert [c.sentence for c in ledger.active.values()] == ["Ann must sit at position 1"]


def test_a_reading_set_aside_comes_back_when_its_rival_is_withdrawn(table: Instance) -> None:
    ledger, engine = Ledger(table), engine_of(table)
    propose(ledger, engine, [said(table, "at_position", "Bob", 1, doubtful=True)], 1, BUDGET)
    propose(ledger, engine, [said(table, "at_position", "Ann", 1)], 2, BUDGET)
    assert reinstate(ledger, engine, 3, BUDGET) == ()
    ledger.withdraw("C002", 3)
    assert kinds(reinstate(ledger, engine, 3, BUDGET)) == ["reinstated"]
    assert list(ledger.active) == ["C001"]


def test_unknown_is_no_reason_to_reject(table: Instance) -> None:
    """A solver that never answers costs nothing that was said."""

    class Silent(StandIn):
        name = "silent"

        variables = ()

        def check(self, soft: object, budget: object, **more: object) -> Unknown:
            return Unknown("out of time")

    ledger = Ledger(table)
    proposals = [said(table, "at_position", "Ann", 1), said(table, "at_position", "Bob", 1, doubtful=True)]
    events = propose(ledger, Silent(), proposals, 1, BUDGET)
    assert kinds(events) == ["added", "added"]


statements = st.one_of(
    st.tuples(st.just("at_position"), st.sampled_from(NAMES), st.integers(1, 4)),
    st.tuples(
        st.sampled_from(["adjacent", "not_adjacent", "left_of"]),
        st.permutations(NAMES).map(lambda p: p[0]),
        st.sampled_from(NAMES),
    ).filter(lambda s: s[1] != s[2]),
)


# Few seats, so that most constraints clash.
crowded = st.tuples(st.just("at_position"), st.sampled_from(NAMES), st.integers(1, 2))
acts = st.sampled_from(["state", "state", "withdraw", "amend"])
changes = st.tuples(acts, st.integers(0, 5), st.one_of(crowded, crowded, statements), st.booleans())


@settings(max_examples=80, deadline=None)
@given(st.lists(changes, max_size=10))
def test_laws_of_revision(conversation: list[tuple[str, int, tuple[str, str, str | int], bool]]) -> None:
    """Only the user's own words end a confident statement, and doubt never makes a ledger unsat."""
    table = SEATING.instance(NAMES)
    ledger, engine = Ledger(table), engine_of(table)
    for turn, (act, which, what, doubt) in enumerate(conversation, 1):
        proposal, active = said(table, *what, doubtful=doubt), list(ledger.active)
        before = {id for id in active if not ledger.active[id].doubtful}
        meant = active[which % len(active)] if active else None
        if act == "state" or meant is None:
            events, meant = propose(ledger, engine, [proposal], turn, BUDGET), None
        elif act == "withdraw":
            events = withdraw(ledger, engine, meant, turn, BUDGET)
        else:
            events = amend(ledger, engine, meant, proposal, turn, BUDGET)
        assert before - {meant} <= set(ledger.active)
        assert doubt or act == "withdraw" or ledger.find(proposal.constraint) is not None
        assert meant is None or meant not in ledger.active or kinds(events) == ["rejected"]
        confident = {id: f for id, f in ledger.soft.items() if not ledger.active[id].doubtful}
        if isinstance(engine.check(confident, BUDGET), Satisfiable):
            assert isinstance(engine.check(ledger.soft, BUDGET), Satisfiable)
    assert restore(table, ledger.events).active == ledger.active


def test_a_doubtful_reading_stays_where_the_ledger_could_not_be_checked_in_time(table: Instance) -> None:
    """Out of time on whether the ledger clashes without it: unknown is no reason to reject."""
    real = engine_of(table)

    class Tired(StandIn):
        name = "tired"
        variables = real.variables

        def check(self, soft: Mapping[str, Formula], budget: Budget, **more: Any) -> Satisfiable | Core | Unknown:
            return Unknown("out of time") if set(soft) == {"C001"} else real.check(soft, budget, **more)

    ledger = Ledger(table)
    propose(ledger, real, [said(table, "at_position", "Ann", 1)], 1, BUDGET)
    events = propose(ledger, Tired(), [said(table, "at_position", "Bob", 1, doubtful=True)], 2, BUDGET)
    assert kinds(events) == ["added"]


def test_a_replacement_is_a_statement_like_any_other(table: Instance) -> None:
    """Doubtful readings give way to a replacement, and those that the old one set aside come back."""
    ledger, engine = Ledger(table), engine_of(table)
    propose(ledger, engine, [said(table, "at_position", "Bob", 1, doubtful=True)], 1, BUDGET)
    propose(ledger, engine, [said(table, "at_position", "Ann", 1)], 2, BUDGET)
    propose(ledger, engine, [said(table, "at_position", "Cy", 3, doubtful=True)], 2, BUDGET)
    events = amend(ledger, engine, "C002", said(table, "at_position", "Ann", 3), 3, BUDGET, "Ann at 3 instead")
    assert kinds(events) == ["amended", "added", "set_aside", "reinstated"]
    assert [event.entry.id for event in events] == ["C002", "C004", "C003", "C001"]
    assert events[0].reason == "Ann at 3 instead" and events[0].because == ("C004",)


def test_doubtful_readings_of_a_clash_are_judged_once_it_is_over(table: Instance) -> None:
    """Nothing could be held against them while confident statements clashed."""
    ledger, engine = Ledger(table), engine_of(table)
    propose(ledger, engine, [said(table, "at_position", "Ann", 1), said(table, "at_position", "Bob", 1)], 1, BUDGET)
    meanwhile = [
        said(table, "at_position", "Cy", 1, doubtful=True),
        said(table, "at_position", "Dee", 4, doubtful=True),
    ]
    assert kinds(propose(ledger, engine, meanwhile, 2, BUDGET)) == ["added", "added"]
    events = withdraw(ledger, engine, "C002", 3, BUDGET)
    assert kinds(events) == ["withdrawn", "set_aside"]
    assert (events[1].entry.id, events[1].because) == ("C003", ("C001",))
    assert events[1].reason == "a doubtful reading that clashes with what was agreed"
    assert list(ledger.active) == ["C001", "C004"]
    assert kinds(withdraw(ledger, engine, "C001", 4, BUDGET)) == ["withdrawn", "reinstated"]


def test_what_a_replacement_settles_is_judged_like_what_a_withdrawal_settles(table: Instance) -> None:
    ledger, engine = Ledger(table), engine_of(table)
    propose(ledger, engine, [said(table, "at_position", "Ann", 1), said(table, "at_position", "Bob", 1)], 1, BUDGET)
    propose(ledger, engine, [said(table, "at_position", "Cy", 1, doubtful=True)], 2, BUDGET)
    events = amend(ledger, engine, "C002", said(table, "at_position", "Bob", 2), 3, BUDGET)
    assert kinds(events) == ["amended", "added", "set_aside"]
    assert events[2].because == ("C001",), "and not the replacement, which has no part in it"


def test_while_confident_statements_clash_nothing_is_set_aside(table: Instance) -> None:
    ledger, engine = Ledger(table), engine_of(table)
    clash = [said(table, "at_position", name, 1) for name in ("Ann", "Bob", "Dee")]
    propose(ledger, engine, clash, 1, BUDGET)
    propose(ledger, engine, [said(table, "at_position", "Cy", 1, doubtful=True)], 2, BUDGET)
    assert kinds(withdraw(ledger, engine, "C002", 3, BUDGET)) == ["withdrawn"]
    assert list(ledger.active) == ["C001", "C003", "C004"]


def test_a_doubtful_replacement_that_clashes_replaces_nothing(table: Instance) -> None:
    ledger, engine = Ledger(table), engine_of(table)
    propose(ledger, engine, [said(table, "at_position", "Ann", 1), said(table, "at_position", "Bob", 2)], 1, BUDGET)
    events = amend(ledger, engine, "C002", said(table, "at_position", "Bob", 1, doubtful=True), 2, BUDGET)
    assert kinds(events) == ["rejected"] and events[0].because == ("C001",)
    events = amend(ledger, engine, "C002", said(table, "separated_by", "Ann", "Bob", 2, doubtful=True), 2, BUDGET)
    assert [event.reason for event in events] == ["a doubtful reading that is impossible in this setting"]
    assert list(ledger.active) == ["C001", "C002"] and isinstance(engine.check(ledger.soft, BUDGET), Satisfiable)
    with pytest.raises(InputError, match="no active commitment 'C009'"):
        amend(ledger, engine, "C009", said(table, "at_position", "Bob", 1, doubtful=True), 2, BUDGET)


def test_a_doubtful_replacement_has_to_fit_with_the_rest_only(table: Instance) -> None:
    """A replacement may clash with the replaced commitment, or with a rest that is inconsistent without it."""
    ledger, engine = Ledger(table), engine_of(table)
    propose(ledger, engine, [said(table, "at_position", "Ann", 1)], 1, BUDGET)
    assert kinds(amend(ledger, engine, "C001", said(table, "at_position", "Ann", 2, doubtful=True), 2, BUDGET)) == [
        "amended",
        "added",
    ]
    propose(ledger, engine, [said(table, "at_position", "Bob", 1), said(table, "at_position", "Cy", 1)], 3, BUDGET)
    assert kinds(amend(ledger, engine, "C002", said(table, "at_position", "Ann", 1, doubtful=True), 4, BUDGET)) == [
        "amended",
        "added",
    ]


def test_an_unknown_rival_is_none() -> None:
    table = SEATING.instance(NAMES)
    ledger, real = Ledger(table), engine_of(table)
    propose(ledger, real, [said(table, "at_position", "Ann", 1), said(table, "at_position", "Ann", 2)], 1, BUDGET)

    class Tired(StandIn):
        name = "tired"
        variables = real.variables

        def check(self, soft: Mapping[str, Formula], budget: Budget, **more: Any) -> Satisfiable | Core | Unknown:
            late = set(soft) == {"+", "C002"}
            return Unknown("out of time") if late else real.check(soft, budget, **more)

    replacement = table.constraint("at_position", ["Ann", 3])
    assert find_rivals(ledger, real, replacement, BUDGET) == ("C001", "C002")
    assert find_rivals(ledger, Tired(), replacement, BUDGET) == ()
    assert find_rivals(ledger, real, table.constraint("separated_by", ["Ann", "Bob", 2]), BUDGET) == ()  # impossible


@settings(max_examples=40, deadline=None)
@given(st.lists(statements, min_size=1, max_size=4), statements)
def test_rivals_against_brute_force(agreed: list[tuple[str, str, str | int]], new: tuple[str, str, str | int]) -> None:
    table = SEATING.instance(NAMES)
    ledger, engine = Ledger(table), engine_of(table)
    propose(ledger, engine, [said(table, *one) for one in agreed], 1, BUDGET)
    made = table.constraint(new[0], new[1:])
    seatings = [
        dict(zip((f"{name}.seat" for name in NAMES), order, strict=True)) for order in permutations(range(1, 5))
    ]

    def possible(*constraints: Constraint) -> bool:
        checks = [table.formula(one).holds for one in constraints]
        return any(all(check(seats) for check in checks) for seats in seatings)

    expected = [
        id
        for id, one in ledger.active.items()
        if set(table.entities_in(one.constraint)) & set(table.entities_in(made))
        and possible(made)
        and not possible(made, one.constraint)
    ]
    assert list(find_rivals(ledger, engine, made, BUDGET)) == expected
