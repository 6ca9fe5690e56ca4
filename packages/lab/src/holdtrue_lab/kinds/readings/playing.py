"""Play messages: have each read by itself."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from holdtrue.errors import InputError, SettingsError
from holdtrue.language.reading_weights import ReadingWeights, read_reading_weights
from holdtrue.models.chat import ChatModel
from holdtrue.options import Option
from holdtrue_lab.kinds.readings.entry import say_constraint
from holdtrue_lab.kinds.readings.problem import READING_PRESETS, RULES, MessageItem, ReadingMethod
from holdtrue_lab.kinds.readings.reading import read_item, score_reading
from holdtrue_lab.kit.no_model import NO_MODEL
from holdtrue_lab.kit.plan import Order, Prepared, deal
from holdtrue_lab.kit.playing import PlayedTurn, Player, Playing


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
    """Reads one message, which is one turn."""

    @cached_property
    def _weights(self) -> ReadingWeights | None:
        settings: ReadingSettings = self.plan.play
        return settings.read_weights()

    async def play(self, problem: MessageItem, method: ReadingMethod, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        record = await read_item(problem, method, model, self._weights)
        yield PlayedTurn(record, score_reading(problem, record.readings), "no solver", _lines(problem))


def _lines(item: MessageItem) -> tuple[str, ...]:
    """Return lines that describe the message, its instance, and the constraints agreed before it."""
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
        """Let domains alternate.

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
    """Return a digest of the weights that method llm uses, or words for those of the package."""
    own = settings.read_weights()
    if own is None:
        return "the package's"
    return sha256(json.dumps(own.to_json(), sort_keys=True).encode()).hexdigest()[:16]
