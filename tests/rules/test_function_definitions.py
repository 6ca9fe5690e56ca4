"""Functions with type hints as the definitions of tools."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

from holdtrue.guard import Facts, Guard, make_policy
from holdtrue.guard.clients.blocking import CallStopped
from holdtrue.rules.function_definitions import definition_of
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.tools import read_tools
from tests.guard.shop import AMPLE
from tests.rules.written_types import write_type


class Plan(Enum):
    FREE = "free"
    PRO = "pro"


class Line(BaseModel):
    sku: str
    count: int = Field(ge=1)


@dataclass
class Tree:
    value: int
    parts: list[Tree] = field(default_factory=list)


async def order(
    user: str,
    lines: list[Line],
    plan: Plan = Plan.FREE,
    day: datetime.date | None = None,
    total: Annotated[Decimal, Field(ge=0, description="In euros.")] = Decimal(0),
    *extra: int,
    most: int = Field(default=3, le=9),
    model_config: object = object(),
    **others: str,
) -> str:
    """Order some lines.

    This is told to nobody.
    """
    return user


class Shop:
    def pay(self, sum: int) -> None: ...


def test_a_function_is_a_tool() -> None:
    (found,) = read_tools([order])
    assert (found.name, found.description, found.about) == ("order", "Order some lines.", {"total": "In euros."})
    assert write_type(found.arguments) == {
        "user": "text",
        "lines": {"list of": {"sku": "text", "count": "whole 1.."}},
        "plan?": ["free", "pro"],
        "day?": "date or null",
        "total?": "number 0..",
        "extra?": "list of whole",
        "most?": "whole ..9",
    }
    assert found.defaults == {"plan": "free", "day": None, "total": "0", "most": 3}
    assert [*found.arguments.unread] == ["model_config"]
    for method in (Shop.pay, Shop().pay):
        assert [*read_tools([method])[0].arguments.fields] == ["sum"]


def unhinted(a, b: int, c=3, *d, **e):  # type: ignore[no-untyped-def]
    ...


def late(a: Missing) -> None:  # type: ignore[name-defined]  # noqa: F821
    ...


def odd(a: int, b: Callable[[], int]) -> None: ...


@pytest.mark.parametrize(
    ("function", "faults"),
    [
        (unhinted, [f"unhinted.{own}: the parameter has no type hint" for own in "acde"]),
        (late, ["late: its type hints cannot be read: name 'Missing' is not defined"]),
        (odd, ["odd.b: its type hint has no JSON Schema; give the tool's definition as JSON"]),
    ],
)
def test_what_has_no_type_is_told_all_at_once(function: Any, faults: list[str]) -> None:
    with pytest.raises(RuleError) as caught:
        read_tools([function])
    told = str(caught.value).split("\n")
    assert len(told) == len(faults) and all(own.startswith(fault) for own, fault in zip(told, faults, strict=True))


def tree(root: Tree, **counts: int) -> str:
    """Plant a tree."""
    return f"{root.value}"


def test_a_policy_of_functions_decides_and_has_one_hash() -> None:
    rules = [{"id": "r", "on": "tree", "hold": "call.root.parts.all(p, p.value < 5)", "say": "Small ones."}]
    made, other = (make_policy("p", tools={"definitions": [tree]}, rules=rules) for _ in range(2))
    assert made.digest == other.digest
    assert made.digest == make_policy("p", tools={"definitions": [definition_of(tree)]}, rules=rules).digest
    call: dict[str, Any] = {"root": {"value": 1, "parts": [{"value": 7}]}}
    found = made.check("tree", call, Facts.none(), budget=AMPLE)
    assert (found.kind, found.rules) == ("block", ("r",))
    root = {"value": 1, "parts": []}
    assert made.check("tree", {"root": root, "birch": 2}, Facts.none(), budget=AMPLE).kind == "allow"
    assert made.check("tree", {"root": root, "birch": "x"}, Facts.none(), budget=AMPLE).rules == ("schema",)
    guard = Guard(
        make_policy("p", tools={"definitions": [pay]}, rules=[{**rules[0], "on": "pay", "hold": "call.n < 5"}])
    )
    paid = guard.tool(pay)
    with guard.inside("one"):
        assert paid(3) == "paid 3"
        with pytest.raises(CallStopped):
            paid(7)


def pay(n: int) -> str:
    return f"paid {n}"
