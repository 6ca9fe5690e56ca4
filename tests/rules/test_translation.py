"""Formulas of rules agree with closures for all completions of unseen values."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import compile_term
from holdtrue.logic.formula import Compare, Constant
from holdtrue.logic.value_sorts import DATE, MOMENT
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.cel import read_cel
from holdtrue.rules.checker import FactKind, Scope, check_condition
from holdtrue.rules.compilation import FACTS, Env, compile_rule
from holdtrue.rules.dates import YEAR
from holdtrue.rules.symbolic_calendar import day, day_of_year, month, year
from holdtrue.rules.symbolic_values import Num
from holdtrue.rules.translation import translate
from holdtrue.rules.typed_expressions import Node
from holdtrue.rules.types import COUNT, Field, MapOf, Number, Record
from holdtrue.rules.unknowns import LAST_DAY, Unknowns
from holdtrue.rules.values import FactKey, NotSeen, Undecided
from holdtrue.solving.result import Core, Satisfiable
from holdtrue.solving.route import make_engine
from tests.rules import generated as g

SCOPE = Scope(g.ROOTS, {"account": FactKind((g.OWNER,), g.ACCOUNT)}, {"table": (g.TABLE, MapOf(Number(g.COUNT.sort)))})


def rule(text: str) -> Node:
    return check_condition(read_cel(text), SCOPE)


def surroundings(call: Any, now: Any, accounts: dict[str, Any]) -> Env:
    def facts(kind: str, keys: tuple[Any, ...]) -> Any:
        path = f"facts.{kind}({keys[0]!r})"
        return accounts.get(keys[0], NotSeen(path, g.ACCOUNT, FactKey(kind, keys)))

    return {"call": call, "now": now, FACTS: facts}


def value_of(node: Node, env: Env) -> bool | None:
    try:
        found: bool = compile_rule(node)(dict(env))
    except Undecided:
        return None
    return found


def test_a_part_that_was_not_seen_becomes_a_variable() -> None:
    call = {"total": 20, "plan": NotSeen("call.plan", g.PLAN)}
    question = translate([rule("call.total > 10.0 && call.plan == 'pro'")], [surroundings(call, 0, {})])
    assert [own.name for own in question.variables] == ["call.plan"]
    assert str(question.conditions[0].yes) == "(call.plan == 1)"


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("call.total * 2 >= call.total", True),
        ("call.count * call.count >= 0", True),
        ("call.total == 50.0 * call.count && call.total == 20.0", False),
        ("facts.account(call.owner).seats == facts.account(call.owner).seats", True),
        ("call.owner != 'ann' || facts.account(call.owner).seats == facts.account('ann').seats", True),
        ("size(call.lines) <= 2", True),
        ("size(call.lines.filter(l, l.price > 1.0)) <= size(call.lines)", True),
        ("call.plan in ['free', 'pro', 'team']", True),
        ("!(call.note == 'a' && call.note == 'b')", None),
        ("!has(call.note) || !(call.note == 'a' && call.note == 'b')", True),
        ("call.lines.all(l, l.price <= 500.0)", True),
        ("table[call.plan] >= 1", True),
        ("call.count / 2 * 2 + call.count % 2 == call.count", True),
        ("call.at.date() > call.day || call.at.date() <= call.day", True),
        ("call.lines.filter(l, l.price > 1.0).all(i, l, i == 0 || l.price > 1.0)", True),
        ("call.lines.filter(l, l.count > 4).map(l, l.owner) == []", True),
        ("call.lines.filter(l, l.price > 1.0).map(l, l.count) != [1]", None),
        ("!(call.lines.filter(l, l.price > 1.0).map(l, l.price)[1] <= 1.0)", None),
        ("call.owner.lowerAscii() == call.owner.lowerAscii()", True),
        ("facts.account('ann').tags == facts.account('ann').tags.map(t, t)", True),
    ],
)
def test_some_rules_are_decided_before_anything_is_seen(text: str, truth: bool | None) -> None:
    env = surroundings(NotSeen("call", g.CALL), NotSeen("now", MOMENT), {})
    question = translate([rule(text)], [env])
    engine = make_engine(question.variables, question.background)
    yes, no = question.conditions[0].yes, question.conditions[0].no
    may_fail = isinstance(engine.check({"": ~yes}, Budget(5)), Satisfiable)
    may_hold = isinstance(engine.check({"": ~no}, Budget(5)), Satisfiable)
    assert (None if may_fail and may_hold else not may_fail) is truth


SAME_AT_EVERY_PLACE = "[3, 3][call.count]"
"""A value that is known wherever it is one, and an error at a third place, which only the formula can say."""


@pytest.mark.parametrize(
    "text",
    [
        "{} > 2",
        "{} == 3",
        "{} in [3, 4]",
        "({} > 2) == true",
        "-{} < 0",
        "{} + size(call.lines) >= 3",
        "[{}].all(n, n > 2)",
        "[{}].exists(n, n > 2)",
        "size([{}]) == 1",
        "({} > 2 ? 1 : 2) == 1",
        "!({} < 3)",
        "{} > 2 || call.total < 0.0",
        "{} > 2 && call.total >= 0.0",
        "[call.count].map(p, {}).all(n, n == 3)",
        "[{}, 1].exists_one(n, n == 3)",
        "size([2, 3].filter(n, n == {})) == 1",
        "['b', 'b', 'b', 'a'][{}] == 'a'",
    ],
)
def test_a_value_that_is_the_same_at_every_place_is_still_an_error_at_any_other(text: str) -> None:
    node = rule(text.format(SAME_AT_EVERY_PLACE))
    call = {"count": NotSeen("call.count", g.COUNT), "total": 20, "lines": ()}
    question = translate([node], [surroundings(call, 0, {})])
    condition, (count,) = question.conditions[0], question.variables
    for place in range(4):
        truth = value_of(node, surroundings({**call, "count": place}, 0, {}))
        assert truth is (True if place < 2 else None)
        for formula, wanted in ((condition.yes, place < 2), (condition.no, False)):
            engine = make_engine(question.variables, (*question.background, Compare("==", count, Constant(place))))
            assert isinstance(engine.check({"": formula}, Budget(5)), Satisfiable) is wanted, (place, formula)


NODE = t.Apply(YEAR, (t.Root("day", DATE),), COUNT)


@given(st.integers(1, LAST_DAY))
@example(1)
@example(LAST_DAY)
@example(date(2000, 2, 29).toordinal())
@example(date(1900, 3, 1).toordinal())
@example(date(2023, 12, 31).toordinal())
def test_a_year_month_and_day_are_those_of_the_calendar(ordinal: int) -> None:
    unknowns = Unknowns()
    value = unknowns.of_type(DATE, "day", None)
    own = date.fromordinal(ordinal)
    wanted = (own.year, own.month, own.day, own.timetuple().tm_yday)
    found = []
    for part in (year, month, day, day_of_year):
        term, there = part(unknowns, NODE, (value,))
        assert isinstance(term, Num) and term.step == 1
        assert there.holds({"day": ordinal})
        found.append(compile_term(term.term)({"day": ordinal}))
    assert tuple(found) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "call.day.getFullYear() != 2026 || call.day <= date('2026-12-31')",
        "call.day < date('2024-02-29') || call.day > date('2024-02-29') || call.day.getDate() == 29",
        "call.day.getMonth() < 12 && call.day.getDate() <= 31",
    ],
)
def test_what_holds_of_every_day_is_proved(text: str) -> None:
    call = Record({"day": Field(DATE)}, "call")
    node = check_condition(read_cel(text), Scope({"call": call}))
    env: dict[str, Any] = {"call": NotSeen("call", call)}
    question = translate([node], [env])
    engine = make_engine(question.variables, question.background)
    assert isinstance(engine.check({"": ~question.conditions[0].yes}, Budget(20)), Core)
