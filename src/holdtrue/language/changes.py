"""Reading a message that may take back or change what was agreed.

A cue (`withdrawals`, `amendments`) says that a sentence may be a change. What is taken back must be one of the
commitments that hold: the one that the sentence says in the domain's own wording; else the only one that fits what
it names and how it is worded; else the one for which the reader takes it, out of those that fit. What an amendment
states is read like any statement. Where more than one commitment can be meant none is touched: the reading is
rejected, or stands as a plain statement, and its reason names them.

All that is read is held to the words of its sentence (`unsaid`): what leaves an 'or' or a 'maybe' out is doubtful or
rejected, and takes nothing back.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from holdtrue.domains.instance import Constraint, Instance
from holdtrue.language.amendments import Amendment, spot_amendment
from holdtrue.language.reading import Extraction, Held, Reading
from holdtrue.language.resolution import Meant, Resolver
from holdtrue.language.sentences import is_question, split_sentences
from holdtrue.language.unsaid import ASIDES, REMARKS, find_tails, hold_to_words
from holdtrue.language.withdrawals import Withdrawal, remarks_on_it, spot_withdrawal
from holdtrue.language.wording import denies
from holdtrue.record import CallRecord

_LONGEST_SENTENCE = 1000  # what is longer is no remark about an earlier one, and patterns stay quick
_REQUEST = re.compile(r"(?:please|ok|okay|so|and|well)?\W*(?:can|could|would|will) (?:you|we|i)\b", re.IGNORECASE)
_COURTESY = re.compile(r"[\s,]+(?:please|thanks|thank you)[\s.!?]*$", re.IGNORECASE)


class SentenceReader(ABC):
    """An extractor that takes one sentence at a time."""

    async def read(
        self,
        instance: Instance,
        message: str,
        *,
        turn: int,
        answer: str | None = None,
        active: Sequence[Held] | None = None,
    ) -> Extraction:
        """All that the message states and, where something can be (`active`), takes back and changes, in order.

        `answer` plays no part.
        """
        hearing = _Hearing(self, instance, turn, active or ())
        sentences = split_sentences(message, instance.entities)
        for sentence, tail in zip(sentences, find_tails(sentences), strict=True):
            hearing.tail = tail
            await (hearing.state(sentence) if active is None else hearing.hear(sentence))
        return Extraction(tuple(hearing.readings), tuple(hearing.calls))

    @abstractmethod
    async def read_sentence(
        self, instance: Instance, sentence: str, calls: list[CallRecord], among: Sequence[Constraint] = ()
    ) -> list[Reading]:
        """What the sentence states; with `among`, which of these constraints it means. Adds the calls it makes.

        What is read here is held to the words of the sentence afterwards (`unsaid`), whoever read it.
        """


def spot(sentence: str) -> Withdrawal | Amendment | None:
    """The change that a sentence may be, by its words alone; None for one that only states, or only asks."""
    if len(sentence) > _LONGEST_SENTENCE:
        return None
    text = " ".join(sentence.replace("\u2019", "'").split())
    if text.endswith("?") and (is_question(text) or not _REQUEST.match(text)):
        return None
    text = _COURTESY.sub("", text).rstrip(" ?")
    return spot_withdrawal(text) or spot_amendment(text)


class _Hearing:
    """A message as it is heard: `held` is what holds after the sentences so far, `withdrawn` what they took back."""

    def __init__(self, reader: SentenceReader, instance: Instance, turn: int, active: Sequence[Held]) -> None:
        self.reader = reader
        self.instance = instance
        self.turn = turn
        self.resolver = Resolver(instance)
        self._held = {one.constraint: one for one in active}
        self.withdrawn: list[Held] = []
        self.readings: list[Reading] = []
        self.calls: list[CallRecord] = []
        self.tail = ""  # the next sentence, where it goes on with this one

    @property
    def held(self) -> list[Held]:
        return list(self._held.values())

    async def hear(self, sentence: str) -> None:
        """Take in one sentence."""
        match spot(sentence):
            case Withdrawal() as cue:
                await self._take_back(sentence, cue)
            case Amendment() as cue:
                await self._amend(sentence, cue)
            case None:
                why = "it was not understood as taking anything back" if remarks_on_it(sentence) else None
                await self.state(sentence, why)

    async def state(self, sentence: str, otherwise: str | None = None) -> None:
        """Take in a sentence that only states; `otherwise` is what to write down where the reader says nothing."""
        readings = await self._read(sentence)
        if not readings and otherwise:
            readings = [Reading(sentence, "rejected", None, 0.0, otherwise, act="withdraws")]
        for reading in readings:
            self._add(reading)

    async def _take_back(self, sentence: str, cue: Withdrawal) -> None:
        name = None if cue.content or cue.rest else self._name_in(sentence)
        meant = Meant(why_not=f"it may be about {name}") if name else self.resolver.find_meant(cue, self.held)
        found, confidence = meant.held, 1.0
        if meant.among:
            read = _certain(await self._read(cue.content, [one.constraint for one in meant.among]))
            if read is not None:
                found = tuple(one for one in meant.among if one.constraint == read.constraint)
                confidence = read.confidence
        if not found and not cue.sure:
            await self.state(sentence, meant.why_not)
            return
        if not found:
            self._add(Reading(sentence, "rejected", None, 0.0, meant.why_not, act="withdraws"))
        for one in found:
            self._add(Reading(sentence, "accepted", one.constraint, confidence, act="withdraws"))
        if cue.rest:
            await self.hear(cue.rest)

    async def _amend(self, sentence: str, cue: Amendment) -> None:
        if self.resolver.is_conditional(cue):
            await self.state(sentence)
            return
        # 'Forget that. Put Ann on day 3 instead': in the place of what was just taken back.
        gone = self.withdrawn if cue.displaced is None else []
        possible = self.resolver.find_stated(cue, gone or self.held)
        made, confidence = possible[0] if len(possible) == 1 else None, 1.0
        if made is None and cue.displaced is not None and denies(self.instance, cue.stated):
            await self.state(sentence)  # 'Don't put Ann on day 3 instead of day 2' changes nothing
            return
        if made is None and cue.kind != "contrast":
            readings = await self._read(cue.stated)
            read = _certain(readings)
            if read is None or read.constraint is None:
                # Nothing was read, or nothing for certain: what is doubtful replaces nothing.
                why = self.resolver.either(possible)
                for reading in readings:
                    reason = why if why and reading.status == "rejected" else reading.reason
                    self._add(replace(reading, sentence=sentence, reason=reason))
                return
            made, confidence = self.instance.canonical(read.constraint), read.confidence
        if left := self._find_unsaid(cue, made):
            self._add(replace(left, sentence=sentence))
            return
        settled = cue.kind == "correction" or bool(gone)
        replaced = self.resolver.find_replaced(cue, made, self.held) if made and not settled else []
        if made is None or (cue.kind == "contrast" and len(replaced) != 1):
            await self.state(sentence)
            return
        reading = Reading(sentence, "accepted", made, confidence)
        if len(replaced) == 1:
            reading = replace(reading, act="amends", replaces=replaced[0].constraint)
        elif replaced:
            reading = replace(reading, reason=f"which of {self.resolver.tell(replaced)} it replaces is not clear")
        elif cue.displaced is not None:
            reading = replace(reading, reason=f"nothing that was agreed fits {cue.displaced!r}")
        elif not gone:
            reading = replace(reading, act="amends")
        self._add(reading)

    def _name_in(self, sentence: str) -> str | None:
        """A name that the sentence writes exactly like the instance: 'the Rule' may be somebody."""
        found = (name for name in self.instance.entities if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence))
        return next(found, None)

    def _find_unsaid(self, cue: Amendment, made: Constraint | None) -> Reading | None:
        """What is left of a change whose words say more than the constraint, in either part; None if they do not."""
        if made is None:
            return None
        for part, kinds in ((cue.stated, ASIDES | REMARKS), (cue.displaced or "", ASIDES)):
            # What is said in the place of something may leave out what was said of it: 'day 3 instead'.
            read = Reading(part, "accepted", made)
            held = hold_to_words(self.instance, part, [read], self.tail, kinds)
            if held != [read]:
                return held[0]
        return None

    async def _read(self, sentence: str, among: Sequence[Constraint] = ()) -> list[Reading]:
        """What the reader reads in the sentence, held to its words; what is meant `among` others may be reported."""
        readings = await self.reader.read_sentence(self.instance, sentence, self.calls, among)
        return hold_to_words(self.instance, sentence, readings, self.tail, ASIDES if among else None)

    def _add(self, reading: Reading) -> None:
        """Keep a reading, and what holds after it."""
        self.readings.append(reading)
        if reading.constraint is None or reading.status == "rejected":
            return
        made = self.instance.canonical(reading.constraint)
        known = self._held.pop(made, None)
        if reading.act == "withdraws" and known is not None:
            self.withdrawn.append(known)
            return
        if reading.replaces is not None:
            self._held.pop(reading.replaces, None)
        self._held[made] = Held(known.id if known else "", made, self.turn)


def _certain(readings: Sequence[Reading]) -> Reading | None:
    """The one thing that was read, if it was read with confidence."""
    return readings[0] if len(readings) == 1 and readings[0].status == "accepted" else None
