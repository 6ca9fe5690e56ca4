"""Read one message under a method, let the ledger take what was read, and make a record of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import datetime
from datetime import time as clock

from holdtrue.lab.kinds.readings.method import ReadingMethod
from holdtrue.lab.kinds.readings.problem import Dialogue, DialogueTurn, Kind
from holdtrue.lab.kinds.readings.record import ReadingDetail, ReadingTurn, TakenEvent
from holdtrue.language.slots.slot_reader import ScoredSlotReader
from holdtrue.language.slots.slot_reading import SlotContext, SlotEvent, SlotReading
from holdtrue.language.slots.slot_weights import SlotWeights
from holdtrue.ledger.entries import EventKind, Source
from holdtrue.ledger.slot_ledger import SlotLedger
from holdtrue.models.chat import ChatModel
from holdtrue.record import AnswerStatus, AttemptRecord, Satisfiability, TurnRecord, VerdictRecord

_MORNING = clock(9)
"""Dialogues tell their day and no hour; relative days need none."""
_MOST_EARLIER = 3


class DialogueReader:
    """A `DialogueReader` reads the messages of one dialogue in their order, and keeps its ledger."""

    def __init__(
        self,
        dialogue: Dialogue,
        method: ReadingMethod,
        model: ChatModel,
        locale: str,
        weights: SlotWeights | None = None,
    ) -> None:
        self._dialogue, self._method, self._model, self._locale = dialogue, method, model, locale
        self._reader = ScoredSlotReader(model if method.asks_model else None, weights, accepted=method.accepted)
        self._now = datetime.combine(dialogue.today, _MORNING)
        self._ledger = SlotLedger()
        self._earlier: tuple[str, ...] = ()
        self._groups: tuple[str, ...] = ()

    async def read(self, number: int, turn: DialogueTurn) -> ReadingTurn:
        """Return the record of one message; messages count from 1. Raises `ModelError`."""
        started = time.perf_counter()
        reading = await self._reading(turn)
        events = tuple(taken for own in reading.events if (taken := self._take(own, number)) is not None)
        if turn.system:
            self._earlier = (turn.system, *self._earlier)[:_MOST_EARLIER]
        unread = tuple(f"{own.quote!r} for {own.slot or 'any slot'}: {own.why}" for own in reading.unread)
        detail = ReadingDetail(turn.system, events, dict(self._ledger.values), unread)
        told = "; ".join(f"{own.kind} {own.slot} {_shown(own.value)}".strip() for own in events)
        verdict = VerdictRecord(Satisfiability.SAT, AnswerStatus.RESPECTING)
        return TurnRecord(
            turn=number,
            user_message=turn.user,
            method=self._method.name,
            model=self._model.name,
            variant="",
            reader="none",
            extraction=reading.calls,
            attempts=(AttemptRecord(1, "answer", told, _answer(self._ledger.values), verdict),),
            delivered=told,
            elapsed_s=time.perf_counter() - started,
            detail=detail,
        )

    async def _reading(self, turn: DialogueTurn) -> SlotReading:
        match self._method.reader:
            case "nothing":
                return SlotReading(())
            case "gold":
                return SlotReading(tuple(_of_gold(turn)))
        context = SlotContext(self._now, turn.system, self._earlier, self._ledger.values, self._groups, self._locale)
        return await self._reader.read(self._dialogue.world, turn.user, context)

    def _take(self, event: SlotEvent, number: int) -> TakenEvent | None:
        """Let the ledger take an event; None where it changes nothing."""
        kind = self._done(event, number)
        if kind is None:
            return None
        if event.act == "set":
            group = event.slot.rpartition(".")[0]
            self._groups = (group, *(own for own in self._groups if own != group))
        return TakenEvent(kind, event.slot, event.value, event.quote, event.said, event.grounding, event.confidence)

    def _done(self, event: SlotEvent, number: int) -> Kind | None:
        if event.act == "set" and event.value is not None:
            source = Source.USER if event.said == "user" else Source.ASSISTANT
            done = self._ledger.set(
                event.slot, event.value, number, quote=event.quote, source=source, confidence=event.confidence
            )
            if done.kind is not EventKind.ADDED:
                return None
            return "amend" if done.because else "add"
        if event.act == "free":
            freed = self._ledger.free(event.slot, number, quote=event.quote, confidence=event.confidence)
            return "waive" if freed.kind is EventKind.ADDED else None
        return None if self._ledger.drop(event.slot, number) is None else "withdraw"


def _of_gold(turn: DialogueTurn) -> list[SlotEvent]:
    acts: Mapping[str, SlotEvent] = {
        own.slot: SlotEvent("set", own.slot, own.value)
        if own.value is not None
        else SlotEvent("free" if own.kind == "waive" else "drop", own.slot)
        for own in turn.gold
    }
    return list(acts.values())


def _shown(value: object) -> str:
    return "" if value is None else f"{value}"


def _answer(values: Mapping[str, object]) -> dict[str, str | int]:
    return {
        slot: value if isinstance(value, int) and not isinstance(value, bool) else str(value)
        for slot, value in values.items()
    }
