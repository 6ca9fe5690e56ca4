"""The base of all readers of constraints: what a whole message states, withdraws and amends, sentence by sentence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
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

ANSWERS_NOTHING = "it answers, and nothing was asked"


class SentenceReader(ABC):
    """A `SentenceReader` is an extractor that takes one sentence at a time."""

    async def read(self, instance: Instance, message: str, context: MessageContext) -> Extraction:
        """Return all that a message states, in order, and what it withdraws or amends of what holds."""
        active = context.active
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
