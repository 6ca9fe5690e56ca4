"""Ledgers are explained and certified: by brute force, and with a solver that runs out of time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.ledger.ledger import Ledger, Proposal
from holdtrue.logic.formula import AllDifferent, Formula
from holdtrue.logic.smtlib.script import read_script
from holdtrue.record import Satisfiability, TurnOutcome
from holdtrue.solving.certificate import Certificate, NoCertificate, WitnessCertificate, write_certificate
from holdtrue.solving.engine import Engine, EngineFault, Soft
from holdtrue.solving.recheck import Confirmed
from holdtrue.solving.result import Core, Satisfiable, Unknown, WitnessCount
from holdtrue.solving.route import make_engine
from holdtrue.verification.explanation import explain_ledger
from holdtrue.verification.explanation_results import Explained
from holdtrue.verification.ledger_theory import Theory, certify, ledger_text, recheck_theory
from holdtrue.verification.logged_turn import LoggedIds
from holdtrue.verification.verifier import Verifier
from holdtrue.world.answer import Answer, Assignment, Unparsed
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Integer
from holdtrue.world.seating import SEATING
from tests.solving.brute import AMPLE, is_mus, possible, witnesses
from tests.solving.drat import check
from tests.solving.explain.tiring import Tiring
from tests.verification.test_verifier import Said, ledger_of

SHIFTS = Domain(
    "shifts",
    attributes=[Attribute("day", 1, 4, distinct=True), Attribute("shift", values=["Early", "Late"], optional=True)],
    constraint_types=[
        ConstraintType("on", (Entity(), Integer(1, 4)), "{0} works on day {1}", lambda w, a, k: a.day.eq(k)),
        ConstraintType("off", (Entity(), Integer(1, 4)), "{0} is off on day {1}", lambda w, a, k: a.day.ne(k)),
        ConstraintType("before", (Entity(), Entity()), "{0} works before {1}", lambda w, a, b: a.day < b.day),
        ConstraintType("late", (Entity(),), "{0} works late", lambda w, a: a.shift.eq(1)),
        ConstraintType(
            "apart", (), "no two share a shift", lambda w: AllDifferent(tuple(w[name].shift for name in w.entities))
        ),
    ],
)
TEAM = SHIFTS.instance(["Ann", "Bob", "Cy"])
NAMES = st.sampled_from(TEAM.entities)
SAID = st.one_of(
    st.tuples(st.sampled_from(["on", "off"]), NAMES, st.integers(1, 4)),
    st.tuples(st.just("before"), NAMES, NAMES).filter(lambda said: said[1] != said[2]),
    st.tuples(st.just("late"), NAMES),
)


def explained(
    ledger: Ledger, answer: Answer | None = None, *, engine: Engine | None = None, budget: Budget = AMPLE, **more: Any
) -> Explained:
    instance = ledger.instance
    engine = engine or make_engine(list(instance.variables.values()), instance.background)
    return explain_ledger(Verifier(instance, engine, budget), ledger, answer, **more)


def subsets(ids: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for size in range(len(ids) + 1):
        yield from combinations(ids, size)


def days(**values: int) -> Assignment:
    return Assignment({f"{name}.day": day for name, day in values.items()})


def distance(target: Mapping[str, int], values: Mapping[str, int]) -> int:
    return sum(values[name] != value for name, value in target.items())


@settings(deadline=None, max_examples=40)
@given(st.lists(SAID, max_size=7), st.none() | st.dictionaries(NAMES, st.integers(1, 5), min_size=1))
def test_everything_is_as_brute_force_says(said: list[Said], given: dict[str, int] | None) -> None:
    ledger = ledger_of(TEAM, *said)
    variables, laws, soft = tuple(TEAM.variables.values()), TEAM.background, ledger.soft
    answer = None if given is None else days(**given)
    found = explained(ledger, answer, every_conflict=True)
    every = witnesses(variables, (*laws, *soft.values()))
    assert found.ledger is (Satisfiability.SAT if every else Satisfiability.UNSAT)
    assert found.reason is None and not found.setting_impossible
    left: Mapping[str, Formula] = soft
    if every:
        assert found.conflicts == () and found.correction is None
        for own in found.remaining:
            assert own.possible.values == tuple(sorted({values[own.variable.name] for values in every}))
        counted = {tuple(values[name] for name in TEAM.required) for values in every}
        assert found.answers == WitnessCount(len(counted), True)
    else:
        muses = {ids for ids in subsets(tuple(soft)) if is_mus(variables, laws, soft, ids)}
        assert {one.ids for one in found.conflicts} == muses and found.every_conflict
        least = min(map(len, muses))
        assert [one.proved == "smallest" for one in found.conflicts] == [
            len(one.ids) == least for one in found.conflicts
        ]
        assert found.correction is not None and found.correction.minimum
        gone = found.correction.take_back
        left = {id: formula for id, formula in soft.items() if id not in gone}
        assert possible(variables, (*laws, *left.values()))
        for ids in subsets(tuple(soft)):
            if len(ids) < len(gone):
                kept = [formula for id, formula in soft.items() if id not in ids]
                assert not possible(variables, (*laws, *kept))
        assert found.remaining == () and found.answers is None
    _check_suggestion(found, answer, witnesses(variables, (*laws, *left.values())))


def _check_suggestion(found: Explained, answer: Assignment | None, keeping: list[dict[str, int]]) -> None:
    """The suggestion is among those that keep everything, and nearest."""
    if found.suggestion is None:
        assert found.outcome is TurnOutcome.CONSISTENT and answer is not None
        return
    suggested = {f"{name}.day": own["day"] for name, own in found.suggestion.answer.items()}
    assert any(suggested.items() <= values.items() for values in keeping)
    assert found.suggestion.nearest is (answer is not None)
    if answer is None:
        assert suggested == {name: keeping[0][name] for name in TEAM.required}
        return
    fewest = min(distance(answer.values, values) for values in keeping)
    changes = found.suggestion.changes
    assert len([own for own in changes if own.before is not None]) == fewest == distance(answer.values, suggested)
    missing = set(TEAM.required) - answer.values.keys()
    assert {f"{own.entity}.{own.attribute}" for own in changes if own.before is None} == missing


def test_sentences_tell_what_to_do() -> None:
    ledger = ledger_of(TEAM, ("on", "Ann", 1), ("before", "Bob", "Cy"), ("late", "Ann"), ("off", "Bob", 3))
    found = explained(
        ledger, days(Ann=1, Bob=3), ids=LoggedIds({"C001": ("a",), "C002": ("b",), "C003": ("c",), "C004": ("d",)})
    )
    assert list(found.sentences) == [
        "All 4 commitments can be kept together.",
        "The answer is incomplete: Cy.day missing.",
        'The answer breaks d: "Bob is off on day 3" (turn 4).',
        "The nearest answer that keeps everything changes Bob's day from 3 to 2, and sets Cy's day to 3: "
        '{"Ann": {"day": 1, "shift": "Late"}, "Bob": {"day": 2, "shift": "Early"}, "Cy": {"day": 3, "shift": "Early"}}',
        "2 answers are left.",
        "Ann: day 1 (settled); shift Late (settled)",
        "Bob: day 2 (settled); any shift",
        "Cy: day 3 or 4; any shift",
    ]


def test_a_contradiction_in_sentences() -> None:
    ledger = ledger_of(TEAM, ("on", "Ann", 1), ("on", "Bob", 1), ("late", "Cy"), ("before", "Cy", "Bob"))
    assert list(explained(ledger, days(Ann=1, Bob=1, Cy=2), every_conflict=True).sentences) == [
        'These commitments cannot all be kept: C001: "Ann works on day 1" (turn 1); '
        'C002: "Bob works on day 1" (turn 2). Withdraw or change one of them.',
        'The least to take back: C002: "Bob works on day 1" (turn 2).',
        "The answer breaks a law of the domain: no two share the same day.",
        'The answer breaks C004: "Cy works before Bob" (turn 4).',
        "With that taken back, the nearest answer that keeps everything changes Bob's day from 1 to 3: "
        '{"Ann": {"day": 1, "shift": "Early"}, "Bob": {"day": 3, "shift": "Early"}, "Cy": {"day": 2, "shift": "Late"}}',
        'Nor can these be kept together: C002: "Bob works on day 1" (turn 2); C004: "Cy works before Bob" (turn 4).',
        "These 2 conflicts are all.",
    ]


def test_a_commitment_that_counting_makes_impossible() -> None:
    found = explained(ledger_of(TEAM, ("on", "Ann", 1), ("apart",)))
    (conflict,) = found.conflicts
    assert (conflict.ids, conflict.proved, conflict.counted) == (("C002",), "smallest", ("3 terms share 2 values",))
    assert found.sentences[:2] == (
        'This commitment is impossible in this setting: C002: "no two share a shift" (turn 2).',
        "Counting shows it: 3 terms share 2 values.",
    )


def test_an_impossible_setting_is_said_as_such() -> None:
    crowd = Domain("crowd", attributes=[Attribute("seat", 1, 3, distinct=True)], constraint_types=[])
    found = explained(Ledger(crowd.instance(["Ann", "Bob", "Cid", "Dee"])), Unparsed("empty"), every_conflict=True)
    assert (found.ledger, found.setting_impossible, found.conflicts) == (Satisfiability.UNSAT, True, ())
    assert found.counted == ("no two share the same seat: 4 terms share 3 values",)
    assert (found.correction, found.suggestion, found.outcome) == (None, None, TurnOutcome.CONTRADICTION)
    assert found.sentences[:2] == (
        "The setting alone is impossible, whatever is agreed.",
        "Counting shows it: no two share the same seat: 4 terms share 3 values.",
    )


def test_whenever_time_ends_no_commitment_is_said_to_be_needed_for_an_impossible_setting() -> None:
    crowd = Domain("crowd", [Attribute("seat", 1, 2, distinct=True)], SHIFTS.constraint_types[:0]).instance(list("ABC"))
    ledger, variables = Ledger(crowd), list(crowd.variables.values())
    settled = set()
    for answers in range(8):
        found = explained(
            ledger, engine=Tiring(make_engine(variables, crowd.background), answers), every_conflict=answers % 2 == 0
        )
        settled.add(found.setting_impossible)
        assert found.setting_impossible is (found.ledger is Satisfiability.UNSAT and not found.conflicts)
        assert all(one.proved == "core" for one in found.conflicts)
    assert settled == {False, True}


class Fickle(Tiring):
    """An engine that changes its mind: after some answers it says the opposite."""

    def check(self, soft: Soft, *args: Any, **more: Any) -> Satisfiable | Core | Unknown:
        found = super().check(soft, *args, **more)
        if not isinstance(found, Unknown):
            return found
        return Core(()) if isinstance(self.engine.decide(soft, AMPLE), Satisfiable) else Satisfiable({})


@pytest.mark.parametrize("said", [[("on", "Ann", 1)], [("on", "Ann", 1), ("on", "Ann", 2)]])
def test_an_engine_that_contradicts_itself_is_a_fault_and_no_verdict(said: list[Said]) -> None:
    engine = Fickle(make_engine(list(TEAM.variables.values()), TEAM.background), 1)
    with pytest.raises(EngineFault):
        explained(ledger_of(TEAM, *said), engine=engine)


def test_doubtful_readings_are_the_first_to_be_taken_back() -> None:
    ledger = Ledger(TEAM)
    for turn, doubtful in ((1, True), (2, False)):
        constraint = TEAM.constraint("on", ["Ann", turn])
        ledger.enter(ledger.draft(Proposal(constraint, doubtful=doubtful), turn), turn)
    found = explained(ledger)
    assert found.correction is not None and found.correction.take_back == ("C001",)


def tiring(answers: int) -> Tiring:
    return Tiring(make_engine(list(TEAM.variables.values()), TEAM.background), answers)


def test_unknown_is_no_verdict_and_has_a_reason() -> None:
    ledger = ledger_of(TEAM, ("on", "Ann", 1), ("on", "Ann", 2))
    for found in (explained(ledger, engine=tiring(0)), explained(ledger, budget=Budget(0.0))):
        assert (found.ledger, found.outcome) == (Satisfiability.UNKNOWN, TurnOutcome.UNDECIDED)
        assert found.reason and found.reason in found.sentences[0]
        assert (found.conflicts, found.correction, found.suggestion, found.remaining) == ((), None, None, ())
        assert found.answers is None


def test_an_answer_that_keeps_everything_needs_no_solver() -> None:
    given = Assignment({**days(Ann=1, Bob=2, Cy=3).values, "Ann.shift": 0, "Bob.shift": 0, "Cy.shift": 1})
    found = explained(ledger_of(TEAM, ("on", "Ann", 1)), given, engine=tiring(0))
    assert (found.ledger, found.outcome, found.reason) == (Satisfiability.SAT, TurnOutcome.CONSISTENT, "tired")
    assert found.sentences[-1] == "What is left is not known: tired."


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize(
    "said",
    [
        [("before", "Ann", "Bob"), ("late", "Cy")],
        [("on", "Ann", 1), ("on", "Bob", 1), ("late", "Cy"), ("before", "Cy", "Bob"), ("before", "Bob", "Ann")],
    ],
)
def test_whenever_time_ends_what_is_told_is_true(said: list[Said], every: bool) -> None:
    ledger = ledger_of(TEAM, *said)
    variables, laws, soft = tuple(TEAM.variables.values()), TEAM.background, ledger.soft
    whole = tiring(9_999)
    complete = explained(ledger, days(Ann=2, Bob=1, Cy=3), engine=whole, every_conflict=every)
    for answers in range(0, whole.asked, 1 + whole.asked // 60):
        found = explained(ledger, days(Ann=2, Bob=1, Cy=3), engine=tiring(answers), every_conflict=every)
        assert found.ledger in (complete.ledger, Satisfiability.UNKNOWN)
        assert found.sentences and found.to_json()
        for one in found.conflicts:
            assert not possible(variables, (*laws, *(soft[id] for id in one.ids)))
            assert one.proved == "core" or is_mus(variables, laws, soft, one.ids)
        if found.every_conflict:
            assert found.conflicts == complete.conflicts
        if found.ledger is Satisfiability.UNSAT and found.correction is None:
            assert "What to take back is not known: tired." in found.sentences
        if found.correction is not None:
            kept = [formula for id, formula in soft.items() if id not in found.correction.take_back]
            assert possible(variables, (*laws, *kept))
        if found.answers is not None and complete.answers is not None:
            assert found.answers.count <= complete.answers.count


TABLE = SEATING.instance(["Ann", "Bob", "Cid", "Dee"])


def certified(ledger: Ledger) -> Certificate | WitnessCertificate | NoCertificate:
    instance = ledger.instance
    return certify(Theory.of(ledger), make_engine(list(instance.variables.values()), instance.background), AMPLE)


def rechecked(ledger: Ledger, budget: Budget = AMPLE) -> Confirmed | Unknown:
    instance = ledger.instance
    return recheck_theory(
        Theory.of(ledger), make_engine(list(instance.variables.values()), instance.background), budget
    )


def test_a_conflict_is_proved_in_the_words_of_the_domain(tmp_path: Path) -> None:
    made = certified(ledger_of(TABLE, ("at_position", "Dee", 4), ("at_position", "Ann", 1), ("at_position", "Ann", 2)))
    assert isinstance(made, Certificate)
    assert made.ids == ("C002", "C003")
    assert [part.words for part in made.cnf.parts if part.kind != "sort"] == [
        "no two share the same seat",
        "Ann must sit at position 1",
        "Ann must sit at position 2",
    ]
    formula, proof, _ = write_certificate(made, tmp_path)
    assert check(formula.read_text(encoding="utf-8"), proof.read_text(encoding="utf-8")) >= 1


def test_another_engine_says_the_same_of_what_can_be_kept_and_of_what_cannot() -> None:
    assert rechecked(ledger_of(TABLE, ("at_position", "Ann", 1))) == Confirmed("z3")
    clash = ledger_of(TABLE, ("at_position", "Ann", 1), ("at_position", "Ann", 2), ("adjacent", "Bob", "Ann"))
    assert rechecked(clash) == Confirmed("z3")
    assert isinstance(rechecked(clash, Budget(0.0)), Unknown)


def test_laws_and_commitments_are_there_with_their_sentences() -> None:
    table = SEATING.instance(["Ann", "Bob; (exit)\n(exit)"])
    text = ledger_text(ledger_of(table, ("at_position", "Ann", 1)), {"C001": "a"})
    assert "; no two share the same seat\n(assert (distinct Ann.seat" in text
    assert text.endswith('; a: "Ann must sit at position 1" (turn 1)\n(assert (= Ann.seat 1))\n')
    assert not any(line.startswith("(exit") for line in text.splitlines())
    assert len(read_script(text).assertions) == 4
