"""The two axes, the triggers, and exactly what is broken."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.ledger.ledger import Ledger, Proposal
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Formula
from holdtrue.record import AnswerStatus, Satisfiability, Trigger, TurnOutcome, VerdictRecord
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.route import make_engine
from holdtrue.verification.verifier import Verifier
from holdtrue.world.answer import Answer, Assignment, Unparsed
from holdtrue.world.instance import Instance
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING
from tests.solving.standin import StandIn

Said = tuple[str, *tuple[str | int, ...]]


def ledger_of(instance: Instance, *said: Said) -> Ledger:
    ledger = Ledger(instance)
    for turn, (type, *args) in enumerate(said, 1):
        ledger.enter(ledger.draft(Proposal(instance.constraint(type, args)), turn), turn)
    return ledger


def verdict_on(ledger: Ledger, answer: Answer, *, nothing_read: bool = False) -> VerdictRecord:
    instance = ledger.instance
    engine = make_engine(list(instance.variables.values()), instance.background)
    return Verifier(instance, engine, Budget()).verify(ledger, answer, nothing_read=nothing_read)


def seats(**values: int) -> Assignment:
    return Assignment({f"{name}.seat": seat for name, seat in values.items()})


@pytest.fixture
def table() -> Instance:
    return SEATING.instance(["Ann", "Bob", "Cy", "Dee"])


def test_an_answer_that_keeps_everything_is_consistent(table: Instance) -> None:
    verdict = verdict_on(ledger_of(table, ("at_position", "Ann", 1)), seats(Ann=1, Bob=2, Cy=3, Dee=4))
    assert verdict.outcome is TurnOutcome.CONSISTENT
    assert verdict.triggers == () and verdict.violated == ()


def test_drift_names_exactly_what_is_broken(table: Instance) -> None:
    ledger = ledger_of(table, ("at_position", "Ann", 1), ("adjacent", "Ann", "Cy"), ("at_position", "Dee", 4))
    verdict = verdict_on(ledger, seats(Ann=1, Bob=2, Cy=3, Dee=4))
    assert (verdict.basis, verdict.answer, verdict.outcome) == ("sat", "violating", "drift")
    assert verdict.violated == ("C002",)
    assert verdict.triggers == (Trigger.ANSWER_LEDGER_CONFLICT,)


def test_a_contradiction_comes_with_its_mus_whatever_the_answer(table: Instance) -> None:
    ledger = ledger_of(table, ("adjacent", "Ann", "Cy"), ("at_position", "Ann", 1), ("at_position", "Bob", 1))
    for answer in (seats(Ann=1, Bob=2, Cy=3, Dee=4), Unparsed("empty")):
        verdict = verdict_on(ledger, answer)
        assert verdict.outcome is TurnOutcome.CONTRADICTION
        assert verdict.mus == ("C002", "C003") and verdict.mus_minimal
        assert verdict.triggers == (Trigger.UNSAT_LEDGER,)


def test_unparsed_and_incomplete_answers(table: Instance) -> None:
    ledger = ledger_of(table, ("at_position", "Ann", 1))
    unparsed = verdict_on(ledger, Unparsed("no JSON"))
    assert unparsed.outcome is TurnOutcome.UNPARSED and unparsed.triggers == (Trigger.ANSWER_PARSE_FAILED,)
    incomplete = verdict_on(ledger, seats(Ann=1, Bob=2))
    assert incomplete.outcome is TurnOutcome.INCOMPLETE
    assert incomplete.missing == ("Cy.seat", "Dee.seat")
    assert incomplete.triggers == (Trigger.INCOMPLETE_ASSIGNMENT,)


def test_an_incomplete_answer_that_already_breaks_something_says_both(table: Instance) -> None:
    verdict = verdict_on(ledger_of(table, ("at_position", "Ann", 1)), seats(Ann=2, Bob=1))
    assert verdict.outcome is TurnOutcome.INCOMPLETE
    assert verdict.triggers == (Trigger.INCOMPLETE_ASSIGNMENT, Trigger.ANSWER_LEDGER_CONFLICT)
    assert verdict.violated == ("C001",)


def test_no_single_commitment_to_blame(table: Instance) -> None:
    """Bob and Dee both want the one seat left beside Ann: neither wish alone is impossible."""
    ledger = ledger_of(table, ("adjacent", "Ann", "Bob"), ("adjacent", "Ann", "Dee"))
    verdict = verdict_on(ledger, seats(Ann=1, Cy=2))
    assert verdict.violated == () and verdict.blame == ("C001", "C002")


def test_the_domain_s_own_laws(table: Instance) -> None:
    ledger = ledger_of(table, ("at_position", "Ann", 1))
    shared = verdict_on(ledger, seats(Ann=1, Bob=2, Cy=2, Dee=4))
    assert shared.outcome is TurnOutcome.DRIFT and shared.violated == ()
    assert shared.background == ("no two share the same seat",)
    outside = verdict_on(ledger, seats(Ann=1, Bob=2, Cy=3, Dee=9))
    assert outside.background == ("Dee.seat is 9, outside 1..4",)
    foreign = verdict_on(ledger, Assignment({"Ann.seat": 1, "Bob.seat": 2, "Cy.seat": 3}, {"Dee.seat": "head"}))
    assert foreign.outcome is TurnOutcome.DRIFT
    assert foreign.background == ("Dee.seat is given 'head', which is no value of it",)


def test_a_missing_optional_value_is_free() -> None:
    day = SCHEDULING.instance(["A", "B"], {"num_slots": 4, "max_duration": 3})
    ledger = ledger_of(day, ("before", "A", "B"))
    assert verdict_on(ledger, Assignment({"A.start": 1, "B.start": 2})).outcome is TurnOutcome.CONSISTENT
    late = verdict_on(ledger, Assignment({"A.start": 2, "B.start": 2}))
    assert late.outcome is TurnOutcome.DRIFT and late.violated == ("C001",)


def test_nothing_read_is_the_first_trigger(table: Instance) -> None:
    verdict = verdict_on(Ledger(table), Unparsed("empty"), nothing_read=True)
    assert verdict.triggers == (Trigger.CONSTRAINT_EXTRACTION_FAILED, Trigger.ANSWER_PARSE_FAILED)


def test_unknown_is_undecided_and_never_a_verdict() -> None:
    class Silent(StandIn):
        name = "silent"

        variables = ()

        def check(self, soft: object, budget: object, **more: object) -> Unknown:
            return Unknown("out of time")

    day = SCHEDULING.instance(["A", "B"])
    verifier = Verifier(day, Silent(), Budget())
    open_end = verifier.verify(ledger_of(day, ("before", "A", "B")), Assignment({"A.start": 1, "B.start": 2}))
    assert (open_end.basis, open_end.answer, open_end.outcome) == ("unknown", "undecided", "undecided")
    assert open_end.triggers == () and open_end.reason == "out of time"
    # A complete answer that keeps everything is its own witness: no solver is needed to say so.
    whole = Assignment({"A.start": 1, "B.start": 2, "A.duration": 1, "B.duration": 1})
    assert verifier.verify(ledger_of(day, ("before", "A", "B")), whole).outcome is TurnOutcome.CONSISTENT


def test_an_optional_value_given_twice_is_not_given(table: Instance) -> None:
    day = SCHEDULING.instance(["A", "B"], {"num_slots": 4, "max_duration": 3})
    answer = Assignment({"A.start": 1, "B.start": 3, "B.duration": 1}, repeated=("A.duration",))
    verdict = verdict_on(ledger_of(day, ("duration", "A", 2)), answer)
    assert verdict.outcome is TurnOutcome.INCOMPLETE and verdict.missing == ("A.duration",)


def test_a_mus_that_is_not_found_in_time_leaves_a_core(table: Instance) -> None:
    ledger = ledger_of(table, ("at_position", "Ann", 1), ("at_position", "Bob", 1))
    real = make_engine(list(table.variables.values()), table.background)

    class Once(StandIn):
        name, variables = "once", real.variables
        left = 2

        def check(self, soft: Mapping[str, Formula], budget: Budget, **more: Any) -> Satisfiable | Core | Unknown:
            self.left -= 1
            return real.check(soft, budget, **more) if self.left > 0 else Unknown("out of time")

    verdict = Verifier(table, Once(), Budget()).verify(ledger, Unparsed("empty"))
    assert verdict.mus == ("C001", "C002") and not verdict.mus_minimal
    assert verdict.outcome is TurnOutcome.CONTRADICTION


partial_schedules = st.fixed_dictionaries(
    {}, optional={f"{e}.{a}": st.integers(1, 4 if a == "start" else 2) for e in "AB" for a in ("start", "duration")}
)
schedule_statements = st.lists(
    st.one_of(
        st.sampled_from([("before", "A", "B"), ("before", "B", "A"), ("not_simultaneous", "A", "B")]),
        st.tuples(st.just("gap"), st.just("A"), st.just("B"), st.integers(0, 2)),
        st.tuples(st.just("at_time"), st.sampled_from("AB"), st.integers(1, 4)),
        st.tuples(st.just("duration"), st.sampled_from("AB"), st.integers(1, 2)),
    ),
    max_size=3,
    unique=True,
)


@settings(max_examples=80, deadline=None)
@given(partial_schedules, schedule_statements)
def test_against_brute_force(values: dict[str, int], said: list[Said]) -> None:
    """Both axes agree with trying every completion of the answer, and every answer."""
    day = SCHEDULING.instance(["A", "B"], {"num_slots": 4, "max_duration": 2})
    ledger = ledger_of(day, *said)
    formulas = [*ledger.soft.values(), *day.background]
    sorts = {name: v.sort.values for name, v in day.variables.items()}
    everything = [dict(zip(sorts, choice, strict=True)) for choice in product(*sorts.values())]
    good = [one for one in everything if all(evaluate(f, one) for f in formulas)]
    fits = any(values.items() <= one.items() for one in good)
    verdict = verdict_on(ledger, Assignment(values))
    assert verdict.basis is (Satisfiability.SAT if good else Satisfiability.UNSAT)
    if not {"A.start", "B.start"} <= values.keys():
        assert verdict.answer is AnswerStatus.INCOMPLETE
        assert (Trigger.ANSWER_LEDGER_CONFLICT in verdict.triggers) == (bool(good) and not fits)
    else:
        assert verdict.answer is (AnswerStatus.RESPECTING if fits else AnswerStatus.VIOLATING)
        if good and not fits:
            assert verdict.violated or verdict.blame or verdict.background
