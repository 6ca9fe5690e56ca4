"""Reading DRIFT-Bench problems in the published layout: one `<domain>_NNN.json` a problem."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdtrue.errors import DomainError, RecordError
from holdtrue.lab.kinds.assignment.problem import Problem, ProblemTurn
from holdtrue.lab.kit.fields import expect, field, read_constraint, texts
from holdtrue.lab.kit.json_file import read_json
from holdtrue.lab.suites.drift import NAME
from holdtrue.world.answer import Assignment
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.reader import read_assignment
from holdtrue.world.registry import BUILTIN

SPLITS = ("dev", "test")
# Where each domain's setting stands in a problem's file; `num_entities` is written for all of them.
CONTEXT_FIELDS: Mapping[str, tuple[str, ...]] = {
    "seating": ("num_entities", "table_shape"),
    "scheduling": ("num_slots", "max_duration"),
    "logic_grid": ("categories",),
}
_SUMMED = "cumulative_constraints"


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
    value = read_json(path)
    try:
        return read_problem(value)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error


def read_problem(value: object) -> Problem:
    """A problem from its JSON form; raises `RecordError` naming the field."""
    where = "the problem"
    record = expect(value, dict, where)
    domain = field(record, "domain", str, where)
    if domain not in CONTEXT_FIELDS:
        raise RecordError(f"domain: {domain!r} is none of {', '.join(CONTEXT_FIELDS)}")
    entities = texts(record, "entities", where)
    context = {name: record[name] for name in CONTEXT_FIELDS[domain] if name in record}
    try:
        instance = BUILTIN[domain].instance(entities, context)
    except DomainError as error:
        raise RecordError(f"setting: {error}") from error
    return Problem(
        id=field(record, "problem_id", str, where),
        suite=NAME,
        domain=domain,
        entities=entities,
        context=context,
        turns=_read_turns(instance, field(record, "turns", list, where)),
        split=None if record.get("split") is None else field(record, "split", str, where),
    )


def _read_turns(instance: Instance, turns: list[object]) -> tuple[ProblemTurn, ...]:
    read: list[ProblemTurn] = []
    said: list[Constraint] = []
    for number, value in enumerate(turns, 1):
        where = f"turns[{number - 1}]"
        turn = expect(value, dict, where)
        if turn.get("turn_number") != number:
            raise RecordError(f"{where}.turn_number: expected {number}, got {turn.get('turn_number')!r:.40}")
        new = _read_constraints(instance, turn, "new_constraints", where)
        said += new
        if _SUMMED in turn and said != _read_constraints(instance, turn, _SUMMED, where):
            raise RecordError(f"{where}.{_SUMMED}: not the new constraints of all turns so far")
        message = field(turn, "user_message", str, where)
        gold = tuple(made.to_json() for made in new)
        read.append(ProblemTurn(number, message, gold, _read_witness(instance, turn.get("gold_solution"), where)))
    return tuple(read)


def _read_constraints(instance: Instance, turn: Mapping[str, Any], name: str, where: str) -> list[Constraint]:
    listed = field(turn, name, list, where)
    return [read_constraint(instance, item, f"{where}.{name}[{place}]") for place, item in enumerate(listed)]


def _read_witness(instance: Instance, value: object, where: str) -> dict[str, int] | None:
    if value is None:
        return None
    read = read_assignment(instance, value)
    if not isinstance(read, Assignment) or read.foreign or len(read.values) != len(instance.variables):
        raise RecordError(f"{where}.gold_solution: does not give every variable a value")
    return dict(read.values)
