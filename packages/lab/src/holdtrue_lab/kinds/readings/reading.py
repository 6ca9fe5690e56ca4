"""Read one message under a method, make its record, and score the readings against gold."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from holdtrue.language import reading as language
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import GoldExtractor, TemplateExtractor
from holdtrue.language.reading_weights import ReadingWeights
from holdtrue.models.chat import ChatModel
from holdtrue.record import AnswerStatus, AttemptRecord, ReadingRecord, Satisfiability, TurnRecord, VerdictRecord
from holdtrue.world.instance import Constraint
from holdtrue_lab.kinds.readings.entry import Judged, ReadingDetail, ReadingScore, ReadingTurn, say_constraint
from holdtrue_lab.kinds.readings.problem import MessageItem, ReadingMethod

_BEFORE, _NOW = 1, 2
"""The turn of earlier commitments, and the turn of the message."""


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
    """Return the reading, put in doubt if it is less probable than the method accepts."""
    if accepted is None or reading.status != "accepted" or reading.confidence >= accepted:
        return reading
    return replace(reading, status="doubtful", reason=f"less probable than {accepted}")


def score_reading(item: MessageItem, readings: Sequence[ReadingRecord]) -> ReadingScore:
    """Return the score of the readings of a message. A constraint that was read several times counts once.

    Withdrawals are counted and not judged, because gold has commitments only.
    """
    accepted, doubtful = _constraints(item, readings, "accepted"), _constraints(item, readings, "doubtful")
    doubtful = {made: confidence for made, confidence in doubtful.items() if made not in accepted}
    gold = set(item.gold)
    right = len(gold & accepted.keys())
    judged = (Judged(confidence, made in gold) for made, confidence in (accepted | doubtful).items())
    missed = (made for made in item.gold if made not in accepted and made not in doubtful)
    return ReadingScore(
        correct=accepted.keys() == gold,
        with_doubtful=accepted.keys() | doubtful.keys() == gold,
        right=right,
        wrong=len(accepted) - right,
        gold=len(gold),
        doubtful=len(doubtful),
        doubtful_right=len(gold & doubtful.keys()),
        missed=tuple(say_constraint(made.type, made.args) for made in missed),
        rejected=sum(own.status == "rejected" for own in readings),
        taken_back=sum(own.status == "accepted" and own.act == "withdraws" for own in readings),
        judged=tuple(judged),
        kind=item.kind,
        style=item.style,
        family=item.family,
    )


def _constraints(item: MessageItem, readings: Sequence[ReadingRecord], status: str) -> dict[Constraint, float]:
    """Return the constraints that readings of this status commit to, with the highest confidence of each."""
    found: dict[Constraint, float] = {}
    for own in readings:
        if own.status == status and own.act != "withdraws" and own.type is not None:
            made = item.instance.canonical(Constraint(own.type, own.args))
            found[made] = max(own.confidence, found.get(made, 0.0))
    return found
