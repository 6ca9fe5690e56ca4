"""This module reads and writes DRIFT-Bench problems in the published layout. Each has a file `<domain>_NNN.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from holdtrue.budget import UNLIMITED
from holdtrue.errors import DomainError, RecordError
from holdtrue.fields import by_id, expect, field, naming, texts
from holdtrue.solving.result import Satisfiable
from holdtrue.solving.route import make_engine
from holdtrue.verification.correctness import satisfies
from holdtrue.world.answer import Assignment
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.reader import read_assignment
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.kinds.assignment.problem import Problem, ProblemTurn
from holdtrue_lab.kit.json_file import read_constraint, read_json, write_text
from holdtrue_lab.suites.drift import NAME

SPLITS = ("dev", "test")
# The fields of a problem's file with the setting of its domain; `num_entities` is written for all domains.
CONTEXT_FIELDS: Mapping[str, tuple[str, ...]] = {
    "seating": ("num_entities", "table_shape"),
    "scheduling": ("num_slots", "max_duration"),
    "logic_grid": ("categories",),
}
_SUMMED = "cumulative_constraints"


def load_problems(folder: Path, split: str | None = None) -> list[Problem]:
    """Return the problems of a folder, or only those of a split, in the order of their ids.

    Raises `RecordError` for malformed data, with file and field. Raises it also for a repeated id, and if there is no
    problem.
    """
    files = [path for name, own in files_by_split(folder).items() if split in (None, name) for path in own]
    found = ((str(path), load_problem(path)) for path in files)
    wanted = f"{split}/" if split else "dev/ or in test/"
    problems = by_id(found, f"{folder}: no problems here, in {wanted} (files such as seating_000.json)")
    return [problems[id] for id in sorted(problems)]


def files_by_split(folder: Path) -> dict[str, list[Path]]:
    """Return the files that are named like problems, by their splits; "" is the folder itself.

    The folder may also be the root of the repository that published the problems. A folder that is named like a split
    is this split.
    """
    published = folder / "data" / "problems"
    if published.is_dir() and not _named_like_problems(folder):
        folder = published
    own = folder.name if folder.name in SPLITS else ""
    places = {own: folder, **{split: folder / split for split in SPLITS if split != own}}
    return {split: found for split, place in places.items() if (found := _named_like_problems(place))}


def problem_files(folder: Path) -> list[Path]:
    """Return the files in `folder`, `folder/dev` and `folder/test` that are named like problems, in order."""
    return [path for own in files_by_split(folder).values() for path in own]


def _named_like_problems(place: Path) -> list[Path]:
    return [path for domain in CONTEXT_FIELDS for path in sorted(place.glob(f"{domain}_*.json"))]


def problem_faults(folder: Path) -> tuple[int, list[str]]:
    """Return how many turns were checked, and a line for each fault in a problem, which names the file.

    A turn is right if its witness satisfies all constraints so far, or a solver finds another one.
    """
    turns, faults = 0, list[str]()
    for path in problem_files(folder):
        try:
            problem = load_problem(path)
        except RecordError as error:
            faults.append(str(error))
            continue
        instance = problem.make_instance()
        engine = make_engine(list(instance.variables.values()), instance.background)
        new, said = problem.gold_by_turn(instance), list[Constraint]()
        for turn in problem.turns:
            turns, said = turns + 1, [*said, *new[turn.number]]
            if turn.witness is not None and satisfies(instance, said, turn.witness):
                continue
            formulas = {str(place): instance.formula(own) for place, own in enumerate(said)}
            if turn.witness is not None:
                faults.append(f"{path}, turn {turn.number}: the gold solution breaks a constraint")
            elif not isinstance(engine.decide(formulas, UNLIMITED), Satisfiable):
                faults.append(f"{path}, turn {turn.number}: the constraints cannot all be true")
    return turns, faults


def load_problem(path: Path) -> Problem:
    """Return the problem in a file; raises `RecordError` with file and field."""
    value = read_json(path)
    with naming(str(path)):
        return read_problem(value)


def read_problem(value: object) -> Problem:
    """Return the problem of a JSON value; raises `RecordError` with the field."""
    where = "the problem"
    record = expect(value, dict, where)
    domain = field(record, "domain", str, where)
    if domain not in CONTEXT_FIELDS:
        raise RecordError(f"domain: {domain!r} is none of {', '.join(CONTEXT_FIELDS)}")
    entities = texts(record, "entities", where)
    context = {name: record[name] for name in CONTEXT_FIELDS[domain] if name in record}
    with naming("setting", DomainError):
        instance = BUILTIN[domain].instance(entities, context)
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


def write_problems(problems: Iterable[Problem], folder: Path) -> list[Path]:
    """Write each problem to a file and return the files in order. A problem with a split goes into the split's folder.

    The same problems give the same bytes. Raises `RecordError` if a file cannot be written.
    """
    written: list[Path] = []
    for problem in problems:
        place = folder if problem.split is None else folder / problem.split
        written.append(place / f"{problem.id}.json")
        write_text(written[-1], problem_text(problem))
    return written


def problem_text(problem: Problem) -> str:
    """Return the text of a problem's file.

    The field `nl` of a constraint is its published sentence, even if the message words it differently. So the files of
    one seed with different wordings differ only in their messages.
    """
    instance = problem.make_instance()
    record: dict[str, Any] = {
        "problem_id": problem.id,
        "domain": problem.domain,
        "num_entities": problem.context.get("num_entities", len(problem.entities)),
        "entities": problem.entities,
        "turns": _turns_json(problem, instance),
    }
    record |= {key: problem.context[key] for key in CONTEXT_FIELDS[problem.domain] if key in problem.context}
    if problem.split is not None:
        record["split"] = problem.split
    return json.dumps(record, separators=(",", ":"))


def _turns_json(problem: Problem, instance: Instance) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = []
    turns: list[dict[str, Any]] = []
    stated = problem.gold_by_turn(instance)
    for turn in problem.turns:
        new = [{**made.to_json(), "nl": instance.sentence(made)} for made in stated[turn.number]]
        said = said + new
        record: dict[str, Any] = {
            "turn_number": turn.number,
            "user_message": turn.message,
            "new_constraints": new,
            "cumulative_constraints": said,
        }
        if turn.witness is not None:
            record["gold_solution"] = instance.render_answer(turn.witness)
        turns.append({**record, "is_satisfiable": True})
    return turns
