"""Play recorded dialogues with a guard.

A call of a dialogue has several *forms*: the right call, and broken forms, which break values that were agreed. A
*slot* is an argument of a tool whose value the dialogue settles.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from holdtrue.language.requests.operation import Act, Do, Operation, RequestContext, RequestReader, RequestReading
from holdtrue.language.requests.plain_reader import PlainReader
from holdtrue.language.requests.request_reader import ModelRequestReader
from holdtrue.models.chat import ChatModel
from holdtrue.record import CallRecord
from holdtrue_lab.kinds.decisions.deciding import record_of_decision
from holdtrue_lab.kinds.decisions.entry import DecisionRecord
from holdtrue_lab.kinds.decisions.method import DecisionMethod, DecisionSettings
from holdtrue_lab.kinds.decisions.problem import CallLabel, LabelledRules

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
    from holdtrue.guard.decision import Decision
    from holdtrue.guard.policy import Policy


@dataclass(frozen=True, slots=True)
class Settled:
    """The gold effect of a message on one slot: the slot gets a value, is freed, or is withdrawn."""

    slot: str
    act: Literal["states", "frees", "withdraws"]
    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class DialogueMessage:
    """One message of the user, the assistant's message before it, and its gold effects."""

    system: str | None
    user: str
    gold: tuple[Settled, ...]


@dataclass(frozen=True, slots=True)
class DialogueCall:
    """One form of a call, which follows the message with this number, counted from 0.

    `form` is None for the right call, and the number of a broken form, from 0. `change` describes the form. `broken`
    has the slots whose agreed value the form breaks, each with the value's source: stated, accepted and so on.
    """

    message: int
    id: str
    form: int | None
    change: str
    tool: str
    arguments: Mapping[str, Any]
    broken: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GuardedDialogue:
    """A dialogue, the policy for its calls, and all forms of its calls in order."""

    id: str
    domain: str
    today: date
    policy: Policy
    messages: tuple[DialogueMessage, ...]
    calls: tuple[DialogueCall, ...]

    @property
    def turns(self) -> int:
        """The number of calls to decide on, in all their forms."""
        return len(self.calls)

    @property
    def rules(self) -> LabelledRules:
        """The rules by which labels are scored: here they are the slots of all tools."""
        slots = {name for tool in self.policy.tools.values() for name in tool.arguments.fields}
        return LabelledRules(frozenset(slots), frozenset(), frozenset(), {})

    def to_json(self) -> object:
        """Return, as plain JSON values, everything that can change a decision or its score."""
        messages = [asdict(own) for own in self.messages]
        return [
            self.id,
            self.domain,
            self.today.isoformat(),
            self.policy.digest,
            messages,
            list(map(asdict, self.calls)),
        ]


class GoldReader:
    """A control that reads the gold effects of each message."""

    name = "gold"

    def __init__(self, dialogue: GuardedDialogue) -> None:
        self._messages = dialogue.messages

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        """Return the gold effects of the message of this turn."""
        return RequestReading(tuple(map(_operation, self._messages[context.turn - 1].gold)))


def _operation(own: Settled) -> Operation:
    act, _, argument = own.slot.rpartition(".")
    do: Do = "set" if own.act == "states" else "free"
    return Operation(do, act, "", argument, value=own.value)


def reader_of(method: DecisionMethod, dialogue: GuardedDialogue, model: ChatModel) -> RequestReader | None:
    """Return the reader of a method, or None if it reads no messages."""
    match method.reader:
        case "gold":
            return GoldReader(dialogue)
        case "rules":
            return PlainReader()
        case "model":
            return ModelRequestReader(model)
    return None


async def play_dialogue(
    dialogue: GuardedDialogue, method: DecisionMethod, model: ChatModel, settings: DecisionSettings
) -> AsyncIterator[tuple[DialogueCall, DecisionRecord]]:
    """Yield the decisions on all forms of all calls. No allowed call is carried out, so no call affects another."""
    from holdtrue.guard.guard import Guard

    reader = reader_of(method, dialogue, model)
    asked = model if method.reader == "model" else None
    guard = Guard(dialogue.policy, reader=reader, reads=reader is not None, model=asked, mode=settings.mode)
    talk = guard.conversation(dialogue.id)
    turn, calls = 0, list[CallRecord]()
    for place, message in enumerate(dialogue.messages):
        calls += (await talk.heard(assistant=message.system, user=message.user)).calls
        for call in dialogue.calls:
            if call.message == place:
                turn += 1
                record = await _decided(turn, dialogue, call, method, talk, settings)
                yield call, replace(record, extraction=tuple(calls), model=model.name)
                calls = []


async def _decided(
    turn: int,
    dialogue: GuardedDialogue,
    call: DialogueCall,
    method: DecisionMethod,
    talk: GuardedConversation,
    settings: DecisionSettings,
) -> DecisionRecord:
    clock = time.perf_counter()
    decision: Decision | None = None
    if not method.is_control:
        decision = await talk.check(call.tool, dict(call.arguments), budget=settings.budget, mend=False, call=f"{turn}")
        if not decision.stops and talk.guard.policy.writes(call.tool):
            await talk.saw(call.tool, dict(call.arguments), "not made", call=f"{turn}", outcome="failed")
    record = record_of_decision(
        turn,
        dialogue.messages[call.message].user,
        (call.tool, json.dumps(call.arguments)),
        method,
        settings,
        decision,
        (dialogue.id, 0, call.message),
    )
    detail = replace(record.detail, call=call.id, form=call.form)
    return replace(record, detail=detail, elapsed_s=time.perf_counter() - clock)


def label_of(call: DialogueCall) -> CallLabel:
    """Return the label of a form of a call: the slots that it breaks."""
    return CallLabel(tuple(slot for slot, _ in call.broken), (), None)
