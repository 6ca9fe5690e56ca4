"""Count the witnesses of a theory, up to a bound.

Enumeration without blocking clauses, so that nothing is left behind in a kept engine: each witness splits what is
still open by the value of one variable after the other, and the parts are asked about in turn (as AllSAT solvers
do it by backtracking: Grumberg, Schuster and Yadgar, "Memory efficient all-solutions SAT solver", FMCAD 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Variable
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Satisfiable, Unknown, Witness, WitnessCount

LEAST, GREATEST = "=>=", "=<="
"""The ids of a part's bounds in a question; ids that start with '=' are the engine's (`engine.fixed_id`)."""


@dataclass(frozen=True, slots=True)
class _Part:
    """All assignments with these values, and a value from `low` to `high` for the variable at `place`.

    An end that is None is open.
    """

    pinned: Mapping[str, int]
    place: int
    low: int | None
    high: int | None


def count_witnesses(
    engine: Engine,
    soft: Soft,
    budget: Budget,
    *,
    most: int = 1_000,
    variables: Sequence[str] | None = None,
    fixed: Mapping[str, int] | None = None,
) -> WitnessCount:
    """Return the number of different witnesses of `soft` and the background, exact below `most`.

    With `variables`, the number of different values that witnesses give to these (projected counting). At most
    two questions for each value that is met. Raises `FormulaError` for a variable that the engine does not have.
    """
    known = {variable.name: variable for variable in engine.variables}
    foreign = set(variables or ()) - known.keys()
    if foreign:
        raise FormulaError(f"the engine has no variable {min(foreign)!r}")
    deadline = budget.start()
    fixed = fixed or {}
    names = dict.fromkeys(known if variables is None else variables)
    split = [known[name] for name in names if name not in fixed]
    result = engine.decide(soft, budget, fixed=fixed)
    part = _Part(fixed, 0, *_range(split[0])) if split else _Part(fixed, 0, 0, 0)
    count, parts = 0, list[_Part]()
    while True:
        if isinstance(result, Unknown):
            return WitnessCount(count, False, result.reason)
        if isinstance(result, Satisfiable):
            count += 1
            parts += _others(part, split, result.witness)
        if not parts:
            return WitnessCount(count, True)
        if count >= most:
            return WitnessCount(count, False, f"the bound of {most} was reached")
        part = parts.pop()
        variable = split[part.place]
        question = dict(soft)
        if part.low is not None:
            question[LEAST] = variable >= part.low
        if part.high is not None:
            question[GREATEST] = variable <= part.high
        result = engine.decide(question, budget.until(deadline), fixed=part.pinned)


def _others(part: _Part, split: Sequence[Variable], witness: Witness) -> Iterator[_Part]:
    """The part without the witness, as parts that do not overlap."""
    pinned, low, high = dict(part.pinned), part.low, part.high
    for place, variable in enumerate(split[part.place :], part.place):
        value = witness[variable.name]
        if low is None or low < value:
            yield _Part(pinned.copy(), place, low, value - 1)
        if high is None or value < high:
            yield _Part(pinned.copy(), place, value + 1, high)
        pinned[variable.name] = value
        if place + 1 < len(split):
            low, high = _range(split[place + 1])


def _range(variable: Variable) -> tuple[int | None, int | None]:
    return variable.sort.low, variable.sort.high
