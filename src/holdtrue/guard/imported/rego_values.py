"""Values of the locals in a plan of Rego, each with the condition under which a local has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.guard.imported import folded_conditions as c
from holdtrue.guard.imported.folded_conditions import TRUE, all_of, any_of, called, terms
from holdtrue.guard.imported.foreign_statements import NotCarried
from holdtrue.rules.syntax import Constant, Expression, Invoke, Items

_SIGNS = {"lt": "<", "lte": "<=", "gt": ">", "gte": ">=", "equal": "==", "neq": "!="}
_ARITHMETIC = {"plus": "+", "minus": "-", "mul": "*"}
_METHODS = {"startswith": "startsWith", "endswith": "endsWith", "contains": "contains"}
CONDITIONS = {*_SIGNS.values(), *_METHODS.values(), "&&", "||", "!", "in", "has", "exists", "all", "matches"}
"""The operators and functions whose value is true or false."""


@dataclass(frozen=True)
class Elements:
    """The elements of a set, each with the condition that it is in the set."""

    items: tuple[tuple[Expression, Any], ...] = ()

    @property
    def some(self) -> Expression:
        """Return the condition that the set is not empty."""
        return any_of(condition for condition, _ in self.items)


Value = Expression | Elements | NotCarried
"""A value. One that no rule can say is `NotCarried`, which matters where a condition reads it."""
Ways = Sequence[tuple[Expression, Value]]
"""The values that a local may have, each with its condition, the newest first. Without a value it is undefined."""
Env = dict[int, Ways]


def rest_of(condition: Expression, known: set[Expression]) -> Expression:
    """Return the parts of a condition that are not known yet."""
    return all_of(own for own in terms(condition) if own not in known)


def plain(value: Value, known: set[Expression]) -> Expression:
    """Return the expression of a value, as a list if it is a set. Raises `NotCarried`."""
    if isinstance(value, Elements) and all(rest_of(condition, known) == TRUE for condition, _ in value.items):
        return Items(tuple(plain(own, known) for _, own in value.items))
    if isinstance(value, Elements | NotCarried):
        raise value if isinstance(value, NotCarried) else NotCarried("it reads a set whose elements have conditions")
    return value


def compared(sign: str, left: Value, right: Value) -> Expression:
    """Return a comparison. The number of elements of a set is only compared with 0."""
    if isinstance(left, Elements) and right == Constant(0) and sign in ("==", "!=", ">"):
        return c.negated(left.some) if sign == "==" else left.some
    one, other = plain(left, set()), plain(right, set())
    if isinstance(one, Items) or isinstance(other, Items):
        raise NotCarried("it compares lists or sets")
    return c.compared(sign, one, other)


def has_elements(ways: Ways) -> bool:
    """Return whether the value of a local is a set."""
    return len(ways) == 1 and isinstance(ways[0][1], Elements)


def added_to(ways: Ways, before: Ways) -> Ways:
    """Return the values, or elements of a set, that are new."""
    match ways:
        case [(_, Elements(items))]:
            old = before[0][1] if before else Elements()
            return items[len(old.items) :] if isinstance(old, Elements) else items
    return [own for own in ways if all(own is not other for other in before)]


def built_in(name: str, args: Sequence[Value], known: set[Expression]) -> Value:
    """Return the value of a built-in function of Rego."""
    if fault := next((own for own in args if isinstance(own, NotCarried)), None):
        return fault
    if name in _SIGNS:
        return compared(_SIGNS[name], *args)
    if name == "count" and isinstance(args[0], Elements):
        return args[0]  # `compared` reads it as a number.
    match name, [plain(arg, known) for arg in args]:
        case "internal.member_2", [item, items]:
            return called("in", item, items)
        case "count", [items]:
            return called("size", items)
        case "sum", [items]:
            return called("sum", on=items)
        case "regex.match", [Constant() as pattern, text]:
            return called("matches", pattern, on=text)
        case _, [left, right] if name in _ARITHMETIC:
            return Invoke(_ARITHMETIC[name], (left, right))
        case _, [text, part] if name in _METHODS:
            return called(_METHODS[name], part, on=text)
    return NotCarried(f"no rule says {name}() of Rego")
