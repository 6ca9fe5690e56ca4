"""Write a search problem as a JSON object of the published CEGVR schema, and read it back.

The fields that the schema lacks stand in `metadata`: `domain`, `difficulty`, `variant`, `base` and `setting`. A
constraint has a `text` where the prompt words it otherwise than as a formula.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from holdtrue.errors import DomainError, RecordError
from holdtrue.fields import choice, expect, field, field_or, naming, texts
from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.lab.suites.cegvr import NAME
from holdtrue.lab.suites.cegvr.notation import notation
from holdtrue.lab.suites.cegvr.schema import formula_to_json, read_formula
from holdtrue.lab.suites.cegvr.structure import DIFFICULTIES, GOLDS, difficulty_of
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort

LINEAR = "linear"
"""The domain of problems that do not name one: all of the original's."""
_OURS = ("domain", "difficulty", "variant", "base", "setting")
_TASKS = {"schedule": "scheduling"}
# A prompt lists variables with commas, and puts a colon behind them and behind a constraint's id.
_NAME = re.compile(r"[^\s,:=]+")


def problem_to_json(problem: SearchProblem) -> dict[str, Any]:
    """Return a problem as a JSON object. Raises `FormulaError` for a constraint that the schema cannot express."""
    ours = {"domain": problem.domain, "difficulty": problem.difficulty}
    if problem.variant:
        ours["variant"] = problem.variant
    if problem.base:
        ours["base"] = problem.base
    setting = {"setting": list(problem.setting)} if problem.setting else {}
    return {
        "problem_id": problem.id,
        "task": _TASKS.get(problem.domain, "math"),
        "ground_truth": problem.gold,
        "variables": [
            {"name": one.name, "domain": "int", "bounds": {"lower": one.sort.low, "upper": one.sort.high}}
            for one in problem.variables
        ],
        "constraints": [_constraint_to_json(constraint) for constraint in problem.constraints],
        "metadata": {**ours, **setting, **problem.metadata},
    }


def _constraint_to_json(constraint: Requirement) -> dict[str, Any]:
    wording = {} if constraint.text == notation(constraint.formula) else {"text": constraint.text}
    return {"constraint_id": constraint.id, **formula_to_json(constraint.formula), **wording}


def read_problem(value: object) -> SearchProblem:
    """Return the problem of a JSON object; raises `RecordError`, which names the field, for whatever is wrong in it."""
    where = "the problem"
    record = expect(value, dict, where)
    variables = _read_variables(field(record, "variables", list, where))
    constraints = _read_constraints(field(record, "constraints", list, where), variables)
    metadata: Mapping[str, Any] = field_or(record, "metadata", dict, where, {})
    variant, base = (field_or(metadata, name, str, "metadata", "") for name in ("variant", "base"))
    if variant and not base:
        raise RecordError(f"metadata.base: missing, and it is {variant!r:.60} of some other problem")
    for name, value in field_or(metadata, "planted", dict, "metadata", {}).items():
        expect(value, int, f"metadata.planted.{name}")
    difficulty = metadata.get("difficulty")
    if difficulty is None:
        difficulty = difficulty_of(tuple(variables.values()), (one.formula for one in constraints))
    return SearchProblem(
        id=field(record, "problem_id", str, where),
        suite=NAME,
        domain=field_or(metadata, "domain", str, "metadata", LINEAR),
        variables=tuple(variables.values()),
        constraints=constraints,
        gold=choice(record.get("ground_truth"), GOLDS, "ground_truth"),
        difficulty=choice(difficulty, DIFFICULTIES, "metadata.difficulty"),
        setting=texts(metadata, "setting", "metadata") if "setting" in metadata else (),
        variant=variant,
        base=base,
        metadata={name: known for name, known in metadata.items() if name not in _OURS},
    )


def _check_name(name: str, others: Mapping[str, object], where: str) -> None:
    if name in others:
        raise RecordError(f"{where}: {name!r:.60} is there twice")
    if not _NAME.fullmatch(name):
        raise RecordError(f"{where}: {name!r:.60} cannot be told: one word is needed, without comma, colon or =")


def _read_variables(listed: list[object]) -> dict[str, Variable]:
    """Read the variables, by name, with their bounds; a boolean becomes an integer that is 0 or 1."""
    variables: dict[str, Variable] = {}
    for at, item in enumerate(listed):
        where = f"variables[{at}]"
        record = expect(item, dict, where)
        name = field(record, "name", str, where)
        _check_name(name, variables, f"{where}.name")
        match record.get("domain", "int"):
            case "bool":
                sort = IntSort(0, 1)
            case "int":
                bounds = field(record, "bounds", dict, where)
                with naming(f"{where}.bounds", DomainError):
                    sort = IntSort(*(field(bounds, end, int, f"{where}.bounds") for end in ("lower", "upper")))
            case other:
                raise RecordError(f"{where}.domain: {other!r:.60} is neither int nor bool")
        variables[name] = Variable(name, sort)
    if not variables:
        raise RecordError("variables: there are none")
    return variables


def _read_constraints(listed: list[object], variables: Mapping[str, Variable]) -> tuple[Requirement, ...]:
    """Read the constraints; one without an id gets its number: c1, c2, ..."""
    constraints: dict[str, Requirement] = {}
    for at, item in enumerate(listed):
        where = f"constraints[{at}]"
        formula = read_formula(item, variables, where)
        record = expect(item, dict, where)
        id = field_or(record, "constraint_id", str, where, f"c{at + 1}")
        _check_name(id, constraints, f"{where}.constraint_id")
        text = field_or(record, "text", str, where, notation(formula))
        if not text.strip():
            raise RecordError(f"{where}.text: it is blank, and the constraint has to be told")
        constraints[id] = Requirement(id, text, formula)
    if not constraints:
        raise RecordError("constraints: there are none, so that any values within the bounds would do")
    return tuple(constraints.values())
