"""Tests that facts are the declared parts of results and the declared effects of calls, and nothing more."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from holdtrue.guard.facts import Facts, Seen
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy, read_policy
from holdtrue.guard.results import is_error
from holdtrue.rules.values import NotSeen
from tests.guard.shop import ACCOUNT, LINE, ORDER, PLAN, REFUND, check, finding, known, shop

HOUR = "2026-03-02T11:00:00Z", "2026-03-02T12:00:00Z", "2026-03-02T12:30:00Z"


def saw(tool: str, arguments: Any, result: Any, facts: Facts | None = None, at: str | None = None) -> Facts:
    return shop().saw(Facts.none() if facts is None else facts, tool, arguments, result, at=at)


def account(facts: Facts, user: str = "ann") -> Seen | None:
    return facts.record("account", (user,))


def fields(facts: Facts) -> dict[str, Any]:
    """Return the fields of the account, each one that was not seen by the path of its marker."""
    seen = account(facts)
    assert seen is not None
    return {name: f"?{own}" if isinstance(own, NotSeen) else own for name, own in seen.record.items()}


# Records in results


@pytest.mark.parametrize("result", [ACCOUNT, json.dumps(ACCOUNT)])
@pytest.mark.parametrize("arguments", [{"user": "ann"}, '{"user": "ann"}'])
def test_a_result_shows_a_record_as_values_or_as_text(arguments: Any, result: Any) -> None:
    seen = account(saw("get_account", arguments, result))
    assert seen is not None and seen.tool == "get_account"
    assert seen.record["balance"] == Fraction(41, 2)
    assert seen.record["tags"] == ("vip",)


def test_the_records_of_a_list_are_shown_one_by_one_under_their_own_names() -> None:
    facts = saw("list_orders", {"user": "ann"}, [ORDER, {**ORDER, "id": "o2", "sum": 3}])
    assert facts.records["order"].keys() == {("o1",), ("o2",)}
    seen = facts.record("order", ("o2",))
    assert seen is not None and seen.record["total"] == 3 and "sum" not in seen.record


def test_a_field_that_cannot_be_read_hides_no_other_and_no_item_hides_others() -> None:
    many = {**ORDER, "id": "o2", "lines": [LINE] * 6}
    facts = saw("list_orders", {"user": "ann"}, [many, {**ORDER, "id": "o3"}, "none", {**ORDER, "id": 5}])
    assert facts.records["order"].keys() == {("o2",), ("o3",)}
    record = facts.records["order"]["o2",].record
    assert isinstance(record["lines"], NotSeen) and record["total"] == facts.records["order"]["o3",].record["total"]
    assert any("lines: it has 6 items; there can be 5 at most" in own for own in facts.notes)
    assert any("it has to be an object, not 'none'" in own for own in facts.notes)
    assert any("it has to be a text, not 5" in own for own in facts.notes)


def test_a_kind_with_two_keys_is_found_by_both() -> None:
    facts = saw("get_price", {"sku": "p1", "day": "2026-03-02"}, {"price": 5}, at=HOUR[1])
    assert facts.records["price"].keys() == {("p1", 739677)}


HOSTILE: list[Any] = [
    "not JSON at all",
    "",
    "null",
    "[]",
    "5",
    '"text"',
    json.dumps([ACCOUNT]),
    "[" * 100_000,
    " " * 11_000_000,
    None,
    5.5,
    object(),
    b"\xff",
]


@pytest.mark.parametrize("result", HOSTILE, ids=lambda own: re.sub(r" at 0x\w+", "", repr(own)[:40]))
def test_a_result_of_another_shape_shows_nothing_and_is_told(result: Any) -> None:
    facts = saw("get_account", {"user": "ann"}, result)
    assert account(facts) is None
    assert facts.done["get_account"] == ({"user": "ann"},)
    assert len(facts.notes) == 1 and facts.notes[0].startswith("get_account shows no account that can be read: ")
    assert len(facts.notes[0]) < 300


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"balance": "20.50"}, "result.balance: it has to be a number (USD(2)), not '20.50'"),
        ({"balance": 20.555}, "result.balance: 20.555 is no USD(2); declare USD(2) rounded"),
        ({"plan": "root"}, "result.plan: it has to be one of"),
        ({"seats": -1}, "result.seats: it has to be at least 0, not -1"),
        ({"seats": 10**500}, "result.seats: it has over 400 digits"),
        ({"seats": None}, "result.seats: it has to be a whole number, not None"),
        ({"tags": ["x"] * 20_000}, "result.tags: it has 20,000 items"),
        ({"tags": ["\ud800"]}, "result.tags[0]: it has half a character"),
        ({"card": "5"}, "result.card: it has to be"),
    ],
)
def test_a_value_that_does_not_fit_leaves_its_field_unknown_and_no_other(change: dict[str, Any], told: str) -> None:
    facts = saw("get_account", {"user": "ann"}, json.dumps({**ACCOUNT, **change}), known())
    (name,) = change
    before, found = fields(known()), fields(facts)
    assert {own: value for own, value in found.items() if own != name} == {
        own: value for own, value in before.items() if own != name
    }
    assert told in facts.notes[0] and len(facts.notes) == 1
    hole = account(facts).record[name]  # type: ignore[union-attr]
    holes = hole if isinstance(hole, tuple) else (hole,)
    assert all(isinstance(own, NotSeen) and own.path.startswith(f"facts.account('ann').{name}") for own in holes)


def test_a_reading_tool_that_shows_what_cannot_be_read_takes_nothing_away_and_is_told() -> None:
    facts = saw("get_account", {"user": "ann"}, "busy", known())
    assert account(facts) == account(known()) and "it has to be an object, not 'busy'" in facts.notes[0]
    decision = shop().check("close_account", {"user": "ann"}, facts, consent=True)
    assert any("it counts as it was seen before" in own for own in decision.coverage.unread)
    assert shop().replay(json.loads(json.dumps(decision.to_json()))) == decision


def test_a_record_that_was_never_read_is_asked_of_each_tool_once_and_then_of_a_person() -> None:
    facts = saw("get_account", {"user": "ann"}, "busy")
    decision = shop().check("close_account", {"user": "ann"}, facts, consent=True)
    assert [own.tool for own in decision.fetch] == ["peek_account"], "what has answered is not asked again"
    facts = saw("peek_account", {"user": "ann"}, "busy", facts)
    decision = shop().check("close_account", {"user": "ann"}, facts, consent=True)
    assert decision.kind == "ask" and decision.fetch == ()
    assert (
        "peek_account has shown it, and 'result' cannot be read" in decision.findings[0].why + decision.findings[-1].why
    )
    assert any("could not be read" in own for own in decision.questions)
    assert any("cannot be read" in own for own in decision.coverage.unread)
    assert account(saw("get_account", {"user": "ann"}, ACCOUNT, facts)) is not None


def test_a_call_that_took_effect_and_cannot_be_read_counts_as_done() -> None:
    facts = saw("refund", {"order": 5}, "done", known())
    assert len(facts.done["refund"]) == 1 and isinstance(facts.done["refund"][0], NotSeen)
    decision = shop().check("refund", REFUND, facts, said={"reason": "late"})
    assert decision.kind != "allow"
    assert shop().replay(json.loads(json.dumps(decision.to_json()))) == decision


def test_an_object_with_an_error_has_no_effect() -> None:
    made = read_policy(
        "policy: p\ntools: {definitions: [{name: act, parameters: {type: object, properties: {}}}], errors: [error]}"
    )
    failed: list[Any] = [{"error": "smtp"}, '{"error": "smtp"}', "error: smtp"]
    for result in failed:
        assert made.saw(Facts.none(), "act", {}, result).done == {}
    fine: list[Any] = [{"error": None}, {"error": ""}, '{"ok": true}', "fine"]
    for result in fine:
        assert len(made.saw(Facts.none(), "act", {}, result).done["act"]) == 1
    assert made.saw(Facts.none(), "act", {}, {"ok": True}, failed=True).done == {}
    assert len(made.saw(Facts.none(), "act", {}, "error: none", failed=False).done["act"]) == 1


def test_an_effect_sees_the_facts_from_before_the_call() -> None:
    made = read_policy("""
policy: p
tools:
  definitions:
    - {name: look, parameters: {type: object, properties: {id: {type: string}}, required: [id]}}
    - name: pay
      parameters: {type: object, properties: {id: {type: string}, sum: {type: number}}, required: [id, sum]}
  reads: look
  types: {"*": {id: id of bill, sum: USD(2)}}
facts:
  bill:
    key: {id: id of bill}
    record: {paid: USD(2)}
    from: [{tool: look, key: {id: call.id}}]
effects:
  - {on: pay, fact: bill, key: {id: call.id}, set: {paid: facts.bill(call.id).paid + call.sum}}
""")
    facts = made.saw(Facts.none(), "pay", {"id": "a", "sum": 3}, "done")
    assert facts.record("bill", ("a",)) is None, "what was paid before is not known"
    facts = made.saw(Facts.none(), "look", {"id": "a"}, {"paid": 2})
    facts = made.saw(facts, "pay", {"id": "a", "sum": 3.5}, "done")
    seen = facts.record("bill", ("a",))
    assert seen is not None and seen.record["paid"] == Fraction(11, 2)


# A writing tool that shows its record, or fails to


@pytest.mark.parametrize("result", ["closed", {"plan": "root"}, None])
def test_a_writing_tool_that_does_not_show_its_record_leaves_it_unknown(result: Any) -> None:
    facts = saw("get_account", {"user": "bob"}, ACCOUNT, known())
    facts = saw("close_account", {"user": "ann"}, result, facts)
    assert account(facts) is None and account(facts, "bob") is not None
    assert "close_account shows no account" in facts.notes[0]


def test_a_writing_tool_whose_record_has_an_unknown_key_leaves_all_unknown() -> None:
    record = {"n": "whole"}
    tool = {"name": "make", "parameters": {"type": "object", "properties": {}}}
    made = make_policy(
        "made",
        tools={"definitions": [tool]},
        facts={
            "thing": {
                "key": {"id": "text"},
                "record": record,
                "from": [{"tool": "make", "result": {"id": "text", "n": "whole"}, "key": {"id": "result.id"}}],
            }
        },
    )
    facts = made.saw(Facts.none(), "make", {}, {"id": "a", "n": 1})
    assert facts.records["thing"].keys() == {("a",)}
    assert made.saw(facts, "make", {}, "made").records["thing"] == {}


@pytest.mark.parametrize("result", ["Error: no such user", "Error"])
def test_an_error_shows_nothing_and_does_nothing(result: str) -> None:
    facts = known()
    assert saw("close_account", {"user": "ann"}, result, facts) == facts
    assert saw("refund", REFUND, result, facts) == facts
    assert saw("refund", REFUND, ValueError("no"), facts) == facts


def test_a_tool_that_the_policy_does_not_name_shows_nothing() -> None:
    assert saw("unheard_of", {}, ACCOUNT) == Facts.none()


# Partial results


def test_a_partial_result_shows_some_fields_and_leaves_the_rest_open() -> None:
    assert fields(saw("peek_account", {"user": "ann"}, {"plan": "pro"})) == {
        "plan": "pro",
        "balance": "?facts.account('ann').balance",
        "seats": "?facts.account('ann').seats",
        "card": "?facts.account('ann').card",
        "tags": "?facts.account('ann').tags",
    }


def test_a_partial_result_keeps_what_was_seen_before() -> None:
    facts = saw("peek_account", {"user": "ann"}, {"plan": "team", "seats": 9}, known())
    assert fields(facts) == {**fields(known()), "plan": "team", "seats": 9}
    without = {name: own for name, own in ACCOUNT.items() if name != "card"}
    facts = saw("get_account", {"user": "ann"}, without)
    assert "card" not in fields(saw("peek_account", {"user": "ann"}, {"plan": "team"}, facts))


def priced(**parts: Any) -> Policy:
    """Return a policy in which a record counts for an hour, and parts of it are shown."""
    tools = [
        {"name": name, "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}
        for name in ("whole", "part", "act")
    ]
    key = {"id": "call.id"}
    return make_policy(
        "priced",
        zone="Z",
        tools={"definitions": tools, "reads": ["whole", "part"]},
        facts={
            "thing": {
                "key": {"id": "text"},
                "record": {"a": "whole", "b": "whole 0..9", "c?": "text or null"},
                "from": [{"tool": "whole", "key": key}, {"tool": "part", "key": key, "partial": True}],
                "fresh": "1h",
            }
        },
        **parts,
    )


def test_what_is_merged_is_as_old_as_its_oldest_field() -> None:
    made = priced()
    facts = made.saw(Facts.none(), "whole", {"id": "x"}, {"a": 1, "b": 2}, at=HOUR[0])
    soon = made.saw(facts, "part", {"id": "x"}, {"a": 5}, at=HOUR[1])
    seen = soon.record("thing", ("x",))
    assert seen is not None and (seen.record["a"], seen.record["b"]) == (5, 2)
    assert seen.at == facts.records["thing"]["x",].at
    late = made.saw(facts, "part", {"id": "x"}, {"a": 5}, at=HOUR[2]).record("thing", ("x",))
    assert late is not None and late.record["a"] == 5 and isinstance(late.record["b"], NotSeen)
    assert late.at is not None and seen.at is not None and late.at > seen.at
    unknown = made.saw(facts, "part", {"id": "x"}, {"a": 5}).record("thing", ("x",))
    assert unknown is not None and isinstance(unknown.record["b"], NotSeen)


def test_parts_of_a_partial_result_may_be_missing_at_any_depth() -> None:
    tool = {"name": "get", "parameters": {"type": "object", "properties": {}}}
    made = make_policy(
        "made",
        tools={"definitions": [tool]},
        facts={
            "it": {
                "key": {"id": "text"},
                "record": {"in": {"x": "whole", "y": "whole"}, "items": {"list of": {"n": "whole", "m?": "text"}}},
                "from": [{"tool": "get", "key": {"id": "'a'"}, "partial": True}],
            }
        },
    )
    seen = made.saw(Facts.none(), "get", {}, {"in": {"x": 1}, "items": [{}, {"n": 2, "m": "z"}]}).records["it"]["a",]
    assert seen.record["in"]["x"] == 1 and str(seen.record["in"]["y"]) == "facts.it('a').in.y"
    assert str(seen.record["items"][0]["n"]) == "facts.it('a').items[0].n"
    assert not seen.record["items"][0]["m"].there and seen.record["items"][1] == {"n": 2, "m": "z"}


# Effects


def test_an_effect_sets_and_forgets_fields() -> None:
    facts = saw("set_plan", {**PLAN, "plan": "team", "seats": 9}, "done", known())
    assert fields(facts) == {**fields(known()), "plan": "team", "seats": 9}
    assert fields(saw("refund", REFUND, "done", known()))["balance"] == "?facts.account('ann').balance"


def test_an_effect_on_a_record_that_was_not_seen_shows_what_it_sets() -> None:
    facts = saw("set_plan", PLAN, "done")
    assert fields(facts)["plan"] == "pro" and fields(facts)["balance"] == "?facts.account('ann').balance"
    seen = account(facts)
    assert seen is not None and not seen.record["card"].there


@pytest.mark.parametrize(
    ("place", "is_known"),
    [("inner.a", True), ("inner.deep.x", True), ("stock['x']", False), ("rows[0]", False)],
)
def test_an_effect_on_a_part_of_what_was_not_seen_is_known_or_told(place: str, is_known: bool) -> None:
    inner = {"a": "whole", "deep?": {"x": "whole", "y": "whole"}}
    made = make_policy(
        "parts",
        tools={"definitions": [{"name": own, "parameters": {"properties": {"n": {"type": "integer"}}}} for own in "wr"]}
        | {"writes": ["w"], "reads": ["r"]},
        facts={
            "it": {
                "key": {"id": "text"},
                "record": {"inner": inner, "stock": {"map of": "whole"}, "rows": {"list of": "whole"}},
                "from": [{"tool": "r", "key": {"id": "'a'"}}],
            }
        },
        effects=[{"on": "w", "fact": "it", "key": {"id": "'a'"}, "set": {place: "3"}}],
        rules=[{"id": "r", "on": "w", "hold": f"facts.it('a').{place} == 3", "say": "It has to be 3."}],
    )
    facts = made.saw(Facts.none(), "w", {}, "done")
    assert (made.check("w", {}, facts, mend=False).kind == "allow") is is_known
    assert [f"facts.it('a').{place.split('[')[0]}: a part of it was set" in own for own in facts.notes] == [True] * (
        not is_known
    )


def effect(**parts: Any) -> Policy:
    return priced(effects=[{"on": "act", "fact": "thing", "key": {"id": "call.id"}, **parts}])


def after(made: Policy) -> Facts:
    facts = made.saw(Facts.none(), "whole", {"id": "x"}, {"a": 1, "b": 2}, at=HOUR[1])
    return made.saw(facts, "act", {"id": "x"}, "done", at=HOUR[1])


def test_an_effect_may_forget_all_and_happen_only_sometimes() -> None:
    assert after(effect(forget="all")).record("thing", ("x",)) is None
    assert after(effect(forget="all", when="call.id == 'y'")).record("thing", ("x",)) is not None
    assert after(effect(forget="all", when="call.id == 'x'")).record("thing", ("x",)) is None


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"set": {"b": "10 / 0"}}, "facts.thing('x').b: a division by zero"),
        ({"set": {"b": "19 + size(call.id)"}}, "facts.thing('x').b: it has to be at most 9, not 20"),
        ({"set": {"a": "null"}}, "facts.thing('x').a: it has to be a whole number, not None"),
        ({"set": {"a": "1"}, "when": "10 / 0 > 1"}, "a division by zero"),
    ],
)
def test_where_an_effect_cannot_be_told_just_what_it_changes_is_unknown(parts: Any, why: str) -> None:
    found = after(effect(**parts))
    (name,) = parts["set"]
    record = found.records["thing"]["x",].record
    assert isinstance(record[name], NotSeen) and {"a": 1, "b": 2}.items() - record.items() == {
        (name, {"a": 1, "b": 2}[name])
    }
    assert found.notes == (f"the effect of act is not known: {why}",)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("['a'][5]", "is not there"),
        ("call.id == 'x' ? null : call.id", "a key of it is null"),
        ("now > timestamp('2026-01-01T00:00:00Z') ? 'x' : 'y'", "now was not seen"),
    ],
)
def test_an_effect_on_an_unknown_record_leaves_all_of_its_kind_unknown(key: str, why: str) -> None:
    made = priced(effects=[{"on": "act", "fact": "thing", "key": {"id": key}, "forget": "all"}])
    facts = made.saw(after(priced()), "whole", {"id": "z"}, {"a": 1, "b": 2}, at=HOUR[1])
    found = made.saw(facts, "act", {"id": "x"}, "done")
    assert found.records["thing"] == {}
    assert "which thing act changes is not known" in found.notes[0] and why in found.notes[0]


def test_an_effect_makes_a_record_no_younger() -> None:
    made = effect(set={"a": "7"})
    facts = made.saw(Facts.none(), "whole", {"id": "x"}, {"a": 1, "b": 2}, at=HOUR[0])
    seen = made.saw(facts, "act", {"id": "x"}, "", at=HOUR[1]).records["thing"]["x",]
    assert (seen.record["a"], seen.record["b"], seen.at) == (7, 2, facts.records["thing"]["x",].at)
    late = made.saw(facts, "act", {"id": "x"}, "", at=HOUR[2]).records["thing"]["x",]
    assert late.record["a"] == 7 and isinstance(late.record["b"], NotSeen)


@pytest.mark.parametrize("arguments", ["{", "[]", '{"id": 5}', '{"id": "x", "id": "y"}', None])
def test_a_call_that_cannot_be_read_may_have_changed_anything(arguments: Any) -> None:
    made = effect(set={"a": "7"})
    facts = made.saw(after(priced()), "act", arguments, "done")
    assert facts.records["thing"] == {} and facts.notes[-1].startswith("act: ")
    assert account(saw("refund", arguments, "done", known())) is None
    assert account(saw("get_account", arguments, ACCOUNT, known())) == account(known())


# Calls that took effect


def test_a_call_that_took_effect_is_done_with_its_moment() -> None:
    facts = saw("refund", REFUND, "done", at=HOUR[1])
    (call,) = facts.done["refund"]
    assert (
        call["user"] == "ann"
        and call["at"] == shop().saw(facts, "refund", REFUND, "", at=HOUR[1]).done["refund"][1]["at"]
    )


def test_a_moment_that_cannot_be_read_loses_no_call() -> None:
    facts = saw("refund", REFUND, "done", known(), at="soon")
    assert len(facts.done["refund"]) == 1 and "at" not in facts.done["refund"][0]
    assert "when it was called is not known" in facts.notes[0]
    assert check("refund", REFUND, facts, said={"reason": "late"}).rules == ("ONCE",)


def test_what_a_tool_calls_a_field_is_no_part_of_another_path() -> None:
    """An id that looks like a path of rules is still one id."""
    hostile = "x').plan"
    facts = saw("peek_account", {"user": hostile}, {"plan": "team"})
    assert str(facts.records["account"][hostile,].record["seats"]) == 'facts.account("x\').plan").seats'
    decision = check("set_plan", {**PLAN, "user": "x"}, facts)
    assert finding(decision, "SEATS").status == "holds"


ERRORS = replace(shop(), errors=("error",))


@pytest.mark.parametrize(
    "result",
    [
        "error: full",
        "  error: full",
        '"error: full"',
        '{"error": "full", "retry": NaN}',
        '{"error": "a", "error": null}',
        b'{"error": "full"}',
        {"error": "full", "score": float("nan")},
        {"error": "full", "cause": ValueError("full")},
        ValueError("full"),
    ],
)
def test_an_error_counts_as_one_in_any_form(result: Any) -> None:
    assert is_error(ERRORS, result)


@pytest.mark.parametrize(
    "result", ["done", "no error", '{"error": null}', {"error": ""}, "[]", '{"note": "error"}', None]
)
def test_what_is_no_error_counts_as_none(result: Any) -> None:
    assert not is_error(ERRORS, result)
