"""What is left of a formula when its variables' names are forgotten: most formulas of a conversation look alike."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields

from holdtrue.logic.formula import Compare, Constant, Formula, Sum, Term, Variable

Shape = Hashable


def shape_of(formula: Formula) -> tuple[Shape, list[Variable]]:
    """A key, and the variables in the order in which they occur first.

    Two formulas with the same key differ in nothing but their variables, and these have the same ranges.
    """
    variables: dict[Variable, int] = {}
    key = _walk(formula, variables)
    return (key, tuple((v.sort.low, v.sort.high) for v in variables)), list(variables)


def _walk(node: object, variables: dict[Variable, int]) -> Hashable:
    # The first kinds make up nearly all that is ever said; asking for them one by one keeps that quick.
    kind = type(node)
    if kind is Variable:
        return variables.setdefault(node, len(variables))  # type: ignore[arg-type]
    if kind is Constant:
        return (node.value,)  # type: ignore[attr-defined]
    if kind is Sum:
        return (kind, *((factor, _walk(part, variables)) for factor, part in node.parts))  # type: ignore[attr-defined]
    if kind is Compare:
        return (kind, node.op, _walk(node.left, variables), _walk(node.right, variables))  # type: ignore[attr-defined]
    if isinstance(node, tuple):
        return tuple(_walk(part, variables) for part in node)
    if isinstance(node, Formula | Term):
        return (kind, *(_walk(getattr(node, field.name), variables) for field in fields(node)))  # type: ignore[arg-type]
    return ("=", node)  # a bound, a truth value, an entry of a table: told apart from the number of a variable
