"""The state of a guarded conversation: a fold of its events, so that it can be made again from them alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdtrue.guard.conversation.happenings import Begun, DecidedCall, Promise, Words, Yes
from holdtrue.guard.conversation.said import read_part
from holdtrue.guard.conversation.shown_values import ShownValues
from holdtrue.guard.conversation.spoken_words import SpokenWords
from holdtrue.guard.facts import Facts, Keys
from holdtrue.guard.fetching import UNDER_WAY, call_text
from holdtrue.guard.listening import CallCommitment, PendingCall
from holdtrue.guard.result_forms import stopped_note, was_taken_back
from holdtrue.guard.results import answered, taken_in
from holdtrue.language.reading import MessageContext
from holdtrue.language.slots.slot_world import SlotWorld
from holdtrue.ledger.entries import Event, EventKind, Source
from holdtrue.ledger.slot_ledger import SlotEntry, SlotLedger

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy

SAID = "said"
"""The group of slots that are what a policy says people may say."""
SURELY = 0.9
"""An offer of the assistant blocks calls, and takes the place of the user's own words, only if it was accepted at least
so surely."""
_MOST_EARLIER = 3


@dataclass
class ConversationState:
    """A `ConversationState` is what holds after the events so far. Only `apply` changes it.

    Attributes:
        turn: The number of the user's messages.
        assistant: What the assistant said since the user's last message, or None.
        earlier: What it had said before that message, the latest first.
        words: All that was said.
        unheard: The messages of the user that could not be read, by their turns, with the reason.
        cut: Why only a part of the user's last message is read, "" where all of it is.
        pending: The calls whose results have not come, by their ids.
        expressions: What was agreed as an expression, by id.
        answered: The decisions that a person answered with yes; whatever else the user says ends them.
        overridden: Who let which decision through, and why.
        spent: The decisions whose call was let through by a yes or a person: that counts once.
        consented: Whether words were read as a yes to a call, by the name of both.
    """

    policy: Policy
    world: SlotWorld
    locale: str
    turn: int = 0
    seq: int = 0
    assistant: str | None = None
    earlier: tuple[str, ...] = ()
    unheard: dict[int, str] = field(default_factory=dict)
    cut: str = ""
    ledger: SlotLedger = field(default_factory=SlotLedger)
    expressions: dict[str, CallCommitment] = field(default_factory=dict)
    committed: set[str] = field(default_factory=set)
    """The ids of the values that the app itself committed to, which no reader read from words."""
    pending: dict[str, Begun] = field(default_factory=dict)
    promises: dict[str, Promise] = field(default_factory=dict)
    decisions: dict[str, DecidedCall] = field(default_factory=dict)
    answered: dict[str, Yes] = field(default_factory=dict)
    overridden: dict[str, str] = field(default_factory=dict)
    spent: set[str] = field(default_factory=set)
    consented: dict[str, bool] = field(default_factory=dict)
    alike: dict[tuple[str, str], bool | None] = field(default_factory=dict)
    shown: ShownValues = field(default_factory=ShownValues)
    clashes: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    """The slots of which one message said two things: the turn, the words, and what else it said."""
    changed: dict[str, list[int]] = field(default_factory=dict)
    """The numbers of the events that changed what is agreed of a group of slots."""
    record_seq: dict[tuple[str, Keys], int] = field(default_factory=dict)
    refs: set[str] = field(default_factory=set)
    calls: int = 0
    tokens: int = 0
    _facts: Facts = field(default_factory=Facts.none)
    unlisted: list[str] = field(default_factory=list)
    """Messages whose words are not yet among the facts: looking for ids in each by itself would take longer."""
    _reads: dict[tuple[str, str], int] = field(default_factory=dict)
    """Reading calls that were let through and whose results have not come, with the number of the event."""

    def __post_init__(self) -> None:
        self.words = SpokenWords(self.locale)

    # Looking at it

    @property
    def facts(self) -> Facts:
        """Return what tools showed and users wrote, without the effects of pending calls."""
        if self.unlisted:
            self._facts = self._facts.with_words("\n".join(self.unlisted))
            self.unlisted.clear()
        return self._facts

    def context(self, assistant: str | None, now: datetime) -> MessageContext:
        """Return what a reader of the next message knows."""
        return MessageContext(
            self.turn + 1,
            held=self.ledger.values,
            doubted=frozenset(own.slot for own in self.ledger.active.values() if own.confidence < SURELY)
            | frozenset(self.clashes),
            shown=self.shown.names(),
            assistant=assistant,
            earlier=self.earlier,
            now=now,
            locale=self.locale,
        )

    def said(self) -> dict[str, Any]:
        """Return what users were heard to say of what the policy asks for."""
        prefix = f"{SAID}."
        return {id.removeprefix(prefix): value for id, value in self.ledger.values.items() if id.startswith(prefix)}

    def is_agreed(self, tool: str, argument: str) -> bool:
        """Return whether something is agreed about an argument of a tool: a value, a limit, or that any will do."""
        slots = self.world.slots
        return any(
            slots[own.slot].name == argument and tool in slots[own.slot].tools
            for own in self.ledger.active.values()
            if own.slot in slots
        )

    def changes(self, tool: str) -> list[int]:
        """Return the numbers of the events that changed what is agreed about calls of a tool."""
        groups = {own.group for own in self.world.slots.values() if tool in own.tools}
        return [seq for group in (*groups, tool) for seq in self.changed.get(group, ())]

    def last_change(self, tool: str) -> int:
        """Return the number of the last event that changed what is agreed about calls of a tool, 0 if none did."""
        return max(self.changes(tool), default=0)

    # Changing it

    def apply(self, seq: int, kind: str, body: Mapping[str, Any]) -> bool:
        """Take in an event, and return whether it was a result that had an effect.

        Kinds that are not known here are left alone, such as those of a later version.
        """
        self.seq = seq
        if "ref" in body:
            self.refs.add(body["ref"])
        match kind:
            case "heard":
                self._on_heard(body)
            case "reheard":
                self._on_reheard(body)
            case "saw":
                return self._on_saw(body)
            case "saw stopped":
                self._facts = self._facts.with_note(stopped_note(body["tool"]))
            case "decided":
                self._on_decided(body)
            case "overridden":
                self.overridden[body["decision"]] = f"{body['by']}: {body['reason']}"
            case "committed":
                self._on_committed(body)
            case "withdrawn":
                self._on_withdrawn(body)
            case "consented":
                self.consented[body["words"]] = body["yes"]
                self._count(body)
            case "compared":
                self.alike[body["said"], body["called"]] = body["same"]
                self._count(body)
        return False

    def _on_heard(self, body: Mapping[str, Any]) -> None:
        at = body["at"]
        for promise in body.get("promises", ()):
            id = f"P{len(self.promises) + 1:03d}"
            values = tuple(_promised(id, own, self.turn + 1) for own in promise.get("values", ()))
            self.promises[id] = Promise(id, promise["sentence"], promise["tool"], self.turn + 1, values)
        if body.get("assistant") is not None:
            text = body["assistant"]
            self.words.all.append(Words("assistant", text, at, self.turn + 1, self.seq))
            self.assistant = read_part(text if self.assistant is None else f"{self.assistant}\n{text}")
        if body.get("user") is None:
            return
        self.turn += 1
        self.words.all.append(Words("user", body["user"], at, self.turn, self.seq, bool(body.get("old"))))
        self.unlisted.append(body["user"])
        if body.get("unheard"):
            self.unheard[self.turn] = body["unheard"]
        self.cut = body.get("cut", "")
        self._take(body.get("taken", ()), self.turn)
        if body.get("void"):
            self.answered.clear()
        if body.get("yes") or body.get("agrees"):
            self.words.agreed_turns.add(self.turn)
        for id, way in body.get("answered", {}).items():
            self.answered[id] = Yes(self.seq, way)
        if self.assistant is not None:
            self.earlier = (self.assistant, *self.earlier)[:_MOST_EARLIER]
            self.assistant = None
        self._count(body)

    def _on_reheard(self, body: Mapping[str, Any]) -> None:
        turn = body["turn"]
        self.unheard.pop(turn, None)
        self.cut = body.get("cut", "") if turn == self.turn else self.cut
        later = {own.slot for own in self.ledger.known.values() if own.turn > turn}
        self._take([own for own in body.get("taken", ()) if own["slot"] not in later], turn)
        if body.get("agrees"):
            self.words.agreed_turns.add(turn)
        self._count(body)

    def _count(self, body: Mapping[str, Any]) -> None:
        self.calls += body.get("calls", 0)
        self.tokens += body.get("tokens", 0)

    def _take(self, taken: Any, turn: int, *, committed: bool = False) -> None:
        """Let the ledger take readings, as they were written down; what the app committed gives way to nothing."""
        ledger = self.ledger
        for own in taken:
            slot, quote, sure = own["slot"], own.get("quote", ""), own.get("confidence", 1.0)
            before = len(ledger.events)
            if not committed and self._gives_way(own):
                continue
            if own.get("clash"):
                self.clashes[slot] = (turn, quote, own["clash"])
            else:
                self.clashes.pop(slot, None)
            match own["act"]:
                case "frees":
                    ledger.free(slot, turn, quote=quote, confidence=sure)
                case "withdraws":
                    ledger.drop(slot, turn)
                case _:
                    source, relation = Source(own.get("source", "user")), own.get("relation", "is")
                    ledger.set(slot, own["value"], turn, quote=quote, source=source, confidence=sure, relation=relation)
            if any(each.kind is not EventKind.RESTATED for each in ledger.events[before:]):
                self.changed.setdefault(self._group(slot), []).append(self.seq)

    def _gives_way(self, own: Mapping[str, Any]) -> bool:
        """Return whether an offer of the assistant, not surely accepted, gives way to what the user said themselves."""
        if own["act"] != "states" or own.get("source") != "assistant" or own.get("clear"):
            return False
        limits = (each for each in self.ledger.active.values() if each.slot == own["slot"] and each.relation != "is")
        if any(each.source is Source.USER and not each.allows(own["value"]) for each in limits):
            return True
        if own.get("confidence", 1.0) >= SURELY:
            return False
        held = self.ledger.by_slot.get(own["slot"])
        return held is not None and held.source is Source.USER and held.value not in (None, own["value"])

    def _group(self, slot: str) -> str:
        own = self.world.slots.get(slot)
        return slot.rpartition(".")[0] if own is None else own.group

    def _on_saw(self, body: Mapping[str, Any]) -> bool:
        """Take in a result, and return whether it had an effect."""
        tool, begun = body["tool"], self.pending.get(body.get("pending") or "")
        if body.get("outcome") == "unknown":
            return False  # It stays pending: it may have had its effects.
        if begun is not None:
            del self.pending[body["pending"]]
        # What users wrote is put among the facts once somebody looks, and not with each result.
        before = self._facts
        failed = None if body.get("outcome") is None else body["outcome"] == "failed"
        began = None if begun is None else begun.seq
        if not self.policy.writes(tool):
            read = self._reads.pop((tool, call_text(body["arguments"])), None)
            began = read if began is None else began
        if was_taken_back(body):
            self._facts, counts = before.with_note(stopped_note(tool)).without_answers({tool}), False
        else:
            self._facts, counts = taken_in(
                self.policy, before, tool, body["arguments"], body["result"], at=body.get("at"), failed=failed
            )
        self._note_records(before, tool, began)
        if not counts:
            # Of a tool that the policy does not name nothing shows that a call failed, unless somebody says so.
            if begun is not None and (failed or tool in self.policy.tools):
                self._give_back(begun)
            return False
        self.shown.add(body["arguments"], body["result"])
        for id, promise in self.promises.items():
            if promise.tool == tool and not promise.done:
                self.promises[id] = replace(promise, done=True)
        return True

    def _give_back(self, begun: Begun) -> None:
        """Let a yes count again that a call used up which then failed."""
        self.spent.difference_update(begun.spends)

    def _note_records(self, before: Facts, tool: str, began: int | None) -> None:
        """Note when records were seen; one that was shown or changed while this call was under way is not known now.

        `began` is the number of the event that let the call through, None where nobody said when it was made.
        """
        changed = [own for own in self._facts.records.items() if own[1] is not before.records.get(own[0])]
        new = [((kind, keys), seen) for kind, own in changed for keys, seen in own.items()]
        for (kind, keys), seen in (*new, *self._facts.absent.items()):
            if before.record(kind, keys) is seen or before.absent.get((kind, keys)) is seen:
                continue
            if began is not None and self.record_seq.get((kind, keys), 0) > began:
                did = "changes it" if self.policy.writes(tool) else "shows it"
                why = f"it was shown or changed while {tool} was under way, which {did}"
                sources = {own.tool for own in self.policy.facts[kind].sources}
                self._facts = self._facts.with_unread(kind, keys, why).without_answers(sources)
            self.record_seq[kind, keys] = self.seq

    def _on_decided(self, body: Mapping[str, Any]) -> None:
        keys, listing = tuple(body["keys"]), body.get("listing", "")
        own = DecidedCall(body["decision"], body["kind"], body["tool"], body["arguments"], keys, listing)
        self.decisions[own.id] = own
        if own.kind == "allow" and not self.policy.writes(own.tool):
            self._reads[own.tool, call_text(own.arguments)] = self.seq
            if body.get("stops") is False:
                self._facts = answered(self.policy, self._facts, own.tool, own.arguments, body.get("at"), UNDER_WAY)
        if body.get("begins"):
            call = PendingCall(own.tool, own.arguments, body.get("at"))
            spends = tuple(body.get("spends", ()))
            self.pending[body["begins"]] = Begun(call, own.id, self.seq, spends)
            self.spent.update(spends)

    def _on_committed(self, body: Mapping[str, Any]) -> None:
        if body.get("rule"):
            own = CallCommitment(**{**body["commitment"], "on": tuple(body["commitment"]["on"])})
            self.expressions[own.id] = own
            self._changed_on(own.on)
        else:
            self._take((body["entry"],), self.turn, committed=True)
            # Of two things that something is not both hold, unless one was put in the place of the other.
            old, new = self.ledger.active.get(body.get("replaces") or ""), self.ledger.events[-1].entry
            self.committed.add(new.id)
            if old is not None and old.id != new.id:
                self.ledger.append(Event(EventKind.AMENDED, self.turn, old, None, (new.id,)))

    def _on_withdrawn(self, body: Mapping[str, Any]) -> None:
        id = body["id"]
        if id in self.expressions:
            self._changed_on(self.expressions.pop(id).on)
        elif id in self.ledger.active:
            entry = self.ledger.active[id]
            self.ledger.append(Event(EventKind.WITHDRAWN, self.turn, entry, body.get("reason")))
            self.changed.setdefault(self._group(entry.slot), []).append(self.seq)

    def _changed_on(self, tools: Iterable[str]) -> None:
        for tool in tools:
            self.changed.setdefault(tool, []).append(self.seq)


def _promised(id: str, own: Mapping[str, Any], turn: int) -> SlotEntry:
    quote, sure = own.get("quote", ""), own.get("confidence", 1.0)
    return SlotEntry(
        f"{id}:{own['slot']}", own["slot"], own["value"], quote, turn, Source.ASSISTANT, sure, own.get("relation", "is")
    )
