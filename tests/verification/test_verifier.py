"""Verdicts have two axes, name the broken parts, say whether an answer is correct, and list unread sentences."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.conversation import Session
from holdtrue.language.readers import TemplateExtractor
from holdtrue.ledger.ledger import Ledger, Proposal
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Formula, Variable
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import AnswerStatus, Satisfiability, Trigger, TurnOutcome, VerdictRecord
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.route import make_engine
from holdtrue.verification.correctness import Correctness, is_correct
from holdtrue.verification.coverage import Coverage, Unread, coverage_of
from holdtrue.verification.verifier import Verifier
from holdtrue.verification.words import describe
from holdtrue.world.answer import Answer, Assignment, Unparsed
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING
from tests.lab.suites.drift.instances import constraints
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


def test_nothing_read_is_the_first_trigger(table: Instance) -> None:
    verdict = verdict_on(Ledger(table), Unparsed("empty"), nothing_read=True)
    assert verdict.triggers == (Trigger.CONSTRAINT_EXTRACTION_FAILED, Trigger.ANSWER_PARSE_FAILED)


def test_unknown_is_undecided_and_never_a_verdict() -> None:
    day = SCHEDULING.instance(["A", "B"])
    verifier = Verifier(day, Undecided(), Budget())
    open_end = verifier.verify(ledger_of(day, ("before", "A", "B")), Assignment({"A.start": 1, "B.start": 2}))
    assert (open_end.basis, open_end.answer, open_end.outcome) == ("unknown", "undecided", "undecided")
    assert open_end.triggers == () and open_end.reason == "it never knows"
    # A complete answer that keeps everything is its own witness: no solver is needed to say so.
    whole = Assignment({"A.start": 1, "B.start": 2, "A.duration": 1, "B.duration": 1})
    assert verifier.verify(ledger_of(day, ("before", "A", "B")), whole).outcome is TurnOutcome.CONSISTENT


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


TABLE = BUILTIN["seating"].instance(["Ann", "Bob", "Cy", "Dee"])
DAY = BUILTIN["scheduling"].instance(["Docs", "QA"], {"num_slots": 4, "max_duration": 2})
ENGINES = {instance: make_engine(list(instance.variables.values()), instance.background) for instance in (TABLE, DAY)}


class Undecided(StandIn):
    """An engine that never knows."""

    name = "undecided"
    variables: Sequence[Variable] = ()

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        return Unknown("it never knows")


def by_trying_all(instance: Instance, gold: Sequence[Constraint], given: Mapping[str, int]) -> bool:
    """Return whether some values for the missing variables make everything hold."""
    choices = [
        [given[name]] if name in given else variable.sort.values for name, variable in instance.variables.items()
    ]
    formulas = (*instance.background, *map(instance.formula, gold))
    candidates = (dict(zip(instance.variables, values, strict=True)) for values in product(*choices))
    return any(all(evaluate(formula, values) for formula in formulas) for values in candidates)


def judge(instance: Instance, gold: Sequence[Constraint], values: Mapping[str, int]) -> Correctness:
    return is_correct(instance, gold, Assignment(values), ENGINES[instance])


@st.composite
def cases(draw: st.DrawFn) -> tuple[Instance, list[Constraint], dict[str, int]]:
    instance = draw(st.sampled_from((TABLE, DAY)))
    gold = draw(st.lists(constraints(instance), max_size=3))
    values = {name: draw(st.integers(v.sort.low, v.sort.high)) for name, v in instance.variables.items()}
    left_out = draw(st.sets(st.sampled_from(sorted(values)), max_size=2))
    return instance, gold, {name: value for name, value in values.items() if name not in left_out}


@given(cases())
@settings(deadline=None, max_examples=200)
def test_agrees_with_trying_all_completions(case: tuple[Instance, list[Constraint], dict[str, int]]) -> None:
    instance, gold, values = case
    possible = by_trying_all(instance, gold, values)
    complete = all(name in values for name in instance.required)
    assert judge(instance, gold, values) == (complete and possible, possible)


@pytest.mark.parametrize("seat", [0, 5, -1, 10**8])
def test_values_out_of_range_are_wrong(seat: int) -> None:
    assert judge(TABLE, [], {"Ann.seat": seat, "Bob.seat": 2, "Cy.seat": 3, "Dee.seat": 4}) == (False, False)


def test_what_is_no_answer_is_wrong() -> None:
    engine: Engine = ENGINES[TABLE]
    assert is_correct(TABLE, [], Unparsed("nothing there"), engine) == (False, False)
    assert is_correct(TABLE, [], Assignment({"Ann.seat": 1}, {"Bob.seat": "the window"}), engine) == (False, False)
    repeated = Assignment({"Ann.seat": 1, "Cy.seat": 3, "Dee.seat": 4}, repeated=("Bob.seat",))
    assert is_correct(TABLE, [], repeated, engine) == (False, True)


def test_what_the_solver_cannot_tell_stays_open() -> None:
    starts = Assignment({"Docs.start": 1, "QA.start": 1})
    assert is_correct(DAY, [], starts, Undecided()) == (None, None)
    assert is_correct(DAY, [], Assignment({"QA.start": 1}), Undecided()) == (False, None)
    full = Assignment({"Docs.start": 1, "Docs.duration": 1, "QA.start": 1, "QA.duration": 1})
    assert is_correct(DAY, [], full, Undecided()) == (True, True)


PEOPLE = ["Ann", "Bob", "Cy"]
GOOD = json.dumps({"solution": {"Ann": 1, "Bob": 2, "Cy": 3}})
UNREAD = Unread("Zoe dislikes noise", "no known wording fits.")
WHY = "(no known wording fits this sentence)"
UNREADS = st.lists(st.builds(Unread, st.text(), st.text()), max_size=3).map(tuple)


def talk(*messages: str) -> tuple[Session, list[list[str]], list[Coverage]]:
    """Play a conversation that always gets the same answer. Return it with the sentences and coverage of each turn."""
    session = Session(
        SEATING, PEOPLE, model=ScriptModel(lambda _: GOOD), method="direct", extractor=TemplateExtractor()
    )
    sentences, covered = [], []
    for message in messages:
        record = asyncio.run(session.turn(message))
        sentences.append(session.explain(record))
        covered.append(coverage_of(record))
    return session, sentences, covered


def test_where_nothing_was_read_the_verdict_says_so_and_why() -> None:
    _, (sentences,), (covered,) = talk("Zoe dislikes noise.")
    assert sentences == [f'Nothing was read: "Zoe dislikes noise" {WHY}.']
    assert covered.nothing_read and not covered.complete


def test_with_nothing_said_nothing_is_kept() -> None:
    _, (sentences,), (covered,) = talk("")
    assert sentences == ["Nothing was agreed so far that could be broken."]
    assert covered.complete and not covered.nothing_read


def test_what_was_read_is_kept_and_what_was_not_stands_beside_it_also_later() -> None:
    _, sentences, covered = talk(
        "Ann must sit at position 1. Zoe dislikes noise.", "Bob must sit at position 2.", "Quite so. So."
    )
    first = f'The answer keeps every commitment that was read; not read: "Zoe dislikes noise" {WHY}.'
    assert sentences[0] == [first]
    assert sentences[1] == ["The answer keeps every commitment that was read; 1 earlier sentence was not read."]
    assert sentences[2] == [
        f'The answer keeps every commitment that was read; not read: "Quite so" {WHY}, "So" {WHY}; '
        "1 earlier sentence was not read."
    ]
    assert [(each.read, len(each.unread), each.earlier) for each in covered] == [(1, 1, 0), (1, 0, 1), (0, 2, 1)]


def test_a_broken_commitment_does_not_hide_what_was_not_read() -> None:
    _, (sentences,), _ = talk("Ann must sit at position 2. Zoe dislikes noise.")
    assert sentences == [
        'The answer breaks C001: "Ann must sit at position 2" (turn 1).',
        f'Not read: "Zoe dislikes noise" {WHY}.',
    ]


@given(UNREADS, UNREADS, st.integers(0, 3), st.integers(0, 3), st.sampled_from(AnswerStatus))
def test_no_verdict_keeps_silent_on_what_was_not_read(
    unread: tuple[Unread, ...], doubtful: tuple[Unread, ...], earlier: int, agreed: int, status: AnswerStatus
) -> None:
    covered = Coverage(agreed, 0, unread, doubtful, earlier)
    ledger = Satisfiability.SAT
    text = " ".join(describe(VerdictRecord(ledger, status), {}, coverage=covered))
    assert ("keeps every commitment." in text) == (
        status is AnswerStatus.RESPECTING and agreed > 0 and covered.complete
    )
    assert ("The answer keeps" in text) <= (agreed > 0)
    for each in (*unread, *doubtful):
        assert str(each) in text
    if earlier:
        assert f"{earlier} earlier sentence" in text


@pytest.mark.parametrize("count", [1, 2])
def test_coverage_is_plain_json(count: int) -> None:
    covered = Coverage(2, 1, (UNREAD,) * count, (), 4)
    assert json.loads(json.dumps(covered.to_json())) == {
        "agreed": 2,
        "read": 1,
        "unread": [{"sentence": UNREAD.sentence, "reason": UNREAD.reason}] * count,
        "doubtful": [],
        "earlier_unread": 4,
    }
