"""Writing dialogues: one JSON file for each schedule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.kinds.labels.case import Case
from holdtrue.lab.kit.json_file import json_text, write_text
from holdtrue.lab.suites.belief import NAME
from holdtrue.world.instance import Constraint


def dialogues_file(schedule: str) -> str:
    """The name of the file that holds the dialogues of a schedule."""
    return f"dialogues_{schedule}.json"


def write_dialogues(cases: Iterable[Case], folder: Path) -> list[Path]:
    """Write the dialogues, each schedule's to its file; the files, in order.

    The same dialogues give the same bytes. Raises `RecordError` where a file cannot be written.
    """
    by_schedule: dict[str, list[Case]] = {}
    for case in cases:
        by_schedule.setdefault(case.domain, []).append(case)
    written: list[Path] = []
    for schedule, dialogues in by_schedule.items():
        path = folder / dialogues_file(schedule)
        write_text(path, dialogues_text(schedule, dialogues))
        written.append(path)
    return written


def dialogues_text(schedule: str, dialogues: Sequence[Case]) -> str:
    """The text of a schedule's file."""
    record = {
        "suite": NAME,
        "schedule": schedule,
        "num_dialogues": len(dialogues),
        "dialogues": list(map(_dialogue, dialogues)),
    }
    return json_text(record)


def _dialogue(case: Case) -> dict[str, Any]:
    return {
        "id": case.id,
        "atoms": case.entities,
        "premises": [{"text": premise.text, **_constraint(case, premise.constraint)} for premise in case.premises],
        "questions": [
            {
                "id": query.id,
                "text": query.text,
                **_constraint(case, query.constraint),
                "label": query.label.value,
                "depends_on": query.depends_on,
            }
            for query in case.queries
        ],
    }


def _constraint(case: Case, made: Constraint | None) -> dict[str, Any]:
    if made is None:
        raise RecordError(f"{case.id}: a dialogue's premises and questions need constraints to be written")
    return made.to_json()
