"""Write constraints in English, each in one of several wordings with exactly the same meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from holdtrue.errors import FormulaError
from holdtrue.lab.kit.words import Number, listed
from holdtrue.logic.formula import (
    NEGATED,
    TURNED,
    AllDifferent,
    And,
    Compare,
    Comparison,
    Formula,
    Not,
    Or,
    Term,
    linear,
)

_COMPARED: Mapping[Comparison, Sequence[str]] = {
    ">=": ("is at least {}", "is not less than {}", "must not be below {}"),
    "<=": ("is at most {}", "is not more than {}", "must not be above {}"),
    "==": ("is equal to {}", "is exactly {}", "has to be {}"),
    "<": ("is less than {}", "has to be below {}"),
    ">": ("is more than {}", "has to be above {}"),
    "!=": ("is not {}", "must differ from {}"),
}
_DIFFERENT = ("{} all differ", "no two of {} have the same value", "{} have different values throughout")
_TWO_DIFFERENT = ("{} differ", "{} do not have the same value")
_ANY = ("at least one of these holds: {}", "one of these is true, or more of them: {}")
_ALL = ("all of these hold: {}", "each of these is true: {}")
_IF = ("if {premise}, then {then}", "whenever {premise}, also {then}")


def word(formula: Formula, rng: Random) -> str:
    """Return a formula in words; `rng` chooses among the wordings.

    Raises `FormulaError` for anything but comparisons of sums, all-different, and, or, not.
    """
    match formula:
        case Compare():
            return _compared(formula, rng)
        case Not(operand=Compare(op=op, left=left, right=right)):
            return _compared(Compare(NEGATED[op], left, right), rng)
        case AllDifferent(terms=terms) if len(terms) > 1:
            return rng.choice(_DIFFERENT if len(terms) > 2 else _TWO_DIFFERENT).format(listed([*map(str, terms)]))
        case Or(operands=(Not(operand=premise), then)):
            return rng.choice(_IF).format(premise=_part(premise, rng), then=_part(then, rng))
        case And(operands=operands) | Or(operands=operands) if operands:
            frame = rng.choice(_ALL if isinstance(formula, And) else _ANY)
            return frame.format("; ".join(_part(operand, rng) for operand in operands))
        case Not():
            return f"it is not true that {_part(formula.operand, rng)}"
    raise FormulaError(f"there are no words for {formula}")


def _part(formula: Formula, rng: Random) -> str:
    """The formula within another one: in parentheses where it has parts itself."""
    text = word(formula, rng)
    match formula:
        case Compare() | Not(operand=Compare()) | AllDifferent():
            return text
    return f"({text})"


def _compared(formula: Compare, rng: Random) -> str:
    """A comparison of sums: all variables on the left, or those with a minus on the right, where they have none."""
    form = linear(formula.left - formula.right)
    op, number, factors = formula.op, -form.constant, form.factors
    if factors and all(factor < 0 for _, factor in factors):
        op, number, factors = TURNED[op], -number, tuple((atom, -factor) for atom, factor in factors)
    words = rng.choice(_COMPARED[op])
    spelled = rng.random() < 0.5
    added = [_times(factor, atom, spelled) for atom, factor in factors if factor > 0]
    taken = [_times(-factor, atom, spelled) for atom, factor in factors if factor < 0]
    if not taken and len(added) > 1 and rng.random() < 0.5:
        return f"the sum of {listed(added)} {words.format(number)}"
    if taken and rng.random() < 0.5:
        left = [*added, str(-number)] if number < 0 else added
        right = [*taken, str(number)] if number > 0 else taken
        return f"{' plus '.join(left)} {words.format(' plus '.join(right))}"
    left_side = " minus ".join([" plus ".join(added), *taken]) or "0"
    return f"{left_side} {words.format(number)}"


def _times(factor: int, atom: Term, spelled: bool) -> str:
    """So many times a variable, in digits or in words."""
    if factor == 1:
        return str(atom)
    if factor == 2 and spelled:
        return f"twice {atom}"
    return f"{Number(factor, spelled)} times {atom}"
