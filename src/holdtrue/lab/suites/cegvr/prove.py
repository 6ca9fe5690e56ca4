"""Prove gold labels, each by two solvers that have nothing in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.budget import UNLIMITED
from holdtrue.kinds.search.problem import Gold, SearchProblem
from holdtrue.lab.suites.cegvr.enumeration import first_assignment
from holdtrue.lab.suites.cegvr.structure import widest_sum
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Engine, EngineFault, Soft
from holdtrue.solving.result import Satisfiable, Unknown, Unsatisfiable, Witness
from holdtrue.solving.route import has_cpsat, make_engine

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
