"""Read messages as DRIFT-Bench published it: one call for each attempt, about the user's message and the answer.

System prompt and fields are those of the paper, appendix A.2 and A.5.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue.language.asking import WholeReply, ask_whole
from holdtrue.language.reading import Extraction, MessageContext, Reading
from holdtrue.language.replies import NO_LIST, Rejected, no_list, read_item, reply_object
from holdtrue.language.reply_schema import free_items, reply_schema
from holdtrue.models.chat import ChatModel, Request, system, user
from holdtrue.record import CallRecord
from holdtrue.world.domain import AttributeName, ConstraintType, Entity, Integer, ValueOf
from holdtrue.world.instance import Instance

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
_MOST_CONSTRAINTS = 16


class UpstreamExtractor:
    """This is the published reader; an item that is no allowed constraint comes back rejected with the named error."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model

    @property
    def name(self) -> str:
        return "llm"

    async def read(self, world: Instance, message: str, context: MessageContext) -> Extraction:
        """Read the user's message and the assistant's answer of the same turn together; nothing is taken back."""
        request = Request(
            (system(SYSTEM), user(_asked(world, message, context.turn, context.answer))),
            "extract",
            schema=reply_schema(free_items(world), most=_MOST_CONSTRAINTS),
        )
        calls: list[CallRecord] = []
        reply = await ask_whole(self.model, request, calls)
        return Extraction(tuple(_read_reply(world, message, reply)), tuple(calls))


def _asked(instance: Instance, message: str, turn: int, answer: str | None) -> str:
    lines = [
        f"Domain: {instance.domain.name}",
        f"Source turn: {turn}",
        f"Entities: {', '.join(instance.entities)}",
        f"Latest user message: {message}",
        f"Assistant response: {answer or ''}",
        "",
        "Allowed constraint types:",
        *(f"- {_signature(kind)}" for kind in instance.types.values()),
        "",
        "Strict rules:",
        *(f"- {rule}" for rule in _RULES),
    ]
    return "\n".join(lines)


def _signature(kind: ConstraintType) -> str:
    return f"{kind.name}: args [{', '.join(_argument_names(kind))}]"


def _argument_names(kind: ConstraintType) -> Iterator[str]:
    for argument in kind.arguments:
        match argument:
            case Entity():
                yield "entity"
            case Integer():
                yield "integer"
            case AttributeName():
                yield "category"
            case ValueOf():
                yield "value"


def _read_reply(instance: Instance, message: str, reply: WholeReply) -> Iterator[Reading]:
    items = reply_object(reply.text, "constraints").get("constraints")
    if not isinstance(items, list):
        reason = no_list(reply.text).reason if reply.reason is None else f"{NO_LIST}: {reply.reason}"
        yield Reading(message, "rejected", confidence=0.0, reason=reason)
        return
    for item in items:
        made = read_item(instance, item)
        if isinstance(made, Rejected):
            yield Reading(message, "rejected", confidence=0.0, reason=made.reason, code=made.code)
        else:
            yield Reading(instance.sentence(made), "accepted", made)
