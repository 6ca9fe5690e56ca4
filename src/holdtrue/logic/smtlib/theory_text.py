"""Write a theory as SMT-LIB: its variables with their ranges, and formulas over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.node import Node
from holdtrue.logic.smtlib.script import Assertion, Script, script_text
from holdtrue.logic.smtlib.symbols import symbol_of
from holdtrue.logic.smtlib.typed_terms import BOOL, INT, Call, Function, Let, Literal, Local, Operation, SmtTerm, number
from holdtrue.logic.sorts import EnumSort, Sort

_COMPARISONS = {"<=": "<=", "<": "<", ">=": ">=", ">": ">", "==": "=", "!=": "distinct"}
_CONNECTIVES: Mapping[type[Node], str] = {
    f.And: "and",
    f.Or: "or",
    f.Not: "not",
    f.Iff: "=",
    f.Xor: "xor",
    f.IfThenElse: "ite",
}
_ARITHMETIC: Mapping[type[Node], str] = {f.Product: "*", f.Quotient: "div", f.Remainder: "mod"}
_INDEX = Local("%index", INT)  # No variable has this symbol, since `symbol_of` writes only digits A-F after a %.
_ONE, _OTHER = Local("%one", INT), Local("%other", INT)


def theory_script(variables: Sequence[f.Variable], formulas: Iterable[f.Formula]) -> Script:
    """Return a script with an assertion for the range of each variable, and one for each formula, in order.

    A variable that can have any integer has no such assertion.
    """
    ranges = [_range(variable) for variable in variables if _is_limited(variable.sort)]
    terms = [*ranges, *map(formula_term, formulas)]
    return Script(functions=tuple(map(_function, variables)), assertions=tuple(map(Assertion, terms)))


def theory_text(variables: Sequence[f.Variable], stated: Iterable[tuple[str, f.Formula]]) -> str:
    """Return the theory as text, with the sentence of each formula as a comment above it."""
    sentences, formulas = [], []
    for sentence, formula in stated:
        sentences.append(sentence)
        formulas.append(formula)
    ranges = [f"{variable.name}: {_values(variable.sort)}" for variable in variables if _is_limited(variable.sort)]
    return script_text(theory_script(variables, formulas), [*ranges, *sentences])


def formula_term(formula: f.Formula) -> SmtTerm:
    """Return the formula as a term of sort Bool, over constants with names by `symbols.symbol_of`."""
    return _term(formula)


def _term(node: Node) -> SmtTerm:
    match node:
        case f.Truth():
            return Literal(node.value, BOOL)
        case f.Constant():
            return number(node.value)
        case f.Variable():
            return Call(_function(node))
        case f.And(()) | f.Or(()):
            return Literal(isinstance(node, f.And), BOOL)
        case f.And((only,)) | f.Or((only,)):
            return _term(only)
        case f.And() | f.Or() | f.Not() | f.Iff() | f.Xor() | f.IfThenElse():
            return _holds(_CONNECTIVES[type(node)], *map(_term, node.children))
        case f.Compare():
            return _holds(_COMPARISONS[node.op], _term(node.left), _term(node.right))
        case f.AllDifferent():
            return _holds("distinct", *map(_term, node.terms)) if len(node.terms) > 1 else Literal(True, BOOL)
        case f.Count():
            ones = [Operation("ite", (_term(own), number(1), number(0)), INT) for own in node.operands]
            return _holds(_COMPARISONS[node.op], _total(ones), number(node.bound))
        case f.Sum():
            return _total([_multiple(factor, part) for factor, part in node.parts])
        case f.Product() | f.Quotient() | f.Remainder():
            return Operation(_ARITHMETIC[type(node)], tuple(map(_term, node.children)), INT)
        case f.Least() | f.Greatest():
            return _chosen("<=" if isinstance(node, f.Least) else ">=", list(map(_term, node.terms)))
        case f.Abs() | f.Ite():
            return Operation("abs" if isinstance(node, f.Abs) else "ite", tuple(map(_term, node.children)), INT)
        case f.Element():
            return Let(((_INDEX, _term(node.index)),), _entry(node.table, 0))
    raise FormulaError(f"not a {'term' if isinstance(node, f.Term) else 'formula'}: {node!r}")


def _is_limited(sort: Sort) -> bool:
    return sort.low is not None or sort.high is not None


def _range(variable: f.Variable) -> SmtTerm:
    """Return the term that states the range of a variable, which has at least one bound."""
    low, high = variable.sort.low, variable.sort.high
    ends = [None if end is None else number(end) for end in (low, high)]
    return _holds("<=", *[part for part in (ends[0], Call(_function(variable)), ends[1]) if part is not None])


def _function(variable: f.Variable) -> Function:
    return Function(symbol_of(variable.name), (), INT)


def _values(sort: Sort) -> str:
    if isinstance(sort, EnumSort):
        return ", ".join(f"{value} = {label}" for value, label in enumerate(sort.labels))
    return str(sort)


def _holds(op: str, *operands: SmtTerm) -> SmtTerm:
    return Operation(op, operands, BOOL)


def _multiple(factor: int, part: f.Term) -> SmtTerm:
    inner = _term(part)
    return inner if factor == 1 else Operation("*", (number(factor), inner), INT)


def _total(terms: Sequence[SmtTerm]) -> SmtTerm:
    if len(terms) < 2:
        return terms[0] if terms else number(0)
    return Operation("+", tuple(terms), INT)


def _entry(table: Sequence[int], first: int) -> SmtTerm:
    """Return the term of the entry at the index, by halving, so that a long table makes no deep term."""
    if len(table) == 1:
        return number(table[0])
    half = len(table) // 2
    below = _holds("<=", _INDEX, number(first + half - 1))
    return Operation("ite", (below, _entry(table[:half], first), _entry(table[half:], first + half)), INT)


def _chosen(comparison: str, terms: Sequence[SmtTerm]) -> SmtTerm:
    """Return the minimum or maximum of terms, by halving, since SMT-LIB has no operator for it."""
    if len(terms) == 1:
        return terms[0]
    half = len(terms) // 2
    one, other = _chosen(comparison, terms[:half]), _chosen(comparison, terms[half:])
    if isinstance(one, Call | Literal) and isinstance(other, Call | Literal):
        return Operation("ite", (_holds(comparison, one, other), one, other), INT)
    better = Operation("ite", (_holds(comparison, _ONE, _OTHER), _ONE, _OTHER), INT)
    return Let(((_ONE, one), (_OTHER, other)), better)
