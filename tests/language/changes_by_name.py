"""Play changes by name in real sessions: some commitments, one message, and the expected commitments after it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue import (
    Attribute,
    AttributeName,
    ConstraintType,
    Domain,
    Entity,
    Instance,
    Integer,
    ScriptModel,
    Session,
    ValueOf,
)
from holdtrue.logic import Not
from holdtrue.world.registry import BUILTIN

AGENDA = Domain(
    "agenda",
    attributes=[Attribute("day", low=1, high=7)],
    constraint_types=[
        ConstraintType(
            "on",
            (Entity(), Integer(1, 7)),
            "{0} is on day {1}",
            lambda week, a, day: a.day.eq(day),
            wordings=("{0} takes place on day {1}", "the day of {0} is {1}"),
        ),
        ConstraintType(
            "not_on",
            (Entity(), Integer(1, 7)),
            "{0} is not on day {1}",
            lambda week, a, day: a.day.ne(day),
            wordings=("{0} does not take place on day {1}",),
        ),
        ConstraintType(
            "before",
            (Entity(), Entity()),
            "{0} is before {1}",
            lambda week, a, b: a.day < b.day,
            wordings=("{0} is earlier than {1}", "{1} is after {0}"),
        ),
        ConstraintType(
            "same",
            (Entity(), Entity()),
            "{0} is on the same day as {1}",
            lambda week, a, b: a.day.eq(b.day),
            symmetric=True,
            wordings=("{0} and {1} are on the same day",),
        ),
        ConstraintType(
            "apart",
            (Entity(), Entity(), Integer(1, 6)),
            "{0} and {1} are at least {2} days apart",
            lambda week, a, b, gap: abs(a.day - b.day) >= gap,
            symmetric=True,
            wordings=("there are at least {2} days between {0} and {1}",),
        ),
    ],
)


def _rooms(rooms: Sequence[str]) -> Domain:
    return Domain(
        "rooms",
        attributes=[Attribute("room", values=rooms)],
        constraint_types=[
            ConstraintType(
                "in",
                (Entity(), AttributeName(), ValueOf(1)),
                "{0} is in {2}",
                lambda house, a, _, room: a.room.eq(room),
            ),
            ConstraintType(
                "not_in",
                (Entity(), AttributeName(), ValueOf(1)),
                "{0} is not in {2}",
                lambda house, a, _, room: a.room.ne(room),
            ),
            ConstraintType(
                "share",
                (Entity(), Entity()),
                "{0} shares a room with {1}",
                lambda house, a, b: a.room.eq(b.room),
                symmetric=True,
                wordings=("{0} and {1} are in the same room", "{0} and {1} share a room"),
            ),
            ConstraintType(
                "split",
                (Entity(), Entity()),
                "{0} and {1} are in different rooms",
                lambda house, a, b: Not(a.room.eq(b.room)),
                symmetric=True,
                wordings=("{0} does not share a room with {1}",),
            ),
        ],
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a case: the removed and new sentences, and the reasons why sentences were not used.

    `wrong`: something is gone that must not be, or is new that must not be. `exact`: all is as it must be.
    """

    gone: tuple[str, ...]
    new: tuple[str, ...]
    reasons: tuple[str, ...]
    wrong: bool
    exact: bool


def read_cases(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def play(case: dict[str, Any]) -> Outcome:
    """Agree to each sentence in one turn, play the message, and compare the commitments before and after."""
    instance = make_instance(case)
    values = dict.fromkeys(instance.variables, 1)
    answer = json.dumps({"solution": {name: {} for name in values}})
    with Session(
        instance, model=ScriptModel(lambda request: answer), method="direct", extractor="templates"
    ) as session:
        for sentence in case["agreed"]:
            before = len(session.ledger.active)
            session.ask(f"{sentence}.")
            if len(session.ledger.active) != before + 1:
                raise ValueError(f"{case['id']}: {sentence!r} could not be agreed")
        held = [one.constraint for one in session.ledger.active.values()]
        record = session.ask(case["message"])
        now = [one.constraint for one in session.ledger.active.values()]
    tell = instance.sentence
    gone = tuple(tell(one) for one in held if one not in now)
    new = tuple(tell(one) for one in now if one not in held)
    must_go = {tell(held[number - 1]) for number in case["gone"]}
    must_come = {tell(_canonical(instance, sentence)) for sentence in case["new"]}
    return Outcome(
        gone,
        new,
        tuple(reading.reason for reading in record.readings if reading.reason),
        wrong=not (must_go.issuperset(gone) and must_come.issuperset(new)),
        exact=must_go == set(gone) and must_come == set(new),
    )


def make_instance(case: dict[str, Any]) -> Instance:
    """Return the setting of a case, with the rooms of its sentences."""
    names = list(case["names"])
    match case["setting"]:
        case "agenda":
            return AGENDA.instance(names)
        case "rooms":
            sentences = [*case["agreed"], *case["new"]]
            return _rooms(case.get("rooms") or _find_rooms(names, sentences)).instance(names)
        case str(setting):
            return BUILTIN[setting].instance(names, case.get("context"))
        case other:
            raise ValueError(f"unknown setting {other!r}")


def _find_rooms(names: Sequence[str], sentences: Iterable[str]) -> list[str]:
    rooms: dict[str, None] = {}
    for sentence in sentences:
        for name in sorted(names, key=len, reverse=True):
            found = re.fullmatch(rf"{re.escape(name)} is (?:not )?in (.+)", sentence)
            if found:
                rooms[found[1]] = None
                break
    return [*rooms, *(room for room in ("Somewhere", "Elsewhere") if room not in rooms)]


def _canonical(instance: Instance, sentence: str) -> Any:
    from holdtrue.language.matching import match_sentence

    made = match_sentence(instance, sentence)
    if made is None:
        raise ValueError(f"{sentence!r} is no sentence of {instance.domain.name}")
    return instance.canonical(made)
