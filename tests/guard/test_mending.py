"""Tests of the nearest call that keeps every rule: allowed changes, their size, and reasons for none."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.guard import mending
from holdtrue.guard.decision import Decision, Mend
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from holdtrue.solving.result import Unknown
from tests.guard.shop import AMPLE, REFUND, check, known

FIELDS: dict[str, Any] = {
    "n": "whole -10..10",
    "m": "whole -10..10",
    "price": "USD(2)",
    "rate": "number",
    "far": "whole",
    "day": "date",
    "at": "moment Z",
    "flag": "bool",
    "plan": ["free", "pro", "team"],
    "id": "id of user",
    "note": "text",
    "maybe": "whole or null",
    "meta": "map of whole",
    "content-type": "whole 0..9",
    "lines": {"list of": {"count": "whole 0..9", "sku": "text", "paid?": "bool"}},
    "inner": {"x": "whole 0..9", "y": "whole 0..9"},
}
CALL: dict[str, Any] = {
    "n": 1,
    "m": 1,
    "price": 9.99,
    "rate": 0.1234567,
    "far": 10**12,
    "day": "2026-03-02",
    "at": "2026-03-02T12:00:00Z",
    "flag": True,
    "plan": "free",
    "id": "ann",
    "note": "x",
    "maybe": None,
    "meta": {"a": 1},
    "content-type": 3,
    "lines": [{"count": 1, "sku": "a"}, {"count": 2, "sku": "b", "paid": True}],
    "inner": {"x": 1, "y": 2},
}


def policy(*holds: str, closed: bool = False, **parts: Any) -> Policy:
    own: dict[str, Any] = {name: {} for name in FIELDS}
    schema: dict[str, Any] = {"type": "object", "properties": {**own, "raw": {}}}
    if closed:
        schema["additionalProperties"] = False
    types = {name if name.isidentifier() else f"['{name}']": own for name, own in FIELDS.items()}
    rules = [{"id": f"R{place}", "on": "act", "hold": hold, "say": "So it is."} for place, hold in enumerate(holds)]
    return make_policy(
        "made",
        zone="Z",
        now="2026-03-02T12:00:00Z",
        tools={
            "definitions": [{"name": "act", "parameters": schema}],
            "types": {"act": types},
            **parts.pop("tools", {}),
        },
        rules=rules,
        **{"undeclared": "tell", **parts},
    )


def decide(*holds: str, facts: Facts | None = None, tools: Any = None, said: Any = None, **call: Any) -> Decision:
    made = policy(*holds, tools=tools or {}, said={"max": {"type": "whole"}})
    return made.check("act", {**CALL, **call}, facts or Facts.none(), budget=AMPLE, said=said)


def mended(*holds: str, **settings: Any) -> Mend:
    found = decide(*holds, **settings)
    assert found.kind == "block" and found.mend is not None, found.for_log
    assert found.mend.optimal
    return found.mend


def changes(*holds: str, **settings: Any) -> dict[str, Any]:
    """Return the new values of a mended call, by path."""
    return {own.path: own.after for own in mended(*holds, **settings).changes}


@pytest.mark.parametrize(
    ("holds", "expected"),
    [
        # Amounts and dates by as little as can be, in whole steps of their types
        (["call.n > 5"], {"n": 6}),
        (["call.n < -5"], {"n": -6}),
        (["call.price < 5.0"], {"price": 4.99}),
        (["call.price * 3 >= 100.0"], {"price": 33.34}),
        (["call.rate <= 0.1"], {"rate": 0.1}),
        (["call.rate > 0.5"], {"rate": 0.5000001}),
        (["call.far > 1000000000005"], {"far": 10**12 + 6}),
        (["call.far * 2 == 3000000000002"], {"far": 1500000000001}),
        (["call.day >= date('2026-03-10')"], {"day": "2026-03-10"}),
        (["call.day.getDayOfWeek() == 3"], {"day": "2026-03-04"}),
        (["call.at - now >= duration('36h')"], {"at": "2026-03-04T00:00:00Z"}),
        (["!call.flag"], {"flag": False}),
        (["call.plan != 'free'"], {"plan": "pro"}),
        (["call.plan in ['team']"], {"plan": "team"}),
        # The fewest changes
        (["call.n + call.m == 20"], {"n": 10, "m": 10}),
        (["call.n + call.m >= 5"], [{"n": 4}, {"m": 4}]),
        (["call.n > 2 || call.m > 1"], {"m": 2}),
        (["call.n == call.m + 3"], [{"n": 4}, {"m": -2}]),
        (["call.n == 3 && call.m == 3 || call.inner.x == 9"], {"inner.x": 9}),
        (["call.n > 3", "call.m > 3"], {"n": 4, "m": 4}),
        (["call.n > 3", "call.m > 3 || call.n > 7"], {"n": 8}),
        # The nearest of equally few changes
        (["call.n > 8 || call.m > 2"], {"m": 3}),
        (["call.n > 2 || call.m > 8"], {"n": 3}),
        (["call.n + 5 * call.m >= 11"], {"m": 2}),
        # Parts of lists and records
        (["call.lines.all(l, l.count > 1)"], {"lines[0].count": 2}),
        (["call.lines.map(l, l.count).sum() == 7"], [{"lines[0].count": 5}, {"lines[1].count": 6}]),
        (["call.lines.all(l, !has(l.paid) || !l.paid)"], {"lines[1].paid": False}),
        (["call.inner.x + call.inner.y == 10"], [{"inner.x": 8}, {"inner.y": 9}]),
        (["call['content-type'] > 7"], {"['content-type']": 8}),
    ],
)
def test_a_call_is_mended_by_as_little_as_can_be(holds: list[str], expected: Any) -> None:
    found = changes(*holds)
    assert found in (expected if isinstance(expected, list) else [expected])


# Arguments that may change


@pytest.mark.parametrize(
    ("hold", "change", "expected"),
    [
        ("call.n > 5", ["n"], {"n": 6}),
        ("call.n > 5", ["m"], None),
        ("call.n > 5 || call.m > 5", ["m"], {"m": 6}),
        ("call.id == 'bob'", ["id"], {"id": "bob"}),
        ("call.id != 'ann' && call.id in ['ann', 'eve']", ["id"], {"id": "eve"}),
        ("call.lines[0].count > 5", ["lines[].count"], {"lines[0].count": 6}),
        ("call.lines[0].count > 5", ["lines"], {"lines[0].count": 6}),
        ("call.lines[0].count > 5", ["lines[].sku"], None),
        ("call.inner.x > 5", ["inner"], {"inner.x": 6}),
        ("call['content-type'] > 5", ["['content-type']"], {"['content-type']": 6}),
        ("call.meta['a'] > 5", ["meta"], None),
        ("call.n > 5", [], None),
    ],
)
def test_a_policy_may_say_what_may_change(hold: str, change: list[str], expected: Any) -> None:
    found = decide(hold, tools={"change": {"act": change}})
    assert found.kind == "block"
    assert (None if found.mend is None else {own.path: own.after for own in found.mend.changes}) == expected
    assert bool(found.no_mend) is (expected is None)


@pytest.mark.parametrize(
    ("hold", "why"),
    [
        ("call.id == 'bob'", "nothing that may change would make a difference"),
        ("call.note == 'y'", "nothing that may change would make a difference"),
        ("call.maybe == 5", "nothing that may change would make a difference"),
        ("call.meta['a'] == 5", "nothing that may change would make a difference"),
        ("size(call.lines) == 1", "nothing that may change would make a difference"),
        ("call.n > 5 && call.id == 'bob'", "nothing that may change would make a difference"),
        ("call.n > 10", "no change of what may change keeps R0"),
        ("call.n > 5 && call.n < 5", "no change of what may change keeps R0"),
    ],
)
def test_ids_texts_and_what_is_not_there_stay_as_they_are(hold: str, why: str) -> None:
    found = decide(hold)
    assert (found.kind, found.mend, found.no_mend) == ("block", None, why)


def test_the_rules_that_cannot_be_kept_together_are_named() -> None:
    found = decide("call.n > 5", "call.m == 1", "call.n < 4", "call.id == 'ann'")
    assert found.no_mend == "no change of what may change keeps R0 and R2"


def test_a_moment_with_a_part_of_a_second_stays_as_it_is() -> None:
    odd = "2026-03-02T12:00:00.500Z"
    assert changes("call.at > now && call.n > 5", at=odd) == {"n": 6}
    found = decide("call.at < now", at=odd)
    assert (found.mend, found.no_mend) == (None, "nothing that may change would make a difference")


def test_numbers_of_any_size_are_mended_exactly() -> None:
    large = 12345678901234567890
    assert changes("call.far < 5", far=large) == {"far": 4}
    found = policy("call.price <= 12345678901234567.88").check(
        "act", '{"price": 12345678901234567.89}', Facts.none(), budget=AMPLE
    )
    assert found.mend is not None
    assert str(found.mend.changes[0].after) == "12345678901234567.88"
    assert found.to_json()["mend"]["changes"] == [
        {"path": "price", "before": "12345678901234567.89", "after": "12345678901234567.88"}
    ]


# Facts and words stay as they are

FEW: dict[str, Any] = {"limit": {"key": {"id": "text"}, "record": {"most": "whole 0..10"}}}


def test_a_fact_and_a_word_are_never_bent() -> None:
    assert changes("call.n == said.max", said={"max": 7}) == {"n": 7}
    assert decide("call.n == said.max", said={"max": 99}).mend is None
    found = check("refund", {**REFUND, "user": "bob", "amount": 30}, known(), said={"reason": "late"})
    assert found.mend is None and found.no_mend == "no change of what may change keeps OWN"


def test_what_was_not_seen_is_not_chosen() -> None:
    """A call that keeps the rules only if a fact turns out well is no mended call."""
    found = check("refund", {**REFUND, "amount": 30}, unsaid="unknown")
    assert found.kind == "ask"
    made = policy(
        "call.n > 5",
        "call.m <= facts.limit('x').most",
        facts=FEW,
    )
    for m, expected in ((1, [("n", 6), ("m", 0)]), (-1, [("n", 6)])):
        found = made.check("act", {**CALL, "m": m}, Facts.none(), budget=AMPLE)
        assert found.kind == "block" and found.mend is not None and found.mend.optimal
        assert [(own.path, own.after) for own in found.mend.changes] == expected
    fixed = policy("call.n > 5", "call.m <= facts.limit('x').most", facts=FEW, tools={"change": {"act": ["n"]}})
    assert fixed.check("act", CALL, Facts.none()).no_mend == "the nearest call is not proved to keep R1"


# Limits


def test_a_mend_that_takes_too_long_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mending, "nearest", lambda *args, **settings: Unknown("the time budget ran out"))
    assert decide("call.n > 5").no_mend == "the time budget ran out"


def test_a_mend_that_is_not_proved_the_nearest_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mending, "closest", lambda *args, **settings: Unknown("the time budget ran out"))
    found = decide("call.n > 5")
    assert found.mend is not None and not found.mend.optimal
    assert found.mend.arguments["n"] > 5


def test_a_mend_that_fails_leaves_the_call_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **settings: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(mending, "nearest", fail)
    found = decide("call.n > 5")
    assert (found.kind, found.mend) == ("block", None)
    assert found.no_mend == "checking it ended in an error of the program: MemoryError"


def test_a_mended_call_that_is_not_proved_is_not_proposed() -> None:
    found = policy("call.n > 5", "call.m < 100").check("act", CALL, Facts.none(), budget=Budget(timeout_s=0))
    assert found.kind == "block"
    assert found.mend is None or found.mend.arguments["n"] > 5


# Records and schemas


def hired(
    *holds: str, change: Any, seen: dict[str, int], call: dict[str, Any], key: str = "id of piece", **schema: Any
) -> Decision:
    """Return the decision on a call of a tool that hires a piece, of which records were seen."""
    text, nights = {"type": "string"}, {"type": "integer", "minimum": 0, "maximum": 30}
    properties = {"nights": nights, "piece": text, "hall": {"enum": ["alto", "brass"]}, "insured": {"type": "boolean"}}
    hire = {"name": "hire", "parameters": {"type": "object", "properties": properties, **schema}}
    look = {"name": "look", "parameters": {"type": "object", "properties": {"piece": text}, "required": ["piece"]}}
    source = {"tool": "look", "key": {"piece": "call.piece"}}
    made = make_policy(
        "hire",
        tools={
            "definitions": [hire, look],
            "reads": ["look"],
            "types": {"*": {"piece": key}},
            **({"change": {"hire": change}} if change else {}),
        },
        facts={"piece": {"key": {"piece": key}, "record": {"most": "whole 0..30"}, "from": [source]}},
        rules=[{"id": f"R{at}", "on": "hire", "hold": hold, "say": "So it is."} for at, hold in enumerate(holds)],
    )
    facts = Facts.none()
    for id, most in seen.items():
        facts = made.saw(facts, "look", {"piece": id}, {"most": most})
    return made.check("hire", call, facts, budget=AMPLE)


@pytest.mark.parametrize("key", ["id of piece", "text"])
@pytest.mark.parametrize("seen", ["", "horn-2", "tuba-3"])
def test_a_record_that_no_rule_needs_stays_the_one_that_is_named(seen: str, key: str) -> None:
    rules = ("call.nights >= 4", "call.nights <= 7 || facts.piece(call.piece).most == 0")
    call = {"nights": 0, "piece": "harp-4"}
    found = hired(*rules, change=["nights", "piece"], seen={seen: 3} if seen else {}, call=call, key=key).mend
    assert found is not None and found.optimal and found.arguments == {"nights": 4, "piece": "harp-4"}


@pytest.mark.parametrize(
    ("holds", "seen", "expected"),
    [
        (["call.piece != 'oboe-1'", "call.hall in ['brass']"], "horn-2", {"piece": "horn-2", "hall": "brass"}),
        (["call.piece != 'oboe-1'", "call.hall in ['brass']"], "oboe-1", None),
        (["call.piece == 'horn-2'"], "tuba-3", None),
        (["call.piece != 'oboe-1' && call.nights == 4"], "horn-2", {"nights": 4, "piece": "horn-2"}),
        # Unseen values may be anything, so that a named piece or an excluded number of nights proves nothing
        (
            ["call.nights <= facts.piece(call.piece).most", "call.nights >= 2"],
            "horn-2",
            {"nights": 2, "piece": "horn-2"},
        ),
        (["call.nights <= facts.piece(call.piece).most || call.nights == 29", "call.nights >= 2"], "", {"nights": 29}),
    ],
)
def test_an_id_only_becomes_that_of_a_record_that_was_seen(holds: list[str], seen: str, expected: Any) -> None:
    call = {"nights": 1, "piece": "oboe-1", "hall": "alto"}
    found = hired(*holds, change=["nights", "piece", "hall"], seen={seen: 9} if seen else {}, call=call)
    assert found.kind == "block" and bool(found.no_mend) is (expected is None)
    assert expected is None or (found.mend and found.mend.optimal and found.mend.arguments == {**call, **expected})


@pytest.mark.parametrize(
    "schema",
    [
        {"if": {"properties": {"insured": {"const": True}}}, "then": {"properties": {"nights": {"maximum": 3}}}},
        {"anyOf": [{"properties": {"insured": {"const": False}}}, {"properties": {"nights": {"maximum": 3}}}]},
        {"oneOf": [{"properties": {"insured": {"const": False}}}, {"properties": {"nights": {"maximum": 3}}}]},
        {"not": {"properties": {"insured": {"const": True}, "nights": {"const": 4}}}},
    ],
)
def test_what_a_schema_refuses_for_several_arguments_is_mended_by_each(schema: Any) -> None:
    call = {"nights": 3, "insured": True, "hall": "alto"}
    found = hired("call.nights == 4", change=None, seen={}, call=call, **schema)
    assert (
        found.mend is not None
        and found.mend.optimal
        and found.mend.arguments == {**call, "nights": 4, "insured": False}
    )
    fixed = hired("call.nights == 4", change=["nights", "hall"], seen={}, call=call, **schema)
    assert fixed.no_mend == "no change of what may change keeps R0, within what the schema of hire allows"
