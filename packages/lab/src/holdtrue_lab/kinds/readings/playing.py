"""Play messages: let a reader read each message by itself."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from holdtrue.errors import InputError, SettingsError
from holdtrue.language import reading as language
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import GoldExtractor, TemplateExtractor
from holdtrue.language.reading_weights import ReadingWeights, read_reading_weights
from holdtrue.models.chat import ChatModel
from holdtrue.options import Option
from holdtrue.record import AnswerStatus, AttemptRecord, ReadingRecord, Satisfiability, TurnRecord, VerdictRecord
from holdtrue.world.instance import Constraint
from holdtrue_lab.kinds.readings.entry import Judged, ReadingDetail, ReadingScore, ReadingTurn, say_constraint
from holdtrue_lab.kinds.readings.problem import READING_PRESETS, RULES, MessageItem, ReadingMethod
from holdtrue_lab.kit.no_model import NO_MODEL
from holdtrue_lab.kit.plan import Order, Prepared, deal
from holdtrue_lab.kit.playing import PlayedTurn, Player, Playing

_BEFORE, _NOW = 1, 2
"""The turn of earlier commitments, and the turn of the message."""


async def read_item(
    item: MessageItem, method: ReadingMethod, model: ChatModel, weights: ReadingWeights | None = None
) -> ReadingTurn:
    """Read the message, which is the only turn of its item, and return the record. Raises `ModelError`."""
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
    """Return the reading, with the status doubtful if it is less probable than the method accepts."""
    if accepted is None or reading.status != "accepted" or reading.confidence >= accepted:
        return reading
    return replace(reading, status="doubtful", reason=f"less probable than {accepted}")


def score_reading(item: MessageItem, readings: Sequence[ReadingRecord]) -> ReadingScore:
    """Return the score of the readings of a message. A constraint that was read several times counts once.

    Withdrawals are counted but not judged, because gold has commitments only.
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


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """The settings of a run of readings."""

    weights: Annotated[
        Path | None, Option("Weights of your own fit for method llm, as `study reading` writes them.")
    ] = None

    def read_weights(self) -> ReadingWeights | None:
        """Return the weights in the file, or None without a file. Raises `SettingsError` for other files."""
        if self.weights is None:
            return None
        try:
            return read_reading_weights(self.weights.read_text(encoding="utf-8"))
        except (OSError, ValueError, InputError) as error:
            raise SettingsError(f"--weights: {self.weights}: {error}") from error


class ReadingPlayer(Player[MessageItem, ReadingMethod]):
    """A `ReadingPlayer` reads one message, which is one turn."""

    @cached_property
    def _weights(self) -> ReadingWeights | None:
        settings: ReadingSettings = self.plan.play
        return settings.read_weights()

    async def play(self, problem: MessageItem, method: ReadingMethod, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        record = await read_item(problem, method, model, self._weights)
        yield PlayedTurn(record, score_reading(problem, record.readings), "no solver", _lines(problem))


def _lines(item: MessageItem) -> tuple[str, ...]:
    """Return lines that describe the message, its instance, and the constraints that were agreed before."""
    sort = ", ".join(own for own in (item.domain, item.kind, item.style, item.family) if own)
    before = "; ".join(say_constraint(own.type, own.args) for own in item.before)
    return (f"message: {sort}", *item.instance.setup_lines(), *([f"agreed before: {before}"] if before else []))


class ReadingPlaying(Playing[MessageItem, ReadingMethod]):
    """A run of readings: settings, methods and order; `Playing` describes the parts."""

    problem = "message"
    settings = ReadingSettings
    plainest = RULES
    presets = READING_PRESETS
    samples_help = "For no method here: a message is read once."
    player = ReadingPlayer

    def prepare(self, order: Order[MessageItem, ReadingMethod]) -> Prepared:
        """Return the prepared run, in which domains alternate.

        Raises `SettingsError` for a method that needs a model without one, and for a file that has no weights.
        """
        asking = [method.name for method in order.methods if method.asks_model]
        if asking and order.model == NO_MODEL:
            raise SettingsError(f"method {asking[0]} asks a model: name one with --model")
        return Prepared(
            families=[(problem,) for problem in deal(order.problems)],
            methods=order.methods,
            play={"weights": _fit_of(order.settings)},
        )

    def describe_problem(self, problem: MessageItem) -> object:
        return problem.to_json()


def _fit_of(settings: ReadingSettings) -> str:
    """Return a digest of the weights that method `llm` uses, or words that name the weights of the package."""
    own = settings.read_weights()
    if own is None:
        return "the package's"
    return sha256(json.dumps(own.to_json(), sort_keys=True).encode()).hexdigest()[:16]
