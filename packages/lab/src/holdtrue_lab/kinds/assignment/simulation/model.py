"""Simulated models for the drift suite: they understand the domains' own wording, and fail at given rates.

Their faults are known, so that one can test whether a method or a measurement finds them. Under protocol `upstream`
they have to guess the setting from the second turn on, as any model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.models.chat import Reply, Request
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kinds.assignment.simulation.answering import answer, criticise
from holdtrue_lab.kinds.assignment.simulation.misreading import Reader
from holdtrue_lab.kinds.assignment.simulation.names import Character, read_name
from holdtrue_lab.kinds.assignment.simulation.view import AnswerTask, ChooseTask, CritiqueTask, ReadTask, view
from holdtrue_lab.kinds.assignment.simulation.world import World
from holdtrue_lab.kit.simulation.model import LOST, FormatTask, Latest, Simulated, drawn_anew, make_reply, tidied


class SimulatedModel(Simulated[Character]):
    """A simulated model; the annotations of a reply name the faults that changed it."""

    def __init__(self, character: Character) -> None:
        super().__init__(character)
        self._readers: Latest[Reader] = Latest()

    def reply(self, request: Request) -> Reply:
        task, character = view(request.messages), self.character
        match task:
            case AnswerTask():
                sample = drawn_anew(request, character.effect("greedy"), character.seed)
                bound = request.schema is not None
                made = answer(self._reader(task.instance), task, sample, bound=bound)
                return make_reply(request, made.text, made.injected, made.kind)
            case CritiqueTask():
                found = criticise(self._reader(task.about.instance), task, request.sample)
                return make_reply(request, _json({"ok": not found, "problems": found}))
            case ReadTask():
                return make_reply(request, *_report(self._reader(task.instance), task, request.schema))
            case ChooseTask():
                return make_reply(request, *_choose(self._reader(task.instance), task))
            case FormatTask():
                return make_reply(request, tidied(task.response, character.effect("tidy"), character.seed))
        return make_reply(request, LOST)

    def _reader(self, instance: Instance) -> Reader:
        return self._readers.get(instance.setup_lines(), lambda: Reader(World(instance), self.character))


def open_simulated(name: str, base_url: str | None = None) -> SimulatedModel:
    """The simulated model of that name (`names`); raises `SettingsError`."""
    if base_url is not None:
        raise SettingsError(f"{name}: a simulated model runs without a server, so it takes no base URL")
    return SimulatedModel(read_name(name))


def _report(reader: Reader, task: ReadTask, schema: Mapping[str, Any] | None) -> tuple[str, tuple[str, ...]]:
    """Return a reply with the constraints of a text, behind the words that the schema asks for."""
    understood = reader.read(task.text, task.taken_back)
    stated = [made.to_json() for each in understood for made in each.reported]
    reply: dict[str, Any] = {name: task.text for name in _words_asked(schema)}
    injected = dict.fromkeys(each.fault for each in understood if each.fault)
    return _json({**reply, "constraints": stated}), tuple(injected)


def _words_asked(schema: Mapping[str, Any] | None) -> list[str]:
    """The properties of a reply that are plain words (a restatement of the sentence, say)."""
    properties = schema.get("properties") if schema else None
    kinds = properties.items() if isinstance(properties, Mapping) else ()
    return [name for name, kind in kinds if isinstance(kind, Mapping) and kind.get("type") == "string"]


def _choose(reader: Reader, task: ChooseTask) -> tuple[str, tuple[str, ...]]:
    """Return the choice that says what the model understood, or the first one if neither does."""
    options = [_same(reader, reader.world.read_sentence(choice)) for choice in task.choices]
    for each in reader.read(task.sentence):
        held = _same(reader, each.reported[0] if each.reported else each.true)
        if held in options:
            injected = (each.fault,) if each.fault and held != _same(reader, each.true) else ()
            return _json({"choice": options.index(held) + 1}), injected
    return _json({"choice": 1}), ()


def _same(reader: Reader, constraint: Constraint | None) -> Constraint | None:
    return None if constraint is None else reader.world.instance.canonical(constraint)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
