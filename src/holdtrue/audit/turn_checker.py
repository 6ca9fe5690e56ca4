"""Check logged turns one after another: answers that keep everything by evaluation alone, all others as `check` does.

Most turns of a log keep what was agreed, and most logs are about few kinds of worlds under many names. Where a domain
says that its entities can be renamed, one world of numbered entities stands for all of them.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.logic.evaluate import Check, Values
from holdtrue.logic.sorts import EnumSort, within
from holdtrue.record import AnswerStatus, Satisfiability, Trigger, VerdictRecord
from holdtrue.verification.logged_turn import CheckedTurn, check_logged_turn, read_logged_turn
from holdtrue.world.declaration import Entity
from holdtrue.world.domain import Domain
from holdtrue.world.instance import Instance

_MOST_WORLDS, _MOST_CHECKS = 256, 20_000
_LONGEST, _MOST_OBJECTS, _MOST_BITS = 50_000, 60, 64
"""What is longer, has more in it, or is larger, the reader of answers has limits of its own for."""
_SOLUTION = "solution"
_MARK = "\ue000"
"""A character that no name has: it stands before the number of an entity."""
_HOLDS = VerdictRecord(Satisfiability.SAT, AnswerStatus.RESPECTING)
_HOLDS_UNREAD = VerdictRecord(
    Satisfiability.SAT, AnswerStatus.RESPECTING, triggers=(Trigger.CONSTRAINT_EXTRACTION_FAILED,)
)


class Checker:
    """A `Checker` gives the verdicts of `check_logged_turn`; `quick` counts those for which no solver was made."""

    def __init__(
        self, domains: Mapping[str, Domain], default: Domain | None = None, budget: Budget | None = None
    ) -> None:
        self.domains, self.default = domains, default
        self.budget = budget or Budget(timeout_s=5.0)
        self.quick = 0
        self.worlds: OrderedDict[tuple[int, object, str], _World] = OrderedDict()

    def check(self, value: object) -> CheckedTurn:
        """Return the verdict on a logged turn, as JSON values. Raises `RecordError`, which says what does not fit."""
        if isinstance(value, dict) and self._keeps_everything(value):
            self.quick += 1
            verdict = _HOLDS if value["constraints"] else _HOLDS_UNREAD
            return CheckedTurn(str(value.get("id", "")), verdict, None, None, None, None, (), "")
        return check_logged_turn(read_logged_turn(value, self.domains, self.default), self.budget)

    def _keeps_everything(self, turn: dict[str, Any]) -> bool:
        """Return whether an answer is known to keep everything; False also where only the slow way can tell."""
        domain, names, constraints = self._domain(turn), turn.get("entities"), turn.get("constraints")
        if domain is None or turn.get("gold") is not None or not isinstance(constraints, list) or not _are_plain(names):
            return False
        world = self._world(domain, names, turn.get("context"))
        if world is None:
            return False
        values = world.read(turn.get("answer"), names)
        return values is not None and world.keeps(values, constraints, names)

    def _domain(self, turn: dict[str, Any]) -> Domain | None:
        default = self.default
        name = turn.get("domain", default.name if default is not None else None)
        if default is not None and name == default.name:
            return default
        return self.domains.get(name) if isinstance(name, str) else None

    def _world(self, domain: Domain, names: list[str], context: Any) -> _World | None:
        setting = json.dumps(context or {})
        key = (id(domain), len(names) if domain.interchangeable else tuple(names), setting)
        if key in self.worlds:
            self.worlds.move_to_end(key)
            return self.worlds[key]
        if not isinstance(context or {}, dict) or r"\ue000" in setting.lower():
            return None
        known = [f"{_MARK}{place}" for place in range(len(names))] if domain.interchangeable else names
        try:
            world = self.worlds[key] = _World(domain.instance(known, dict(context or {})))
        except InputError:
            return None
        if len(self.worlds) > _MOST_WORLDS:
            self.worlds.popitem(last=False)
        return world


def _are_plain(names: Any) -> TypeGuard[list[str]]:
    """Return whether names of entities are such that no two of them, or of their variables, could be one."""
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        return False
    folded = {name.strip().casefold() for name in names}
    return len(folded) == len(names) and folded.isdisjoint(("", _SOLUTION)) and "." not in "".join(names)


class _World:
    """An instance with closures for all that its turns ask of it; its entities stand for any names, by their place."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._entities = list(instance.entities)
        self._variables = [
            [instance[entity][attribute].name for attribute in instance.attributes] for entity in self._entities
        ]
        self._ranges = [(name, within(variable.sort)) for name, variable in instance.variables.items()]
        self._laws: list[Callable[[Values], bool]] = [axiom.formula.holds for axiom in instance.axioms]
        self._attributes = {name: place for place, name in enumerate(instance.attributes)}
        self._labels = [
            _plain_labels(attribute.sort) if isinstance(attribute.sort, EnumSort) else None
            for attribute in instance.attributes.values()
        ]
        self._checks: dict[tuple[object, ...], Check] = {}

    def keeps(self, values: dict[str, int], constraints: list[Any], names: list[str]) -> bool:
        """Return whether values are in range and keep the laws and constraints, all of which are sound."""
        if not all(values[name] in possible for name, possible in self._ranges):
            return False
        if not all(holds(values) for holds in self._laws):
            return False
        places = {name.strip().casefold(): place for place, name in enumerate(names)}
        named: dict[str, Check] = {}
        for number, own in enumerate(constraints, 1):
            holds = self._check_of(own, places) if isinstance(own, dict) else None
            if holds is None or own.get("turn", 1).__class__ is not int:
                return False
            id = own.get("id")
            id = f"C{number:03d}" if id is None else id
            if id.__class__ not in (str, int) or id == "" or named.setdefault(str(id), holds) is not holds:
                return False
            if not holds(values):
                return False
        return True

    def _check_of(self, constraint: dict[str, Any], places: Mapping[str, int]) -> Check | None:
        """Return the closure of a constraint, or None for one that is not plainly sound."""
        kind, args = constraint.get("type"), constraint.get("args")
        known = self._instance.types.get(kind) if isinstance(kind, str) else None
        if known is None or not isinstance(args, list) or len(args) != len(known.arguments):
            return None
        own: list[object] = []
        for argument, arg in zip(known.arguments, args, strict=True):
            if isinstance(argument, Entity):
                place = places.get(arg.strip().casefold()) if isinstance(arg, str) else None
                if place is None:
                    return None
                arg = self._entities[place]
            if arg.__class__ not in (str, int):
                return None
            own.append(arg)
        key = (kind, *own)
        if key not in self._checks:
            try:
                made = self._instance.canonical(self._instance.constraint(known.name, tuple(own)))
            except InputError:
                return None
            if len(self._checks) >= _MOST_CHECKS:
                self._checks.clear()
            self._checks[key] = self._instance.formula(made).holds
        return self._checks[key]

    def read(self, answer: Any, names: list[str]) -> dict[str, int] | None:
        """Return the value of every variable that an answer gives in plain words; None where it is not so plain."""
        if isinstance(answer, str):
            answer = _object_in(answer)
        if isinstance(answer, dict) and len(answer) == 1 and _SOLUTION in answer:
            answer = answer[_SOLUTION]
        if not isinstance(answer, dict):
            return None
        variables, values = dict(zip(names, self._variables, strict=True)), dict[str, int]()
        for name, row in answer.items():
            if len(self._labels) == 1:
                row = {next(iter(self._attributes)): row}
            if name not in variables or not isinstance(row, dict):
                return None
            for attribute, given in row.items():
                place = self._attributes.get(attribute)
                if place is None:
                    return None
                labels = self._labels[place]
                value = given if labels is None else labels.get(given) if isinstance(given, str) else None
                if value.__class__ is not int or value.bit_length() > _MOST_BITS:
                    return None
                values[variables[name][place]] = value
        return values if len(values) == len(self._ranges) else None


def _plain_labels(sort: EnumSort) -> dict[str, int]:
    """Return the values of labels that an answer can only mean as they are written."""
    return {label: at for at, label in enumerate(sort.labels) if label == label.strip() and sort.index(label) == at}


def _object_in(text: str) -> Any:
    """Return the one object that a text holds, where it is JSON that repeats no key; else None.

    Prose around it may have no bracket and nothing that looks like thinking, so that `read_answer` finds the same.
    """
    start, end = text.find("{"), text.rfind("}") + 1
    if len(text) > _LONGEST or text.count("{") > _MOST_OBJECTS:
        return None
    if start < 0 or end <= start or "\\" in text or "[" in text or "]" in text or "<" in text:
        return None
    chunk = text[start:end]
    try:
        found = json.loads(chunk)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and chunk.count('"') == 2 * _texts_in(found) else None


def _texts_in(found: dict[str, Any]) -> int:
    """Return how many texts stand in an object; one with more has a key twice."""
    inner = sum(1 if isinstance(own, str) else _texts_in(own) if isinstance(own, dict) else 0 for own in found.values())
    return len(found) + inner
