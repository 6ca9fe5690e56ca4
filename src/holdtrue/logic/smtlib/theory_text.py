"""Theories of ours as SMT-LIB: variables with their ranges, and formulas over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.opaque import Opaque
from holdtrue.logic.smtlib.printer import script_text
from holdtrue.logic.smtlib.script import Assertion, Script
from holdtrue.logic.smtlib.symbols import symbol_of
from holdtrue.logic.smtlib.typed_terms import BOOL, INT, Call, Function, Let, Literal, Local, Operation, SmtTerm, number
from holdtrue.logic.sorts import EnumSort, Sort

_COMPARISONS = {"<=": "<=", "<": "<", ">=": ">=", ">": ">", "==": "=", "!=": "distinct"}
_INDEX = Local("%index", INT)  # no variable's symbol: `symbols.symbol_of` writes hexadecimal digits after every %


def theory_script(variables: Sequence[f.Variable], formulas: Iterable[f.Formula]) -> Script:
    """The theory as a script: an assertion for the range of each variable, then one for each formula, in order."""
    ranges = [_range(variable) for variable in variables]
    terms = [*ranges, *map(formula_term, formulas)]
    return Script(functions=tuple(map(_function, variables)), assertions=tuple(map(Assertion, terms)))


def theory_text(variables: Sequence[f.Variable], stated: Iterable[tuple[str, f.Formula]]) -> str:
    """The theory as text, with a comment above each formula: the sentence that comes with it.

    Names that no symbol can hold are written as `symbols.symbol_of` does.
    """
    sentences, formulas = [], []
    for sentence, formula in stated:
        sentences.append(sentence)
        formulas.append(formula)
    ranges = [f"{variable.name}: {_values(variable.sort)}" for variable in variables]
    return script_text(theory_script(variables, formulas), [*ranges, *sentences])


def formula_term(formula: f.Formula) -> SmtTerm:
    """The formula as a term of sort Bool, over constants named by `symbols.symbol_of`."""
    match formula:
        case f.Truth():
            return Literal(formula.value, BOOL)
        case f.And() | f.Or():
            return _joined(formula)
        case f.Not():
            return _formula("not", formula.operand)
        case f.Iff() | f.Xor():
            return _formula("=" if isinstance(formula, f.Iff) else "xor", formula.left, formula.right)
        case f.IfThenElse():
            return _formula("ite", formula.condition, formula.then, formula.otherwise)
        case f.Compare():
            return _holds(_COMPARISONS[formula.op], integer_term(formula.left), integer_term(formula.right))
        case f.AllDifferent():
            terms = tuple(map(integer_term, formula.terms))
            return _holds("distinct", *terms) if len(terms) > 1 else Literal(True, BOOL)
        case f.Count():
            ones = [Operation("ite", (formula_term(own), number(1), number(0)), INT) for own in formula.operands]
            return _holds(_COMPARISONS[formula.op], _total(ones), number(formula.bound))
        case Opaque():
            return formula.term
    raise FormulaError(f"not a formula: {formula!r}")


def integer_term(term: f.Term) -> SmtTerm:
    """The term as a term of sort Int."""
    match term:
        case f.Constant():
            return number(term.value)
        case f.Variable():
            return Call(_function(term))
        case f.Sum():
            return _total([_multiple(factor, part) for factor, part in term.parts])
        case f.Abs():
            return Operation("abs", (integer_term(term.inner),), INT)
        case f.Ite():
            branches = integer_term(term.then), integer_term(term.otherwise)
            return Operation("ite", (formula_term(term.condition), *branches), INT)
        case f.Element():
            return Let(((_INDEX, integer_term(term.index)),), _entry(term.table, 0))
    raise FormulaError(f"not a term: {term!r}")


def _function(variable: f.Variable) -> Function:
    return Function(symbol_of(variable.name), (), INT)


def _range(variable: f.Variable) -> SmtTerm:
    return _holds("<=", number(variable.sort.low), Call(_function(variable)), number(variable.sort.high))


def _values(sort: Sort) -> str:
    if isinstance(sort, EnumSort):
        return ", ".join(f"{value} = {label}" for value, label in enumerate(sort.labels))
    return str(sort)


def _holds(op: str, *operands: SmtTerm) -> SmtTerm:
    return Operation(op, operands, BOOL)


def _formula(op: str, *operands: f.Formula) -> SmtTerm:
    return Operation(op, tuple(map(formula_term, operands)), BOOL)


def _joined(formula: f.And | f.Or) -> SmtTerm:
    match formula.operands:
        case ():
            return Literal(isinstance(formula, f.And), BOOL)
        case (only,):
            return formula_term(only)
    return _formula("and" if isinstance(formula, f.And) else "or", *formula.operands)


def _multiple(factor: int, part: f.Term) -> SmtTerm:
    inner = integer_term(part)
    return inner if factor == 1 else Operation("*", (number(factor), inner), INT)


def _total(terms: Sequence[SmtTerm]) -> SmtTerm:
    if len(terms) < 2:
        return terms[0] if terms else number(0)
    return Operation("+", tuple(terms), INT)


def _entry(table: Sequence[int], first: int) -> SmtTerm:
    """The entry at the index, found by halving: a chain of cases would be as deep as the table is long."""
    if len(table) == 1:
        return number(table[0])
    half = len(table) // 2
    below = _holds("<=", _INDEX, number(first + half - 1))
    return Operation("ite", (below, _entry(table[:half], first), _entry(table[half:], first + half)), INT)
