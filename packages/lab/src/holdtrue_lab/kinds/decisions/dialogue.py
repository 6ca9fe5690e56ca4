"""A recorded dialogue with calls, each also in forms that break what was agreed, and how a guard plays through it."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from holdtrue.language.requests.acts import Act
from holdtrue.language.requests.operation import Do, Operation, RequestContext, RequestReader, RequestReading
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
    """A `Settled` is what a message settles by gold: a slot gets a value, or, without one, is freed or withdrawn."""

    slot: str
    act: Literal["states", "frees", "withdraws"]
    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class DialogueMessage:
    """One message of the user, what the assistant said before it, and what it settles by gold."""

    system: str | None
    user: str
    gold: tuple[Settled, ...]


@dataclass(frozen=True, slots=True)
class DialogueCall:
    """One call after a message, counted from 0, in one form.

    `form` is None for the right call, and counts the forms that break something from 0; `change` says how. `broken` are
    the slots whose agreed value it breaks, each with the source of that: stated, accepted and so on.
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
    """A dialogue, the policy that its calls are held to, and all forms of its calls in order."""

    id: str
    domain: str
    today: date
    policy: Policy
    messages: tuple[DialogueMessage, ...]
    calls: tuple[DialogueCall, ...]

    @property
    def turns(self) -> int:
        """The number of calls that are decided on, in all their forms."""
        return len(self.calls)

    @property
    def rules(self) -> LabelledRules:
        """Return what labels name: the slots of all tools."""
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
    """A reader that knows what each message settles, as no deployed one does."""

    name = "gold"

    def __init__(self, dialogue: GuardedDialogue) -> None:
        self._messages = dialogue.messages

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        """Return what the message of this turn settles by gold."""
        return RequestReading(tuple(map(_operation, self._messages[context.turn - 1].gold)))


def _operation(own: Settled) -> Operation:
    act, _, argument = own.slot.rpartition(".")
    do: Do = "set" if own.act == "states" else "free"
    return Operation(do, act, "", argument, value=own.value)


def reader_of(method: DecisionMethod, dialogue: GuardedDialogue, model: ChatModel) -> RequestReader | None:
    """Return the reader that a method hears with; None where it hears nobody."""
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
    """Yield the decisions on all forms of all calls; a call that is let through is not made, so none sees another."""
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
    """Return what is known of a form of a call: the slots that it breaks."""
    return CallLabel(tuple(slot for slot, _ in call.broken), (), None)
