"""Reading DRIFT-Bench problems in the published layout: one `<domain>_NNN.json` a problem."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdtrue.domains.answer import Assignment
from holdtrue.domains.instance import Constraint, Instance
from holdtrue.domains.reader import read_assignment
from holdtrue.domains.registry import BUILTIN
from holdtrue.errors import ConstraintError, DomainError, RecordError
from holdtrue.suites.problem import Problem, ProblemTurn

SUITE = "drift"
SPLITS = ("dev", "test")
# Where each domain's setting stands in a problem's file; `num_entities` is written for all of them.
CONTEXT_FIELDS: Mapping[str, tuple[str, ...]] = {
    "seating": ("num_entities", "table_shape"),
    "scheduling": ("num_slots", "max_duration"),
    "logic_grid": ("categories",),
}


def load_problems(folder: Path) -> list[Problem]:
    """The problems in `folder`, `folder/dev` and `folder/test`, in the order of their ids.

    Raises `RecordError`, naming file and field, for what cannot be read, for an id met twice, and where there
    is no problem at all.
    """
    problems: dict[str, Problem] = {}
    for path in problem_files(folder):
        problem = load_problem(path)
        if problem.id in problems:
            raise RecordError(f"{path}: problem_id: {problem.id!r} was already read from another file")
        problems[problem.id] = problem
    if not problems:
        raise RecordError(f"{folder}: no problems here, in dev/ or in test/ (files such as seating_000.json)")
    return [problems[id] for id in sorted(problems)]


def problem_files(folder: Path) -> list[Path]:
    """The files in `folder`, `folder/dev` and `folder/test` that are named like problems, in order."""
    places = (folder, *(folder / split for split in SPLITS))
    return [path for place in places for domain in CONTEXT_FIELDS for path in sorted(place.glob(f"{domain}_*.json"))]


def load_problem(path: Path) -> Problem:
    """One problem's file; raises `RecordError` naming file and field."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from error
    try:
        return read_problem(value)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error


def read_problem(value: object) -> Problem:
    """A problem from its JSON form; raises `RecordError` naming the field."""
    record = _expect(value, dict, "the problem", "an object")
    domain = _expect(record.get("domain"), str, "domain", "a name")
    if domain not in CONTEXT_FIELDS:
        raise RecordError(f"domain: {domain!r} is none of {', '.join(CONTEXT_FIELDS)}")
    entities = _expect(record.get("entities"), list, "entities", "a list of names")
    for entity in entities:
        _expect(entity, str, "entities", "a list of names")
    context = {field: record[field] for field in CONTEXT_FIELDS[domain] if field in record}
    try:
        instance = BUILTIN[domain].instance(entities, context)
    except DomainError as error:
        raise RecordError(f"setting: {error}") from error
    split = record.get("split")
    return Problem(
        id=_expect(record.get("problem_id"), str, "problem_id", "a name"),
        suite=SUITE,
        domain=domain,
        entities=tuple(entities),
        context=context,
        turns=_read_turns(instance, _expect(record.get("turns"), list, "turns", "a list")),
        split=None if split is None else _expect(split, str, "split", "a name"),
    )


def _read_turns(instance: Instance, turns: list[object]) -> tuple[ProblemTurn, ...]:
    read: list[ProblemTurn] = []
    said: list[Constraint] = []
    for number, value in enumerate(turns, 1):
        where = f"turns[{number - 1}]"
        turn = _expect(value, dict, where, "an object")
        if turn.get("turn_number") != number:
            raise RecordError(f"{where}.turn_number: expected {number}, got {turn.get('turn_number')!r:.40}")
        new = _read_constraints(instance, turn.get("new_constraints"), f"{where}.new_constraints")
        said += new
        if "cumulative_constraints" in turn:
            place = f"{where}.cumulative_constraints"
            if _read_constraints(instance, turn["cumulative_constraints"], place) != said:
                raise RecordError(f"{place}: not the new constraints of all turns so far")
        message = _expect(turn.get("user_message"), str, f"{where}.user_message", "a text")
        gold = tuple(made.to_json() for made in new)
        read.append(ProblemTurn(number, message, gold, _read_witness(instance, turn.get("gold_solution"), where)))
    return tuple(read)


def _read_constraints(instance: Instance, value: object, where: str) -> list[Constraint]:
    made: list[Constraint] = []
    for index, item in enumerate(_expect(value, list, where, "a list")):
        place = f"{where}[{index}]"
        record = _expect(item, dict, place, "an object")
        kind = _expect(record.get("type"), str, f"{place}.type", "a name")
        args = _expect(record.get("args"), list, f"{place}.args", "a list")
        try:
            made.append(instance.constraint(kind, args))
        except ConstraintError as error:
            raise RecordError(f"{place}: {error}") from error
    return made


def _read_witness(instance: Instance, value: object, where: str) -> dict[str, int] | None:
    if value is None:
        return None
    read = read_assignment(instance, value)
    if not isinstance(read, Assignment) or read.foreign or len(read.values) != len(instance.variables):
        raise RecordError(f"{where}.gold_solution: does not give every variable a value")
    return dict(read.values)


def _expect(value: object, kind: type, where: str, words: str) -> Any:
    if not isinstance(value, kind):
        raise RecordError(f"{where}: {words} is needed, got {value!r:.60}")
    return value
