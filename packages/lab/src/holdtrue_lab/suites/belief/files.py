"""This module reads and writes dialogues, one JSON file for each schedule (order of questions)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from holdtrue.errors import DomainError, RecordError
from holdtrue.fields import by_id, expect, field, naming, numbers, texts
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kit.json_file import json_text, read_constraint, read_json, read_label, write_text
from holdtrue_lab.suites.belief import NAME
from holdtrue_lab.suites.belief.generate import LOGIC_TYPE, SUBDOMAIN
from holdtrue_lab.suites.belief.horn_world import HORN_WORLD


def dialogues_file(schedule: str) -> str:
    """Return the name of the file with the dialogues of a schedule."""
    return f"dialogues_{schedule}.json"


def write_dialogues(cases: Iterable[Case], folder: Path) -> list[Path]:
    """Write the dialogues, those of each schedule to one file, and return the files in order.

    The same dialogues give the same bytes. Raises `RecordError` if a file cannot be written.
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
    """Return the text of a schedule's file."""
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


def _constraint(case: Case, constraint: Constraint | None) -> dict[str, Any]:
    if constraint is None:
        raise RecordError(f"{case.id}: a dialogue's premises and questions need constraints to be written")
    return constraint.to_json()


def load_dialogues(source: Path) -> list[Case]:
    """Return the dialogues in a file, or in all files of a folder that are named like dialogue files, in order.

    Raises `RecordError` with the place of the fault, for a repeated id, and if there is no dialogue.
    """
    paths = sorted(source.glob(dialogues_file("*"))) if source.is_dir() else [source]
    found = ((str(path), case) for path in paths for case in _load_file(path))
    usual = dialogues_file("stress")
    nothing = f"{source}: no dialogues here (files such as {usual}); make them by generate belief"
    return list(by_id(found, nothing).values())


def _load_file(path: Path) -> list[Case]:
    value = read_json(path)
    with naming(str(path)):
        return read_dialogues(value)


def read_dialogues(value: object) -> list[Case]:
    """Return the dialogues in the JSON value of a schedule's file; raises `RecordError` with the place of a fault."""
    record = expect(value, dict, "the file")
    suite = field(record, "suite", str, "the file")
    if suite != NAME:
        raise RecordError(f"suite: {suite!r:.60} is not {NAME!r}")
    schedule = field(record, "schedule", str, "the file")
    listed = field(record, "dialogues", list, "the file")
    dialogues: list[Case] = []
    for place, item in enumerate(listed):
        where = f"dialogues[{place}]"
        with naming(where, DomainError):  # the parts are readable, but do not fit together
            dialogues.append(_read_dialogue(item, schedule, where))
    return dialogues


def _read_dialogue(value: object, schedule: str, where: str) -> Case:
    record = expect(value, dict, where)
    atoms = texts(record, "atoms", where)
    with naming(f"{where}.atoms", DomainError):
        instance = HORN_WORLD.instance(atoms)
    premises = [
        _read_premise(instance, item, f"{where}.premises[{place}]")
        for place, item in enumerate(field(record, "premises", list, where))
    ]
    queries: list[Query] = []
    for place, item in enumerate(field(record, "questions", list, where)):
        here = f"{where}.questions[{place}]"
        query = _read_query(instance, item, place, here)
        if any(query.id == before.id for before in queries):
            raise RecordError(f"{here}.id: the question {query.id!r} is there twice")
        queries.append(query)
    if not queries:
        raise RecordError(f"{where}.questions: a dialogue needs at least one")
    return Case(
        id=field(record, "id", str, where),
        suite=NAME,
        domain=schedule,
        subdomain=SUBDOMAIN,
        logic_type=LOGIC_TYPE,
        entities=instance.entities,
        variables=tuple(instance.variables.values()),
        laws=instance.background,
        premises=tuple(premises),
        queries=tuple(queries),
        instance=instance,
    )


def _read_premise(instance: Instance, value: object, where: str) -> Premise:
    record = expect(value, dict, where)
    made = read_constraint(instance, record, where)
    return Premise(field(record, "text", str, where), instance.formula(made), made)


def _read_query(instance: Instance, value: object, place: int, where: str) -> Query:
    record = expect(value, dict, where)
    made = read_constraint(instance, record, where)
    depends_on = numbers(record, "depends_on", where)
    if not all(0 <= before < place for before in depends_on):
        raise RecordError(f"{where}.depends_on: only earlier questions can be named, by their places from 0")
    return Query(
        id=field(record, "id", str, where),
        text=field(record, "text", str, where),
        label=read_label(record, where),
        type=made.type,
        formula=instance.formula(made),
        constraint=made,
        depends_on=depends_on,
    )
