"""Tell what a conversation has agreed about calls of a tool: what was said, offered, promised or committed to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from holdtrue.guard.conversation.state import SAID, SURELY, ConversationState
from holdtrue.guard.listening import CallCommitment
from holdtrue.guard.policy_parts import Severity
from holdtrue.ledger.entries import Source
from holdtrue.ledger.slot_ledger import SlotEntry


def agreed_on(state: ConversationState, tool: str, doubtful_below: float) -> Iterator[CallCommitment]:
    """Yield what was agreed about calls of a tool; readings less sure than `doubtful_below` are doubtful."""
    for own in state.ledger.active.values():
        slot = state.world.slots.get(own.slot)
        if slot is None or slot.group == SAID or own.value is None or tool not in slot.tools:
            continue
        if own.slot in state.clashes:
            turn, quote, other = state.clashes[own.slot]
            say = f"It is not clear what {slot.name.replace('_', ' ')} is to be: {quote!r}, and {other}."
            yield CallCommitment(own.id, slot.tools, say, "user", turn, quote, slot.name, severity="ask")
        else:
            # What the assistant offered counts less than what the user said themselves.
            least = doubtful_below if own.source is Source.USER else max(doubtful_below, SURELY)
            found = _commitment(own, slot.name, slot.tools, "ask" if own.confidence < least else "block")
            yield replace(found, read=own.id not in state.committed)
    yield from _promised_on(state, tool, doubtful_below)
    # What was agreed about calls whose results have not come has to be kept as well.
    tools = {tool, *(own.call.tool for own in state.pending.values())}
    yield from (own for own in state.expressions.values() if not tools.isdisjoint(own.on))


def _promised_on(state: ConversationState, tool: str, doubtful_below: float) -> Iterator[CallCommitment]:
    """Yield what the assistant promised about a call, where the user has said nothing of it."""
    latest = {own.slot: own.turn for own in state.ledger.active.values()}
    known = {own.slot for own in state.ledger.active.values() if own.relation == "is"}
    for promise in reversed(state.promises.values()):
        # A limit that the user set before leaves a promise inside of it standing.
        said = known | {slot for slot, turn in latest.items() if turn > promise.turn}
        if promise.tool == tool and not promise.done:
            for own in promise.values:
                slot = state.world.slots.get(own.slot)
                if slot is not None and own.slot not in said and tool in slot.tools:
                    severity: Severity = "ask" if own.confidence < doubtful_below else "block"
                    promised = _commitment(own, slot.name, slot.tools, severity)
                    yield replace(promised, say=f"The assistant promised it: {promise.sentence!r}.")
            # Of two promises about one thing the later one holds.
            known.update(own.slot for own in promise.values)


def _commitment(own: SlotEntry, argument: str, on: tuple[str, ...], severity: Severity) -> CallCommitment:
    turn = f", in turn {own.turn}" if own.turn else ""
    words = f"{turn}: {own.quote!r}" if own.quote else turn
    sure = "" if severity == "block" else f" (read with probability {own.confidence:.2f})"
    said, agreed = ("said", "was") if severity == "block" else ("may have said", "may have been")
    who = f"The user {said}" if own.source is Source.USER else f"It {agreed} offered and agreed"
    sentence = own.sentence.removeprefix(own.slot).strip()
    say = f"{who} that {argument.replace('_', ' ')} {sentence}{words}{sure}."
    source: Literal["user", "assistant"] = "assistant" if own.source is Source.ASSISTANT else "user"
    return CallCommitment(
        own.id, on, say, source, own.turn, own.quote, argument, own.relation, own.value, severity=severity
    )
