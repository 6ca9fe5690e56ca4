"""Tests that a found call satisfies the demands, and that none turns up after a proof that there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.guard.analysis.call_shapes import Shapes
from holdtrue.guard.analysis.inquiry import Impossible, Inquiry
from holdtrue.guard.analysis.rule_formulas import Demand, RuleFormulas, Shown, What, does
from holdtrue.guard.policy_parts import RuleOnTool
from holdtrue.logic.value_sorts import MOMENT
from holdtrue.rules.compilation import FACTS, Env
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.types import TEXT, ListOf, Record, Type
from holdtrue.solving.result import Satisfiable
from tests.guard.analysis.small_policies import POLICIES, policy_of
from tests.rules import generated as g
from tests.rules.test_translation import rule

ROOTS: dict[str, Type] = {"now": MOMENT, "said": Record({}), "done": Record({}), "written": ListOf(TEXT)}
SHAPES = Shapes("call", g.CALL, {"account": g.ACCOUNT}, {"account": ("owner",)}, ROOTS)
WHATS: tuple[What, ...] = ("applies", "kept", "kept where it applies", "broken", "not kept")


def rules(data: st.DataObject) -> dict[str, RuleOnTool]:
    found = {}
    for id in "abc"[: data.draw(st.integers(1, 3))]:
        try:
            when = None if data.draw(st.booleans()) else rule(data.draw(g.conditions(1)))
            found[id] = RuleOnTool(when, rule(data.draw(g.conditions(2))))
        except RuleError:
            assume(False)
    return found


def seen(data: st.DataObject) -> Env:
    accounts = {own: data.draw(g.values(g.ACCOUNT)) for own in (*g.OWNERS, "eve")}

    def facts(kind: str, keys: tuple[Any, ...]) -> Any:
        return accounts[keys[0]]

    return {"call": data.draw(g.values(g.CALL)), "now": data.draw(g.values(MOMENT)), FACTS: facts}


@given(st.data())
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_what_is_impossible_never_turns_up(data: st.DataObject) -> None:
    conditions = rules(data)
    demands = [Demand(data.draw(st.sampled_from(WHATS)), (id,)) for id in conditions]
    budget = Budget(5)
    inquiry = Inquiry(SHAPES, conditions, budget, budget.start())
    answer, example = inquiry.ask(*demands), inquiry.example(*demands)
    for shown in (answer, example):
        if isinstance(shown, Shown):
            assert all(does(own, conditions, shown.env) for own in demands)
    if isinstance(answer, Impossible) and answer.bounded is None:
        assert example is None
        for _ in range(5):
            env = seen(data)
            assert not all(does(own, conditions, env) for own in demands)
        needed, minimal = inquiry.minimal(answer)
        assert set(needed) <= set(demands) and needed
        if minimal and len(needed) > 1:
            for left in needed:
                assert not isinstance(inquiry.ask(*(own for own in needed if own != left)), Impossible)


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_what_turns_up_is_not_impossible(data: st.DataObject) -> None:
    conditions, env, budget = rules(data), seen(data), Budget(5)
    demands = [Demand(what, (id,)) for id in conditions for what in WHATS if does(Demand(what, (id,)), conditions, env)]
    answer = Inquiry(SHAPES, conditions, budget, budget.start()).ask(*demands)
    assert not isinstance(answer, Impossible) or answer.bounded is not None or answer.assumptions


def test_an_open_text_passes_tests_that_go_together() -> None:
    texts = (
        "call.note.startsWith('ab')",
        "call.note.startsWith('a')",
        "call.note.endsWith('b')",
        "call.note.contains('xy')",
    )
    conditions = {str(place): RuleOnTool(None, rule(text)) for place, text in enumerate(texts)}
    inquiry = Inquiry(SHAPES, conditions, Budget(5), Budget(5).start())
    shown = inquiry.ask(*(Demand("kept", (id,)) for id in conditions))
    assert isinstance(shown, Shown)
    note = shown.env["call"]["note"]
    assert note.startswith("ab") and note.endswith("b") and "xy" in note
    assert isinstance(inquiry.ask(Demand("kept", ("0",)), Demand("broken", ("1",))), Impossible)


@given(POLICIES, st.data())
@settings(max_examples=60)
def test_a_witness_near_another_is_found_where_there_is_one(own: list[Mapping[str, Any]], data: st.DataObject) -> None:
    policy = policy_of(own)
    conditions = {rule.id: rule.tools["sell"] for rule in policy.rules}
    formulas = RuleFormulas(Shapes.of(policy, policy.tools["sell"]), conditions, 3)
    first = formulas.near(formulas.soft([Demand("not broken", (id,)) for id in conditions]), Budget(5))
    formulas.start = first.witness if isinstance(first, Satisfiable) else {}
    for _ in range(3):
        soft = formulas.soft([Demand(data.draw(st.sampled_from(WHATS)), (id,)) for id in conditions])
        found = formulas.near(soft, Budget(5))
        assert type(found) is type(formulas.engine.check(soft, Budget(5)))
        assert not isinstance(found, Satisfiable) or all(one.holds(found.witness) for one in soft.values())
