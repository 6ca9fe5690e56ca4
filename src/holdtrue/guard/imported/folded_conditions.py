"""Join the conditions of imported rules, and fold constants away: the tool of a call is known.

A folded condition may be true or false where CEL's is an error, and never the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from holdtrue.rules.syntax import Constant, Expression, Ident, Invoke, Select, parts

TRUE, FALSE = Constant(True), Constant(False)
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "exists": "all", "all": "exists"}
_FACTS = Ident("facts")


def all_of(conditions: Iterable[Expression], sign: str = "&&") -> Expression:
    """Return the conjunction, or with `||` the disjunction. Each condition stands in it once."""
    decides, neutral = (FALSE, TRUE) if sign == "&&" else (TRUE, FALSE)
    found: dict[Expression, None] = {}
    for own in conditions:
        found |= dict.fromkeys(own.args if isinstance(own, Invoke) and own.name == sign else (own,))
    left = tuple(own for own in found if own != neutral)
    return decides if decides in found else Invoke(sign, left) if len(left) > 1 else left[0] if left else neutral


def any_of(conditions: Iterable[Expression]) -> Expression:
    return all_of(conditions, "||")


def terms(condition: Expression) -> tuple[Expression, ...]:
    """Return the parts of a conjunction."""
    if isinstance(condition, Invoke) and condition.name == "&&":
        return condition.args
    return () if condition == TRUE else (condition,)


def negated(condition: Expression) -> Expression:
    """Return the negation, as the opposite comparison or macro where there is one."""
    match condition:
        case Constant(bool(value)):
            return Constant(not value)
        case Invoke("!", (operand,)):
            return operand
        case Invoke("exists" | "all" as macro, (variable, body), target):
            return Invoke(_OPPOSITE[macro], (variable, negated(body)), target)
        case Invoke(sign, args) if sign in _OPPOSITE:
            return Invoke(_OPPOSITE[sign], args)
    return Invoke("!", (condition,))


def chosen(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    """Return `condition ? then : otherwise`, which is an error where the condition is one."""
    if isinstance(condition, Constant):
        return then if condition.value else otherwise
    return Invoke("?:", (condition, then, otherwise))


def compared(sign: str, left: Expression, right: Expression) -> Expression:
    """Return a comparison; the equality of two constants is decided at once."""
    if isinstance(left, Constant) and isinstance(right, Constant) and sign in ("==", "!="):
        same = left.value == right.value and isinstance(left.value, bool) is isinstance(right.value, bool)
        return Constant(same is (sign == "=="))
    return Invoke(sign, (left, right))


def called(name: str, *args: Expression, on: Expression | None = None) -> Invoke:
    return Invoke(name, args, on)


def selected(of: Expression, names: Iterable[str]) -> Expression:
    """Return the field of an expression at a path of names."""
    for name in names:
        of = Select(of, name)
    return of


def stated(kind: str, *names: str) -> Expression:
    """Return a field of a record that the app states, such as `facts.principal().role`."""
    return selected(called(kind, on=_FACTS), names)


def stated_path(expression: Expression) -> tuple[str, ...]:
    """Return the kind and names of a field of a stated record, or () for another expression."""
    match expression:
        case Invoke(kind, (), target) if target == _FACTS:
            return (kind,)
        case Select(of, name):
            inner = stated_path(of)
            return (*inner, name) if inner else ()
    return ()


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all parts within it."""
    yield expression
    for part in parts(expression):
        yield from walk(part)
