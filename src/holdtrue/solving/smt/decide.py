"""One script, decided by z3 in this process: the part of the work that runs inside the worker."""

from __future__ import annotations

import math
from typing import Any

import z3

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.logic.smtlib.script import Script
from holdtrue.logic.smtlib.typed_terms import Function
from holdtrue.solving.smt.messages import structure_to_json
from holdtrue.solving.smt.model import structure_of
from holdtrue.solving.smt.translate import Translator

Answer = dict[str, Any]


def decide_script(script: Script, budget: Budget) -> Answer:
    """`{"sat": structure}`, `{"core": indices}` or `{"unknown": reason}`, in a z3 context of the script's own."""
    deadline = budget.start()
    context = z3.Context()
    sorts = {sort.name: z3.DeclareSort(f"sort {index}", context) for index, sort in enumerate(script.sorts)}
    functions: dict[str, Any] = {}

    def apply(function: Function, operands: Any) -> Any:
        declared = functions[function.name]
        return declared(*operands) if operands else declared

    translator = Translator(context, apply, sorts)
    for index, function in enumerate(script.functions):
        functions[function.name] = _declare(f"function {index}", function, translator)
    for definition in script.definitions:
        translator.define(definition)
    assertions = [translator.term(assertion.formula) for assertion in script.assertions]
    # z3's strongest procedures do not work under assumptions: they give the verdict, assumptions only the core.
    solver = z3.Solver(ctx=context)
    solver.add(*assertions)
    verdict = _ask(solver, budget, deadline)
    if verdict == z3.unknown:
        return {"unknown": _reason(solver, deadline)}
    if verdict == z3.sat:
        return {"sat": structure_to_json(structure_of(solver.model(), script, sorts, functions), script)}
    return _core(context, assertions, budget, deadline)


def _declare(name: str, function: Function, translator: Translator) -> Any:
    result = translator.sort(function.result)
    if not function.arguments:
        return z3.Const(name, result)
    return z3.Function(name, *map(translator.sort, function.arguments), result)


def _core(context: Any, assertions: list[Any], budget: Budget, deadline: Deadline) -> Answer:
    """Which of the assertions, impossible together, already are: all where time does not allow for fewer."""
    solver = z3.SimpleSolver(ctx=context)
    trackers = [z3.Bool(f"assertion {index}", context) for index in range(len(assertions))]
    for tracker, assertion in zip(trackers, assertions, strict=True):
        solver.add(z3.Implies(tracker, assertion))
    verdict = _ask(solver, budget, deadline, *trackers)
    if verdict == z3.sat:
        return {"unknown": "z3 contradicts itself: impossible at first, then not"}
    if verdict == z3.unknown:
        return {"core": list(range(len(assertions)))}
    core = {tracker.get_id() for tracker in solver.unsat_core()}
    return {"core": [index for index, tracker in enumerate(trackers) if tracker.get_id() in core]}


def _ask(solver: Any, budget: Budget, deadline: Deadline, *assumed: Any) -> Any:
    left = deadline.remaining_s
    if left is not None:
        if left <= 0:
            return z3.unknown
        solver.set("timeout", math.ceil(1000 * left))
    if budget.conflicts is not None:
        solver.set("max_conflicts", budget.conflicts)
    return solver.check(*assumed)


def _reason(solver: Any, deadline: Deadline) -> str:
    if deadline.passed:
        return OUT_OF_TIME
    return f"z3 gave up: {solver.reason_unknown()}"
