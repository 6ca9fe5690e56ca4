"""The base of all readers of words: what a whole message states, withdraws and amends, in any world.

About an instance of a domain, one sentence is read at a time; the slots of tools or of a schema are read from the
message as a whole.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from unicodedata import normalize

from holdtrue.language.asking_back import read_confirmation
from holdtrue.language.change_detection import detect_change
from holdtrue.language.message_hearing import Hearing
from holdtrue.language.reading import Extraction, MessageContext, Reading
from holdtrue.language.residual_content import doubtful, find_tails
from holdtrue.language.respelling import respell
from holdtrue.language.sentence_parts import join_topics
from holdtrue.language.sentences import is_question, split_sentences
from holdtrue.record import CallRecord
from holdtrue.world.instance import Constraint, Instance

if TYPE_CHECKING:
    from holdtrue.language.slots.slot_weights import SlotWeights
    from holdtrue.language.slots.slot_world import SlotWorld
    from holdtrue.models.chat import ChatModel

ANSWERS_NOTHING = "it answers, and nothing was asked"


class SentenceReader(ABC):
    """A `SentenceReader` is an extractor that takes one sentence at a time, where a world has constraints.

    `slot_weights` are the fitted weights by which it reads slots, the package's own by default, and `slot_model` is the
    model that it asks about them, if it asks one.
    """

    slot_model: ChatModel | None = None
    slot_weights: SlotWeights | None = None

    async def read(self, world: Instance | SlotWorld, message: str, context: MessageContext) -> Extraction:
        """Return all that a message states or settles, in order, and what it withdraws or amends of what holds."""
        if not isinstance(world, Instance):
            return await self.read_slots(world, message, context)
        instance, active = world, context.active
        hearing = Hearing(self.read_sentence, instance, context.turn, active or ())
        names = hearing.names
        message = normalize("NFC", message)
        # What takes something back by a name that is only like a known one touches nothing, and is told.
        respelled = respell(instance, message, guess=detect_change(names.hide(message).text) is None)
        split = split_sentences(respelled.text, (*names.entities, *names.values))
        said = split if respelled.text == message else split_sentences(message, (*names.entities, *names.values))
        quotes = dict(zip(split, said, strict=True)) if len(split) == len(said) else {}
        sentences = join_topics(instance, split)
        for sentence, tail in zip(sentences, find_tails(sentences), strict=True):
            hearing.tail = tail
            await (hearing.state(sentence) if active is None else hearing.hear(sentence))
        if active and len(sentences) > 1 and not any(map(is_question, sentences)):
            hearing.infer_from_all(sentences)
        if not hearing.readings and _only_answers(message):
            hearing.readings.append(Reading(message, "rejected", None, 0.0, ANSWERS_NOTHING))
        readings = (_guessed(reading, respelled.guessed) for reading in hearing.readings)
        # What was said is told in the user's own words.
        quoted = (replace(reading, sentence=quotes.get(reading.sentence, reading.sentence)) for reading in readings)
        return Extraction(tuple(quoted), tuple(hearing.calls))

    async def read_slots(self, world: SlotWorld, message: str, context: MessageContext) -> Extraction:
        """Return what a message settles of slots, by fitted weights and with one call of the model, if there is one."""
        # Who reads constraints only loads none of the code for dates and amounts.
        from holdtrue.language.slots.slot_reader import ScoredSlotReader

        return await ScoredSlotReader(self.slot_model, self.slot_weights).read(world, message, context)

    @abstractmethod
    async def read_sentence(
        self, instance: Instance, sentence: str, calls: list[CallRecord], among: Sequence[Constraint] = ()
    ) -> list[Reading]:
        """Return what a sentence states; with `among`, which of these constraints it means. Adds its calls to `calls`.

        The caller checks the result against the words of the sentence (`residual_content`).
        """


def _only_answers(message: str) -> bool:
    """Return whether a message is a yes or no and nothing else."""
    heard = read_confirmation(message, asked=1)
    return heard.answers != (None,) and not heard.rest.strip()


def _guessed(reading: Reading, guessed: Mapping[str, str]) -> Reading:
    """Return a reading, doubtful if it has a name that the message does not spell like this; it takes nothing back."""
    named = [name for name in guessed if reading.constraint is not None and name in reading.constraint.args]
    if reading.status != "accepted" or not named:
        return reading
    why = ", ".join(f"{guessed[name]!r} was taken for {name!r}" for name in named)
    if reading.act == "withdraws":
        return replace(reading, status="rejected", constraint=None, confidence=0.0, reason=why)
    return doubtful(reading, why)
