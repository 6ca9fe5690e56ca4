"""Readings enter the ledger."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.conversation import Session
from holdtrue.conversation.intake import active_commitments, take_in
from holdtrue.errors import RecordError, SessionClosed, SettingsError
from holdtrue.language.asking_back import AskBack
from holdtrue.language.reading import ActiveCommitment, Reading
from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.formula import Not
from holdtrue.record import TurnOutcome
from holdtrue.solving.engine import Engine
from holdtrue.solving.route import make_engine
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Integer
from holdtrue.world.instance import Constraint
from tests.language.rota import ROTA, WEEK, made
from tests.recorder import Recorder

BUDGET = Budget()


def engine() -> Engine:
    return make_engine(list(WEEK.variables.values()), WEEK.background)


def states(constraint: Constraint, *, doubtful: bool = False) -> Reading:
    return Reading("said", "doubtful" if doubtful else "accepted", constraint, 0.4 if doubtful else 1.0)


def withdraws(constraint: Constraint) -> Reading:
    return Reading("Forget that", "accepted", constraint, act="withdraws")


def amends(constraint: Constraint, replaces: Constraint | None = None) -> Reading:
    return Reading("Instead", "accepted", constraint, act="amends", replaces=replaces)


def events_of(ledger: Ledger) -> list[tuple[str, str, str | None]]:
    return [(event.kind.value, event.entry.id, event.reason) for event in ledger.events]


ANN, BOB, CY = made("on_day", "Ann", 1), made("on_day", "Bob", 2), made("on_day", "Cy", 3)


def test_changes_happen_in_the_order_of_the_words() -> None:
    ledger = Ledger(WEEK)
    take_in(ledger, engine(), [states(ANN), withdraws(ANN), states(BOB), amends(CY, BOB)], 1, BUDGET)
    assert events_of(ledger) == [
        ("added", "C001", None),
        ("withdrawn", "C001", "Forget that"),
        ("added", "C002", None),
        ("amended", "C002", "Instead"),
        ("added", "C003", None),
    ]
    assert active_commitments(ledger) == (ActiveCommitment("C003", CY, 1),)


def test_a_correction_replaces_the_one_thing_that_it_clashes_with() -> None:
    ledger, solver = Ledger(WEEK), engine()
    take_in(ledger, solver, [states(ANN), states(made("before", "Ann", "Bob"))], 1, BUDGET)
    (reading,) = take_in(ledger, solver, [amends(made("on_day", "Ann", 3))], 2, BUDGET)
    assert reading.act == "amends" and [event.kind.value for event in ledger.events[2:]] == ["amended", "added"]
    assert ledger.find(ANN) is None


def test_a_correction_that_clashes_with_several_things_replaces_none_of_them() -> None:
    ledger, solver = Ledger(WEEK), engine()
    take_in(ledger, solver, [states(ANN), states(made("off_day", "Ann", 3))], 1, BUDGET)
    (reading,) = take_in(ledger, solver, [amends(made("on_day", "Ann", 3))], 2, BUDGET)
    assert reading.act == "states" and list(ledger.active) == ["C001", "C002", "C003"]
    assert reading.reason == "it clashes with C001, C002; which of them it replaces is not clear"


def test_what_the_ledger_does_not_hold_cannot_be_taken_back() -> None:
    ledger = Ledger(WEEK)
    doubtful = states(made("on_day", "Ann", 2), doubtful=True)
    *_, reading = take_in(ledger, engine(), [states(ANN), doubtful, withdraws(made("on_day", "Ann", 2))], 1, BUDGET)
    assert reading.status == "rejected" and reading.reason == "it was not agreed, so there is nothing to take back"
    assert list(ledger.active) == ["C001"]


def test_what_is_impossible_by_itself_replaces_nothing_and_says_so() -> None:
    ledger, solver = Ledger(WEEK), engine()
    wide, wider = made("apart", "Ann", "Bob", 2), made("apart", "Ann", "Bob", 4)
    impossible = made("before", "Ann", "Bob")
    narrow = make_engine(list(WEEK.variables.values()), [Not(WEEK.formula(impossible))])
    take_in(ledger, narrow, [states(wide)], 1, BUDGET)
    (reading,) = take_in(ledger, narrow, [amends(impossible, wide)], 2, BUDGET)
    assert reading.status == "rejected"
    assert reading.reason == '"Ann works before Bob" is impossible in this setting, so that C001 stays'
    assert list(ledger.active) == ["C001"] and [event.kind.value for event in ledger.events] == ["added"]
    (reading,) = take_in(ledger, solver, [amends(wider, wide)], 3, BUDGET)
    assert reading.status == "accepted" and list(ledger.active) == ["C002"]


@given(st.permutations(range(1, 6)), st.integers(1, 5), st.integers(1, 5))
def test_a_replacement_is_made_just_where_it_is_possible_by_itself(days: list[int], old: int, new: int) -> None:
    closed = days[:2]
    laws = [WEEK.formula(made("off_day", "Ann", day)) for day in closed]
    ledger, solver = Ledger(WEEK), make_engine(list(WEEK.variables.values()), laws)
    take_in(ledger, solver, [states(made("on_day", "Ann", old))], 1, BUDGET)
    (reading,) = take_in(ledger, solver, [amends(made("on_day", "Ann", new), made("on_day", "Ann", old))], 2, BUDGET)
    assert (reading.status == "rejected") == (new in closed)
    expected = old if new in closed else new
    assert [one.constraint for one in ledger.active.values()] == [made("on_day", "Ann", expected)]


GOOD = json.dumps({"solution": {"Ann": 1, "Bob": 2, "Cy": 3, "Dee": 4}})
# As many people as days, of whom each needs another one; one type of constraint counts those who are there.
FULL = Domain(
    "full",
    attributes=[Attribute("day", low=1, high=3, distinct=True)],
    constraint_types=[
        ConstraintType("on_day", (Entity(), Integer(1, 3)), "{0} works on day {1}", lambda w, a, k: a.day.eq(k)),
        ConstraintType(
            "among", (Entity(), Integer(2, 2)), "{0} is one of {1}", lambda w, a, k: a.day <= len(w.entities),
            applies=lambda w: len(w.entities) == 2,
        ),
        ConstraintType(
            "early", (Entity(), Integer(1, 3)), "{0} is early by {1}", lambda w, a, k: a.day + len(w.entities) <= k + 2
        ),
    ],
)  # fmt: skip


def week() -> Session:
    return Session(WEEK, model=Recorder(lambda request: GOOD), method="project", extractor="templates")


async def test_who_joins_is_in_the_next_answer_and_all_that_was_agreed_stays(tmp_path: Path) -> None:
    session = week()
    first = await session.turn("Ann works before Bob. Cy works on day 3.")
    session.withdraw("C002")
    session.add_entity(" Zoe ")
    assert session.instance is not WEEK and len(WEEK.entities) == 4
    session.add("on_day", "Zoe", 5)
    record = await session.turn("Zoe works before Ann.")
    assert [event.kind for event in record.events] == ["withdrawn", "added", "added"]
    assert record.holds == ("C001", "C003", "C004") and record.turn == 2 and first.turn == 1
    record = await session.turn("Zoe works on day 1 instead.")
    assert record.outcome is TurnOutcome.CONSISTENT
    values = json.loads(record.delivered or "")["solution"]
    assert values["Zoe"] == 1 and values["Ann"] < values["Bob"]
    assert "Zoe" in session.model.prompts[-1] and "Zoe" not in session.model.prompts[0]  # type: ignore[attr-defined]
    session.save(tmp_path / "saved.json")
    again = Session.load(tmp_path / "saved.json", ROTA, model=session.model)
    assert again.instance.entities == ("Ann", "Bob", "Cy", "Dee", "Zoe")  # type: ignore[attr-defined]
    assert list(again.ledger.active) == list(session.ledger.active)
    with pytest.raises(RecordError, match="another instance of the domain"):
        Session.load(tmp_path / "saved.json", WEEK, model=session.model)


@pytest.mark.parametrize(
    ("name", "says"),
    [("ann", "'ann' cannot join: Ann is there already"), (" ", "'' cannot join: rota: an entity's name is empty")],
)
def test_a_name_that_is_none_or_known_is_refused(name: str, says: str) -> None:
    session = week()
    with pytest.raises(SettingsError, match=says):
        session.add_entity(name)
    assert session.instance is WEEK


def test_where_laws_leave_no_room_nobody_joins() -> None:
    session = Session(FULL, ["Ann", "Bob", "Cy"], model=Recorder(lambda request: GOOD), extractor="templates")
    with pytest.raises(SettingsError, match="'Dee' cannot join: the laws of the domain leave no room"):
        session.add_entity("Dee")


def test_what_could_be_kept_before_can_be_kept_after_and_means_something() -> None:
    session = Session(FULL, ["Ann", "Bob"], model=Recorder(lambda request: GOOD), extractor="templates")
    session.add("early", "Ann", 1)
    with pytest.raises(SettingsError, match=r'what was agreed could not be kept: C001: "Ann is early by 1" \(turn 0\)'):
        session.add_entity("Cy")
    session.withdraw("C001")
    session.add("among", "Ann", 2)
    with pytest.raises(SettingsError, match=r"what was said would mean nothing then: event 3 \(added C002\).*among"):
        session.add_entity("Cy")
    assert list(session.ledger.active) == ["C002"] and session.instance.entities == ("Ann", "Bob")  # type: ignore[attr-defined]


async def test_what_clashed_already_keeps_nobody_out() -> None:
    session = week()
    await session.turn("Ann works before Bob. Bob works before Ann.")
    session.add_entity("Zoe")
    assert (await session.turn("Forget C002.")).outcome is TurnOutcome.CONSISTENT


async def test_nobody_joins_a_closed_session_or_a_published_one() -> None:
    published = Session(WEEK, model=Recorder(lambda request: GOOD), protocol="upstream")
    with pytest.raises(SettingsError, match="add_entity needs protocol 'stated'"):
        published.add_entity("Zoe")
    session = week()
    await session.aclose()
    with pytest.raises(SessionClosed, match="add_entity is refused"):
        session.add_entity("Zoe")


def asking(ask_back: AskBack | bool = True, *, joining: bool = True) -> tuple[Session, Recorder]:
    model = Recorder(lambda request: GOOD)
    rota = Domain(ROTA.name, ROTA.attributes, ROTA.constraint_types, joining=joining)
    week = rota.instance(["Ann", "Bob", "Cy", "Dee"])
    return Session(week, model=model, method="direct", extractor="templates", ask_back=ask_back), model


async def test_who_is_not_known_is_asked_about_and_on_yes_what_named_them_is_read_again() -> None:
    session, model = asking("alone")
    record = await session.turn("Ann works on day 2. Zoe works before Ann. Also, Zoe works on day 1.")
    assert record.delivered == "I do not know Zoe. Shall Zoe join?" and model.requests == []
    assert [(one.id, one.joins, one.type) for one in record.questions] == [("q1.1", "Zoe", None)]
    assert record.holds == ("C001",)
    record = await session.turn("Yes, and Bob works on day 3.")
    assert [event.sentence for event in record.events] == [
        "Zoe works before Ann",
        "Zoe works on day 1",
        "Bob works on day 3",
    ]
    assert record.questions == () and record.unread_before == 0 and "Zoe" in record.final.verdict.missing[0]
    assert "Zoe" in model.prompts[0]


@pytest.mark.parametrize("ask_back", [False, True])
async def test_only_who_can_join_is_asked_about_and_only_where_questions_are_asked(ask_back: bool) -> None:
    session, _ = asking(ask_back, joining=not ask_back)
    record = await session.turn("Zoe works on day 1.")
    assert record.questions == () and record.delivered == GOOD


async def test_nobody_is_asked_about_whom_what_was_agreed_leaves_no_room() -> None:
    session = Session(
        FULL,
        ["Ann", "Bob"],
        model=Recorder(lambda request: GOOD),
        extractor="templates",
        method="direct",
        ask_back=True,
    )
    session.add("early", "Ann", 1)
    assert (await session.turn("Cy works on day 1.")).questions == ()


async def test_a_yes_by_call_lets_them_join_and_the_next_message_brings_what_named_them(tmp_path: Path) -> None:
    session, model = asking()
    await session.turn("Zoe works before Max.")
    session.save(tmp_path / "saved.json")
    session = Session.load(tmp_path / "saved.json", ROTA, model=model)
    assert [one.joins for one in session.questions] == ["Zoe", "Max"]
    assert session.answer("q1.1", yes=True) == ()
    session.add_entity("max")
    assert session.questions == ()
    session.save(tmp_path / "saved.json")
    session = Session.load(tmp_path / "saved.json", ROTA, model=model)
    record = await session.turn("Thanks!")
    assert [event.sentence for event in record.events] == ["Zoe works before max"]


async def test_who_cannot_join_any_more_is_told() -> None:
    session, _ = asking()
    await session.turn("Zoe works on day 1.")
    session.questions, before = (), session.questions
    session.add_entity("Zoe")
    session.questions = before
    record = await session.turn("Yes.")
    assert [(one.status, one.reason) for one in record.readings] == [
        ("rejected", "'Zoe' cannot join: Zoe is there already")
    ]
