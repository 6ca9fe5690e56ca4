"""This module proves gold labels, each by two independent solvers, and measures the structure of problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import get_args

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.extras import need
from holdtrue.kinds.search.problem import Difficulty, Gold, SearchProblem
from holdtrue.logic.formula import Compare, Formula, Variable, linear
from holdtrue.logic.node import Node
from holdtrue.solving.engine import Engine, EngineFault, Soft
from holdtrue.solving.result import Satisfiable, Unknown, Unsatisfiable, Witness
from holdtrue.solving.route import make_engine

LINEAR = "linear"
"""The domain of problems that name no domain, such as all published problems."""
GOLDS: tuple[Gold, ...] = get_args(Gold)
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
EASY, MEDIUM = 14, 22
"""The largest sizes of easy problems, and of medium ones."""


def size(variables: Sequence[Variable], formulas: Iterable[Formula]) -> int:
    """Return the size of a problem: its numbers of variables and constraints, with equations counted twice.

    The published measure of difficulty also includes the solver's time.
    """
    return len(variables) + sum(2 if isinstance(one, Compare) and one.op == "==" else 1 for one in formulas)


def difficulty_of(variables: Sequence[Variable], formulas: Iterable[Formula]) -> Difficulty:
    """Return the difficulty of a problem, which follows from its size."""
    found = size(variables, formulas)
    if found <= EASY:
        return "easy"
    return "medium" if found <= MEDIUM else "hard"


def widest_sum(formulas: Iterable[Formula]) -> int:
    """Return the largest number of variables in one comparison."""
    return max((len(linear(one.left - one.right).factors) for one in _comparisons(formulas)), default=0)


def _comparisons(formulas: Iterable[Formula]) -> Iterator[Compare]:
    """Yield every comparison, including those within other formulas."""
    stack: list[Node] = list(formulas)
    while stack:
        node = stack.pop()
        if isinstance(node, Compare):
            yield node
        stack += node.children


def tally(problems: Sequence[SearchProblem]) -> str:
    """Return a line with the numbers of sat and unsat problems by difficulty, and the sizes of smallest MUSes.

    >>> tally([])
    '0 sat, 0 unsat'
    """
    parts: list[str] = []
    for gold in GOLDS:
        own = [problem for problem in problems if problem.gold == gold]
        bins = Counter(problem.difficulty for problem in own)
        counts = ", ".join(f"{bins[name]} {name}" for name in DIFFICULTIES if bins[name])
        parts.append(f"{len(own)} {gold}" + (f" ({counts})" if counts else ""))
    sizes = Counter(size for problem in problems if isinstance(size := problem.metadata.get("smallest_mus"), int))
    if sizes:
        found = ", ".join(f"{size} ({count})" for size, count in sorted(sizes.items()))
        parts.append(f"smallest MUSes of {found} constraints")
    return ", ".join(parts)


def golds(count: int, sat_ratio: float) -> Iterator[Gold]:
    """Yield the labels of `count` problems; raises `SettingsError` for impossible numbers."""
    if count < 1 or not 0 <= sat_ratio <= 1:
        raise SettingsError("there has to be one problem at least, and a share of satisfiable ones between 0 and 1")
    satisfiable = 0
    for index in range(count):
        more = floor((index + 1) * sat_ratio + 0.5) > satisfiable
        satisfiable += more
        yield "sat" if more else "unsat"


DENSE = 5
"""If a sum has so many variables, CP-SAT replaces the SAT solver."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The label on which two provers agree; `by` names them. For a sat label, `witness` is from the first prover."""

    gold: Gold
    by: tuple[str, str]
    witness: Witness | None


def prove(variables: Sequence[Variable], formulas: Mapping[str, Formula]) -> Proof:
    """Decide twice whether the formulas can all hold within the variables' bounds.

    The provers are SAT and z3. If a sum has `DENSE` variables, or a formula is too large for SAT, CP-SAT replaces SAT.
    Raises `SettingsError` if CP-SAT is needed and not installed, and `EngineFault` if the two provers disagree.
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
        if engine.name != "z3":  # for formulas that are too large for clauses, `make_engine` chooses z3
            return "sat", found
    need("the proof of a sum of many variables", "ortools")
    return "cp-sat", decided(make_engine(variables, prefer="cp-sat"), formulas)


def decided(engine: Engine, formulas: Soft, fixed: Mapping[str, int] | None = None) -> Witness | None:
    """Return a witness with the `fixed` values, or None if there is none.

    Raises `EngineFault` if the engine cannot decide.
    """
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

    Raises `EngineFault` if the provers find the other label, or the planted solution is wrong.
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

    Faults are a refuted label, a wrong planted solution, and a difficulty that does not fit the size. For a rewritten
    problem, a missing original and a different label are faults too.
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
