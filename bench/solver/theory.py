"""What the constraints of the three domains say, written for z3 once more and independently of holdtrue's formulas.

This is the straightforward way: an integer with a range for each variable, and every expression made anew each time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import z3

from holdtrue.world.instance import Constraint, Instance

Ints = Mapping[str, Any]


def unknowns(instance: Instance) -> dict[str, Any]:
    """An integer for each variable of the instance, by the variable's name."""
    return {name: z3.Int(name) for name in instance.variables}


def background(instance: Instance, ints: Ints) -> list[Any]:
    """The ranges of the variables and the laws of the domain."""
    laws = []
    for name, variable in instance.variables.items():
        laws += [ints[name] >= variable.sort.low, ints[name] <= variable.sort.high]
    if instance.domain.name == "scheduling":
        end = instance.context["num_slots"] + 1
        laws += [ints[f"{e}.start"] + ints[f"{e}.duration"] <= end for e in instance.entities]
    else:
        laws += [z3.Distinct([ints[f"{e}.{a}"] for e in instance.entities]) for a in instance.attributes]
    return laws


def expression(instance: Instance, ints: Ints, constraint: Constraint) -> Any:
    """The constraint as an expression over the integers."""
    return EXPRESSIONS[instance.domain.name][constraint.type](instance, ints, *constraint.args)


def _adjacent(instance: Instance, x: Ints, a: str, b: str) -> Any:
    distance = z3.Abs(x[f"{a}.seat"] - x[f"{b}.seat"])
    return z3.Or(distance == 1, distance == instance.context["num_entities"] - 1)


def _at_position(instance: Instance, x: Ints, a: str, seat: int) -> Any:
    return x[f"{a}.seat"] == seat


def _left_of(instance: Instance, x: Ints, a: str, b: str) -> Any:
    left, right = x[f"{a}.seat"], x[f"{b}.seat"]
    return z3.Or(left == right + 1, z3.And(left == 1, right == instance.context["num_entities"]))


def _separated_by(instance: Instance, x: Ints, a: str, b: str, between: int) -> Any:
    distance = z3.Abs(x[f"{a}.seat"] - x[f"{b}.seat"])
    return z3.And(distance - 1 >= between, instance.context["num_entities"] - distance - 1 >= between)


def _same_side(instance: Instance, x: Ints, a: str, b: str) -> Any:
    half = instance.context["num_entities"] // 2
    return (x[f"{a}.seat"] <= half) == (x[f"{b}.seat"] <= half)


def _before(instance: Instance, x: Ints, a: str, b: str) -> Any:
    return x[f"{a}.start"] + x[f"{a}.duration"] <= x[f"{b}.start"]


def _at_time(instance: Instance, x: Ints, a: str, slot: int) -> Any:
    return x[f"{a}.start"] == slot


def _not_simultaneous(instance: Instance, x: Ints, a: str, b: str) -> Any:
    return x[f"{a}.start"] != x[f"{b}.start"]


def _within(instance: Instance, x: Ints, a: str, first: int, last: int) -> Any:
    return z3.And(x[f"{a}.start"] >= min(first, last), x[f"{a}.start"] <= max(first, last))


def _duration(instance: Instance, x: Ints, a: str, slots: int) -> Any:
    return x[f"{a}.duration"] == slots


def _gap(instance: Instance, x: Ints, a: str, b: str, slots: int) -> Any:
    first, second = x[f"{a}.start"], x[f"{b}.start"]
    return z3.Or(first + x[f"{a}.duration"] + slots <= second, second + x[f"{b}.duration"] + slots <= first)


def _value(instance: Instance, category: str, label: str) -> int:
    values: tuple[str, ...] = instance.context["categories"][category]
    return values.index(label)


def _assign(instance: Instance, x: Ints, a: str, category: str, label: str) -> Any:
    return x[f"{a}.{category}"] == _value(instance, category, label)


def _same_as(instance: Instance, x: Ints, a: str, b: str, category: str) -> Any:
    return x[f"{a}.{category}"] == x[f"{b}.{category}"]


def _ordered(instance: Instance, x: Ints, a: str, b: str, category: str) -> Any:
    return x[f"{a}.{category}"] < x[f"{b}.{category}"]


def _denied(expression: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: z3.Not(expression(*args))


EXPRESSIONS: Mapping[str, Mapping[str, Callable[..., Any]]] = {
    "seating": {
        "adjacent": _adjacent,
        "not_adjacent": _denied(_adjacent),
        "at_position": _at_position,
        "left_of": _left_of,
        "separated_by": _separated_by,
        "same_side": _same_side,
        "opposite_side": _denied(_same_side),
    },
    "scheduling": {
        "before": _before,
        "at_time": _at_time,
        "not_simultaneous": _not_simultaneous,
        "within": _within,
        "duration": _duration,
        "gap": _gap,
    },
    "logic_grid": {
        "assign": _assign,
        "not_assign": _denied(_assign),
        "same_as": _same_as,
        "different": _denied(_same_as),
        "ordered": _ordered,
    },
}
