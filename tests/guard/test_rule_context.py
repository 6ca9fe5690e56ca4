"""Tests of statements, claims and the age of records: an assumption is named exactly if it is needed."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from holdtrue.guard.policy_parts import CALL, NOW, SAID, WRITTEN
from holdtrue.guard.rule_context import make_context
from holdtrue.rules.values import NotSeen
from tests.guard.shop import AMPLE, check, finding, known, shop

SAID_TYPES: dict[str, Any] = {
    "a": {"type": "bool"},
    "b": {"type": "bool"},
    "n": {"type": "whole", "claim": True},
    "ids": {"type": "list of text"},
    "by_id": {"type": "map of text"},
    "who": {"type": ["x", "y"]},
    "odd-name": {"type": "bool"},
}
UNSAID = {name: f"nobody was heard to say said.{name}, so it counts as not said" for name in SAID_TYPES}
UNWRITTEN = "what nobody was heard to write was not written"


def policy(hold: str, **parts: Any) -> Policy:
    tool = {
        "name": "act",
        "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    }
    look = {"name": "look", "parameters": {"type": "object", "properties": {}}}
    return make_policy(
        "made",
        tools={"definitions": [tool, look], "reads": ["look"]},
        said=SAID_TYPES,
        facts={
            "thing": {
                "key": {"id": "text"},
                "record": {"size": "whole 0..9"},
                "from": [{"tool": "look", "key": {"id": "'t'"}}],
                "fresh": "1h",
            }
        },
        zone="Z",
        now="2026-03-02T12:00:00Z",
        rules=[{"id": "R", "on": "act", "hold": hold, "say": "It has to be so.", **parts}],
    )


def decided(hold: str, n: int = 1, facts: Facts | None = None, **settings: Any) -> tuple[str, tuple[str, ...]]:
    """Return the kind of a decision and its assumptions."""
    found = policy(hold).check("act", {"n": n}, facts or Facts.none(), budget=AMPLE, **settings)
    assert found.assumptions == tuple(dict.fromkeys(own for each in found.findings for own in each.assumptions))
    return found.kind, found.assumptions


@pytest.mark.parametrize(
    ("hold", "said", "kind", "assumed"),
    [
        ("said.a", None, "block", ["a"]),
        ("said.a", {"a": True}, "allow", []),
        ("said.a", {"a": False}, "block", []),
        ("!said.a", None, "allow", ["a"]),
        # A settled rule needs no assumption.
        ("said.a || call.n == 1", None, "allow", []),
        ("said.a && call.n == 2", None, "block", []),
        ("said.a || call.n == 2", None, "block", ["a"]),
        # One of two is enough, or both are needed.
        ("said.a || said.b", None, "block", ["a", "b"]),
        ("said.a || said.b", {"a": True}, "allow", []),
        ("said.a || said.b", {"a": False}, "block", ["b"]),
        ("!said.a || !said.b", None, "allow", ["a"]),
        ("said.a || (said.b && call.n == 2)", None, "block", ["a"]),
        ("call.n == 1 ? !said.a : said.b", None, "allow", ["a"]),
        # Every type has a value for an unmade statement.
        ("size(said.ids) == 0", None, "allow", ["ids"]),
        ("'x' in said.ids", {"ids": ["x"]}, "allow", []),
        ("'x' in said.by_id", None, "block", ["by_id"]),
        ("said.who == null", None, "allow", ["who"]),
        ("said.who == 'x'", {"who": "x"}, "allow", []),
        ("said.who == 'x'", {"who": None}, "block", []),
        ("!said['odd-name']", {"odd-name": False}, "allow", []),
        ("'x' in written", None, "block", [WRITTEN]),
        ("said.a || 'x' in written", None, "block", ["a", WRITTEN]),
        # With unseen values, a proof may need it or not.
        ("facts.thing('u').size >= 0 || said.a", None, "allow", []),
        ("facts.thing('u').size > 9 || said.a", None, "block", ["a"]),
        ("facts.thing('u').size > 9 || said.a || (said.b && call.n == 2)", None, "block", ["a"]),
        ("facts.thing('u').size > 9 || said.a || said.b", None, "block", ["a", "b"]),
        ("facts.thing('u').size > 5 || said.a", None, "ask", []),
    ],
)
def test_an_assumption_is_named_where_the_decision_rests_on_it(
    hold: str, said: Any, kind: str, assumed: list[str]
) -> None:
    found, assumptions = decided(hold, said=said)
    assert found == kind
    assert set(assumptions) == {UNWRITTEN if name == WRITTEN else UNSAID[name] for name in assumed}


@pytest.mark.parametrize(
    ("hold", "kind"),
    [
        ("said.a", "ask"),
        ("!said.a", "ask"),
        ("said.a || call.n == 1", "allow"),
        ("said.a && call.n == 2", "block"),
        ("said.a || !said.a", "allow"),
        ("said.who in ['x', 'y'] || said.who == null", "allow"),
        ("size(said.ids) >= 0", "allow"),
        ("'x' in written", "ask"),
    ],
)
def test_what_may_have_been_said_is_never_assumed(hold: str, kind: str) -> None:
    assert decided(hold, unsaid="unknown") == (kind, ())


def test_what_is_unsaid_is_as_the_policy_says_unless_the_caller_does() -> None:
    made = make_policy(
        "made",
        unsaid="unknown",
        said={"a": {"type": "bool"}},
        tools={"definitions": [{"name": "act", "parameters": {"type": "object", "properties": {}}}]},
        rules=[{"id": "R", "on": "act", "hold": "said.a", "say": "Said."}],
    )
    assert made.check("act", {}, Facts.none(), budget=AMPLE).kind == "ask"
    assert made.check("act", {}, Facts.none(), budget=AMPLE, unsaid="false").kind == "block"


@pytest.mark.parametrize(("value", "kind"), [(0, "ask"), (3, "ask"), (None, "block")])
def test_a_claim_is_no_fact_whatever_it_says(value: Any, kind: str) -> None:
    found = policy("said.n != null && said.n < 5").check("act", {"n": 1}, Facts.none(), said={"n": value}, budget=AMPLE)
    assert found.kind == kind and found.assumptions == ()
    if kind == "ask":
        assert finding(found, "R").why == "said.n was claimed, and no tool can show it"


def test_a_claim_that_was_denied_counts() -> None:
    assert check("close_account", {"user": "ann"}, known(), said={"ill": False}).kind == "block"
    assert check("close_account", {"user": "ann"}, known(), said={"ill": False}).assumptions == ()
    found = check("close_account", {"user": "ann"}, known(), said={"ill": True})
    assert (found.kind, finding(found, "ILL").missing) == ("ask", ("said.ill",))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"nothing": True}, "said.nothing: the policy asks for no such thing; it asks for a, b"),
        ({"a": "yes"}, "said.a: it has to be true or false"),
        ({"who": "z"}, "said.who: it has to be one of x, y"),
        ({"ids": "x"}, "said.ids: it has to be a list"),
        ({"a": object()}, "no JSON says a object"),
    ],
)
def test_something_said_that_is_malformed_is_an_error_of_the_caller(said: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        policy("said.a").check("act", {"n": 1}, Facts.none(), said=said)


def test_where_nobody_said_how_late_it_is_it_is_unknown() -> None:
    made = make_policy(
        "made",
        tools={"definitions": [{"name": "act", "parameters": {"type": "object", "properties": {}}}]},
        rules=[{"id": "R", "on": "act", "hold": "now > timestamp('2026-01-01T00:00:00')", "say": "Late."}],
    )
    found = made.check("act", {}, Facts.none(), budget=AMPLE)
    assert (found.kind, finding(found, "R").why) == ("ask", "now was not seen")
    assert made.check("act", {}, Facts.none(), now="2026-03-02T12:00:00").kind == "allow"
    assert made.check("act", {}, Facts.none(), now="2025-03-02T12:00:00").kind == "block"


# How old a record is


@pytest.mark.parametrize(
    ("at", "why"),
    [
        ("2026-03-02T12:00:00Z", ""),
        ("2026-03-02T11:00:00Z", ""),
        ("2026-03-02T12:00:00.000Z", ""),
        ("2026-03-02T10:59:59Z", "it was seen over 3600 s ago"),
        ("2026-03-02T12:00:01Z", "it was seen later than now"),
        (None, "nobody said when it was seen, by `at` of `saw`"),
    ],
)
def test_a_record_counts_for_a_while(at: str | None, why: str) -> None:
    made = policy("facts.thing('t').size > 3")
    facts = made.saw(Facts.none(), "look", {}, {"size": 5}, at=at)
    found = made.check("act", {"n": 1}, facts, budget=AMPLE)
    if not why:
        assert found.kind == "allow"
        return
    assert found.kind == "ask"
    assert finding(found, "R").why == f"facts.thing('t').size was not seen: {why}"
    # A call that shows the same again would be proposed without end.
    assert [own.tool for own in found.fetch] == ["look"] * ("over" in why)
    assert found.fetch or found.questions


def test_no_record_is_fresh_where_nobody_knows_how_late_it_is() -> None:
    parts = policy("facts.thing('t').size > 3")
    around = make_context(parts, parts.tools["act"], {"n": 1}, Facts.none(), None, None)
    around.now = None
    facts = parts.saw(Facts.none(), "look", {}, {"size": 5}, at="2026-03-02T12:00:00Z")
    around.facts = facts
    assert isinstance(around.look_up("thing", ("t",)), NotSeen)
    assert around.stale == {"facts.thing('t')": "it is not known how late it is"}


def test_null_finds_no_record() -> None:
    made = make_policy(
        "made",
        tools={
            "definitions": [
                {
                    "name": "act",
                    "parameters": {
                        "type": "object",
                        "properties": {"u": {"type": ["string", "null"]}},
                        "required": ["u"],
                    },
                }
            ]
        },
        facts={"thing": {"key": {"id": "text"}, "record": {"size": "whole"}}},
        rules=[{"id": "R", "on": "act", "hold": "facts.thing(call.u).size >= 0", "say": "It has a size."}],
    )
    found = made.check("act", {"u": None}, Facts.none(), budget=AMPLE)
    assert found.kind == "ask" and made.replay(found.to_json()) == found
    assert finding(found, "R").why == "it asks for what is not there (null finds no thing)"


# RuleContext themselves


def test_only_what_was_asked_for_counts_as_used() -> None:
    around = make_context(shop(), shop().tools["refund"], {}, known(), None, None)
    assert around.used == {}
    around.look_up("account", ("ann",))
    around.look_up("account", ("bob",))
    assert [(key, seen is None) for key, seen in around.used.items()] == [
        (("account", ("ann",)), False),
        (("account", ("bob",)), True),
    ]


def test_some_of_what_was_not_said_can_be_assumed() -> None:
    made = policy("said.a")
    around = make_context(made, made.tools["act"], {"n": 1}, Facts.none(), None, {"b": True})
    assert around.unsaid == ("a", "n", "ids", "by_id", "who", "odd-name")
    some = around.assuming(["said.a", "said['odd-name']"])[SAID]
    assert (some["a"], some["b"], some["odd-name"]) == (False, True, False)
    assert isinstance(some["ids"], NotSeen) and isinstance(around.assuming([])[WRITTEN], NotSeen)
    assert around.assuming([WRITTEN])[WRITTEN] == ()
    assert around.known[NOW] == around.assumed[NOW] and around.known[CALL] == {"n": 1}
