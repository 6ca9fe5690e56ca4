"""The JSON form of formulas: prefix lists, as in `["<=", ["+", "a", 1], "b"]`.

Strings are variables, integers constants, lists an operator with its operands:
`+ - * abs` make terms; `<= < >= > == !=` compare; `and or not iff implies all-different` combine;
`true` and `false` are the JSON literals.
"""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import (
    NEGATED,
    Abs,
    AllDifferent,
    And,
    Compare,
    Constant,
    Formula,
    Iff,
    Not,
    Or,
    Sum,
    Term,
    Truth,
    Variable,
    term,
)

Json = bool | int | str | list["Json"]
Resolve = Callable[[str], Term | int]
MAX_DEPTH = 100


def formula_to_json(formula: Formula) -> Json:
    """The JSON form; `formula_from_json` gives the same formula back."""
    match formula:
        case Truth():
            return formula.value
        case Compare():
            return [formula.op, _term_to_json(formula.left), _term_to_json(formula.right)]
        case And() | Or():
            name = "and" if isinstance(formula, And) else "or"
            return [name, *map(formula_to_json, formula.operands)]
        case Not():
            return ["not", formula_to_json(formula.operand)]
        case Iff():
            return ["iff", formula_to_json(formula.left), formula_to_json(formula.right)]
        case AllDifferent():
            return ["all-different", *map(_term_to_json, formula.terms)]
    raise FormulaError(f"not a formula: {formula!r}")


def _term_to_json(value: Term) -> Json:
    match value:
        case Constant():
            return value.value
        case Variable():
            return value.name
        case Abs():
            return ["abs", _term_to_json(value.inner)]
        case Sum():
            return ["+", *(_part_to_json(factor, part) for factor, part in value.parts)]
    raise FormulaError(f"not a term: {value!r}")


def _part_to_json(factor: int, part: Term) -> Json:
    # A plain operand of "+" stands for factor 1; any other factor is written out.
    return _term_to_json(part) if factor == 1 else ["*", factor, _term_to_json(part)]


def formula_from_json(value: object, resolve: Resolve, *, depth: int = 0) -> Formula:
    """Read a formula; `resolve` gives the term that a string stands for.

    Raises `FormulaError`, naming the offending part.
    """
    if isinstance(value, bool):
        return Truth(value)
    if depth > MAX_DEPTH:
        raise FormulaError(f"a formula may be nested {MAX_DEPTH} deep at most")
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        raise FormulaError(f'a formula is true, false or a list such as ["<=", "a", "b"], not {_short(value)}')
    op, operands = value[0], value[1:]

    def sub(item: object) -> Formula:
        return formula_from_json(item, resolve, depth=depth + 1)

    if op in NEGATED:
        left, right = _exactly(2, value)
        return Compare(op, _term(left, resolve, depth), _term(right, resolve, depth))
    match op:
        case "and":
            return And(tuple(map(sub, operands)))
        case "or":
            return Or(tuple(map(sub, operands)))
        case "not":
            (operand,) = _exactly(1, value)
            return Not(sub(operand))
        case "iff":
            left, right = _exactly(2, value)
            return Iff(sub(left), sub(right))
        case "implies":
            left, right = _exactly(2, value)
            return sub(left).implies(sub(right))
        case "all-different":
            return AllDifferent(tuple(_term(item, resolve, depth) for item in operands))
    raise FormulaError(f"unknown operator {op!r} in {_short(value)}")


def _term(value: object, resolve: Resolve, depth: int) -> Term:
    if depth > MAX_DEPTH:
        raise FormulaError(f"a term may be nested {MAX_DEPTH} deep at most")
    if isinstance(value, str):
        return term(resolve(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return Constant(value)
    if not isinstance(value, list) or not value:
        raise FormulaError(f'a term is an integer, a name or a list such as ["+", "a", 1], not {_short(value)}')
    op, operands = value[0], value[1:]
    match op:
        case "+":
            return Sum(tuple(_part(item, resolve, depth) for item in operands))
        case "-" if len(operands) in (1, 2):
            terms = [_term(item, resolve, depth + 1) for item in operands]
            return -terms[0] if len(terms) == 1 else terms[0] - terms[1]
        case "*":
            return Sum((_part(value, resolve, depth),))
        case "abs":
            (inner,) = _exactly(1, value)
            return Abs(_term(inner, resolve, depth + 1))
    raise FormulaError(f"unknown term operator {op!r} in {_short(value)}")


def _part(value: object, resolve: Resolve, depth: int) -> tuple[int, Term]:
    if isinstance(value, list) and value[:1] == ["*"]:
        factor, inner = _exactly(2, value)
        if isinstance(factor, bool) or not isinstance(factor, int):
            raise FormulaError(f'the first operand of "*" is an integer, in {_short(value)}')
        return factor, _term(inner, resolve, depth + 1)
    return 1, _term(value, resolve, depth + 1)


def _exactly(count: int, value: list[object]) -> list[object]:
    if len(value) != count + 1:
        raise FormulaError(f"{value[0]!r} takes {count} operand(s), got {len(value) - 1} in {_short(value)}")
    return value[1:]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
