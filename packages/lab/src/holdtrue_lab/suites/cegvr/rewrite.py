"""This module rewrites problems so that their solutions stay the same; a robust model solves them equally often.

- `scaled`: Every linear constraint is multiplied by a random number from 2 to 5.
- `permuted`: The constraints are reordered and numbered anew: the old c4 may become c1.
- `renamed`: The variables get names of another scheme and keep their bounds.
- `reworded`: The constraints are stated in words. The formulas stay the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Literal, get_args

from holdtrue.errors import FormulaError, SettingsError
from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.logic import formula as logic
from holdtrue.logic.variable_names import renamed
from holdtrue_lab.kit.words import Number, listed
from holdtrue_lab.suites.cegvr.files import notation
from holdtrue_lab.suites.cegvr.prove import proved

_COMPARED: Mapping[logic.Comparison, Sequence[str]] = {
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


def word(formula: logic.Formula, rng: Random) -> str:
    """Return a formula in words; `rng` chooses among the wordings.

    Raises `FormulaError` if the formula has other parts than comparisons of sums, all-different, and, or, not.
    """
    match formula:
        case logic.Compare():
            return _compared(formula, rng)
        case logic.Not(operand=logic.Compare(op=op, left=left, right=right)):
            return _compared(logic.Compare(logic.NEGATED[op], left, right), rng)
        case logic.AllDifferent(terms=terms) if len(terms) > 1:
            return rng.choice(_DIFFERENT if len(terms) > 2 else _TWO_DIFFERENT).format(listed([*map(str, terms)]))
        case logic.Or(operands=(logic.Not(operand=premise), then)):
            return rng.choice(_IF).format(premise=_part(premise, rng), then=_part(then, rng))
        case logic.And(operands=operands) | logic.Or(operands=operands) if operands:
            frame = rng.choice(_ALL if isinstance(formula, logic.And) else _ANY)
            return frame.format("; ".join(_part(operand, rng) for operand in operands))
        case logic.Not():
            return f"it is not true that {_part(formula.operand, rng)}"
    raise FormulaError(f"there are no words for {formula}")


def _part(formula: logic.Formula, rng: Random) -> str:
    """Return the words of an operand, in parentheses if it has operands itself."""
    text = word(formula, rng)
    match formula:
        case logic.Compare() | logic.Not(operand=logic.Compare()) | logic.AllDifferent():
            return text
    return f"({text})"


def _compared(formula: logic.Compare, rng: Random) -> str:
    """Return a comparison of sums in words; negative terms may move to the right side."""
    form = logic.linear(formula.left - formula.right)
    op, number, factors = formula.op, -form.constant, form.factors
    if factors and all(factor < 0 for _, factor in factors):
        op, number, factors = logic.TURNED[op], -number, tuple((atom, -factor) for atom, factor in factors)
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


def _times(factor: int, atom: logic.Term, spelled: bool) -> str:
    if factor == 1:
        return str(atom)
    if factor == 2 and spelled:
        return f"twice {atom}"
    return f"{Number(factor, spelled)} times {atom}"


Family = Literal["scaled", "permuted", "renamed", "reworded"]
FAMILIES: tuple[Family, ...] = get_args(Family)

_LETTERS = ("x", "y", "v", "n", "p", "k")
_WORDS = (
    "apples", "books", "chairs", "doors", "eggs", "forks", "gloves", "hats", "inks", "jars", "keys", "lamps", "maps",
    "nails", "oars", "pens", "quilts", "ropes", "spoons", "tables", "urns", "vases", "wheels", "yarns",
)  # fmt: skip

_NAMES_CONSTRAINTS = ("mus", "slack")
"""These metadata name constraints or their scale, so they are not valid for a rewritten problem."""


def rewrite(problem: SearchProblem, family: str, seed: int) -> SearchProblem:
    """Return the problem, rewritten in the way `family`; its label is proved again. Equal seeds give equal problems.

    Raises `SettingsError` for an unknown family, and for a problem that is rewritten already. Raises `EngineFault` if
    the label has changed, which would be a bug.
    """
    if family not in FAMILIES:
        raise SettingsError(f"there is no family of rewritings {family!r}; there are {', '.join(FAMILIES)}")
    if problem.variant:
        raise SettingsError(f"{problem.id} is {problem.variant} already; rewrite {problem.base} instead")
    rng = Random(f"{problem.id}~{family}/{seed}")
    known = {name: value for name, value in problem.metadata.items() if name not in _NAMES_CONSTRAINTS}
    made = _REWRITINGS[family](replace(problem, metadata=known), rng)
    return proved(replace(made, id=f"{problem.id}~{family}", variant=family, base=problem.id))


def _scale(problem: SearchProblem, rng: Random) -> SearchProblem:
    def scaled(constraint: Requirement) -> Requirement:
        comparison = constraint.formula
        if not isinstance(comparison, logic.Compare):
            return constraint
        factor = rng.randint(2, 5)
        formula = logic.Compare(comparison.op, _multiple(comparison.left, factor), _multiple(comparison.right, factor))
        return Requirement(constraint.id, notation(formula), formula)

    return replace(problem, constraints=tuple(map(scaled, problem.constraints)))


def _multiple(term: logic.Term, factor: int) -> logic.Term:
    match term:
        case logic.Constant():
            return logic.Constant(factor * term.value)
        case logic.Sum():
            return logic.Sum(tuple((factor * own, part) for own, part in term.parts))
    return logic.Sum(((factor, term),))


def _permute(problem: SearchProblem, rng: Random) -> SearchProblem:
    places = list(range(len(problem.constraints)))
    while len(places) > 1 and places == sorted(places):
        rng.shuffle(places)
    return replace(
        problem,
        constraints=tuple(
            replace(problem.constraints[place], id=here.id)
            for place, here in zip(places, problem.constraints, strict=True)
        ),
    )


def _rename(problem: SearchProblem, rng: Random) -> SearchProblem:
    names = _new_names(problem, rng)

    def rename_in(text: str) -> str:
        return re.sub(r"\w+", lambda found: names.get(found[0], found[0]), text)

    def requirement(constraint: Requirement) -> Requirement:
        formula: logic.Formula = renamed(constraint.formula, names)
        return Requirement(constraint.id, notation(formula), formula)

    metadata = dict(problem.metadata)
    if "planted" in metadata:
        metadata["planted"] = {names[name]: value for name, value in metadata["planted"].items()}
    return replace(
        problem,
        variables=tuple(logic.Variable(names[variable.name], variable.sort) for variable in problem.variables),
        constraints=tuple(map(requirement, problem.constraints)),
        setting=tuple(map(rename_in, problem.setting)),
        metadata={**metadata, "names": names},
    )


def _new_names(problem: SearchProblem, rng: Random) -> dict[str, str]:
    """Return new names by old names: numbered letters in the order of the variables, or words for few variables."""
    old = [variable.name for variable in problem.variables]
    schemes = [[f"{letter}{number}" for number, _ in enumerate(old, start=1)] for letter in _LETTERS]
    if len(old) <= len(_WORDS):
        schemes.append(rng.sample(_WORDS, len(old)))
    free = [new for new in schemes if not set(new) & set(old)]
    if not free:
        raise SettingsError(f"{problem.id} has variables of every name that others could be called by")
    return dict(zip(old, rng.choice(free), strict=True))


def _reword(problem: SearchProblem, rng: Random) -> SearchProblem:
    constraints = tuple(replace(constraint, text=word(constraint.formula, rng)) for constraint in problem.constraints)
    return replace(problem, constraints=constraints)


_REWRITINGS: Mapping[str, Callable[[SearchProblem, Random], SearchProblem]] = {
    "scaled": _scale,
    "permuted": _permute,
    "renamed": _rename,
    "reworded": _reword,
}
