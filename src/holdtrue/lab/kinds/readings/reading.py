"""Read one message of a dialogue, or one that is an item by itself, under a method, and make a record of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from datetime import time as clock

from holdtrue.conversation.slot_intake import take_slot
from holdtrue.lab.kinds.readings.entry import ReadingDetail, ReadingTurn, TakenEvent
from holdtrue.lab.kinds.readings.method import ReadingMethod
from holdtrue.lab.kinds.readings.problem import Dialogue, DialogueTurn, MessageItem
from holdtrue.lab.kinds.readings.teller import say_constraint
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import GoldExtractor, TemplateExtractor
from holdtrue.language.reading import (
    Act,
    ActiveCommitment,
    Extraction,
    Extractor,
    MessageContext,
    Reading,
    SettledSlot,
    read_message,
)
from holdtrue.language.reading_weights import ReadingWeights
from holdtrue.language.slots.slot_weights import SlotWeights, shipped_weights
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


_BEFORE, _NOW = 1, 2
"""The turns in which what held before was said, and in which the message is."""


async def read_item(
    item: MessageItem, method: ReadingMethod, model: ChatModel, weights: ReadingWeights | None = None
) -> ReadingTurn:
    """Return the record of the message, which is the only turn of its item. Raises `ModelError`."""
    started = time.perf_counter()
    found = await _extract(item, method, model, weights)
    readings = tuple(_held_to(method.accepted, own).record() for own in found.readings)
    rejected = tuple(f"{own.sentence!r}: {own.reason}" for own in readings if own.status == "rejected")
    accepted = (own for own in readings if own.status == "accepted")
    told = "; ".join(f"{own.act} {say_constraint(own.type, own.args)}" for own in accepted)
    verdict = VerdictRecord(Satisfiability.SAT, AnswerStatus.RESPECTING)
    return TurnRecord(
        turn=1,
        user_message=item.message,
        method=method.name,
        model=model.name,
        variant="",
        reader="none",
        readings=readings,
        extraction=found.calls,
        attempts=(AttemptRecord(1, "answer", told, None, verdict),),
        delivered=told,
        elapsed_s=time.perf_counter() - started,
        detail=ReadingDetail(None, (), {}, rejected),
    )


async def _extract(
    item: MessageItem, method: ReadingMethod, model: ChatModel, weights: ReadingWeights | None
) -> Extraction:
    if method.reader == "nothing":
        return Extraction(())
    active = [ActiveCommitment(f"c{number}", made, _BEFORE) for number, made in enumerate(item.before, 1)]
    gold = method.reader == "gold"
    reader = GoldExtractor({_NOW: item.gold}) if gold else extractor_of(method, model, weights)
    return await read_message(reader, item.instance, item.message, MessageContext(_NOW, active))


def extractor_of(
    method: ReadingMethod,
    model: ChatModel,
    weights: ReadingWeights | None = None,
    slot_weights: SlotWeights | None = None,
) -> Extractor:
    """Return the reader of a method that is no control: by a model, or by code alone; it reads in any world."""
    own = slot_weights or shipped_weights("model" if method.asks_model else "rules")
    if method.accepted is not None:
        own = replace(own, accepted=method.accepted)
    return LlmExtractor(model, weights=weights, slot_weights=own) if method.asks_model else TemplateExtractor(own)


def _held_to(accepted: float | None, reading: Reading) -> Reading:
    """Return the reading, in doubt if it is less probable than what the method accepts."""
    if accepted is None or reading.status != "accepted" or reading.confidence >= accepted:
        return reading
    return replace(reading, status="doubtful", reason=f"less probable than {accepted}")
