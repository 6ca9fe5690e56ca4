"""Read one message of a dialogue under a method, let the ledger take what was read, and make a record of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import datetime
from datetime import time as clock

from holdtrue.conversation.slot_intake import take_slot
from holdtrue.lab.kinds.readings.message_reading import extractor_of
from holdtrue.lab.kinds.readings.method import ReadingMethod
from holdtrue.lab.kinds.readings.problem import Dialogue, DialogueTurn
from holdtrue.lab.kinds.readings.record import ReadingDetail, ReadingTurn, TakenEvent
from holdtrue.language.reading import Act, Extraction, MessageContext, Reading, SettledSlot, read_message
from holdtrue.language.slots.slot_weights import SlotWeights
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
        self._reader = extractor_of(method, model, slot_weights=weights)
        self._now = datetime.combine(dialogue.today, _MORNING)
        self._ledger = SlotLedger()
        self._earlier: tuple[str, ...] = ()

    async def read(self, number: int, turn: DialogueTurn) -> ReadingTurn:
        """Return the record of one message; messages count from 1. Raises `ModelError`."""
        started = time.perf_counter()
        reading = await self._reading(number, turn)
        events = tuple(taken for own in reading.readings if (taken := self._take(own, number)) is not None)
        if turn.system:
            self._earlier = (turn.system, *self._earlier)[:_MOST_EARLIER]
        rejected = (own for own in reading.readings if own.status == "rejected")
        unread = tuple(f"{own.sentence!r} {own.reason}" for own in rejected)
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

    async def _reading(self, number: int, turn: DialogueTurn) -> Extraction:
        match self._method.reader:
            case "nothing":
                return Extraction(())
            case "gold":
                return Extraction(tuple(_of_gold(turn)))
        context = MessageContext(
            number,
            held=self._ledger.values,
            assistant=turn.system,
            earlier=self._earlier,
            now=self._now,
            locale=self._locale,
        )
        return await read_message(self._reader, self._dialogue.world, turn.user, context)

    def _take(self, own: Reading, number: int) -> TakenEvent | None:
        """Let the ledger take a reading; None where it changes nothing."""
        kind = take_slot(self._ledger, own, number)
        if kind is None or own.slot is None:
            return None
        return TakenEvent(kind, own.slot.slot, own.slot.value, own.sentence, own.source, own.grounding, own.confidence)


def _of_gold(turn: DialogueTurn) -> list[Reading]:
    found: dict[str, Reading] = {}
    for own in turn.gold:
        act: Act = "states" if own.value is not None else "frees" if own.kind == "waive" else "withdraws"
        found[own.slot] = Reading("", "accepted", act=act, slot=SettledSlot(own.slot, own.value), grounding="none")
    return list(found.values())


def _shown(value: object) -> str:
    return "" if value is None else f"{value}"


def _answer(values: Mapping[str, object]) -> dict[str, str | int]:
    return {
        slot: value if isinstance(value, int) and not isinstance(value, bool) else str(value)
        for slot, value in values.items()
    }
