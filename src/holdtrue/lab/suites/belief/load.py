"""Reading dialogues as `write` writes them."""

from __future__ import annotations

from pathlib import Path

from holdtrue.errors import DomainError, RecordError
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.lab.kit.fields import expect, field, numbers, read_constraint, read_label, texts
from holdtrue.lab.kit.json_file import read_json
from holdtrue.lab.suites.belief import NAME
from holdtrue.lab.suites.belief.generate import LOGIC_TYPE, SUBDOMAIN
from holdtrue.lab.suites.belief.horn_world import HORN_WORLD
from holdtrue.lab.suites.belief.write import dialogues_file
from holdtrue.world.instance import Instance


def load_dialogues(source: Path) -> list[Case]:
    """The dialogues in a file, or in all files of a folder that are named like theirs, in order.

    Raises `RecordError`, naming file and place, for what cannot be read, for an id met twice, and where there is no
    dialogue at all.
    """
    dialogues: dict[str, Case] = {}
    for path in dialogue_files(source) if source.is_dir() else [source]:
        for case in _load_file(path):
            if case.id in dialogues:
                raise RecordError(f"{path}: id: the dialogue {case.id!r} is there twice")
            dialogues[case.id] = case
    if not dialogues:
        raise RecordError(
            f"{source}: no dialogues here (files such as {dialogues_file('stress')}); make them by generate belief"
        )
    return list(dialogues.values())


def dialogue_files(folder: Path) -> list[Path]:
    """The files of a folder that are named like files of dialogues, in order."""
    return sorted(folder.glob(dialogues_file("*")))


def _load_file(path: Path) -> list[Case]:
    value = read_json(path)
    try:
        return read_dialogues(value)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error


def read_dialogues(value: object) -> list[Case]:
    """Dialogues from the JSON form of a schedule's file; raises `RecordError` naming the place."""
    record = expect(value, dict, "the file")
    suite = field(record, "suite", str, "the file")
    if suite != NAME:
        raise RecordError(f"suite: {suite!r:.60} is not {NAME!r}")
    schedule = field(record, "schedule", str, "the file")
    listed = field(record, "dialogues", list, "the file")
    dialogues: list[Case] = []
    for place, item in enumerate(listed):
        where = f"dialogues[{place}]"
        try:
            dialogues.append(_read_dialogue(item, schedule, where))
        except DomainError as error:  # each part can be read, and together they cannot be meant
            raise RecordError(f"{where}: {error}") from error
    return dialogues


def _read_dialogue(value: object, schedule: str, where: str) -> Case:
    record = expect(value, dict, where)
    try:
        instance = HORN_WORLD.instance(texts(record, "atoms", where))
    except DomainError as error:
        raise RecordError(f"{where}.atoms: {error}") from error
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
