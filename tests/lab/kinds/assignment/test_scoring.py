from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.logic.sorts import EnumSort
from holdtrue.record import EventRecord, ReadingRecord, Satisfiability, VerdictRecord
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Unknown
from holdtrue.solving.route import make_engine
from holdtrue.verification.correctness import is_correct
from holdtrue.world.answer import Assignment
from holdtrue.world.instance import Instance
from holdtrue.world.reader import read_answer
from holdtrue_lab.kinds.assignment.entry import TurnScore
from holdtrue_lab.kinds.assignment.problem import Problem, ProblemTurn
from holdtrue_lab.kinds.assignment.scoring import Gold, Scorer, read_shown
from holdtrue_lab.suites.drift.generate import generate
from tests.lab.kit.entries import RESPECTING, attempt, turn
from tests.solving.standin import StandIn

PROBLEM = Problem(
    "p",
    "drift",
    "seating",
    ("Ann", "Bob", "Cy", "Dee"),
    {},
    (
        ProblemTurn(1, "", ({"type": "adjacent", "args": ["Ann", "Bob"]},)),
        ProblemTurn(2, "", ({"type": "at_position", "args": ["Cy", 3]},)),
    ),
)
RIGHT = {"Ann.seat": 1, "Bob.seat": 2, "Cy.seat": 3, "Dee.seat": 4}
WRONG = {"Ann.seat": 1, "Bob.seat": 3, "Cy.seat": 2, "Dee.seat": 4}
PARTIAL = {"Ann.seat": 1}


def record(
    number: int,
    *answers: Mapping[str, str | int] | None,
    found: VerdictRecord = RESPECTING,
    delivered: str | None = "text",
    events: tuple[EventRecord, ...] = (),
    ledger: tuple[str, ...] = (),
    readings: tuple[ReadingRecord, ...] = (),
) -> AssignmentRecord:
    attempts = tuple(replace(attempt(i, found), answer=answer) for i, answer in enumerate(answers, start=1))
    base = turn("p", number).record
    return replace(base, attempts=attempts, delivered=delivered, events=events, holds=ledger, readings=readings)


def added(id: str, type: str, *args: str | int, kind: str = "added") -> EventRecord:
    return EventRecord(kind, id, 1, type, args)


def scored(scorer: Scorer, played: AssignmentRecord) -> TurnScore:
    """The score of a turn that is decided."""
    score = scorer.score(played)
    assert score is not None
    return score


@pytest.fixture
def scorer() -> Scorer:
    return Scorer(Gold(PROBLEM))


@pytest.mark.parametrize(
    ("answer", "correct", "upstream"),
    [(RIGHT, True, True), (WRONG, False, False), (PARTIAL, False, True), (None, False, False), ({}, False, True)],
)
def test_partial_answers_are_right_only_as_published(
    scorer: Scorer, answer: Mapping[str, str | int] | None, correct: bool, upstream: bool
) -> None:
    score = scored(scorer, record(1, answer))
    assert (score.correct, score.first_correct, score.upstream_correct) == (correct, correct, upstream)


def test_what_was_not_delivered_is_not_correct(scorer: Scorer) -> None:
    score = scored(scorer, record(1, RIGHT, delivered=None))
    assert (score.first_correct, score.correct, score.upstream_correct) == (True, False, False)


class Undecided(StandIn):
    """An engine that never decides anything."""

    name = "undecided"
    variables = ()

    def check(self, *_: object, **__: object) -> Unknown:
        return Unknown("no time")


def test_an_undecided_turn_has_no_score_and_later_ones_do(scorer: Scorer) -> None:
    event = added("C1", "adjacent", "Ann", "Bob")
    scorer.gold.__dict__["_engine"] = Undecided()
    assert scorer.score(record(1, PARTIAL, events=(event,), ledger=("C1",))) is None
    later = scored(scorer, record(2, RIGHT, ledger=("C1",)))
    assert (later.correct, later.phantoms, later.gaps) == (True, 0, 1)


def test_churn_skips_what_was_not_delivered_or_not_read(scorer: Scorer) -> None:
    scored(scorer, record(1, RIGHT))
    assert scored(scorer, record(2, None)).churn_of == 0
    assert scored(scorer, record(2, WRONG, delivered=None)).churn_of == 0
    score = scored(scorer, record(2, WRONG))
    assert (score.churn, score.churn_of) == (2, 4)


@pytest.mark.parametrize("kind", ["rejected", "set_aside"])
def test_the_published_ledger_stays_unsat_after_a_clash(scorer: Scorer, kind: str) -> None:
    clash = record(1, RIGHT, events=(added("C1", "adjacent", "Ann", "Bob", kind=kind),))
    assert scored(scorer, clash).upstream_ledger is Satisfiability.UNSAT
    assert scored(scorer, record(2, RIGHT)).upstream_ledger is Satisfiability.UNSAT


def test_a_malformed_constraint_makes_the_published_ledger_unsat(scorer: Scorer) -> None:
    fine = ReadingRecord("hello", "rejected", reason="no known wording fits this sentence")
    assert scored(scorer, record(1, RIGHT, readings=(fine,))).upstream_ledger is Satisfiability.SAT
    malformed = ReadingRecord("Zoe must sit at position 1", "rejected", code="unknown_entity")
    assert scored(scorer, record(2, RIGHT, readings=(malformed,))).upstream_ledger is Satisfiability.UNSAT


async def test_readers_say_when_a_constraint_is_malformed(scorer: Scorer) -> None:
    read = await TemplateExtractor().read(scorer.gold.instance, "Zoe must sit at position 1", MessageContext())
    readings = tuple(reading.record() for reading in read.readings)
    assert [reading.code for reading in readings] == ["unknown_entity"]
    assert scored(scorer, record(1, RIGHT, readings=readings)).upstream_ledger is Satisfiability.UNSAT


def _judged(made: Problem) -> tuple[Problem, Gold, Engine]:
    gold = Gold(made)
    return made, gold, make_engine(list(gold.instance.variables.values()), gold.instance.background)


JUDGED = [_judged(made) for made in generate(seed=8, count=6, turns=3)]


@hypothesis_settings(max_examples=60, deadline=None)
@given(st.data())
def test_answers_are_judged_as_the_suite_judges_them(data: st.DataObject) -> None:
    made, gold, engine = data.draw(st.sampled_from(JUDGED))
    turn = data.draw(st.integers(1, len(made.turns)))
    witness = made.turns[turn - 1].witness
    assert witness is not None
    # Near the witness, so that right answers occur too; sometimes out of range, sometimes incomplete.
    changed = data.draw(st.dictionaries(st.sampled_from(list(witness)), st.none() | st.integers(0, 9), max_size=2))
    values = {name: value for name, value in {**witness, **changed}.items() if value is not None}
    instance = gold.instance
    answer = read_shown(
        instance, Assignment({n: v for n, v in values.items() if _shows(instance, n, v)}).shown(instance.variables)
    )
    expected = is_correct(instance, gold.until(turn), answer, engine)
    assert gold.judge(turn, answer.shown(instance.variables)) == expected


def _shows(instance: Instance, name: str, value: int) -> bool:
    """Whether the value can be shown: a label only exists within its sort."""
    sort = instance.variables[name].sort
    return not isinstance(sort, EnumSort) or value in sort


def test_shown_texts_that_are_no_value_stay_foreign() -> None:
    instance = PROBLEM.make_instance()
    odd = Assignment({"Ann.seat": 99}, {"Bob.seat": "window"})
    assert read_shown(instance, odd.shown(instance.variables)) == odd


def test_an_optional_value_given_twice_is_missing() -> None:
    made = Problem("p", "drift", "scheduling", ("Ann", "Bob"), {}, (ProblemTurn(1, "", ()),))
    scorer = Scorer(Gold(made))
    text = '{"Ann": {"start": 1, "duration": 1}, "ann": {"start": 1, "duration": 2}, "Bob": {"start": 2}}'
    answer = read_answer(scorer.gold.instance, text)
    assert isinstance(answer, Assignment)
    missing = answer.missing(scorer.gold.instance.variables, scorer.gold.instance.required)
    assert missing == ("Ann.duration",)
    found = replace(RESPECTING, missing=missing)
    shown = answer.shown(scorer.gold.instance.variables)
    score = scored(scorer, record(1, shown, shown, found=found))
    assert (score.first_correct, score.correct, score.upstream_correct) == (False, False, True)
