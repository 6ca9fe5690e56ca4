"""Write a constraint in mathematical notation, as prompts show it unless a problem is reworded.

>>> from holdtrue.logic.formula import AllDifferent, Variable
>>> from holdtrue.logic.sorts import IntSort
>>> a, b = Variable("a", IntSort(0, 9)), Variable("b", IntSort(0, 9))
>>> notation(2 * a - b >= 7)
'2*a - b >= 7'
>>> notation((a + 3 <= b) | AllDifferent((a, b)))
'a - b <= -3 or all_different(a, b)'
"""

from __future__ import annotations

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import NEGATED, AllDifferent, And, Compare, Formula, Not, Or, Sum, linear


def notation(formula: Formula) -> str:
    """Return a formula on one line; a comparison has its variables on the left and its number on the right.

    Raises `FormulaError` for anything but comparisons, all-different, and, or, not.
    """
    match formula:
        case Compare():
            form = linear(formula.left - formula.right)
            left = Sum(tuple((factor, atom) for atom, factor in form.factors))
            return f"{left} {'=' if formula.op == '==' else formula.op} {-form.constant}"
        case Not(operand=Compare(op=op, left=smaller, right=larger)):
            return notation(Compare(NEGATED[op], smaller, larger))
        case AllDifferent():
            return f"all_different({', '.join(map(str, formula.terms))})"
        case Or(operands=(Not(operand=premise), then)):
            return f"if {_part(premise)} then {_part(then)}"
        case And() | Or() if formula.operands:
            return (" and " if isinstance(formula, And) else " or ").join(map(_part, formula.operands))
        case Not():
            return f"not {_part(formula.operand)}"
    raise FormulaError(f"there is no notation for {formula}")


def _part(formula: Formula) -> str:
    """The formula within another one: in parentheses, unless it plainly ends where it ends."""
    text = notation(formula)
    match formula:
        case Compare() | Not(operand=Compare()) | AllDifferent():
            return text
    return f"({text})"
