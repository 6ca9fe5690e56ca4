"""The JSON form of formulas: prefix lists, as in `["<=", ["+", "a", 1], "b"]`.

Strings are variables, integers constants, lists an operator with its operands. Terms:

    ["+", s, t, ...]  ["*", 2, t]  ["abs", t]     sums, multiples, absolute values
    ["*", s, t]  ["div", s, t]  ["mod", s, t]     products; quotients and remainders, as those of SMT-LIB
    ["least", s, t, ...]  ["greatest", s, t, ...]
    ["if", f, s, t]                               s where f holds, t where it does not
    ["element", [10, 20, 30], t]                  the entry at t, counted from 0

Formulas; `true` and `false` are the JSON literals:

    ["<=", s, t], and so < >= > == !=             comparisons
    ["and", f, ...]  ["or", f, ...]  ["not", f]
    ["iff", f, g]  ["xor", f, g]  ["if", f, g, h]
    ["all-different", s, t, ...]
    ["count", "<=", 2, f, g, ...]                 how many of the formulas hold, compared with 2
    ["smt", "(= (mod a b) 0)"]                    SMT-LIB text, for what the others cannot say (`opaque`)

These are what is written; reading what was written gives the same formula, and writing that the same JSON. Some
more are read for convenience, and written back as what they mean:

    ["-", s, t]  ["-", t]  ["implies", f, g]
    ["at-most", 2, f, g, ...]                     and so at-least, exactly
    ["for-all", "x", f]  ["exists", "x", f]       f of every entity; of one at least (`quantified`)
    [..., ["each", "x", f or t], ...]             in +, and, or, all-different and counts: an operand for every entity

A quantifier names one variable, `"x"`, or several, `["x", "y"]`, which then stand for every choice of entities, also
for the same one. Where its name ends in `-distinct` no entity goes by two names: the variables stand for different
entities, none of which has a name already (`$0`, `$e`, a variable further out).

An integer before operands, and an entry of a table, may also be a name that stands for an integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol, TypeVar, runtime_checkable

from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.node import Node
from holdtrue.logic.opaque import Opaque, opaque
from holdtrue.logic.quantifiers import expand
from holdtrue.logic.terms import Term

Json = bool | int | str | list["Json"]
MAX_DEPTH = 100
_COUNTS: dict[str, f.Comparison] = {"at-most": "<=", "at-least": ">=", "exactly": "=="}


def formula_to_json(formula: f.Formula) -> Json:
    """The JSON form; `formula_from_json` gives the same formula back."""
    match formula:
        case f.Truth():
            return formula.value
        case f.Compare():
            return [formula.op, _term_to_json(formula.left), _term_to_json(formula.right)]
        case f.And() | f.Or():
            name = "and" if isinstance(formula, f.And) else "or"
            return [name, *map(formula_to_json, formula.operands)]
        case f.Not():
            return ["not", formula_to_json(formula.operand)]
        case f.Iff() | f.Xor():
            name = "iff" if isinstance(formula, f.Iff) else "xor"
            return [name, formula_to_json(formula.left), formula_to_json(formula.right)]
        case f.IfThenElse():
            return ["if", *map(formula_to_json, (formula.condition, formula.then, formula.otherwise))]
        case f.AllDifferent():
            return ["all-different", *map(_term_to_json, formula.terms)]
        case f.Count():
            return ["count", formula.op, formula.bound, *map(formula_to_json, formula.operands)]
        case Opaque():
            return ["smt", formula.text]
    raise FormulaError(f"not a formula: {formula!r}")


def _term_to_json(value: f.Term) -> Json:
    match value:
        case f.Constant():
            return value.value
        case f.Variable():
            return value.name
        case f.Abs():
            return ["abs", _term_to_json(value.inner)]
        case f.Sum():
            return ["+", *(_part_to_json(factor, part) for factor, part in value.parts)]
        case f.Ite():
            return ["if", formula_to_json(value.condition), _term_to_json(value.then), _term_to_json(value.otherwise)]
        case f.Element():
            return ["element", list(value.table), _term_to_json(value.index)]
        case f.Product():
            return ["*", _term_to_json(value.left), _term_to_json(value.right)]
        case f.Quotient() | f.Remainder():
            name = "div" if isinstance(value, f.Quotient) else "mod"
            return [name, _term_to_json(value.dividend), _term_to_json(value.divisor)]
        case f.Least() | f.Greatest():
            name = "least" if isinstance(value, f.Least) else "greatest"
            return [name, *map(_term_to_json, value.terms)]
    raise FormulaError(f"not a term: {value!r}")


def _part_to_json(factor: int, part: f.Term) -> Json:
    # A plain operand of "+" stands for factor 1; any other factor is written out.
    return _term_to_json(part) if factor == 1 else ["*", factor, _term_to_json(part)]


def formula_from_json(value: object, resolve: Resolve) -> f.Formula:
    """Read a formula; `resolve` gives the term that a string stands for (a `Scope` knows entities besides).

    Raises `FormulaError`, naming the offending part.
    """
    return _formula(value, resolve, 0)


def _formula(value: object, resolve: Resolve, depth: int) -> f.Formula:
    if isinstance(value, bool):
        return f.Truth(value)
    if depth > MAX_DEPTH:
        raise FormulaError(f"a formula may be nested {MAX_DEPTH} deep at most")
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        raise FormulaError(f'a formula is true, false or a list such as ["<=", "a", "b"], not {_short(value)}')
    op, operands = value[0], value[1:]

    def sub(item: object, scope: Resolve = resolve) -> f.Formula:
        return _formula(item, scope, depth + 1)

    if op in f.NEGATED:
        return f.Compare(op, *(_term(side, resolve, depth) for side in _exactly(2, value)))
    match op:
        case "and" | "or":
            return (f.And if op == "and" else f.Or)(spread(operands, resolve, sub))
        case "not":
            return f.Not(*map(sub, _exactly(1, value)))
        case "iff" | "xor":
            return (f.Iff if op == "iff" else f.Xor)(*map(sub, _exactly(2, value)))
        case "implies":
            return f.Formula.implies(*map(sub, _exactly(2, value)))
        case "if":
            return f.IfThenElse(*map(sub, _exactly(3, value)))
        case "all-different":
            return f.AllDifferent(spread(operands, resolve, lambda item, scope: _term(item, scope, depth)))
        case "count" | "at-most" | "at-least" | "exactly":
            comparison, bound, counted = _counting(value, resolve)
            return f.Count(comparison, bound, spread(counted, resolve, sub))
        case "smt":
            (text,) = _exactly(1, value)
            if not isinstance(text, str):
                raise FormulaError(f"SMT-LIB text is a string, not {_short(text)}")
            return opaque(text, resolve)
        case "for-all" | "for-all-distinct" | "exists" | "exists-distinct":
            variables, body = _exactly(2, value)
            scopes = quantified(op, variables, resolve)
            quantify = f.exists if op.startswith("exists") else f.for_all
            return quantify(scopes, lambda scope: sub(body, scope))
        case "each" | "each-distinct":
            raise FormulaError(f"{op!r} takes a variable and a body, among several operands, in {_short(value)}")
    raise FormulaError(f"unknown operator {op!r} in {_short(value)}")


def _counting(value: list[object], resolve: Resolve) -> tuple[f.Comparison, int, list[object]]:
    """Comparison, bound and operands of a counting formula."""
    match value:
        case ["count", "<=" | "<" | ">=" | ">" | "==" | "!=" as op, bound, *operands]:
            return op, _integer(bound, resolve, value), operands
        case [("at-most" | "at-least" | "exactly") as name, bound, *operands]:
            return _COUNTS[name], _integer(bound, resolve, value), operands
    forms = '["count", "<=", 2, ...] or ["at-most", 2, ...]'
    raise FormulaError(f"a number of formulas is counted as in {forms}, not {_short(value)}")


def _term(value: object, resolve: Resolve, depth: int) -> f.Term:
    if depth > MAX_DEPTH:
        raise FormulaError(f"a term may be nested {MAX_DEPTH} deep at most")
    if isinstance(value, str):
        return f.term(resolve(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return f.Constant(value)
    if not isinstance(value, list) or not value:
        raise FormulaError(f'a term is an integer, a name or a list such as ["+", "a", 1], not {_short(value)}')

    def sub(item: object) -> f.Term:
        return _term(item, resolve, depth + 1)

    match value:
        case ["+", *operands]:
            sums = spread(operands, resolve, lambda item, scope: f.Sum((_part(item, scope, depth),)))
            return f.Sum(tuple(part for own in sums for part in own.parts))
        case ["-", only]:
            return -sub(only)
        case ["-", left, right]:
            return sub(left) - sub(right)
        case ["*", *_]:
            return _multiplied(value, resolve, depth)
        case [("div" | "mod") as name, *_]:
            return (f.Quotient if name == "div" else f.Remainder)(*map(sub, _exactly(2, value)))
        case [("least" | "greatest") as name, *operands]:
            several = spread(operands, resolve, lambda item, scope: _term(item, scope, depth + 1))
            return (f.Least if name == "least" else f.Greatest)(several)
        case ["abs", *_]:
            return f.Abs(*map(sub, _exactly(1, value)))
        case ["if", *_]:
            condition, then, otherwise = _exactly(3, value)
            return f.Ite(_formula(condition, resolve, depth + 1), sub(then), sub(otherwise))
        case ["element", *_]:
            table, index = _exactly(2, value)
            if not isinstance(table, list):
                raise FormulaError(f"a table is a list of integers, not {_short(table)}")
            return f.Element(tuple(_integer(entry, resolve, value) for entry in table), sub(index))
    raise FormulaError(f"unknown term operator {value[0]!r} in {_short(value)}")


def _part(value: object, resolve: Resolve, depth: int) -> tuple[int, f.Term]:
    if isinstance(value, list) and value[:1] == ["*"]:
        read = _multiplied(value, resolve, depth)
        return read.parts[0] if isinstance(read, f.Sum) else (1, read)
    return 1, _term(value, resolve, depth + 1)


def _multiplied(value: list[object], resolve: Resolve, depth: int) -> f.Sum | f.Product:
    """A multiple, where one of the two is a number, or a product."""
    left, right = _exactly(2, value)
    if isinstance(left, int) and not isinstance(left, bool):
        return f.Sum(((left, _term(right, resolve, depth + 1)),))
    return f.product(_term(left, resolve, depth + 1), _term(right, resolve, depth + 1))


def _integer(value: object, resolve: Resolve, whole: list[object]) -> int:
    """An integer, or a name that stands for one."""
    meant = f.term(resolve(value)) if isinstance(value, str) else value
    if isinstance(meant, f.Constant):
        return meant.value
    if isinstance(meant, bool) or not isinstance(meant, int):
        raise FormulaError(f"{_short(value)} is no integer, in {_short(whole)}")
    return meant


def _exactly(count: int, value: list[object]) -> list[object]:
    if len(value) != count + 1:
        raise FormulaError(f"{value[0]!r} takes {count} operand(s), got {len(value) - 1} in {_short(value)}")
    return value[1:]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


Resolve = Callable[[str], Term | int]
Part = TypeVar("Part", bound=Node)


@runtime_checkable
class Scope(Protocol):
    """A `Resolve` that knows entities to quantify over."""

    def __call__(self, name: str) -> Term | int: ...

    def choices(self, variables: Sequence[str], *, distinct: bool) -> Iterable[Scope]:
        """Return this scope with the variables besides, once for every choice of entities that they can stand for.

        Raises `FormulaError` for a variable that stands for something already.
        """
        ...


def quantified(op: str, variables: object, resolve: Resolve) -> Iterator[Resolve]:
    """The scopes for the body of a quantifier; raises `FormulaError` where there is nothing to quantify over."""
    given = variables if isinstance(variables, list) else [variables]
    names = [name for name in given if isinstance(name, str) and name.isidentifier()]
    if not names or len(names) < len(given):
        raise FormulaError(f"{op!r} takes the name of a variable or a list of such, not {variables!r:.80}")
    if len(set(names)) < len(names):
        raise FormulaError(f"{op!r} names a variable twice: {', '.join(names)}")
    if not isinstance(resolve, Scope):
        raise FormulaError(f"{op!r} has no entities to range over here")
    yield from resolve.choices(names, distinct=op.endswith("-distinct"))


def spread(items: Iterable[object], resolve: Resolve, read: Callable[[object, Resolve], Part]) -> tuple[Part, ...]:
    """Return each operand read, and in place of one that begins with `each` its body for all that it ranges over."""
    parts: list[Part] = []
    for item in items:
        match item:
            case [("each" | "each-distinct") as op, variables, body]:
                parts += expand(quantified(op, variables, resolve), partial(read, body))
            case _:
                parts.append(read(item, resolve))
    return tuple(parts)
