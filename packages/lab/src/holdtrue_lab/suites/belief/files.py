"""This module reads and writes dialogues, one JSON file for each schedule (order of questions)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from holdtrue.errors import InputError, RecordError
from holdtrue.fields import by_id, naming
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.record import Label
from holdtrue.world.instance import Constraint
from holdtrue_lab.kit.json_file import json_text, read_as, read_json, write_text, written_as
from holdtrue_lab.suites.belief import NAME
from holdtrue_lab.suites.belief.generate import LOGIC_TYPE, SUBDOMAIN
from holdtrue_lab.suites.belief.horn_world import HORN_WORLD


@dataclass(frozen=True, slots=True)
class _Premise:
    text: str
    type: str
    args: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Question:
    id: str
    text: str
    type: str
    args: tuple[Any, ...]
    label: Label
    depends_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Dialogue:
    id: str
    atoms: tuple[str, ...]
    premises: tuple[_Premise, ...]
    questions: Annotated[tuple[_Question, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class _File:
    """A `_File` is the content of a file, in the order of its fields."""

    suite: Literal["belief"]
    schedule: str
    num_dialogues: int
    dialogues: tuple[_Dialogue, ...]


def dialogues_file(schedule: str) -> str:
    """Return the name of the file with the dialogues of a schedule."""
    return f"dialogues_{schedule}.json"


def write_dialogues(cases: Iterable[Case], folder: Path) -> list[Path]:
    """Write the dialogues to one file for each schedule, and return the files in order.

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
    return json_text(written_as(_File("belief", schedule, len(dialogues), tuple(map(_written, dialogues)))))


def _written(case: Case) -> _Dialogue:
    premises = tuple(_Premise(own.text, *_stated(case, own.constraint)) for own in case.premises)
    questions = tuple(
        _Question(own.id, own.text, *_stated(case, own.constraint), own.label, own.depends_on) for own in case.queries
    )
    return _Dialogue(case.id, case.entities, premises, questions)


def _stated(case: Case, constraint: Constraint | None) -> tuple[str, tuple[Any, ...]]:
    if constraint is None:
        raise RecordError(f"{case.id}: a dialogue's premises and questions need constraints to be written")
    return constraint.type, constraint.args


def load_dialogues(source: Path) -> list[Case]:
    """Return the dialogues in a file, or in all files of a folder that are named like dialogue files, in order.

    Raises `RecordError` for malformed data, with the place of the fault. Raises it also for a repeated id, and if there
    is no dialogue.
    """
    paths = sorted(source.glob(dialogues_file("*"))) if source.is_dir() else [source]
    usual = dialogues_file("stress")
    nothing = f"{source}: no dialogues here (files such as {usual}); make them by generate belief"
    return list(by_id((found for path in paths for found in _load_file(path)), nothing).values())


def _load_file(path: Path) -> Iterator[tuple[str, Case]]:
    file = read_as(_File, read_json(path), str(path))
    for place, dialogue in enumerate(file.dialogues):
        with naming(f"{path}: dialogues[{place}]", InputError):
            yield str(path), _read(dialogue, file.schedule)


def _read(dialogue: _Dialogue, schedule: str) -> Case:
    instance = HORN_WORLD.instance(dialogue.atoms)
    premises = []
    for place, said in enumerate(dialogue.premises):
        with naming(f"premises[{place}]", InputError):
            made = instance.constraint(said.type, said.args)
        premises.append(Premise(said.text, instance.formula(made), made))
    queries: list[Query] = []
    for place, asked in enumerate(dialogue.questions):
        with naming(f"questions[{place}]", InputError):
            made = instance.constraint(asked.type, asked.args)
        if not all(0 <= before < place for before in asked.depends_on):
            raise RecordError(f"questions[{place}].depends_on: only earlier questions can be named, by places from 0")
        queries.append(
            Query(
                id=asked.id,
                text=asked.text,
                label=asked.label,
                type=made.type,
                formula=instance.formula(made),
                constraint=made,
                depends_on=asked.depends_on,
            )
        )
    return Case(
        id=dialogue.id,
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
