"""Formulas in plain English, for those that come without a sentence of their domain.

>>> from holdtrue.logic.formula import Variable, at_most
>>> from holdtrue.logic.sorts import EnumSort, IntSort
>>> ann, bob = (Variable(f"{name}.day", IntSort(1, 5)) for name in ("Ann", "Bob"))
>>> shift = Variable("Ann.shift", EnumSort("shift", ("Early", "Late")))
>>> say((ann <= bob - 2) | shift.ne(1))
'Ann.day is at most Bob.day - 2 or Ann.shift is not Late'
>>> say(shift.eq(1).implies(abs(ann - bob) >= 2), lambda variable: variable.name.replace(".", "'s "))
"if Ann's shift is Late then the difference between Ann's day and Bob's day is at least 2"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import (
    NEGATED,
    TURNED,
    Abs,
    AllDifferent,
    And,
    Compare,
    Comparison,
    Constant,
    Count,
    Element,
    Formula,
    Iff,
    IfThenElse,
    Ite,
    Linear,
    Not,
    Or,
    Sum,
    Term,
    Truth,
    Variable,
    Xor,
    linear,
    term_range,
)
from holdtrue.logic.opaque import Opaque
from holdtrue.logic.sorts import EnumSort

Name = Callable[[Variable], str]

_IS: dict[Comparison, str] = {
    "<=": "is at most",
    "<": "is less than",
    ">=": "is at least",
    ">": "is more than",
    "==": "is",
    "!=": "is not",
}
# Named values stand in a list; they are not more or less than each other.
_COMES: dict[Comparison, str] = {
    "<=": "does not come after",
    "<": "comes before",
    ">=": "does not come before",
    ">": "comes after",
    "==": "is",
    "!=": "is not",
}
# Beside what is no plain value.
_EQUALS: dict[Comparison, str] = {"==": "equals", "!=": "differs from"}
_SO_MANY: dict[Comparison, str] = {
    "<=": "at most",
    "<": "fewer than",
    ">=": "at least",
    ">": "more than",
    "==": "exactly",
    "!=": "any number but",
}


def say(formula: Formula, name: Name = str) -> str:
    """What the formula says, without a full stop. `name` tells what its variables are called."""
    return _Words(name).formula(formula)


class _Words:
    def __init__(self, name: Name) -> None:
        self._name = name

    def formula(self, formula: Formula) -> str:
        formula = _plain(formula)
        match formula:
            case Truth():
                return "true" if formula.value else "false"
            case Compare():
                return self._compare(formula)
            case AllDifferent():
                return self._different(formula.terms, "different", "all different")
            case Not(operand=AllDifferent(terms=terms)):
                return self._different(terms, "the same", "not all different")
            case Or(operands=(Not(operand=premise), then)):
                return f"if {self._part(premise)} then {self._part(then)}"
            case And(operands=(one, other)):
                return f"{self._part(one)} and {self._part(other)}"
            case Or(operands=(one, other)):
                return f"{self._part(one)} or {self._part(other)}"
            case And():
                return self._listed("all of", formula.operands)
            case Or():
                return self._listed("at least one of", formula.operands)
            case Not(operand=And(operands=operands)):
                return self._listed("not all of", operands)
            case Not(operand=Or(operands=operands)):
                return self._listed("none of", operands)
            case Iff():
                return f"{self._part(formula.left)} if and only if {self._part(formula.right)}"
            case Xor():
                return f"either {self._part(formula.left)} or {self._part(formula.right)}, but not both"
            case IfThenElse():
                condition, yes, no = map(self._part, (formula.condition, formula.then, formula.otherwise))
                return f"if {condition} then {yes}, otherwise {no}"
            case Count():
                return self._listed(f"{_SO_MANY[formula.op]} {formula.bound} of", formula.operands)
            case Opaque():
                return formula.text  # in its own language: what could be said in words needed no such text
            case Not(operand=Opaque(text=text)):
                return f"not {text}"
        raise FormulaError(f"not a formula: {formula!r}")

    def _part(self, formula: Formula) -> str:
        """The formula as a part of another: in parentheses where that alone tells where it ends."""
        text = self.formula(formula)
        match _plain(formula):
            case Truth() | Compare() | AllDifferent() | Not(operand=AllDifferent()) | Opaque():
                return text
        return f"({text})"

    def _listed(self, words: str, operands: Iterable[Formula]) -> str:
        return f"{words}: {'; '.join(map(self._part, operands)) or 'nothing'}"

    def _different(self, terms: Sequence[Term], two: str, more: str) -> str:
        *others, last = [self._side(term) for term in terms]
        return f"{', '.join(others)} and {last} are {two if len(terms) == 2 else more}"

    def _compare(self, formula: Compare) -> str:
        op, left, right = formula.op, _flat(formula.left), _flat(formula.right)
        if isinstance(left, Constant) and not isinstance(right, Constant):
            op, left, right = TURNED[op], right, left
        sort = left.sort if isinstance(left, Variable) and isinstance(left.sort, EnumSort) else None
        words = (_IS if sort is None else _COMES)[op]
        if not isinstance(right, Constant):
            words = _EQUALS.get(op, words)
        return f"{self._side(left)} {words} {self._side(right, sort)}"

    def _side(self, term: Term, sort: EnumSort | None = None) -> str:
        """A term that stands by itself, in words; its integers are values of `sort`."""
        term = _flat(term)
        match term:
            case Constant():
                return str(term) if sort is None else sort.show(term.value)
            case Abs(inner=inner):
                match linear(inner):
                    case Linear(factors=((Variable() as one, 1), (Variable() as other, -1)), constant=0):
                        return f"the difference between {self._name(one)} and {self._name(other)}"
                return f"the absolute value of {self._inside(inner)}"
            case Ite():
                then, otherwise = self._side(term.then, sort), self._side(term.otherwise, sort)
                return f"({then} if {self._part(term.condition)}, otherwise {otherwise})"
            case Element():
                return f"the entry for {self._inside(term.index)} in {self._table(term)}"
        return self._inside(term)

    def _inside(self, term: Term) -> str:
        """A term among others, as short as it can be."""
        term = _flat(term)
        match term:
            case Variable():
                return self._name(term)
            case Sum():
                return term.written(self._inside)
            case Abs():
                return f"|{self._inside(term.inner)}|"
            case Element():
                return f"{self._table(term)}[{self._inside(term.index)}]"
        return self._side(term)

    def _table(self, element: Element) -> str:
        """The entries that can be meant, each behind the value of the index."""
        low, high = term_range(element.index)
        index = element.index
        show = index.sort.show if isinstance(index, Variable) else str
        return f"({', '.join(f'{show(at)}: {element.table[at]}' for at in range(low, high + 1))})"


def _flat(term: Term) -> Term:
    """The term without sums of sums, its number last."""
    if not isinstance(term, Sum):
        return term
    form = linear(term)
    parts: list[tuple[int, Term]] = [(factor, atom) for atom, factor in form.factors]
    if not parts:
        return Constant(form.constant)
    if form.constant:
        parts.append((1, Constant(form.constant)))
    return parts[0][1] if len(parts) == 1 and parts[0][0] == 1 else Sum(tuple(parts))


def _plain(formula: Formula) -> Formula:
    """The formula without what needs no words: negations that have an opposite, a connective of one operand."""
    match formula:
        case And(operands=(only,)) | Or(operands=(only,)):
            return _plain(only)
        case And(operands=()) | Or(operands=()):
            return Truth(isinstance(formula, And))
        case AllDifferent(terms=terms) if len(terms) < 2:
            return Truth(True)
        case Not():
            return _opposite(_plain(formula.operand))
    return formula


def _opposite(formula: Formula) -> Formula:
    match formula:
        case Truth():
            return Truth(not formula.value)
        case Not():
            return formula.operand
        case Compare():
            return Compare(NEGATED[formula.op], formula.left, formula.right)
        case Count():
            return Count(NEGATED[formula.op], formula.bound, formula.operands)
        case Iff():
            return Xor(formula.left, formula.right)
        case Xor():
            return Iff(formula.left, formula.right)
        case IfThenElse():
            return IfThenElse(formula.condition, Not(formula.then), Not(formula.otherwise))
    return Not(formula)
