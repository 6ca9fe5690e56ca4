"""Parts of dates in formulas are those of the calendar."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import compile_term
from holdtrue.logic.value_sorts import DATE
from holdtrue.rules import typed as t
from holdtrue.rules.cel import read_cel
from holdtrue.rules.checker import Scope, check_condition
from holdtrue.rules.dates import YEAR
from holdtrue.rules.symbolic import translate
from holdtrue.rules.symbolic_calendar import day, day_of_year, month, year
from holdtrue.rules.symbolic_values import Num
from holdtrue.rules.types import COUNT, Field, Record
from holdtrue.rules.unknowns import LAST_DAY, Unknowns
from holdtrue.rules.values import NotSeen
from holdtrue.solving.result import Core
from holdtrue.solving.route import make_engine

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
    node = check_condition(read_cel(text), Scope.of({"call": call}))
    env: dict[str, Any] = {"call": NotSeen("call", call)}
    question = translate([node], [env])
    engine = make_engine(question.variables, question.background)
    assert isinstance(engine.check({"": ~question.conditions[0].yes}, Budget(20)), Core)
