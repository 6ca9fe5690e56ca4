"""Tests of decisions: severities, consent, statements, unknown tools, limits, obligations and coverage."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.guard import judgement
from holdtrue.guard.deciding import unmet
from holdtrue.guard.decision import CONSENT, SCHEMA, UNDECLARED, UNKNOWN_TOOL, Decision
from holdtrue.guard.facts import Facts
from holdtrue.guard.listening import Listening
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from tests.guard.shop import AMPLE, PLAN, REFUND, check, finding, known, shop

LATE = {"reason": "late"}
TELLS = replace(shop(), undeclared="tell")


def tool(name: str, *required: str, **properties: str) -> dict[str, Any]:
    own = {key: {"type": kind} for key, kind in properties.items()}
    return {"name": name, "parameters": {"type": "object", "properties": own, "required": [*required]}}


def policy(rules: list[dict[str, Any]], **parts: Any) -> Policy:
    tools = {
        "definitions": [tool("act", n="integer", s="string"), tool("look")],
        "reads": ["look"],
        **parts.pop("tools", {}),
    }
    return make_policy(
        "made", tools=tools, rules=[{"on": "act", "say": f"{own['id']} holds.", **own} for own in rules], **parts
    )


def decide(made: Policy, arguments: Any = None, facts: Facts | None = None, **settings: Any) -> Decision:
    return made.check("act", arguments or {}, facts or Facts.none(), budget=AMPLE, **settings)


# The strictest wins


HOLDS, BROKEN, OPEN = "1 < 2", "1 > 2", "said.s"


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        ([], "allow"),
        ([("block", HOLDS), ("ask", HOLDS), ("warn", HOLDS)], "allow"),
        ([("warn", BROKEN)], "allow"),
        ([("warn", OPEN)], "allow"),
        ([("ask", BROKEN)], "ask"),
        ([("ask", OPEN)], "ask"),
        ([("block", OPEN)], "ask"),
        ([("block", BROKEN)], "block"),
        ([("ask", BROKEN), ("block", OPEN), ("warn", BROKEN)], "ask"),
        ([("ask", BROKEN), ("block", BROKEN), ("block", OPEN)], "block"),
        ([("block", BROKEN), ("block", HOLDS)], "block"),
    ],
)
@pytest.mark.parametrize("consent", [False, True])
def test_the_strictest_of_all_rules_wins(rules: list[tuple[str, str]], kind: str, consent: bool) -> None:
    listed = [{"id": f"r{place}", "severity": own, "hold": hold} for place, (own, hold) in enumerate(rules)]
    made = policy(listed, said={"s": {"type": "bool"}}, tools={"consent": ["act"]})
    found = decide(made, unsaid="unknown", consent=consent, mend=False)
    assert found.kind == ("confirm" if kind == "allow" and not consent else kind)
    assert found.stops is (found.kind != "allow")
    observed = decide(made, unsaid="unknown", consent=consent, mend=False, mode="observe")
    assert (observed.kind, observed.findings, observed.stops) == (found.kind, found.findings, False)


def test_a_decision_names_the_rules_that_it_rests_on() -> None:
    rules = [("block", BROKEN), ("ask", BROKEN), ("block", OPEN), ("warn", BROKEN), ("warn", OPEN), ("block", HOLDS)]
    listed = [{"id": f"r{place}", "severity": own, "hold": hold} for place, (own, hold) in enumerate(rules)]
    made = policy(listed, said={"s": {"type": "bool"}})
    assert decide(made, unsaid="unknown").rules == ("r0",)
    less = policy(listed[1:], said={"s": {"type": "bool"}})
    assert decide(less, unsaid="unknown").rules == ("r2", "r1")
    assert decide(policy(listed[3:], said={"s": {"type": "bool"}}), unsaid="unknown").rules == ()


def test_a_rule_holds_where_it_does_not_apply() -> None:
    made = policy([{"id": "R", "when": "call.n > 5", "hold": "call.s == 'x'"}])
    assert finding(decide(made, {"n": 1, "s": "y"}), "R").status == "does not apply"
    assert finding(decide(made, {"n": 9, "s": "x"}), "R").status == "holds"
    assert finding(decide(made, {"n": 9, "s": "y"}), "R").status == "broken"
    # A true `hold` is enough, even if `when` is an error. A missing argument makes a condition an error.
    assert finding(decide(made, {"s": "x"}), "R").status == "holds"
    found = decide(made, {"s": "y"}, mend=False)
    assert (found.kind, finding(found, "R").why) == ("ask", "it asks for what is not there (call.n is not there)")


# Consent


def test_consent_is_asked_for_last_and_lists_what_the_user_agrees_to() -> None:
    empty = known(account={"balance": 0})
    found = check("close_account", {"user": "ann"}, empty)
    assert (found.kind, found.rules, found.listing) == ("confirm", (CONSENT,), ("user: 'ann'",))
    assert "user: 'ann'" in found.for_model and "user: 'ann'" in found.for_user
    assert check("close_account", {"user": "ann"}, empty, consent=True).kind == "allow"
    assert check("close_account", {"user": "ann"}, known()).kind == "block"
    assert check("close_account", {"user": "ann"}).kind == "ask"
    assert check("set_plan", PLAN).kind == "allow"


def test_a_user_hears_of_arguments_that_the_tool_does_not_declare() -> None:
    call = {"user": "ann", "and_delete": ["all", True]}
    assert check("close_account", call, known(account={"balance": 0})).rules == (UNDECLARED,)
    found = TELLS.check("close_account", call, known(account={"balance": 0}), budget=AMPLE)
    assert (found.kind, found.listing) == ("confirm", ("user: 'ann'", 'and_delete: ["all", true]'))


def test_where_nobody_listens_consent_is_not_looked_at_and_that_is_told() -> None:
    found = check("close_account", {"user": "ann"}, known(account={"balance": 0}), listen=False)
    assert found.kind == "allow"
    assert found.coverage.unread == ("consent: nobody listened to what the user agreed to",)


def test_rules_that_only_words_decide_are_not_looked_at_where_nobody_listens() -> None:
    found = check("refund", REFUND, known(), listen=False)
    assert found.kind == "allow" and "WHY" not in [own.rule for own in found.findings]
    assert found.coverage.unread == ("WHY: nobody listened to the words that decide it",)
    assert check("refund", REFUND, known()).rules == ("WHY",)
    assert check("refund", REFUND, known(), said=LATE).kind == "allow"


# Tools


@pytest.mark.parametrize(
    ("setting", "kind", "status"),
    [("ask", "ask", "undecided"), ("block", "block", "broken"), ("allow", "allow", "does not apply")],
)
def test_a_tool_that_the_policy_does_not_name_counts_as_writing(setting: Any, kind: str, status: str) -> None:
    made = policy([], unknown_tools=setting)
    found = made.check("unheard_of", {"x": [1]}, Facts.none())
    assert (found.kind, finding(found, UNKNOWN_TOOL).status) == (kind, status)
    assert found.coverage.unread == ("the whole call",) and found.coverage.rules == 0
    assert "'unheard_of'" in finding(found, UNKNOWN_TOOL).say
    assert finding(found, UNKNOWN_TOOL).why == "it names act, look"
    assert found.questions == (("Is 'unheard_of' to be called?",) if kind == "ask" else ())
    assert made.writes("unheard_of") and made.writes("act") and not made.writes("look")
    assert found.given["policy"] == made.digest
    assert made.replay(found.to_json()) == found


def test_a_structured_answer_is_decided_on_like_a_call() -> None:
    made = make_policy(
        "made",
        answers={"Offer": {"price": "USD(2) 0..100", "days": "whole 1..30"}},
        rules=[{"id": "R", "on": "Offer", "hold": "answer.price >= 2.0 * answer.days", "say": "Two dollars a day."}],
        limits=[],
    )
    found = made.check("Offer", {"price": 5, "days": 3}, Facts.none(), budget=AMPLE)
    assert found.kind == "block" and found.mend is not None
    assert [own.path for own in found.mend.changes] == ["days"] and found.mend.arguments == {"price": 5, "days": 2}
    assert made.check("Offer", {"price": 6, "days": 3}, Facts.none()).kind == "allow"
    assert made.writes("Offer")


# Arguments


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({}, "call.user: it is missing"),
        ({**REFUND, "amount": "10"}, "call.amount: it has to be a number (USD(2)), not '10'"),
        ({**REFUND, "amount": True}, "call.amount: it has to be a number (USD(2)), not True"),
        ({**REFUND, "amount": -1}, "call.amount: it has to be at least 0, not -1"),
        ({**REFUND, "amount": 1.005}, "call.amount: 1.005 is no USD(2)"),
        ({**REFUND, "user": None}, "call.user: it has to be a text, not None"),
        ([REFUND], "call: the arguments have to be an object"),
        (None, "call: the arguments have to be an object"),
        ("refund!", "no JSON: Expecting value: line 1 column 1 (char 0)"),
    ],
)
def test_malformed_arguments_are_blocked_with_the_path_of_what_is_wrong(arguments: Any, why: str) -> None:
    found = check("refund", arguments)
    assert (found.kind, found.rules) == ("block", (SCHEMA,))
    assert found.no_mend == "a call that does not fit its tool is not mended"
    assert finding(found, SCHEMA).why == why
    assert why in found.for_model and found.for_user == "This cannot be done: The arguments do not fit refund."


def test_arguments_may_be_the_text_that_a_model_wrote() -> None:
    text = '{"user": "ann", "order": "o1", "amount": 10.0}'
    assert check("refund", text, known(), said=LATE).findings == check("refund", REFUND, known(), said=LATE).findings
    assert check("refund", text).arguments == REFUND
    large = text.replace("10.0", "12345678901234567.89")
    found = check("refund", large, known(), said=LATE)
    assert found.rules == ("SUM",) and found.arguments == large
    assert "12345678901234567.89 USD" in finding(found, "SUM").why


def test_an_argument_that_the_tool_does_not_declare_is_refused_or_told() -> None:
    found = check("set_plan", {**PLAN, "price": 0})
    assert (found.kind, finding(found, SCHEMA).why) == (
        "block",
        "call: the schema refuses it: Additional properties are not allowed ('price' was unexpected); "
        "there is user, plan, seats, start, rush",
    )
    found = check("refund", {**REFUND, "to": "me"}, known(), said=LATE)
    assert (found.kind, found.rules, found.mend) == ("block", (UNDECLARED,), None)
    assert found.for_model.endswith("- No argument to is declared. (there is user, order, amount, note)")
    assert found.no_mend == "a mend leaves no argument out, and to would have to go"
    found = TELLS.check("refund", {**REFUND, "to": "me"}, known(), said=LATE, budget=AMPLE)
    assert found.kind == "allow"
    assert found.coverage.unread == ("the argument to, which the tool does not declare",)


def test_rules_are_evaluated_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    none = Budget(timeout_s=0.0)
    found = shop().check("refund", REFUND, known(), said=LATE, budget=none)
    assert finding(found, "SUM").status == "holds" and finding(found, "BIG").status == "does not apply"
    monkeypatch.setattr(judgement, "AT_LEAST_S", 0.0)
    found = shop().check("refund", REFUND, known(), said=LATE, budget=none)
    assert found.kind == "ask" and {(own.status, own.by) for own in found.findings} == {("undecided", "limit")}


def test_an_answer_that_is_not_complete_may_become_anything() -> None:
    found = check("set_plan", {"plan": "pro"}, partial=True)
    assert (found.kind, finding(found, "SEATS").why) == ("ask", "call.seats was not seen")
    assert check("set_plan", {"plan": "team"}, partial=True, now="2020-01-01T00:00:00Z").rules == ("START",)
    assert finding(check("set_plan", {"plan": "team"}, partial=True), "SEATS").status == "holds"
    assert finding(check("set_plan", {"plan": "free", "seats": 2}, partial=True), "SEATS").status == "broken"
    # An optional argument may still be filled in.
    assert finding(check("set_plan", PLAN, partial=True), "RUSH").status == "undecided"
    assert finding(check("set_plan", PLAN), "RUSH").status == "holds"
    assert check("set_plan", {"plan": "gold"}, partial=True).rules == (SCHEMA,)


# Limits and obligations


def test_a_limit_counts_the_calls_that_took_effect() -> None:
    facts = known()
    assert check("refund", REFUND, facts, said=LATE).kind == "allow"
    facts = shop().saw(facts, "refund", REFUND, "Error: no money")
    assert check("refund", REFUND, facts, said=LATE).kind == "allow"
    facts = shop().saw(facts, "refund", REFUND, "done")
    found = check("refund", REFUND, facts, said=LATE)
    assert found.rules == ("ONCE",)
    assert finding(found, "ONCE").say == "refund may be called once at most in a conversation."
    other = shop().saw(facts, "list_orders", {"user": "ann"}, [])
    assert "ONCE" not in check("refund", {**REFUND, "order": "o2"}, other, said=LATE).rules


@pytest.mark.parametrize(("most", "words"), [(1, "once"), (3, "3 times")])
def test_a_limit_may_be_on_several_tools_together(most: int, words: str) -> None:
    made = make_policy(
        "made",
        tools={"definitions": [tool("a"), tool("b")]},
        limits=[{"id": "L", "on": ["a", "b"], "most": most, "severity": "ask"}],
    )
    facts = Facts.none()
    for count in range(most):
        assert made.check("a", {}, facts).kind == "allow"
        facts = made.saw(facts, "ab"[count % 2], {}, "done")
    found = made.check("b", {}, facts)
    assert (found.kind, found.rules) == ("ask", ("L",))
    assert found.findings[0].say == f"a and b may be called {words} at most in a conversation."


def test_obligations_are_looked_at_when_a_conversation_ends() -> None:
    assert unmet(shop(), known()) == ()
    facts = shop().saw(known(), "refund", REFUND, "done")
    (found,) = unmet(shop(), facts)
    assert (found.rule, found.status) == ("TOLD", "broken")
    assert found.assumptions == ("nobody was heard to say said.agreed, so it counts as not said",)
    assert unmet(shop(), facts, heard=Listening({"agreed": True})) == ()
    assert unmet(shop(), facts, said={"agreed": True}) == ()
    (found,) = unmet(shop(), facts, heard=Listening(unsaid="unknown"))
    assert (found.status, found.missing) == ("undecided", ("said.agreed",))


# Coverage


def test_coverage_counts_the_rules_that_were_looked_at() -> None:
    found = check("refund", REFUND, unsaid="unknown")
    assert found.coverage.rules == 6
    assert found.coverage.undecided == ("OWN", "SUM", "LATE", "WHY")
    assert check("get_account", {"user": "ann"}).coverage.rules == 0


def test_a_rule_that_counts_on_what_was_seen_is_decided_by_nothing_else() -> None:
    parts: dict[str, Any] = {
        "tools": {"definitions": [tool("act", "id", id="string"), tool("look", "id", id="string")], "reads": ["look"]},
        "facts": {
            "thing": {
                "key": {"id": "text"},
                "record": {"n": "whole 0.."},
                "from": [{"tool": "look", "key": {"id": "call.id"}}],
            }
        },
    }
    for hold in ("facts.thing(call.id).n >= 0", "facts.thing(call.id).n < 0", "facts.thing(call.id).n > 3"):
        made = policy([{"id": "R", "needs": "facts", "hold": hold}], **parts)
        found = decide(made, {"id": "x"})
        assert (found.kind, finding(found, "R").why) == ("ask", "facts.thing('x') was not seen") or ">" in hold
        assert [own.arguments for own in found.fetch] == [{"id": "x"}]
        facts = made.saw(Facts.none(), "look", {"id": "x"}, {"n": 5})
        assert decide(made, {"id": "x"}, facts, mend=False).kind == ("block" if "<" in hold else "allow")
        assert decide(policy([{"id": "R", "hold": hold}], **parts), {"id": "x"}, mend=False).kind == (
            "ask" if hold.endswith("3") else "block" if "<" in hold else "allow"
        )
