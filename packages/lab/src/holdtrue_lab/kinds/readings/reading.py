"""Read one message under a method, and make a record of it."""

from __future__ import annotations

import time
from dataclasses import replace

from holdtrue.language import reading as language
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import GoldExtractor, TemplateExtractor
from holdtrue.language.reading_weights import ReadingWeights
from holdtrue.models.chat import ChatModel
from holdtrue.record import AnswerStatus, AttemptRecord, Satisfiability, TurnRecord, VerdictRecord
from holdtrue_lab.kinds.readings.entry import ReadingDetail, ReadingTurn
from holdtrue_lab.kinds.readings.method import ReadingMethod
from holdtrue_lab.kinds.readings.problem import MessageItem
from holdtrue_lab.kinds.readings.teller import say_constraint

_BEFORE, _NOW = 1, 2
"""The turns in which what held before was said, and in which the message is."""


async def read_item(
    item: MessageItem, method: ReadingMethod, model: ChatModel, weights: ReadingWeights | None = None
) -> ReadingTurn:
    """Return the record of the message, which is the only turn of its item. Raises `ModelError`."""
    started = time.perf_counter()
    found = await _extract(item, method, model, weights)
    readings = tuple(_held_to(method.accepted, own).record() for own in found.readings)
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
        detail=ReadingDetail(),
    )


async def _extract(
    item: MessageItem, method: ReadingMethod, model: ChatModel, weights: ReadingWeights | None
) -> language.Extraction:
    reader: language.Extractor
    match method.reader:
        case "nothing":
            return language.Extraction(())
        case "gold":
            reader = GoldExtractor({_NOW: item.gold})
        case "rules":
            reader = TemplateExtractor()
        case "model":
            reader = LlmExtractor(model, weights=weights)
    active = [language.ActiveCommitment(f"c{number}", made, _BEFORE) for number, made in enumerate(item.before, 1)]
    return await language.read_message(reader, item.instance, item.message, language.MessageContext(_NOW, active))


def _held_to(accepted: float | None, reading: language.Reading) -> language.Reading:
    """Return the reading, in doubt if it is less probable than what the method accepts."""
    if accepted is None or reading.status != "accepted" or reading.confidence >= accepted:
        return reading
    return replace(reading, status="doubtful", reason=f"less probable than {accepted}")
