"""Read and write formulas as JSON, in prefix lists such as `["<=", ["+", "a", 1], "b"]`.

A string is a variable, an integer is a constant, and a list is an operator with its operands:

    ["<=", s, t], also < >= > == !=               comparisons
    ["and", f, ...]  ["or", f, ...]  ["not", f]   connectives; and `iff`, `xor`, `if`
    ["all-different", s, t, ...]
    ["count", "<=", 2, f, g, ...]                 the number of formulas that hold, compared with 2
    ["+", s, ["*", 2, t], ...]  ["*", s, t]       sums of terms and multiples; products
    ["div", s, t]  ["mod", s, t]  ["abs", t]  ["least", s, ...]  ["greatest", s, ...]
    ["if", f, s, t]                               s if f holds, and else t
    ["element", [10, 20, 30], t]                  the entry at t, counted from 0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.node import Node

Json = bool | int | str | list["Json"]
Resolve = Callable[[str], f.Term]
Made = TypeVar("Made", bound=Node)
MAX_DEPTH = 100

# The class and the operands of each operator: F is a formula, T is a term, and * means any number of them.
_FORMULAS: Mapping[str, tuple[type[f.Formula], str]] = {
    "and": (f.And, "F*"),
    "or": (f.Or, "F*"),
    "not": (f.Not, "F"),
    "iff": (f.Iff, "FF"),
    "xor": (f.Xor, "FF"),
    "if": (f.IfThenElse, "FFF"),
    "all-different": (f.AllDifferent, "T*"),
}
_TERMS: Mapping[str, tuple[type[f.Term], str]] = {
    "*": (f.Product, "TT"),
    "div": (f.Quotient, "TT"),
    "mod": (f.Remainder, "TT"),
    "abs": (f.Abs, "T"),
    "if": (f.Ite, "FTT"),
    "least": (f.Least, "T*"),
    "greatest": (f.Greatest, "T*"),
}
_NAMES: Mapping[type[Node], str] = {kind: name for table in (_FORMULAS, _TERMS) for name, (kind, _) in table.items()}


def formula_to_json(formula: f.Formula) -> Json:
    """Return the JSON form of a formula, which `formula_from_json` reads as the same formula."""
    return _to_json(formula)


def _to_json(node: Node) -> Json:
    match node:
        case f.Truth() | f.Constant():
            return node.value
        case f.Variable():
            return node.name
        case f.Compare():
            return [node.op, _to_json(node.left), _to_json(node.right)]
        case f.Count():
            return ["count", node.op, node.bound, *map(_to_json, node.operands)]
        case f.Sum():
            parts = [(factor, _to_json(part)) for factor, part in node.parts]
            return ["+", *(part if factor == 1 else ["*", factor, part] for factor, part in parts)]
        case f.Element():
            return ["element", list(node.table), _to_json(node.index)]
    if type(node) not in _NAMES:
        raise FormulaError(f"not a {'term' if isinstance(node, f.Term) else 'formula'}: {node!r}")
    return [_NAMES[type(node)], *map(_to_json, node.children)]


def formula_from_json(value: object, resolve: Resolve) -> f.Formula:
    """Read a formula; `resolve` returns the variable of a name. Raises `FormulaError`, which names the wrong part."""
    return _formula(value, resolve, 0)


def _formula(value: object, resolve: Resolve, depth: int) -> f.Formula:
    if isinstance(value, bool):
        return f.Truth(value)
    match _list(value, depth, 'a formula is true, false or a list such as ["<=", "a", "b"]'):
        case ["<=" | "<" | ">=" | ">" | "==" | "!=" as op, left, right]:
            return f.Compare(op, _term(left, resolve, depth + 1), _term(right, resolve, depth + 1))
        case ["count", "<=" | "<" | ">=" | ">" | "==" | "!=" as op, int() as bound, *operands]:
            return f.Count(op, bound, tuple(_formula(operand, resolve, depth + 1) for operand in operands))
        case listed:
            return _made(_FORMULAS, listed, resolve, depth)


def _term(value: object, resolve: Resolve, depth: int) -> f.Term:
    if isinstance(value, str):
        return resolve(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return f.Constant(value)
    match _list(value, depth, 'a term is an integer, a name or a list such as ["+", "a", 1]'):
        case ["+", *parts]:
            return f.Sum(tuple(_part(part, resolve, depth + 1) for part in parts))
        case ["element", list() as table, index]:
            return f.Element(tuple(map(_integer, table)), _term(index, resolve, depth + 1))
        case listed:
            return _made(_TERMS, listed, resolve, depth)


def _part(value: object, resolve: Resolve, depth: int) -> tuple[int, f.Term]:
    match value:
        case ["*", int() as factor, part] if not isinstance(factor, bool):
            return factor, _term(part, resolve, depth + 1)
    return 1, _term(value, resolve, depth)


def _made(table: Mapping[str, tuple[type[Made], str]], listed: list[Any], resolve: Resolve, depth: int) -> Made:
    """Return the formula or the term of an operator with its operands."""
    name, operands = listed[0], listed[1:]
    if name not in table:
        raise FormulaError(f"unknown operator {name!r}, or wrong operands, in {_short(listed)}")
    make: Callable[..., Made] = table[name][0]
    takes = table[name][1]
    if takes.endswith("*"):
        read = _formula if takes[0] == "F" else _term
        return make(tuple(read(operand, resolve, depth + 1) for operand in operands))
    if len(operands) != len(takes):
        raise FormulaError(f"{name!r} takes {len(takes)} operand(s), got {len(operands)} in {_short(listed)}")
    pairs = zip(takes, operands, strict=True)
    return make(*[(_formula if own == "F" else _term)(operand, resolve, depth + 1) for own, operand in pairs])


def _list(value: object, depth: int, wanted: str) -> list[Any]:
    if depth > MAX_DEPTH:
        raise FormulaError(f"a formula may be nested {MAX_DEPTH} deep at most")
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        raise FormulaError(f"{wanted}, not {_short(value)}")
    return value


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise FormulaError(f"{_short(value)} is no integer")
    return value


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
