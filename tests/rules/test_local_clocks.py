"""Moments that are local to a place are those of Python's `datetime` with the zone, in UTC: a twin by enumeration."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.logic.formula import Compare, Constant
from holdtrue.logic.value_sorts import DATE, TIME, Calendar
from holdtrue.rules import types as ty
from holdtrue.rules.cel import read_cel
from holdtrue.rules.checker import Scope, check_condition
from holdtrue.rules.compilation import compile_rule
from holdtrue.rules.local_clocks import changes_of, check_place, instants_of, offset_at
from holdtrue.rules.translation import translate
from holdtrue.rules.types import Field, Record
from holdtrue.rules.values import NotSeen, Undecided, ValueFault, moment_text, read_moment
from holdtrue.solving.result import Core, Satisfiable
from holdtrue.solving.route import make_engine

START = datetime(1, 1, 1, tzinfo=UTC)
ODD = ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu"]
ODD += ["Asia/Manila", "Pacific/Kwajalein", "Europe/Amsterdam", "America/Sao_Paulo", "Africa/Monrovia", "Europe/Dublin"]
PLACES = st.sampled_from(ODD) | st.timezone_keys(allow_prefix=False).filter(lambda own: own != "localtime")


def at(second: int) -> datetime:
    return START + timedelta(seconds=second)


@st.composite
def instants(draw: st.DrawFn, place: str) -> int:
    """Instants of any year, and rather those near a change of clocks."""
    starts = changes_of(place).starts
    if draw(st.integers(0, 3)):
        start: int = draw(st.sampled_from(starts))
        return start + draw(st.integers(-90_000, 90_000) | st.integers(-2, 2))
    return draw(st.integers(53_000_000_000, 76_000_000_000))  # The years from 1680 to 2409.


def rule(text: str, place: str) -> Any:
    moment = Calendar("moment", place)
    types: dict[str, ty.Type] = {"a": moment, "b": moment, "day": DATE, "clock": TIME}
    call = Record({name: Field(own) for name, own in types.items()}, "call")
    return check_condition(read_cel(text.replace("PLACE", place)), Scope({"call": call})), call


def holds(text: str, place: str, **call: Any) -> bool | None:
    """Return the value of a rule by its closure, or None if it is an error."""
    node, _ = rule(text, place)
    try:
        return bool(compile_rule(node)({"call": call}))
    except Undecided:
        return None


@settings(deadline=None)
@given(st.data(), PLACES)
def test_rules_on_local_moments_agree_with_datetime(data: st.DataObject, place: str) -> None:
    type, zone = Calendar("moment", place), ZoneInfo(place)
    one, other = (data.draw(instants(place)) for _ in "ab")
    left = at(one).astimezone(zone)
    assert read_moment(left, type) == one  # With its offset.
    assert read_moment(moment_text(one, type), type) == one
    twice = left.replace(fold=1).utcoffset() != left.replace(fold=0).utcoffset()
    with pytest.raises(ValueFault, match="was twice in") if twice else nullcontext():
        assert read_moment(left.replace(tzinfo=None).isoformat(), type) == one
    elapsed = at(one) - at(other)
    assert holds("call.a < call.b", place, a=one, b=other) is (elapsed < timedelta())
    for bound in (timedelta(hours=24), elapsed):
        said = f"duration('{bound // timedelta(seconds=1)}s')"
        assert holds(f"call.a - call.b <= {said}", place, a=one, b=other) is (elapsed <= bound)
        assert holds(f"call.a == call.b + {said}", place, a=one, b=other) is (elapsed == bound)
    parts = f"date(call.a) == date('{left.date()}') && time(call.a) == time('{left.time():%H:%M:%S}')"
    parts += f" && call.a.getHours() == {left.hour} && call.a.getDayOfWeek() == {left.isoweekday() % 7}"
    assert holds(parts, place, a=one, b=other) is True


@given(st.data(), PLACES)
def test_a_reading_is_shown_at_all_moments_that_have_it_and_no_others(data: st.DataObject, place: str) -> None:
    reading = data.draw(instants(place)) + data.draw(st.integers(-90_000, 90_000))
    near = {offset_at(place, reading + 3600 * hours) for hours in range(-48, 49)}
    assert set(instants_of(place, reading)) == {reading - own for own in near if offset_at(place, reading - own) == own}


@pytest.mark.parametrize("place", ["Berlin", "right/Europe/Berlin", "localtime", "../etc", "Europe", "\0", "x" * 999])
def test_a_place_that_is_none_is_refused(place: str) -> None:
    with pytest.raises(InputError, match="no place of the time zone database"):
        check_place(place)


PARTS = [
    "call.a.getHours() < 3 && time(call.a) >= time('01:00')",
    "call.a.getDayOfWeek() == 0 || date(call.a) < date(call.b)",
    "call.day.at(call.clock, 'PLACE') <= call.b",
    "call.a - call.b <= duration('24h') && date(call.a) != date(call.b)",
]


@settings(deadline=None, max_examples=20)
@given(st.data(), PLACES, st.sampled_from(PARTS))
def test_formulas_on_unseen_moments_are_what_closures_compute(data: st.DataObject, place: str, text: str) -> None:
    node, call = rule(text, place)
    one, other = (data.draw(instants(place)) for _ in "ab")
    day, clock = divmod(one + offset_at(place, one) + data.draw(st.integers(-7200, 7200)), 86_400)
    seen = {"a": one, "b": other, "day": day + 1, "clock": clock}
    question = translate([node], [{"call": NotSeen("call", call)}])
    known = [own for own in question.variables if own.name.startswith("call.")]
    fixed = [Compare("==", own, Constant(seen[own.name[5:]])) for own in known]
    engine = make_engine(question.variables, (*question.background, *fixed))
    truth, own = holds(text, place, **seen), question.conditions[0]
    for formula, possible in ((own.yes, truth is True), (own.no, truth is False)):
        answer = engine.check({"": formula}, Budget(20))
        assert isinstance(answer, Satisfiable | Core)
        # From 2100 on, offsets are only bounded: all that is so is possible, and perhaps more.
        exact = max(one, other) < changes_of(place).starts[-1] - 86_400
        assert isinstance(answer, Satisfiable) is possible or (not exact and not possible)
