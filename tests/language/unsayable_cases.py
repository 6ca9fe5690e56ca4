"""Sentences that a domain can or cannot express, and how many are accepted, with the check of words and without it.

A file has one JSON object a line: `id`, `setting`, `names`, `sentence`, `kind`, `plain`, and `categories` or `rooms` if
the setting has them. `read` is a model's reading of the sentence, without the check.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.language.reading import Reading
from holdtrue.language.residual_content import find_tails, hold_to_words
from holdtrue.world.domain import Attribute, AttributeName, ConstraintType, Domain, Entity, Integer, ValueOf
from holdtrue.world.instance import Instance
from holdtrue.world.registry import BUILTIN
from tests.data import read_jsonl

SEATS, SLOTS, LONGEST, DAYS = 10, 12, 6, 7

AGENDA = Domain(
    "agenda",
    attributes=[Attribute("day", low=1, high=DAYS)],
    constraint_types=[
        ConstraintType("on", (Entity(), Integer(1, DAYS)), "{0} is on day {1}", lambda w, a, k: a.day.eq(k)),
        ConstraintType("not_on", (Entity(), Integer(1, DAYS)), "{0} is not on day {1}", lambda w, a, k: a.day.ne(k)),
        ConstraintType(
            "before",
            (Entity(), Entity()),
            "{0} is before {1}",
            lambda w, a, b: a.day < b.day,
            definition="A is on an earlier day than B.",
        ),
        ConstraintType(
            "same",
            (Entity(), Entity()),
            "{0} is on the same day as {1}",
            lambda w, a, b: a.day.eq(b.day),
            symmetric=True,
        ),
        ConstraintType(
            "apart",
            (Entity(), Entity(), Integer(1, DAYS)),
            "{0} and {1} are at least {2} days apart",
            lambda w, a, b, k: abs(a.day - b.day) >= k,
            symmetric=True,
            definition="There are k or more days from A to B, whichever is first.",
        ),
    ],
)


ROOMS = Domain(
    "rooms",
    attributes=lambda context: [Attribute("room", values=tuple(context["rooms"]))],
    constraint_types=[
        ConstraintType(
            "in",
            (Entity(), AttributeName(), ValueOf(1)),
            "{0} is in {1} {2}",
            lambda w, a, name, value: a[name].eq(value),
            definition="E is in the room V.",
        ),
        ConstraintType(
            "not_in",
            (Entity(), AttributeName(), ValueOf(1)),
            "{0} is not in {1} {2}",
            lambda w, a, name, value: a[name].ne(value),
            definition="E is not in the room V.",
        ),
        ConstraintType(
            "share",
            (Entity(), Entity()),
            "{0} shares a room with {1}",
            lambda w, a, b: a.room.eq(b.room),
            symmetric=True,
        ),
        ConstraintType(
            "split",
            (Entity(), Entity()),
            "{0} and {1} are in different rooms",
            lambda w, a, b: a.room.ne(b.room),
            symmetric=True,
        ),
    ],
)


@dataclass(frozen=True)
class Case:
    """A sentence about an instance. `plain` says whether the domain can express it. `read` has its raw readings."""

    id: str
    setting: str
    instance: Instance
    sentence: str
    kind: str
    plain: bool
    read: tuple[tuple[str, tuple[Reading, ...]], ...] | None

    @property
    def before(self) -> list[Reading]:
        """Return the readings without the check."""
        return [reading for _, readings in self.read or () for reading in readings]

    @property
    def after(self) -> list[Reading]:
        """Return the readings after the check."""
        read = self.read or ()
        tails = find_tails([part for part, _ in read])
        return [
            one
            for (part, readings), tail in zip(read, tails, strict=True)
            for one in hold_to_words(self.instance, part, readings, tail)
        ]


def load_cases(file: Path) -> list[Case]:
    """Return the cases of a file."""
    instances: dict[str, Instance] = {}
    cases = []
    for line in read_jsonl(file):
        setting = setting_of(line)
        key = json.dumps(setting, sort_keys=True)
        if key not in instances:
            instances[key] = make_instance(setting)
        instance, read = instances[key], line.get("read")
        parts = None if read is None else tuple(_load_part(instance, part) for part in read)
        cases.append(Case(line["id"], line["setting"], instance, line["sentence"], line["kind"], line["plain"], parts))
    return cases


def setting_of(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a line that describes its instance."""
    return {key: line[key] for key in ("setting", "names", "categories", "rooms") if key in line}


def make_instance(setting: Mapping[str, Any]) -> Instance:
    """Return the instance of a line, with room for every number in its sentences."""
    names = setting["names"]
    match setting["setting"]:
        case "seating":
            return BUILTIN["seating"].instance(names, {"num_entities": SEATS, "table_shape": "rectangular"})
        case "scheduling":
            return BUILTIN["scheduling"].instance(names, {"num_slots": SLOTS, "max_duration": LONGEST})
        case "logic_grid":
            categories = {name: list(values) for name, values in setting["categories"].items()}
            for name, values in categories.items():  # each value has at most one owner
                values += [f"{name} {number}" for number in range(len(values) + 1, len(names) + 1)]
            return BUILTIN["logic_grid"].instance(names, {"categories": categories})
        case "agenda":
            return AGENDA.instance(names)
        case "rooms":
            return ROOMS.instance(names, {"rooms": setting["rooms"]})
    raise ValueError(f"no setting {setting['setting']!r}")


def _load_part(instance: Instance, part: Mapping[str, Any]) -> tuple[str, tuple[Reading, ...]]:
    readings = (
        Reading(
            part["sentence"],
            one["status"],
            instance.constraint(one["type"], one["args"]) if "type" in one else None,
            one["confidence"],
            one.get("reason"),
        )
        for one in part["readings"]
    )
    return part["sentence"], tuple(readings)


def is_accepted(readings: Iterable[Reading]) -> bool:
    """Return whether any reading is certain."""
    return any(reading.status == "accepted" for reading in readings)
