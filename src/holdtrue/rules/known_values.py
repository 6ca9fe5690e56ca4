"""Replace variables by known values, and compute all parts of a formula that depend on no other variable."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from holdtrue.logic import formula as f
from holdtrue.logic.evaluate import Values, compile_term
from holdtrue.logic.node import Node
from holdtrue.rules.symbolic_values import conj, disj


def with_values(node: Any, values: Values) -> Any:
    """Return a formula or a term with the variables in `values` replaced, as simple as their values make it."""
    return _replaced(node, values, {})


def _replaced(node: Any, values: Values, made: dict[int, Any]) -> Any:
    """Return a part with the variables replaced. `made` has the results by the ids of the parts, which may recur."""
    if isinstance(node, f.Variable):
        return f.Constant(values[node.name]) if node.name in values else node
    if not isinstance(node, Node):
        return tuple(_replaced(own, values, made) for own in node) if isinstance(node, tuple) else node
    if id(node) not in made:
        made[id(node)] = _simplified(node, [_replaced(getattr(node, own.name), values, made) for own in fields(node)])  # type: ignore[arg-type]
    return made[id(node)]


def _simplified(node: Node, parts: list[Any]) -> Any:
    match node:
        case f.And() | f.Or():
            return (conj if isinstance(node, f.And) else disj)(parts[0])
        case f.Ite() | f.IfThenElse() if isinstance(parts[0], f.Truth):
            return parts[1] if parts[0].value else parts[2]
    made: Any = f.product(*parts) if isinstance(node, f.Product) else type(node)(*parts)
    if not all(isinstance(own, f.Constant | f.Truth) for own in made.children):
        return made
    return f.Truth(made.holds({})) if isinstance(made, f.Formula) else f.Constant(compile_term(made)({}))
