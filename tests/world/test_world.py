"""Everything below a conversation, and a conversation too, works on a world that is no domain."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdtrue.budget import Budget
from holdtrue.conversation import Session
from holdtrue.errors import ConstraintError, SessionError, SettingsError
from holdtrue.language.readers import GoldExtractor
from holdtrue.ledger.entries import EventKind
from holdtrue.ledger.ledger import Ledger, Proposal
from holdtrue.ledger.restore import restore
from holdtrue.ledger.revision import propose
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import AnswerStatus, Satisfiability, TurnOutcome
from holdtrue.solving.route import make_engine
from holdtrue.verification.verifier import Verifier
from holdtrue.verification.words import describe
from holdtrue.world.seating import SEATING
from holdtrue.world.world import Setting, World
from tests.world.booking import Booking, BookingWorld

WORLD = BookingWorld()
BUDGET = Budget()
ECONOMY = WORLD.constraint("is", ["cabin", "economy"])
INSURED = WORLD.constraint("is", ["insured", "true"])
THREE_BAGS = WORLD.constraint("at_least", [3])
GOOD, BAD = '{"cabin": "business", "bags": 3, "insured": true}', '{"cabin": "economy", "bags": 3, "insured": false}'


def verifier() -> Verifier:
    return Verifier(WORLD, make_engine(list(WORLD.variables.values()), WORLD.background), BUDGET)


def agreed(*sentences: str) -> Ledger:
    known = {WORLD.sentence(made): made for made in (ECONOMY, INSURED, THREE_BAGS)}
    ledger = Ledger(WORLD)
    propose(ledger, verifier().engine, [Proposal(known[sentence]) for sentence in sentences], 1, BUDGET)
    return ledger


def session(*replies: str, method: str = "mus_repair") -> Session:
    gold = GoldExtractor({1: [THREE_BAGS, INSURED], 2: [ECONOMY]})
    return Session(WORLD, model=ScriptModel(list(replies)), extractor=gold, method=method)


def test_an_instance_is_a_world_and_so_is_a_schema() -> None:
    assert isinstance(SEATING.instance(["Ann", "Bob"]), Setting)
    assert isinstance(WORLD, World)
    assert isinstance(WORLD, Setting)
    assert not isinstance(Booking, World)


def test_a_ledger_merges_and_keeps_what_was_agreed() -> None:
    ledger = agreed("there are 3 bags or more", "insured is true", "insured is true")
    assert [event.kind for event in ledger.events] == [EventKind.ADDED, EventKind.ADDED, EventKind.RESTATED]
    assert restore(WORLD, ledger.events).active == ledger.active


def test_verdicts_name_what_an_answer_breaks_in_sentences() -> None:
    ledger = agreed("there are 3 bags or more", "insured is true")
    verdict = verifier().verify(ledger, WORLD.read_answer(BAD))
    assert (verdict.answer, verdict.violated) == (AnswerStatus.VIOLATING, ("C002",))
    assert verdict.background == ("economy takes at most 2 bags",)
    assert any("insured is true" in line for line in describe(verdict, ledger.known))
    assert verifier().verify(ledger, WORLD.read_answer(GOOD)).outcome is TurnOutcome.CONSISTENT
    assert verifier().verify(ledger, WORLD.read_answer('{"bags": 3}')).missing == ("cabin", "insured")


def test_a_conversation_repairs_an_answer() -> None:
    with session(BAD, GOOD) as conversation:
        record = conversation.ask("Three bags or more, and insurance.")
    assert [attempt.verdict.outcome for attempt in record.attempts] == [TurnOutcome.DRIFT, TurnOutcome.CONSISTENT]
    assert record.delivered == GOOD


def test_a_conversation_projects_an_answer_and_tells_of_a_contradiction() -> None:
    with session(BAD, method="project") as conversation:
        record = conversation.ask("Three bags or more, and insurance.")
        assert '"business"' in str(record.delivered)
        conversation.add("is", "cabin", "economy")
        assert conversation.explain_ledger().ledger is Satisfiability.UNSAT
        with pytest.raises(ConstraintError):
            conversation.add("is", "cabin", "first")


def test_random_answers_keep_the_laws() -> None:
    with session(method="random_legal") as conversation:
        record = conversation.ask("Three bags or more, and insurance.")
    assert not record.final.verdict.background


def test_what_a_conversation_cannot_do_with_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="extractor 'llm' reads about instances of domains"):
        Session(WORLD, model=ScriptModel([]))
    with (
        session() as with_gold,
        pytest.raises(SessionError, match="only a session about an instance"),
    ):
        with_gold.save(tmp_path / "session.json")
