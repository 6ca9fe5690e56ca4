"""Prove gold labels, each by two solvers that have nothing in common: one of them tries all values.

A comparison of sums cuts a branch as soon as no values of the variables that are still open can make it true; any
other formula is evaluated once its last variable has a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.budget import UNLIMITED
from holdtrue.kinds.search.problem import Gold, SearchProblem
from holdtrue.logic.formula import Compare, Formula, Variable, linear
from holdtrue.logic.sorts import bounded
from holdtrue.solving.engine import Engine, EngineFault, Soft
from holdtrue.solving.result import Satisfiable, Unknown, Unsatisfiable, Witness
from holdtrue.solving.route import has_cpsat, make_engine
from holdtrue_lab.suites.cegvr.schema import LINEAR
from holdtrue_lab.suites.cegvr.structure import difficulty_of, widest_sum


class _Sum:
    """A bounded sum, `low <= sum of factor * variable <= high`, with what variables without a value can still add."""

    def __init__(self, factors: Mapping[str, int], low: float, high: float, order: Sequence[Variable]) -> None:
        self.factors = [factors.get(variable.name, 0) for variable in order]
        self.low, self.high = low, high
        self.least, self.most = [0], [0]
        """At each place, the least and the most that the variables from there on add."""
        for factor, variable in zip(reversed(self.factors), reversed(order), strict=True):
            ends = sorted(factor * end for end in bounded(variable.sort))
            self.least.insert(0, self.least[0] + ends[0])
            self.most.insert(0, self.most[0] + ends[1])

    def possible(self, total: int, place: int) -> bool:
        """Return whether the sum can still be within its bounds, if the variables before `place` add up to `total`."""
        return total + self.most[place] >= self.low and total + self.least[place] <= self.high


def first_assignment(variables: Sequence[Variable], formulas: Iterable[Formula]) -> Witness | None:
    """Return the lexicographically first values, in the variables' order, with which all formulas hold, or None."""
    sums: list[_Sum] = []
    due: list[list[Formula]] = [[] for _ in range(len(variables) + 1)]
    places = {variable.name: place for place, variable in enumerate(variables, start=1)}
    for formula in formulas:
        found = _as_sum(formula, variables)
        if found is not None:
            sums.append(found)
        else:
            due[max((places[variable.name] for variable in formula.variables), default=0)].append(formula)
    values: dict[str, int] = {}

    def extend(place: int, totals: Sequence[int]) -> bool:
        if not all(one.possible(total, place) for one, total in zip(sums, totals, strict=True)):
            return False
        if not all(formula.holds(values) for formula in due[place]):
            return False
        if place == len(variables):
            return True
        variable = variables[place]
        for value in variable.sort.values:
            values[variable.name] = value
            if extend(place + 1, [total + one.factors[place] * value for one, total in zip(sums, totals, strict=True)]):
                return True
        return False

    return values if extend(0, [0] * len(sums)) else None


def _as_sum(formula: Formula, order: Sequence[Variable]) -> _Sum | None:
    """A comparison of variables as a sum between two ends; None for anything else."""
    if not isinstance(formula, Compare) or formula.op == "!=":
        return None
    form = linear(formula.left - formula.right)
    factors: dict[str, int] = {}
    for atom, factor in form.factors:
        if not isinstance(atom, Variable):
            return None
        factors[atom.name] = factor
    strict = 1 if formula.op in ("<", ">") else 0
    low = -form.constant + strict if formula.op in (">=", ">", "==") else float("-inf")
    high = -form.constant - strict if formula.op in ("<=", "<", "==") else float("inf")
    return _Sum(factors, low, high, order)


DENSE = 5
"""From this number of variables in a sum on, CP-SAT or enumeration takes the place of the SAT solver."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The label that two provers, named in `by`, agree on, and the first one's witness if there is one."""

    gold: Gold
    by: tuple[str, str]
    witness: Witness | None


def prove(variables: Sequence[Variable], formulas: Mapping[str, Formula]) -> Proof:
    """Decide twice whether the formulas can all hold within the variables' bounds.

    The two provers are SAT and z3. If a sum has `DENSE` variables, or something is too large for SAT, they are CP-SAT
    and z3, or, if CP-SAT is not installed, enumeration and z3. Raises `EngineFault` if the two disagree.
    """
    name, first = _without_z3(variables, formulas)
    second = decided(make_engine(variables, prefer="z3"), formulas)
    if (first is None) is not (second is None):
        raise EngineFault(f"{name} finds {_gold(first)}, z3 {_gold(second)}: {'; '.join(map(str, formulas.values()))}")
    return Proof(_gold(first), (name, "z3"), first)


def _without_z3(variables: Sequence[Variable], formulas: Mapping[str, Formula]) -> tuple[str, Witness | None]:
    if widest_sum(formulas.values()) < DENSE:
        engine = make_engine(variables)
        found = decided(engine, formulas)
        if engine.name != "z3":  # where something is too large for clauses, as dense sums are
            return "sat", found
    if has_cpsat():
        return "cp-sat", decided(make_engine(variables, prefer="cp-sat"), formulas)
    return "enumeration", first_assignment(variables, list(formulas.values()))


def decided(engine: Engine, formulas: Soft, fixed: Mapping[str, int] | None = None) -> Witness | None:
    """A witness with the `fixed` values, or None where there is none; raises `EngineFault` where nobody can tell."""
    match engine.decide(formulas, UNLIMITED, fixed=fixed):
        case Satisfiable(witness=witness):
            return witness
        case Unsatisfiable():
            return None
        case Unknown(reason=reason):
            raise EngineFault(f"{engine.name} has no answer, with all the time that it needs: {reason}")


def _gold(witness: Witness | None) -> Gold:
    return "unsat" if witness is None else "sat"


def proved(problem: SearchProblem) -> SearchProblem:
    """Prove a problem's label again, and return it with the names of the two provers in its metadata (`proved_by`).

    Raises `EngineFault` if they find the other label, or the planted solution is none.
    """
    found = prove(problem.variables, problem.formulas)
    if found.gold != problem.gold:
        raise EngineFault(f"{problem.id} was made to be {problem.gold}, and is {found.gold}")
    planted = problem.metadata.get("planted")
    if planted is not None and not problem.is_solution(planted):
        raise EngineFault(f"{problem.id}: what was planted does not satisfy it: {planted}")
    return replace(problem, metadata={**problem.metadata, "proved_by": list(found.by)})


def faults(problems: Sequence[SearchProblem]) -> Iterator[str]:
    """Yield a line for each fault.

    Faults are a label that two provers refute, a planted solution that is none, a difficulty that does not fit the
    size, and a rewritten problem whose original is missing or has the other label.
    """
    by_id = {problem.id: problem for problem in problems}
    for problem in problems:
        found = prove(problem.variables, problem.formulas)
        if found.gold != problem.gold:
            yield f"{problem.id}: ground_truth is {problem.gold}, proved {found.gold} ({' and '.join(found.by)})"
        planted = problem.metadata.get("planted")
        if planted is not None and not problem.is_solution(planted):
            yield f"{problem.id}: what is planted does not satisfy it"
        size = difficulty_of(problem.variables, problem.formulas.values())
        if problem.domain == LINEAR and problem.difficulty != size:
            yield f"{problem.id}: its difficulty is {problem.difficulty}, by its size {size}"
        base = by_id.get(problem.base) if problem.variant else problem
        if base is None:
            yield f"{problem.id}: its original {problem.base!r} is not there"
        elif base.gold != problem.gold:
            yield f"{problem.id}: ground_truth is {problem.gold}, that of its original {base.id} is {base.gold}"
