"""This module defines the readers that have a name.

They are the published reader, a reader of the domain's wordings, and one that returns the gold constraints of a suite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, get_args

from holdtrue.errors import SettingsError
from holdtrue.language.asking import WholeReply, ask_whole
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.matching import read_own_wording
from holdtrue.language.message_reader import SentenceReader
from holdtrue.language.reading import Extraction, Extractor, MessageContext, Reading
from holdtrue.language.replies import Rejected, free_items, no_list, read_item, reply_object, reply_schema
from holdtrue.models.chat import ChatModel, Request, system, user
from holdtrue.record import CallRecord
from holdtrue.world.domain import AttributeName, Entity, Integer, ValueOf
from holdtrue.world.instance import Instance
from holdtrue.world.world import Constraint, World

SYSTEM = (
    "You extract formal constraints from an assistant answer. Extract only constraints introduced in the latest "
    "user turn. Do not restate full solution assignments unless they directly encode one allowed constraint."
)
_RULES = (
    "Use only the type names above, exactly as written.",
    "Keep the order of arguments shown above.",
    "Include only constraints introduced in the latest user message, none from earlier turns.",
    'Return one JSON object with the key "constraints": {"constraints": [{"type": T, "args": [...]}]}',
)
_ARGUMENTS = {Entity: "entity", Integer: "integer", AttributeName: "category", ValueOf: "value"}
_MOST_CONSTRAINTS = 16


class UpstreamExtractor:
    """An `UpstreamExtractor` is the reader of the published protocol.

    It rejects an item that is not an allowed constraint, with the name of the error.
    """

    def __init__(self, model: ChatModel) -> None:
        self.model = model

    @property
    def name(self) -> str:
        return "llm"

    async def read(self, world: Instance, message: str, context: MessageContext) -> Extraction:
        """Read the user's message together with the assistant's answer of the same turn. Nothing is ever withdrawn."""
        request = Request(
            (system(SYSTEM), user(_asked(world, message, context.turn, context.answer))),
            "extract",
            schema=reply_schema(free_items(world), most=_MOST_CONSTRAINTS),
        )
        calls: list[CallRecord] = []
        reply = await ask_whole(self.model, request, calls)
        return Extraction(tuple(_read_reply(world, message, reply)), tuple(calls))


def _asked(instance: Instance, message: str, turn: int, answer: str | None) -> str:
    kinds = instance.types.values()
    lines = [
        f"Domain: {instance.domain.name}",
        f"Source turn: {turn}",
        f"Entities: {', '.join(instance.entities)}",
        f"Latest user message: {message}",
        f"Assistant response: {answer or ''}",
        "",
        "Allowed constraint types:",
        *(f"- {kind.name}: args [{', '.join(_ARGUMENTS[type(one)] for one in kind.arguments)}]" for kind in kinds),
        "",
        "Strict rules:",
        *(f"- {rule}" for rule in _RULES),
    ]
    return "\n".join(lines)


def _read_reply(instance: Instance, message: str, reply: WholeReply) -> Iterator[Reading]:
    items = reply_object(reply.text, "constraints").get("constraints")
    if not isinstance(items, list):
        yield Reading(message, "rejected", confidence=0.0, reason=no_list(reply).reason)
        return
    for item in items:
        made = read_item(instance, item)
        if isinstance(made, Rejected):
            yield Reading(message, "rejected", confidence=0.0, reason=made.reason, code=made.code)
        else:
            yield Reading(instance.sentence(made), "accepted", made)


class TemplateExtractor(SentenceReader):
    """A `TemplateExtractor` reads sentences in the domain's wording without a model, and rejects all others."""

    name = "templates"

    async def read_sentence(
        self, instance: Instance, sentence: str, calls: list[CallRecord], among: Sequence[Constraint] = ()
    ) -> list[Reading]:
        """Return the constraints that the sentence states in the domain's wording. `among` is ignored."""
        return read_own_wording(instance, sentence)


class GoldExtractor:
    """A `GoldExtractor` returns the gold constraints of each turn (turns from 1), whatever the message says.

    It makes no calls. No deployed system has such a reader, so reports mark its rows as an oracle's.
    """

    name = "gold"

    def __init__(self, gold: Mapping[int, Sequence[Constraint]]) -> None:
        self._gold = {turn: tuple(constraints) for turn, constraints in gold.items()}

    async def read(self, world: World, message: str, context: MessageContext) -> Extraction:
        """Return the gold constraints of the turn, or none if the turn has none."""
        stated = self._gold.get(context.turn, ())
        return Extraction(tuple(Reading(world.sentence(made), "accepted", made) for made in stated))


EXTRACTORS = ("llm", "templates")
UNASKING = (TemplateExtractor.name, GoldExtractor.name)
"""The readers that call no model."""
Protocol = Literal["stated", "upstream", "appendix"]
"""The protocol says in which turns the prompt shows the setting.

`stated` shows it in every turn. The published protocols show it in the first turn only. `upstream` names the domain and
all entities in every turn, as the code of DRIFT-Bench does. `appendix` follows its paper.
"""
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)


def make_extractor(name: str, model: ChatModel, protocol: Protocol) -> Extractor:
    """Return the reader of this name: `llm` reads with the model, by the protocol; `templates` calls no model.

    Raises `SettingsError` for any other name. `gold` is not made here, since only a suite has gold constraints.
    """
    match name:
        case "templates":
            return TemplateExtractor()
        case "llm":
            return LlmExtractor(model) if protocol == "stated" else UpstreamExtractor(model)
    raise SettingsError(f"unknown extractor {name!r}; there are {' and '.join(EXTRACTORS)}")
