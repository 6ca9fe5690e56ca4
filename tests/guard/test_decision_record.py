"""Tests that a decision's inputs are written as JSON, and that every decision replays from them alone."""

from __future__ import annotations

import json
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.errors import InputError
from holdtrue.guard.decision import Decision
from holdtrue.guard.decision_record import decoded, encoded
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from holdtrue.logic.value_sorts import DATE, MOMENT, TIME, Calendar
from holdtrue.rules import types as ty
from holdtrue.rules.type_notation import read_type
from holdtrue.rules.values import FactKey, NotSeen
from tests.guard.shop import ACCOUNT, AMPLE, PLAN, REFUND, check, known, shop

FACT = FactKey("k", ("x",))


def again(value: Any, type: ty.Type) -> Any:
    return decoded(json.loads(json.dumps(encoded(value, type), allow_nan=False)), type, FACT)


TYPES: dict[str, ty.Type] = {
    "flag": ty.FLAG,
    "text": ty.TEXT,
    "plan": read_type(["free", "pro"], {}, "t"),
    "whole": read_type("whole 0..10", {}, "t"),
    "money": read_type("USD(2)", {}, "t"),
    "number": read_type("number", {}, "t"),
    "duration": read_type("duration", {}, "t"),
    "date": DATE,
    "time": TIME,
    "moment": MOMENT,
    "absolute": Calendar("moment", "Z"),
}
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "flag": st.booleans(),
    "text": st.text(),
    # An effect may give a field a value that its type does not have; it is recorded all the same.
    "plan": st.text(max_size=5),
    **dict.fromkeys(("whole", "money", "number", "duration"), st.integers() | st.fractions()),
    **dict.fromkeys(("date", "time", "moment", "absolute"), st.integers(-(10**12), 10**12) | st.fractions()),
}


def exact(value: Any) -> Any:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


@pytest.mark.parametrize("name", TYPES)
@given(st.data())
def test_every_value_is_read_as_it_was(name: str, data: st.DataObject) -> None:
    value = exact(data.draw(VALUES[name]))
    found = again(value, TYPES[name])
    assert (found, type(found)) == (value, type(value))
    assert again(None, ty.Nullable(TYPES[name])) is None
    assert again((value, value), ty.ListOf(TYPES[name])) == (value, value)


@given(st.dictionaries(st.text() | st.sampled_from(("#not seen", "#perhaps", "#exact", "##not seen", "#")), st.text()))
def test_no_key_of_a_map_is_taken_for_a_mark(value: dict[str, str]) -> None:
    assert again(value, ty.MapOf(ty.TEXT)) == value
    record = ty.Record({name: ty.Field(ty.TEXT) for name in value})
    assert again(value, record) == value


def test_what_was_not_seen_stays_so_at_any_depth() -> None:
    record = ty.Record(
        {
            "n": ty.Field(ty.COUNT),
            "opt": ty.Field(ty.TEXT, required=False),
            "list": ty.Field(ty.ListOf(ty.COUNT)),
            "null": ty.Field(ty.Nullable(ty.COUNT)),
            "map": ty.Field(ty.MapOf(ty.COUNT)),
        }
    )
    value = {
        "n": NotSeen("facts.k('x').n", ty.COUNT, FACT),
        "opt": NotSeen("facts.k('x').opt", ty.TEXT, FACT, False),
        "list": (1, NotSeen("facts.k('x').list[1]", ty.COUNT, FACT)),
        "null": NotSeen("facts.k('x').null", ty.Nullable(ty.COUNT), FACT),
        "map": {"#x": NotSeen("facts.k('x').map['#x']", ty.COUNT, FACT)},
    }
    assert again(value, record) == value


# Replaying


def replayed(made: Policy, decision: Decision) -> Decision:
    return made.replay(json.loads(json.dumps(decision.to_json(), allow_nan=False)))


ARGUMENTS: list[Any] = [
    PLAN,
    json.dumps(PLAN),
    {**PLAN, "seats": 9},
    {**PLAN, "start": date(2026, 3, 2)},
    {**PLAN, "seats": Decimal(9)},
    {**PLAN, "seats": Fraction(9)},
    {**PLAN, "seats": 9.0},
    {},
    {**PLAN, "seats": float("nan")},
    {**PLAN, "seats": 10**400},
    {**PLAN, "seats": "1e400"},
    {**PLAN, "user": "\ud800"},
    {**PLAN, "user": None},
    {**PLAN, "extra": 1},
    {**PLAN, 5: 1},
    {"plan": {"seats": object()}},
    [PLAN],
    "[]",
    "null",
    "5",
    '"text"',
    '"{}"',
    "{",
    '{"user": 1, "user": 2}',
    '{"seats": NaN}',
    "",
    b"\xff",
    b'{"user": "ann"}',
    None,
    True,
    5,
    5.5,
    float("inf"),
    object(),
]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=lambda own: repr(own)[:40].partition(" at 0x")[0])
@pytest.mark.parametrize("tool", ["set_plan", "unheard_of"])
@pytest.mark.parametrize("mode", ["enforce", "observe"])
def test_a_decision_on_any_arguments_replays(arguments: Any, tool: str, mode: Any) -> None:
    found = check(tool, arguments, known(), mode=mode)
    assert replayed(shop(), found) == found
    assert found.mode == mode and found.stops is (mode == "enforce" and found.kind != "allow")


SETTINGS: list[dict[str, Any]] = [
    {},
    {"said": {"reason": "late", "picked": ["o1"]}},
    {"said": {"reason": None, "ill": True, "agreed": False}, "unsaid": "unknown"},
    {"consent": True, "listen": False},
    {"now": "2026-04-02T12:00:00.123Z"},
    {"now": "2026-04-02T12:00:00+02:00", "mend": False},
    {"partial": True, "explain": True},
]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(
    ("tool", "arguments"), [("refund", REFUND), ("close_account", {"user": "ann"}), ("set_plan", {**PLAN, "seats": 9})]
)
def test_a_decision_in_any_circumstances_replays(settings: dict[str, Any], tool: str, arguments: Any) -> None:
    facts = shop().saw(
        known(at="2026-03-02T11:00:00Z"), "refund", {**REFUND, "order": "o2"}, "done", at="2026-03-02T11:30:00Z"
    )
    facts = shop().saw(facts, "peek_account", {"user": "ann"}, {"plan": "free"}).with_words("I am U-1")
    for own in (Facts.none(), facts):
        found = check(tool, arguments, own, **settings)
        assert replayed(shop(), found) == found


def test_said_may_be_python_values_and_exact_numbers() -> None:
    made = make_policy(
        "made",
        said={"paid": {"type": "number"}, "for_": {"type": "duration"}, "day": {"type": "date"}},
        tools={"definitions": [{"name": "act", "parameters": {"type": "object", "properties": {}}}]},
        rules=[
            {
                "id": "R",
                "on": "act",
                "hold": "said.paid == 12345678901234567.89 && said.for_ == duration('1h')",
                "say": "So.",
            }
        ],
    )
    said = {"paid": Decimal("12345678901234567.89"), "for_": timedelta(hours=1), "day": date(2026, 3, 2)}
    found = made.check("act", {}, Facts.none(), said=said)
    assert found.kind == "allow" and replayed(made, found) == found


def ranked(facts: Facts) -> Decision:
    return check("close_account", {"user": "ann"}, facts, consent=True)


def test_records_with_values_that_json_does_not_have_replay() -> None:
    hostile = {**ACCOUNT, "tags": ["#not seen", "#exact"], "card": {"number": "#perhaps", "pin": "\u2028"}}
    facts = shop().saw(Facts.none(), "get_account", {"user": "ann"}, hostile, at="0001-01-01T00:00:00+14:00")
    found = ranked(facts)
    assert found.given["facts"][0]["at"] == {"#exact": "-50400/1"}
    assert replayed(shop(), found) == found


def test_a_record_with_a_map_of_odd_keys_replays_and_a_date_of_no_calendar_is_none() -> None:
    made = make_policy(
        "made",
        zone="Z",
        now="2026-03-02T12:00:00Z",
        tools={
            "definitions": [
                {
                    "name": name,
                    "parameters": {"type": "object", "properties": {"d": {"type": "string", "format": "date"}}},
                }
                for name in ("get", "move")
            ],
            "reads": ["get"],
        },
        facts={
            "thing": {
                "key": {"day": "date", "id": "text"},
                "record": {"m": "map of number", "at": "moment Z", "day": "date"},
                "from": [{"tool": "get", "key": {"day": "call.d", "id": "'x'"}}],
            }
        },
        effects=[
            {"on": "move", "fact": "thing", "key": {"day": "call.d", "id": "'x'"}, "set": {"day": "call.d + days(3)"}}
        ],
        rules=[{"id": "R", "on": "move", "hold": "facts.thing(call.d, 'x').m['#not seen'] > 1.0", "say": "So."}],
    )
    result = {
        "m": {"#not seen": 0.5, "#exact": 12345678901234567890, "": 1},
        "at": "9999-12-31T23:59:59Z",
        "day": "9999-12-31",
    }
    facts = made.saw(Facts.none(), "get", {"d": "9999-12-31"}, json.dumps(result))
    assert not facts.notes
    found = made.check("move", {"d": "9999-12-31"}, facts, budget=AMPLE)
    assert found.rules == ("R",) and replayed(made, found) == found
    # A date that no calendar has is none of the record's: it is unknown then.
    facts = made.saw(facts, "move", {"d": "9999-12-31"}, "done")
    assert "facts.thing(9999-12-31, 'x').day: " in facts.notes[0]
    assert isinstance(facts.records["thing"][3_652_059, "x"].record["day"], NotSeen)


def test_a_record_of_another_policy_is_refused() -> None:
    record = check("refund", REFUND).to_json()
    with pytest.raises(InputError, match="another policy than 'made': its hash is not the same"):
        make_policy("made").replay(record)
    with pytest.raises(InputError, match="another policy"):
        make_policy("made").replay(check("unheard_of", {}).to_json())


def test_a_record_names_the_policy_the_moment_and_the_facts_that_were_asked_for() -> None:
    facts = shop().saw(known(), "get_account", {"user": "bob"}, ACCOUNT)
    given = check("refund", REFUND, facts, said={"reason": "late"}).to_json()["given"]
    assert given["policy"] == shop().digest and given["now"] == shop().now
    assert [(own["kind"], own["keys"]) for own in given["facts"]] == [("order", ["o1"])]
    assert given["facts"][0]["record"]["total"] == 25 and given["facts"][0]["tool"] == "list_orders"
    assert given["done"] == {}  # no rule on it reads earlier calls
    missing = check("refund", REFUND, mend=False).to_json()["given"]["facts"]
    assert missing == [{"kind": "order", "keys": ["o1"]}]
