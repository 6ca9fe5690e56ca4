"""Policies made of Python values decide as their files do, and tell their faults by key and text."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from holdtrue.errors import SettingsError
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import PolicyError, make_policy
from holdtrue.guard.yaml_text import read_yaml
from holdtrue.rules import texts as patterns
from holdtrue.rules.python_expressions import choose, function, has, root
from holdtrue.rules.syntax import Place
from tests.guard.shop import AMPLE, PLAN, REFUND, TEXT, known, shop


class Lines(BaseModel):
    sku: str
    count: int = Field(ge=1, le=9)


class Order(BaseModel):
    """Order something."""

    user: str
    plan: Literal["free", "pro"]
    lines: list[Lines] = Field(max_length=3)
    note: str | None = None


def texts(parts: Any) -> Policy:
    return make_policy("made", **parts)


CALLS: list[tuple[str, Any]] = [
    ("refund", REFUND),
    ("refund", {**REFUND, "amount": 300}),
    ("refund", "{}"),
    ("set_plan", PLAN),
    ("set_plan", {**PLAN, "seats": 9, "start": "2026-01-01"}),
    ("close_account", {"user": "ann"}),
    ("unheard_of", {"a": 1}),
]


def as_values() -> Any:
    parts = read_yaml(TEXT).value
    del parts["policy"]
    return parts


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
@pytest.mark.parametrize("facts", [Facts.none(), known()])
def test_rules_written_in_python_decide_as_texts_do(tool: str, arguments: Any, facts: Facts) -> None:
    call, said, now, tables, done = map(root, ("call", "said", "now", "tables", "done"))
    order, account = root("order"), root("account")
    written = {
        "OWN": order.user == call.user,
        "SUM": call.amount <= order.total,
        "LATE": now - order.placed <= function("duration", "720h"),
        "WHY": said.reason != None,  # noqa: E711  an expression
        "BIG": account.plan == "team",
        "SEATS": call.seats <= tables.most_seats[call.plan],
        "START": call.start >= now.date(),
        "RUSH": ~has(call.rush) | ~call.rush,
        "ILL": choose(said.ill, True, account.balance == 0.0),
    }
    parts = as_values()
    parts["rules"] = [
        {**rule, "hold": written[rule["id"]], **({"when": call.amount > 100.0} if "when" in rule else {})}
        for rule in parts["rules"]
    ]
    parts["obligations"][0]["when"] = function("size", done.refund) > 0
    parts["let"] = {"account": root("facts").account(call.user), "order": root("facts").order(call.order)}
    made = texts(parts)
    one = shop().check(tool, arguments, facts, budget=AMPLE, said={"reason": "late"})
    other = made.check(tool, arguments, facts, budget=AMPLE, said={"reason": "late"})
    assert one.kind == other.kind
    assert [(own.rule, own.status) for own in one.findings] == [(own.rule, own.status) for own in other.findings]


def test_pydantic_models_are_tools_and_answers() -> None:
    made = make_policy(
        "made",
        tools={"definitions": [Order], "types": {"Order": {"user": "id of user"}}},
        answers={"Summary": Lines},
        rules=[
            {"id": "A", "on": "Order", "hold": "call.lines.all(l, l.count < 5)", "say": "Few of each."},
            {"id": "B", "on": "Summary", "hold": "answer.count < 5", "say": "Few in all."},
        ],
    )
    order = Order(user="ann", plan="pro", lines=[Lines(sku="x", count=7)])
    decision = made.check("Order", order.model_dump(), Facts.none(), budget=AMPLE)
    assert decision.kind == "block" and decision.mend is not None
    assert decision.mend.arguments["lines"] == [{"sku": "x", "count": 4}]
    assert made.check("Order", order.model_dump_json(), Facts.none(), budget=AMPLE).rules == ("A",)
    assert made.check("Summary", {"sku": "x", "count": 7}, Facts.none(), budget=AMPLE).rules == ("B",)
    assert made.check("Summary", {"sku": "x", "count": 12}, Facts.none(), budget=AMPLE).rules == ("schema",)


def test_faults_of_python_values_have_the_key_and_the_place_in_its_text() -> None:
    tool = {"name": "act", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    with pytest.raises(PolicyError) as error:
        make_policy(
            "made",
            tools={"definitions": [tool]},
            rules=[
                {"id": "one", "on": "act", "when": "call.n > 1", "hold": "call.n > 2 and true", "say": "s"},
                {"id": "two", "on": "act", "hold": "call.n > 1 &&\n  call.m > 2", "say": "s"},
            ],
            limits=[{"id": "most", "on": "atc", "most": 1}],
            obligations=[{"id": "end", "when": "true", "hold": "size(done.act)", "say": "s"}],
        )
    told = str(error.value).split("\n")
    assert told[0] == ("rule 'one', hold, column 12: no CEL expression: unexpected 'and true'; write && for 'and'")
    assert told[1].startswith("rule 'two', hold, line 2, column 8: act has no 'm'")
    assert told[2] == "limit 'most', on.0: there is no tool 'atc'; did you mean 'act'?"
    assert told[3].startswith("obligation 'end', hold, column ")
    assert {place for place, _ in error.value.faults} == {Place()} and len(told) == 4


def test_a_library_that_is_missing_is_no_fault_of_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    def need(who: str, library: str) -> None:
        raise SettingsError(f"{who} needs {library}; get it by: pip install 'holdtrue[guard]'")

    made = as_values()
    made["rules"] = [{"id": "m", "on": "refund", "hold": "'a'.matches('a')", "say": "It matches."}]
    monkeypatch.setattr(patterns, "need", need)
    with pytest.raises(SettingsError, match=r"^matches\(\) needs re2; get it by"):
        texts(made)
    monkeypatch.undo()
    assert texts(made).name == "made"


def test_a_tool_with_any_name_can_be_limited() -> None:
    tool = {"name": "shop.re-fund", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    made = make_policy("made", tools={"definitions": [tool]}, limits=[{"id": "L", "on": "shop.re-fund", "most": 1}])
    first = made.check("shop.re-fund", {"n": 1}, Facts.none())
    facts = made.saw(Facts.none(), "shop.re-fund", {"n": 1}, "done")
    assert (first.kind, made.check("shop.re-fund", {"n": 1}, facts).kind) == ("allow", "block")


def test_rules_and_limits_can_be_on_all_tools_that_write() -> None:
    names = ("a", "b", "c")
    tools = [
        {"name": name, "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}} for name in names
    ]
    made = make_policy(
        "made",
        tools={"definitions": tools, "reads": ["c"]},
        rules=[{"id": "R", "on": "*", "hold": "!has(call.n) || call.n < 5", "say": "Few."}],
        limits=[{"id": "L", "on": "*", "most": 2}],
    )
    assert {own.id: own.on for own in made.rules} == {"R": ("a", "b"), "L": ("a", "b")}
    facts = made.saw(made.saw(Facts.none(), "a", {}, ""), "b", {}, "")
    assert made.check("a", {"n": 7}, facts, mend=False).rules == ("R", "L")
    assert made.check("c", {"n": 7}, facts).kind == "allow"


def test_what_is_nested_too_deep_is_told() -> None:
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(500):
        schema = {"type": "object", "properties": {"a": schema}}
    with pytest.raises(PolicyError, match=r"nested (too deep|deeper)"):
        texts({"tools": {"definitions": [{"name": "act", "parameters": schema}], "writes": ["act"]}})
