"""Decisions in words: plain sentences, no record as a whole, nothing that is long, and nothing of Python's."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from holdtrue.guard.decision import Change, Coverage, Decision, Fetch, Finding, Mend, Proposal
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from holdtrue.guard.wording import LONGEST, cut
from tests.guard.shop import AMPLE, PLAN, REFUND, check, finding, known, shop

CARD = {
    "type": "object",
    "properties": {"number": {"type": "string"}, "pin": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["number", "pin", "days"],
}
PROPERTIES: dict[str, Any] = {
    "cards": {"type": "array", "items": CARD},
    "card": CARD,
    "names": {"type": "array", "items": {"type": "string"}},
    "name": {"type": "string"},
    "n": {"type": "integer"},
    "grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    "by_name": {"type": "object", "additionalProperties": CARD},
}
CARDS = [{"number": f"4111-{place}", "pin": "0000", "days": place} for place in range(10)]
CALL: dict[str, Any] = {
    "cards": CARDS,
    "card": CARDS[0],
    "names": ["ann", "bob"],
    "name": "ann",
    "n": 1,
    "grid": [[1, 2]],
    "by_name": {"ann": CARDS[0]},
}


def policy(hold: str, **parts: Any) -> Policy:
    tool = {"name": "act", "parameters": {"type": "object", "properties": PROPERTIES, "required": [*PROPERTIES]}}
    rules = [{"id": "R", "on": "act", "hold": hold, "say": "So it is.", **parts}]
    return make_policy("made", tools={"definitions": [tool]}, rules=rules, said={"ok": {"type": "bool"}})


def why(hold: str, **call: Any) -> str:
    found = policy(hold).check("act", {**CALL, **call}, Facts.none(), budget=AMPLE, explain=True, mend=False)
    return finding(found, "R").why


@pytest.mark.parametrize(
    ("hold", "words"),
    [
        ("call.n > 5", "call.n is 1"),
        ("call.n > 5 && call.name == 'x' || call.n < 0", "call.n is 1; call.name is 'ann'"),
        ("call.names == []", "call.names is ['ann', 'bob']"),
        ("size(call.names) > 5", "call.names is ['ann', 'bob']"),
        ("'x' in call.names", "call.names is ['ann', 'bob']"),
        ("call.names.exists(n, n == 'x')", "call.names is ['ann', 'bob']"),
        ("call.names[1] == 'x'", "call.names[1] is 'bob'"),
        ("call.card.days > 5", "call.card.days is 0"),
        ("said.ok", "said.ok is false"),
        # Records are described by the fields that the rule reads
        ("call.cards.exists(c, c.days > 90)", "call.cards is [0, 1, 2, 3, 4, 5, and 4 more]"),
        (
            "call.cards.all(c, c.pin != '0000')",
            "call.cards is ['0000', '0000', '0000', '0000', '0000', '0000', and 4 more]",
        ),
        ("size(call.cards) > 20", "call.cards is a list of 10"),
        ("call.cards == []", "call.cards is a list of 10"),
        ("call.cards.exists(c, c == call.card)", "call.cards is a list of 10"),
        ("call.cards.filter(c, c.days > 3).exists(c, c.days > 90)", "call.cards is [0, 1, 2, 3, 4, 5, and 4 more]"),
        ("call.card == call.cards[1]", ""),
        ("call.by_name['ann'].days > 5", "call.by_name['ann'].days is 0"),
        ("size(call.by_name) > 5", ""),
        ("call.grid.flatten().sum() > 9", "call.grid is a list of 1"),
    ],
)
def test_a_reason_tells_the_values_that_a_rule_rests_on(hold: str, words: str) -> None:
    assert why(hold) == words


def test_what_a_rule_does_not_ask_for_is_never_told() -> None:
    secret = {"number": "4111-secret", "pin": "9876"}
    found = check("close_account", {"user": "ann"}, known(account={"card": secret}))
    told = "\n".join((found.for_log, found.for_model, found.for_user, str([own.why for own in found.findings])))
    assert "4111" not in told and "9876" not in told and "vip" not in told


@pytest.mark.parametrize("name", ["x" * 100_000, 'it\'s "quoted"\nand on two lines', "\u202egnp", "😀" * 1000])
def test_long_and_odd_values_stay_on_one_line_and_are_cut(name: str) -> None:
    assert len(why("call.name == 'x'", name=name)) < 2 * LONGEST
    assert "\n" not in why("call.name == 'x'", name=name)
    assert len(why("call.names == []", names=[name] * 1000)) < 2 * LONGEST
    found = check("set_plan", {**PLAN, "user": name, "seats": 9})
    assert len(found.for_log) < 3_000 and len(found.for_model) < 3_000
    found = check("refund", {**REFUND, "user": name, "order": name}, unsaid="unknown")
    assert len(found.for_log) < 10_000 and all(len(own.why) < 2_000 for own in found.findings)
    assert all(len(own) < 1_000 for own in found.questions)
    found = shop().check(name, {name: name}, Facts.none())
    assert len(found.for_log) < 1_000 and len(found.for_user) < 500
    assert len(check("set_plan", {**PLAN, name: 1}).for_log) < 1_500


def test_many_values_are_told_up_to_a_limit() -> None:
    many = " || ".join(f"call.n == {place} && call.names[{place}] == 'x'" for place in range(2, 30))
    found = policy(many).check(
        "act", {**CALL, "names": ["a"] * 40}, Facts.none(), budget=AMPLE, explain=True, mend=False
    )
    assert finding(found, "R").why.endswith("; ...") and len(finding(found, "R").why) < 500
    found = policy(many).check("act", {**CALL, **{f"x{place}": 1 for place in range(1_000)}}, Facts.none(), mend=False)
    assert "..." in found.for_log and len(found.for_log.split("\n")[0]) < 2_000


@pytest.mark.parametrize(("length", "same"), [(LONGEST, True), (LONGEST + 1, False)])
def test_a_text_is_cut_beyond_a_length(length: int, same: bool) -> None:
    found = cut("x" * length)
    assert (found == "x" * length) is same and len(found) == LONGEST


# Whole decisions


def decision(kind: Any, *findings: Finding, **parts: Any) -> Decision:
    return Decision(
        kind, "refund", {"amount": Decimal("1.10"), "note": None, "yes": True}, findings, Coverage(1), **parts
    )


BROKEN = Finding("R", "broken", "block", "No more than was paid.", "call.amount is 2")
OPEN = Finding("S", "undecided", "block", "It has to be his.", "facts.order('o1').user was not seen")


def test_an_allowed_call_has_little_to_say() -> None:
    found = decision("allow", Finding("R", "holds", "block", "So it is."))
    assert (found.for_model, found.for_user) == ("refund may be called.", "")
    assert found.for_log == "allow: refund(amount=1.10, note=null, yes=true)"


def test_a_blocked_call_tells_every_broken_rule_and_what_would_keep_them() -> None:
    mend = Mend({}, (Change("amount", 2, Decimal("1.10")), Change("lines[0].paid", True, False)), True)
    found = decision(
        "block", BROKEN, OPEN, Finding("W", "broken", "warn", "Better not."), proposal=Proposal(lambda: mend)
    )
    assert found.for_model == (
        "[holdtrue: stopped block] refund was not called, because it breaks the policy:\n"
        "- No more than was paid. (call.amount is 2)\n"
        "This would keep every rule, if the user agrees: amount 1.10 instead of 2, lines[0].paid false instead of true."
    )
    assert found.for_user == "This cannot be done: No more than was paid."
    assert found.for_log.split("\n")[1:] == [
        "  R is broken: No more than was paid. (call.amount is 2)",
        "  S is undecided: It has to be his. (facts.order('o1').user was not seen)",
        "  W is broken: Better not.",
    ]


def test_an_undecided_call_tells_what_to_fetch_or_to_ask() -> None:
    fetch = (Fetch("get_order", {"order": "o'1", "full": True}), Fetch("list", {}))
    found = decision("ask", OPEN, fetch=fetch, questions=("Is it his?",))
    assert found.for_model == (
        "[holdtrue: stopped ask] refund was not called, because this is not decided yet:\n"
        "- It has to be his. (facts.order('o1').user was not seen)\n"
        'Call first: get_order(order="o\'1", full=true); or list().\n'
        "Ask: Is it his?"
    )
    assert found.for_user == "Is it his?"
    assert decision("ask", OPEN, fetch=fetch).for_user == "Something has to be looked up before this can be done."


def test_a_log_tells_assumptions_what_was_not_read_and_that_it_only_observed() -> None:
    parts: dict[str, Any] = {"mode": "observe", "assumptions": ("nobody said so",)}
    found = Decision("block", "t", [1], (BROKEN,), Coverage(1, (), ("the argument 'x'",)), **parts)
    lines = found.for_log.split("\n")
    assert lines[0] == "block: t([1]) (observed only)"
    assert lines[2:] == ["  assumed: nobody said so", "  not read: the argument 'x'"]


def test_dates_and_money_are_written_as_people_do() -> None:
    assert (
        finding(check("set_plan", {**PLAN, "start": "2026-01-01"}), "START").why
        == "now is 2026-03-02T12:00Z; call.start is 2026-01-01"
    )
    assert "call.amount is 30.00 USD" in finding(check("refund", {**REFUND, "amount": 30}, known()), "SUM").why
    made = make_policy(
        "made",
        tools={
            "definitions": [
                {
                    "name": "act",
                    "parameters": {
                        "type": "object",
                        "properties": {"d": {"type": "string", "format": "date"}},
                        "required": ["d"],
                    },
                }
            ]
        },
        facts={"day": {"key": {"day": "date"}, "record": {"n": "whole"}}},
        rules=[{"id": "R", "on": "act", "hold": "facts.day(call.d).n > 3", "say": "So it is."}],
    )
    found = made.check("act", {"d": "2026-03-02"}, Facts.none(), budget=AMPLE)
    assert finding(found, "R").why == "facts.day(2026-03-02).n was not seen"
    assert found.questions == ("No tool shows facts.day(2026-03-02); what does it say?",)


@pytest.mark.parametrize(
    ("rule", "said"),
    [("unheard", "say again"), ("error", "went wrong"), ("pending", "Please wait"), ("stock", "looked up")],
)
def test_users_hear_why_nothing_is_done_yet(rule: str, said: str) -> None:
    finding = Finding(rule, "undecided", "ask", "It is not known.", "why")
    assert said in Decision("ask", "book", {}, (finding,), Coverage(0)).for_user
