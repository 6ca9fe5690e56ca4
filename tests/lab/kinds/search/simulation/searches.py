"""Search problems for simulated searchers, and prompts about them."""

from __future__ import annotations

from typing import Any

from holdtrue.kinds.search.problem import Gold, Requirement, SearchProblem
from holdtrue.kinds.search.prompts import SearchPrompt, SearchSignal
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.models.chat import Reply, Request
from holdtrue_lab.kinds.search.simulation.model import SimulatedSearcher

X1, X2, X3 = X = tuple(Variable(f"x{place}", IntSort(-2, 4)) for place in range(1, 4))
GIVEN = {"x1": 1, "x2": -2, "x3": 4}


def problem(id: str, *formulas: Formula, gold: Gold = "sat", setting: tuple[str, ...] = ()) -> SearchProblem:
    constraints = tuple(Requirement(f"c{place}", str(each), each) for place, each in enumerate(formulas, start=1))
    return SearchProblem(id, "cegvr", "linear", X, constraints, gold, "easy", setting)


SOLVABLE = problem("sat", (X1 + X2).eq(5), X2 - X3 >= 2, X1 + X3 >= 0, setting=("Find values.", "Each is a height."))
IMPOSSIBLE = problem("unsat", X1 + X2 >= 7, X2 + X3 >= 7, (X1 + X2 + X3) <= 8, gold="unsat")
LOOSE = problem("loose", X1 + X2 >= -4)


def asked(of: SearchProblem, feedback: SearchSignal | None = None, **more: Any) -> SearchPrompt:
    bounds = tuple((variable.name, variable.sort.low, variable.sort.high) for variable in of.variables)
    texts = tuple((each.id, each.text) for each in of.constraints)
    return SearchPrompt("direct", of.setting, bounds, texts, feedback, **more)


async def reply(model: SimulatedSearcher, prompt: SearchPrompt, sample: int = 0, seed: int = 42) -> Reply:
    return await model.complete(Request(prompt.messages(), purpose="candidate", seed=seed, sample=sample))
