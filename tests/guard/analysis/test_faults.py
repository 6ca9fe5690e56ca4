"""Tests of each kind of fault in a small policy, of faultless rules, and of the time limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.guard.analysis.analysis_results import Fault
from holdtrue.guard.analysis.policy_analysis import analyse_policy, check_policy
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.analysis.report_lines import analysis_lines
from holdtrue.guard.policy import Policy
from tests.guard.analysis.shops import shop


def only_fault(*rules: Mapping[str, Any], **parts: Any) -> Fault:
    analysis = analyse_policy(shop(*rules, **parts))
    assert analysis.undecided == ()
    (fault,) = analysis.faults
    assert fault.example is not None
    return fault


def status(fault: Fault, policy: Policy, rule: str) -> str:
    """Return the policy's verdict on a rule in the example of a fault."""
    assert fault.example is not None
    findings = fault.example.decide(policy, mend=False).findings
    return next(own.status for own in findings if own.rule == rule)


def test_a_condition_beyond_a_bound_of_the_schema() -> None:
    fault = only_fault({"when": "call.amount > 600", "hold": "call.method == 'card'"})
    assert (fault.kind, fault.bounds) == ("never applies", ("call.amount is at most 500",))
    assert fault.text == (
        "It never applies on refund: its condition is true of no call, since by the schema call.amount is at most 500."
    )


@pytest.mark.parametrize(
    ("hold", "bounds"),
    [
        ("call.amount < 5 || call.amount > 2", ()),
        ("call.amount <= 500", ("call.amount is at most 500",)),
        ("call.amount >= 0 && call.amount < 501", ("call.amount is at least 0", "call.amount is at most 500")),
        ("call.method in ['card', 'gift']", ("call.method is one of card, gift",)),
        ("!has(call.tags) || size(call.tags) <= 2", ("call.tags has 2 items at most",)),
        ("!has(call.tags) || size(call.tags) > 0", ("call.tags has 1 item at least",)),
        ("facts.order(call.order).total >= 0", ("facts.order(call.order).total is at least 0",)),
        ("true", ()),
    ],
)
def test_what_nothing_can_break(hold: str, bounds: tuple[str, ...]) -> None:
    fault = only_fault({"hold": hold})
    assert (fault.kind, fault.bounds) == ("always holds", bounds)
    assert status(fault, shop({"hold": hold}), "a") == "holds"


def test_what_nothing_breaks_and_is_asked_about_where_it_is_an_error() -> None:
    fault = only_fault({"hold": "call.note == call.note"})
    assert fault.kind == "always holds"
    assert "cannot be worked out" in fault.text


def test_what_no_call_keeps() -> None:
    rule = {"when": "call.method == 'gift'", "hold": "call.method != 'gift' && call.amount > 3"}
    fault = only_fault(rule)
    assert (fault.kind, fault.text) == ("never holds", "Every call to which it applies breaks it.")
    assert status(fault, shop(rule), "a") == "broken"


def test_what_only_values_keep_that_the_schema_forbids() -> None:
    rule = {"when": "call.method == 'gift'", "hold": "call.amount > 1000"}
    fault = only_fault(rule)
    assert (fault.kind, fault.bounds) == ("clashes with the schema", ("call.amount is at most 500",))
    assert status(fault, shop(rule), "a") == "broken"


def test_what_can_be_worked_out_of_no_call() -> None:
    fault = only_fault({"when": "!has(call.note)", "hold": "call.note == 'x'"})
    assert fault.kind == "never holds" and "worked out of none" in fault.text


def test_what_is_forbidden_on_purpose_is_no_fault() -> None:
    assert check_policy(shop({"when": "call.amount > 400", "hold": "false"})) == ()
    assert check_policy(shop({"hold": "false"})) == ()


def test_what_is_forbidden_by_mistake() -> None:
    fault = only_fault({"when": "call.amount < 501", "hold": "false"})
    assert fault.kind == "never holds" and "every call" in fault.text


def test_what_follows_from_others() -> None:
    rules = (
        {"hold": "call.amount <= facts.order(call.order).total"},
        {"hold": "facts.order(call.order).total <= 80"},
        {"hold": "call.amount <= 90"},
        {"hold": "call.method == 'card'"},
    )
    fault = only_fault(*rules)
    assert (fault.kind, fault.rule, fault.others, fault.minimal) == ("implied", "c", ("a", "b"), True)
    policy = shop(*rules)
    assert status(fault, policy, "c") == "broken"
    assert "broken" in {status(fault, policy, "a"), status(fault, policy, "b")}


@pytest.mark.parametrize(
    ("rule", "other", "follows"),
    [
        ({"severity": "block"}, {"severity": "ask"}, False),
        ({"severity": "block"}, {"severity": "warn"}, False),
        ({"severity": "ask"}, {"severity": "block"}, True),
        ({"severity": "ask"}, {"severity": "ask"}, True),
        ({"severity": "warn"}, {"severity": "block"}, False),
        ({}, {"needs": "words"}, False),
        ({"needs": "words"}, {}, True),
    ],
)
def test_a_rule_only_follows_from_what_is_as_strict(rule: dict[str, Any], other: dict[str, Any], follows: bool) -> None:
    faults = check_policy(shop({"hold": "call.amount <= 90", **rule}, {"hold": "call.amount <= 80", **other}))
    assert [own.rule for own in faults] == (["a"] if follows else [])


def test_a_rule_that_warns_is_looked_at_by_itself() -> None:
    fault = only_fault({"hold": "call.amount <= 500", "severity": "warn"})
    assert fault.kind == "always holds"


def test_rules_that_contradict_each_other_where_both_apply() -> None:
    rules = (
        {"when": "call.amount > 100", "hold": "facts.order(call.order).status == 'paid'"},
        {"when": "call.method == 'gift'", "hold": "facts.order(call.order).status == 'open'"},
        {"hold": "call.amount <= 400"},
    )
    fault = only_fault(*rules)
    assert (fault.kind, fault.rule, fault.others) == ("contradictory", "a", ("b",))
    assert fault.text == "No call on refund to which all of them apply keeps a and b together."
    policy = shop(*rules)
    assert "broken" in {status(fault, policy, "a"), status(fault, policy, "b")}
    assert "does not apply" not in {status(fault, policy, "a"), status(fault, policy, "b")}


def test_rules_about_different_calls_do_not_contradict() -> None:
    rules = (
        {"when": "call.method == 'card'", "hold": "call.amount > 10"},
        {"when": "call.method == 'gift'", "hold": "call.amount < 10"},
    )
    assert analyse_policy(shop(*rules)).faults == ()


@pytest.mark.parametrize(
    ("hold", "told"),
    [
        ("facts.rating(call.order).stars > 2", "facts.rating, and no reading tool shows it: only rate would"),
        (
            "facts.customer(call.order).email == 'x@y.z'",
            "'email' of facts.customer, which nothing shows: get_order does not",
        ),
        (
            "facts.order(said.other_order).total > 3",
            "nobody can know: it rests on the claim said.other_order",
        ),
    ],
)
def test_facts_that_nothing_shows(hold: str, told: str) -> None:
    faults = [own for own in check_policy(shop({"hold": hold})) if own.kind == "missing fact"]
    assert [own.rule for own in faults] == ["a"] and told in faults[0].text
    assert faults[0].example is not None


def test_what_an_effect_sets_is_shown() -> None:
    effect = {"on": "rate", "fact": "rating", "key": {"order": "call.order"}, "set": {"stars": "5"}}
    assert check_policy(shop({"hold": "facts.rating(call.order).stars > 2"}, effects=[effect])) == ()


def test_a_rule_on_all_tools_may_be_trivial_on_some() -> None:
    rule = {"on": "*", "hold": "done.refund.all(own, own.amount < 300)"}
    assert check_policy(shop(rule)) == ()
    analysis = analyse_policy(shop({"on": ["refund", "credit"], "hold": "call.amount <= 50"}))
    assert analysis.faults == () and [(own.kind, own.tool) for own in analysis.asides] == [("always holds", "credit")]
    general = {"on": ["refund", "credit"], "hold": "call.amount <= 40"}
    analysis = analyse_policy(shop(general, {"on": "credit", "hold": "call.amount <= 30"}))
    assert analysis.faults == () and [(own.kind, own.rule) for own in analysis.asides] == [("implied", "a")]


def test_limits_and_obligations_are_looked_at() -> None:
    limits = [{"id": "once", "on": "refund", "most": 1, "per": "order"}, {"id": "never_two", "on": "refund", "most": 1}]
    (fault,) = check_policy(shop(limits=limits))
    assert (fault.kind, fault.rule, fault.others) == ("implied", "once", ("never_two",))
    obligations = [
        {"id": "rated", "when": "size(done.refund) > 0", "hold": "size(done.rate) > 0", "say": "s"},
        {"id": "not_rated", "when": "size(done.refund) > 1", "hold": "size(done.rate) == 0", "say": "s"},
    ]
    policy = shop(obligations=obligations)
    (fault,) = check_policy(policy)
    assert (fault.kind, fault.tool, fault.rule, fault.others) == ("contradictory", "", "rated", ("not_rated",))
    assert fault.example is not None
    assert "broken" in {own.status for own in fault.example.at_the_end(policy)}


def test_structured_answers_are_looked_at() -> None:
    answers = {"quote": {"price": "USD(2) 0..100", "items": "list of text up to 3"}}
    rule = {"on": "quote", "hold": "answer.price <= 200"}
    fault = only_fault(rule, answers=answers)
    assert (fault.kind, fault.tool, fault.bounds) == ("always holds", "quote", ("answer.price is at most 100.00 USD",))
    assert status(fault, shop(rule, answers=answers), "a") == "holds"


def test_what_holds_of_short_lists_is_not_told_of_all() -> None:
    assert check_policy(shop({"hold": "!has(call.lines) || size(call.lines) <= 5"})) == ()
    assert check_policy(shop({"hold": "!has(call.lines) || size(call.lines) <= 60"})) == ()
    analysis = analyse_policy(
        shop({"hold": "!has(call.lines) || call.lines.sum() < 10 || size(call.lines.filter(l, l > 0)) < 50"})
    )
    assert analysis.faults == () and [own.kind for own in analysis.undecided] == ["always holds"]
    assert "longer ones were not ruled out" in analysis.undecided[0].reason


def test_what_lists_are_only_asked_is_proved_of_all_of_them() -> None:
    fault = only_fault(
        {"hold": "done.rate.exists(r, r.order == call.order)"}, {"hold": "done.rate.all(r, r.order != call.order)"}
    )
    assert fault.kind == "contradictory" and fault.assumptions == ()


def test_what_no_formula_says_is_not_decided() -> None:
    policy = shop({"hold": "call.amount / facts.order(call.order).total >= 0 || call.amount > 3"})
    analysis = analyse_policy(policy)
    assert analysis.faults == ()
    assert [own.reason for own in analysis.undecided] == [
        "no formula says all of it: a division by what was not seen",
    ]


def test_whether_rules_can_be_kept_together_that_no_formula_says_is_not_decided() -> None:
    never_six = "call.amount / facts.order(call.order).total == 6"
    rules = [{"when": f"call.method == '{own}'", "hold": never_six} for own in ("card", "gift", "card")]
    analysis = analyse_policy(shop(*rules))
    told = [(own.rule, own.others) for own in analysis.undecided if own.kind == "contradictory"]
    assert ("a", ("c",)) in told and ("b", ()) not in told and ("a", ("b",)) not in told


def test_open_questions_are_grouped_by_what_could_decide_them() -> None:
    never_six = "call.amount / facts.order(call.order).total == 6"
    listed = "!has(call.lines) || call.lines.sum() < 10 || size(call.lines.filter(l, l > 0)) < 50"
    analysis = analyse_policy(shop({"hold": never_six}, {"hold": "call.amount > 3"}, {"hold": listed}))
    codes = {own.code: own.by for own in analysis.undecided}
    assert codes == {"formula": ("a",), "lists": ("call.lines",)}
    count = len(analysis.undecided)
    short, long = (list(analysis_lines(analysis, "a.yaml", all_open=own)) for own in (False, True))
    assert f"  Another way to write a could decide {count - 1} questions about " in "\n".join(short)
    assert len([own for own in long if "whether" in own]) == count > len([own for own in short if "whether" in own])
    assert any("-v" in own for own in short) and not any("-v" in own for own in long)
    assert [own["code"] for own in analysis.to_json()["undecided"]] == [own.code for own in analysis.undecided]


def test_texts_are_made_long_and_short() -> None:
    assert analyse_policy(shop({"hold": "has(call.note) && size(call.note) > 40"})).undecided == ()
    assert analyse_policy(shop({"hold": "!has(call.note) || size(call.note) == 1"})).undecided == ()
    assert analyse_policy(shop({"hold": "call.order.startsWith('A') && call.order.endsWith('Z')"})).undecided == ()


def test_equal_keys_find_the_same_entry_and_equal_texts_pass_the_same_tests() -> None:
    wallet = {
        "key": {"order": "id of order"},
        "record": {"cards": "map of whole"},
        "from": [{"tool": "get_order", "key": {"order": "call.order"}}],
    }
    cards = "facts.wallet('w').cards"
    for one, other in (
        (f"call.order in {cards}", f"!('A' in {cards}) && call.order == 'A'"),
        (f"call.order == 'A' && call.order in {cards} && {cards}[call.order] > 3", f"{cards}['A'] < 2"),
        ("call.order.startsWith('A') && written.all(w, w == call.order)", "written.exists(w, !w.startsWith('A'))"),
        ("call.order.startsWith('AB')", "!call.order.contains('A')"),
        ("call.order.endsWith('AB')", "call.order.endsWith('C')"),
    ):
        fault = only_fault({"hold": one}, {"hold": other}, facts={"wallet": wallet})
        assert (fault.kind, fault.rule, fault.others) == ("contradictory", "a", ("b",))


def test_moments_are_whole_seconds_which_is_told() -> None:
    faults = check_policy(shop({"hold": "now >= timestamp('0001-01-01T00:00:00')"}))
    assert [own.assumptions for own in faults] == [("now is a whole second",)]


def test_without_time_nothing_is_a_fault() -> None:
    analysis = analyse_policy(shop({"hold": "call.amount <= 500"}, {"hold": "call.amount <= 400"}), Budget(0.0))
    assert analysis.faults == ()
    (late,) = analysis.undecided
    assert (late.kind, late.rule, late.others) == ("out of time", "a", ("b",))
    assert late.reason == "the time budget ran out before 5 questions about 2 rules (a, b) were answered"


def test_rules_that_go_by_the_same_words() -> None:
    assert [own.rule for own in check_policy(shop({"hold": "said.agreed"}, {"hold": "said.agreed == true"}))] == [
        "a",
        "b",
    ]


STEP_S = 0.01
"""So much a clock goes on whenever somebody looks at it."""


class Clock:
    """A clock that stands still while nobody looks at it."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks * STEP_S


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr("holdtrue.budget.time.monotonic", found)
    return found


def many(count: int, more: int = 0) -> Policy:
    holds: list[Any] = [
        lambda i: f"call.amount <= {i}",
        lambda i: f"!has(call.lines) || call.lines.all(l, l > {i}) || size(call.lines) < {i % 7}",
        lambda i: f"call.amount / facts.order(call.order).total > {i}",
        lambda i: f"!has(call.note) || !call.note.contains('x{i}')",
    ]
    rules = [{"id": f"r{i}", "on": "refund", "say": "So.", "hold": holds[i % 4](i + more)} for i in range(count)]
    return shop(rules=rules)


@pytest.mark.parametrize("limit_s", [0.0, 0.5, 2.0, 5.0])
def test_an_analysis_ends_with_its_time(clock: Clock, limit_s: float) -> None:
    policy, before = many(60), clock.looks
    analysis = analyse_policy(policy, Budget(timeout_s=limit_s))
    assert (clock.looks - before) * STEP_S <= 1.3 * limit_s + 10 * STEP_S
    (late,) = (own for own in analysis.undecided if own.kind == "out of time")
    assert not any("ran out" in own.reason for own in analysis.undecided if own is not late)
    (line,) = (own for own in analysis_lines(analysis, "a.yaml") if "ran out" in own)
    assert line.startswith("  the time budget ran out before ") and " more) were answered" in line


@pytest.mark.parametrize("limit_s", [0.0, 0.5, 2.0])
def test_a_comparison_ends_with_its_time(clock: Clock, limit_s: float) -> None:
    policies, before = (many(60), many(60, 1)), clock.looks
    comparison = compare_policies(*policies, Budget(timeout_s=limit_s))
    assert (clock.looks - before) * STEP_S <= 1.3 * limit_s + 25 * STEP_S
    assert comparison.same is not True
    assert any("ran out" in text for own in comparison.tools for text in own.undecided)


def test_rules_on_tools_that_only_read_are_noted() -> None:
    analysis = analyse_policy(shop({"on": "get_order", "hold": "call.order != 'A-1'"}))
    assert analysis.notes[:1] == ("get_order only reads, and a decides on its calls all the same.",)
    assert f"Note: {analysis.notes[0]}" in analysis_lines(analysis, "a.yaml")
    others = analyse_policy(shop({"hold": "call.amount < 9"})).notes
    assert others == analysis.notes[1:]
