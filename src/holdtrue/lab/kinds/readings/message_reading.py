"""Read a message that is an item by itself under a method, and make a record of it."""

from __future__ import annotations

import time
from dataclasses import replace

from holdtrue.lab.kinds.readings.message_item import MessageItem
from holdtrue.lab.kinds.readings.method import ReadingMethod
from holdtrue.lab.kinds.readings.record import ReadingDetail, ReadingTurn
from holdtrue.lab.kinds.readings.words import say_constraint
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import GoldExtractor, TemplateExtractor
from holdtrue.language.reading import ActiveCommitment, Extraction, Extractor, MessageContext, Reading, read_message
from holdtrue.language.reading_weights import ReadingWeights
from holdtrue.language.slots.slot_weights import SlotWeights, shipped_weights
from holdtrue.models.chat import ChatModel
from holdtrue.record import AnswerStatus, AttemptRecord, Satisfiability, TurnRecord, VerdictRecord

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
