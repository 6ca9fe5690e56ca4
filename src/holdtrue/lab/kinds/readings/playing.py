"""A run reads every message of recorded dialogues, or messages that are items by themselves.

The recorded assistant goes on as it did, whatever is read.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, TypeVar

from holdtrue.errors import InputError, SettingsError
from holdtrue.lab.kinds.readings.method import READING_PRESETS, RULES, ReadingMethod
from holdtrue.lab.kinds.readings.problem import Dialogue, MessageItem
from holdtrue.lab.kinds.readings.reading import DialogueReader, read_item
from holdtrue.lab.kinds.readings.scoring import score_item, score_reading
from holdtrue.lab.kinds.readings.teller import say_constraint
from holdtrue.lab.kit.no_model import NO_MODEL
from holdtrue.lab.kit.plan import Order, Prepared, deal
from holdtrue.lab.kit.playing import PlayedTurn, Player, Playing
from holdtrue.language.reading_weights import ReadingWeights, read_reading_weights
from holdtrue.language.slot_values.slot_value import LOCALES
from holdtrue.language.slots.slot_weights import SlotWeights, read_weights
from holdtrue.models.chat import ChatModel
from holdtrue.options import Option, one_of

W = TypeVar("W")
Item = Dialogue | MessageItem
"""What a run plays: both have an id, a domain, a number of turns, and a form in JSON."""


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """The settings of a run of readings; raises `SettingsError` for an unknown locale."""

    locale: Annotated[str, Option("The locale of dates, times and numbers in dialogues, such as en-US or de-DE.")] = (
        "en-US"
    )

    weights: Annotated[
        Path | None,
        Option("Weights of your own fit for method llm, as `study reading` writes them for dialogues or messages."),
    ] = None

    def __post_init__(self) -> None:
        one_of("locale", self.locale, LOCALES)

    def slot_weights(self) -> SlotWeights | None:
        """Return the weights of slots in the file, None without one. Raises `SettingsError` for other files."""
        return self._read(read_weights)

    def sentence_weights(self) -> ReadingWeights | None:
        """Return the weights of sentences in the file, None without one. Raises `SettingsError` for other files."""
        return self._read(read_reading_weights)

    def _read(self, read: Callable[[str], W]) -> W | None:
        if self.weights is None:
            return None
        try:
            return read(self.weights.read_text(encoding="utf-8"))
        except (OSError, ValueError, InputError) as error:
            raise SettingsError(f"--weights: {self.weights}: {error}") from error


class ReadingPlayer(Player[Item, ReadingMethod]):
    """Reads the messages of one dialogue, one after the other, or one message by itself; each is one turn."""

    @cached_property
    def _slots(self) -> SlotWeights | None:
        settings: ReadingSettings = self.plan.play
        return settings.slot_weights()

    @cached_property
    def _sentences(self) -> ReadingWeights | None:
        settings: ReadingSettings = self.plan.play
        return settings.sentence_weights()

    async def play(self, problem: Item, method: ReadingMethod, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        settings: ReadingSettings = self.plan.play
        if isinstance(problem, MessageItem):
            own = await read_item(problem, method, model, self._sentences if method.asks_model else None)
            yield PlayedTurn(own, score_item(problem, own.readings), "no solver", _lines(problem))
            return
        weights = self._slots if method.asks_model else None
        reader = DialogueReader(problem, method, model, settings.locale, weights)
        for number, (turn, held) in enumerate(zip(problem.messages, problem.held(), strict=True), 1):
            record = await reader.read(number, turn)
            lines = (f"services: {problem.domain}",) if number == 1 else ()
            yield PlayedTurn(record, score_reading(turn, held, record.detail, problem.seen), "no solver", lines)


def _lines(item: MessageItem) -> tuple[str, ...]:
    """Return in words what a message is about, and what sort of message it is."""
    sort = ", ".join(own for own in (item.domain, item.kind, item.style, item.family) if own)
    before = "; ".join(say_constraint(own.type, own.args) for own in item.before)
    return (f"message: {sort}", *item.instance.setup_lines(), *([f"agreed before: {before}"] if before else []))


class ReadingPlaying(Playing[Item, ReadingMethod]):
    """Settings, methods and order of a run of readings; see `Playing` for what each part does."""

    problem = "item"
    left_out = "they have no message of a user"
    settings = ReadingSettings
    plainest = RULES
    presets = READING_PRESETS
    samples_help = "For no method here: a message is read once."
    player = ReadingPlayer

    def prepare(self, order: Order[Item, ReadingMethod]) -> Prepared:
        """Leave out dialogues without a message.

        Raises `SettingsError` for a method that needs a model without one, and for weights of another sort of item.
        """
        asking = [method.name for method in order.methods if method.asks_model]
        if asking and order.model == NO_MODEL:
            raise SettingsError(f"method {asking[0]} asks a model: name one with --model")
        order.settings.sentence_weights() if _has_messages(order.problems) else order.settings.slot_weights()
        return Prepared(
            families=[(problem,) for problem in deal([own for own in order.problems if own.turns])],
            methods=order.methods,
            play={**asdict(order.settings), "weights": _fit_of(order.settings, order.problems)},
            length=lambda problem: problem.turns,
            protocol=order.settings.locale,
        )

    def describe_problem(self, problem: Item) -> object:
        return problem.to_json()

    def notes(self, problems: Sequence[Item], settings: ReadingSettings) -> Sequence[str]:
        """Return a sentence for slots that are not read from words."""
        unread = sorted({own for each in problems if isinstance(each, Dialogue) for own in each.world.unread})
        return [f"Not read: {'; '.join(unread[:5])}."] if unread else []


def _has_messages(problems: Sequence[Item]) -> bool:
    return any(isinstance(own, MessageItem) for own in problems)


def _fit_of(settings: ReadingSettings, problems: Sequence[Item]) -> str:
    """Return the weights that method llm reads by, by a digest of their own or as the package's."""
    own = settings.sentence_weights() if _has_messages(problems) else settings.slot_weights()
    if own is None:
        return "the package's"
    return sha256(json.dumps(own.to_json(), sort_keys=True).encode()).hexdigest()[:16]
