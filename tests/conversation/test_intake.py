"""How what was read enters the ledger."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.conversation.intake import active_commitments, take_in
from holdtrue.language.reading import ActiveCommitment, Reading
from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.formula import Not
from holdtrue.solving.engine import Engine
from holdtrue.solving.route import make_engine
from holdtrue.world.instance import Constraint
from tests.language.rota import WEEK, made

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


def test_statements_are_proposed_together_the_confident_first() -> None:
    ledger = Ledger(WEEK)
    readings = (states(made("on_day", "Ann", 2), doubtful=True), states(ANN), Reading("Hm", "rejected", reason="?"))
    assert take_in(ledger, engine(), readings, 1, BUDGET) == readings
    assert events_of(ledger)[0] == ("added", "C001", None) and ledger.find(ANN) is not None
    assert [event.kind.value for event in ledger.events] == ["added", "rejected"]


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


def test_a_correction_that_clashes_with_nothing_is_a_statement() -> None:
    ledger, solver = Ledger(WEEK), engine()
    take_in(ledger, solver, [states(ANN)], 1, BUDGET)
    (reading,) = take_in(ledger, solver, [amends(BOB)], 2, BUDGET)
    assert (reading.act, reading.reason) == ("states", None) and list(ledger.active) == ["C001", "C002"]


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


def test_what_is_held_knows_when_it_was_last_said() -> None:
    ledger, solver = Ledger(WEEK), engine()
    take_in(ledger, solver, [states(ANN), states(BOB)], 1, BUDGET)
    take_in(ledger, solver, [states(ANN)], 4, BUDGET)
    assert active_commitments(ledger) == (ActiveCommitment("C001", ANN, 4), ActiveCommitment("C002", BOB, 1))


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
