"""Simulated models: they see the chat alone, understand the domains' own wording, and fail as they are told to.

They measure what holds with a model whose faults are known. Every reply is a function of the request and the
character, so that a run that is taken up again repeats itself. Schemas are ignored, as by a server that enforces
none. Under protocol `upstream` a simulated model has to guess the setting from the second turn on, as any model.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.lab.kinds.assignment.simulation.answering import answer, criticise
from holdtrue.lab.kinds.assignment.simulation.misreading import Reader
from holdtrue.lab.kinds.assignment.simulation.view import AnswerTask, ChooseTask, CritiqueTask, ReadTask, view
from holdtrue.lab.kinds.assignment.simulation.world import World
from holdtrue.lab.kit.simulation.names import Character, read_name
from holdtrue.lab.kit.simulation.reply import LOST, FormatTask, make_reply
from holdtrue.models.chat import Reply, Request
from holdtrue.record import ReplyKind
from holdtrue.world.instance import Constraint, Instance

_KEPT_WORLDS = 64


class SimulatedModel:
    """A `ChatModel` with a `Character`. What it did on purpose is in `Reply.annotations["injected"]`: the names
    of the faults that had an effect on this very reply, joined by commas.
    """

    def __init__(self, character: Character) -> None:
        self.character = character
        self._readers: OrderedDict[tuple[str, ...], Reader] = OrderedDict()

    @property
    def name(self) -> str:
        return self.character.name

    async def complete(self, request: Request) -> Reply:
        """The reply, at once; a request that names no setting gets one that says so."""
        return make_reply(request, *self._reply(request))

    async def aclose(self) -> None:
        self._readers.clear()

    def _reply(self, request: Request) -> tuple[str, tuple[str, ...], ReplyKind]:
        task = view(request.messages)
        match task:
            case AnswerTask():
                made = answer(self._reader(task.instance), task, request.sample)
                return made.text, made.injected, made.kind
            case CritiqueTask():
                found = criticise(self._reader(task.about.instance), task, request.sample)
                return _json({"ok": not found, "problems": found}), (), ReplyKind.ANSWER
            case ReadTask():
                return *_report(self._reader(task.instance), task, request.schema), ReplyKind.ANSWER
            case ChooseTask():
                return *_choose(self._reader(task.instance), task), ReplyKind.ANSWER
            case FormatTask():
                return task.response, (), ReplyKind.ANSWER
        return LOST, (), ReplyKind.ANSWER

    def _reader(self, instance: Instance) -> Reader:
        key = instance.setup_lines()
        reader = self._readers.get(key)
        if reader is None:
            reader = self._readers[key] = Reader(World(instance), self.character)
            if len(self._readers) > _KEPT_WORLDS:
                self._readers.popitem(last=False)
        self._readers.move_to_end(key)
        return reader


def open_simulated(name: str, base_url: str | None = None) -> SimulatedModel:
    """The simulated model of that name (`holdtrue.lab.kit.simulation.names`); raises `SettingsError`."""
    if base_url is not None:
        raise SettingsError(f"{name}: a simulated model runs without a server, so it takes no base URL")
    return SimulatedModel(read_name(name))


def _report(reader: Reader, task: ReadTask, schema: Mapping[str, Any] | None) -> tuple[str, tuple[str, ...]]:
    """The constraints that the text states, after whatever else the schema asks to be said first."""
    understood = reader.read(task.text)
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
    """The choice that says what the model made of the sentence; the first where neither does."""
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
