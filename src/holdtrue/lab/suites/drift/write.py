"""Writing DRIFT-Bench problems in the published layout, byte for byte as the published files are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.lab.kinds.assignment.problem import Problem
from holdtrue.lab.suites.drift.load import CONTEXT_FIELDS
from holdtrue.world.instance import Instance


def write_problems(problems: Iterable[Problem], folder: Path) -> list[Path]:
    """Write each problem to its file (in the folder of its split, where it has one); the files, in order.

    The same problems give the same bytes. Raises `RecordError` where a file cannot be written.
    """
    written: list[Path] = []
    for problem in problems:
        place = folder if problem.split is None else folder / problem.split
        path = place / f"{problem.id}.json"
        try:
            place.mkdir(parents=True, exist_ok=True)
            path.write_text(problem_text(problem), encoding="utf-8")
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
        written.append(path)
    return written


def problem_text(problem: Problem) -> str:
    """The text of a problem's file.

    A constraint's `nl` is its published sentence, whatever words the message has for it: it belongs to the label,
    which does not change with the words, and files of one seed differ in their messages alone.
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
