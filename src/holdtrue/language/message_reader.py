"""Read a whole message, sentence by sentence: each sentence states, withdraws or amends constraints.

The names of the instance are hidden first (`names`). A cue among the other words then marks a sentence as a possible
change (`change_detection`). A domain may use such words itself ("skip {0} on day {1}"); its sentences are no changes.

A change needs an active commitment. The reader looks first for the one that the sentence states in the domain's
wording. Then it looks for the only one that fits the names and words of the sentence. If several fit, the reader
chooses among them. If the choice stays open, or the sentence names something unknown, nothing changes, and the reading
gives the reason.

Every sentence except small talk gets a reading, and `residual_content` checks it against the words of its sentence.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from unicodedata import normalize

from holdtrue.errors import ConstraintError
from holdtrue.language.asking_back import read_confirmation
from holdtrue.language.change_detection import (
    Amendment,
    detect_change,
    points_back,
    spot_amendment,
    spot_commands,
    spot_named_before,
)
from holdtrue.language.inferred_changes import infer_change
from holdtrue.language.matching import match_sentence, match_wording, peel_lead
from holdtrue.language.names import Hidden, names_of
from holdtrue.language.qualifying_words import ALTERNATIVE, CONDITION, HEDGE
from holdtrue.language.reading import ActiveCommitment, Extraction, MessageContext, Reading, Why
from holdtrue.language.references import Statement
from holdtrue.language.replacement import Replacement
from holdtrue.language.residual_content import ASIDES, REMARKS, doubtful, find_tails, hold_to_words
from holdtrue.language.resolution import Referents, Resolver, is_clause, newest, parts, read_content, says_otherwise
from holdtrue.language.respelling import respell
from holdtrue.language.sentence_parts import (
    UNREAD_PART,
    context_of,
    hold_together,
    join_topics,
    not_sure_of,
    split_statements,
)
from holdtrue.language.sentences import is_question, is_small_talk, plain, split_sentences, without_courtesy
from holdtrue.language.withdrawals import LEAD, Withdrawal, remarks_on_it, spot_aim
from holdtrue.language.wording import denies
from holdtrue.record import CallRecord
from holdtrue.world.instance import Constraint, Instance

UNREAD = "it names nothing that is known here"
INFERRED = 0.9
"""The estimated confidence of a change that `inferred_changes` found in free wording."""

_CLAUSE_END = re.compile(r"[,;:] | - |\s[\u2013\u2014]\s|\b(?:because|since)\b")
_THAT_ONE = re.compile(r"(?:that|this|the last) one|that|this|it|them|those|these", re.IGNORECASE)
# After such an opening 'that' still means an agreed commitment; after other words it may mean their topic.
_OF_ONESELF = re.compile(r"(?:i|we|you|my|our|sorry|oh|no|wait|hm+|that|this|actually|okay|ok)\b", re.IGNORECASE)


class Hearing:
    """A `Hearing` is the state of one message while it is read.

    `held` are the commitments after the sentences so far, and `withdrawn` those that these sentences took back.
    """

    def __init__(
        self, reader: SentenceReader, instance: Instance, turn: int, active: Sequence[ActiveCommitment]
    ) -> None:
        self._reader = reader
        self.instance = instance
        self.turn = turn
        self.resolver = Resolver(instance)
        self.replacement = Replacement(self.resolver)
        self.names = names_of(instance)
        self._topic: str | None = None  # the previous sentence, if it gave no reading
        self._just_gone = False  # whether the last reading was a withdrawal
        self._held = {one.constraint: one for one in active}
        self.withdrawn: list[ActiveCommitment] = []
        self.readings: list[Reading] = []
        self.calls: list[CallRecord] = []
        self.tail = ""  # the next sentence, if it continues this one
        self._context = context_of(instance, [one.constraint for one in newest(active)])

    @property
    def held(self) -> list[ActiveCommitment]:
        return list(self._held.values())

    async def hear(self, sentence: str) -> None:
        if is_small_talk(sentence):
            return
        before = len(self.readings)
        held = self.held
        if own := self._find_own_sentence(sentence):
            await self._state_own(sentence, *own)
        else:
            await self._hear(sentence)
            if self._understood_nothing(self.readings[before:]):
                self._infer(sentence, held, before)
        if all(reading.status == "rejected" for reading in self.readings[before:]):
            self._topic = sentence

    def infer_from_all(self, sentences: Sequence[str]) -> None:
        """Read all sentences together as one change, as in 'The rule about Ann? Gone, please.'"""
        if self._understood_nothing(self.readings):
            said = [sentence.rstrip("?! ") for sentence in sentences]
            self._infer(", ".join(f"{one[:1].lower()}{one[1:]}" for one in said), self.held, 0)

    def _understood_nothing(self, readings: Sequence[Reading]) -> bool:
        return bool(readings) and all(one.status != "accepted" and one.why is not None for one in readings)

    def _infer(self, sentence: str, active: Sequence[ActiveCommitment], before: int) -> None:
        """Replace the readings of a sentence by the one change that it means in free wording, if any."""
        change = infer_change(self.instance, sentence, active)
        if change is None or self.tail:
            return
        asked = any(one.why is Why.SEVERAL for one in self.readings[before:])
        if asked and len(change.ends) == 1:
            return
        del self.readings[before:]
        if change.made is None:
            for one in change.ends:
                self._add(Reading(sentence, "accepted", one.constraint, INFERRED, act="withdraws"))
        else:
            replaced = change.ends[0].constraint
            self._add(Reading(sentence, "accepted", change.made, INFERRED, act="amends", replaces=replaced))

    async def _hear(self, sentence: str) -> None:
        hidden = self.names.hide(plain(sentence))
        if len(commands := spot_commands(hidden.text)) > 1:
            for command in commands:
                await self.hear(hidden.restore(command))
            return
        match detect_change(hidden.text):
            case Withdrawal() as cue:
                await self._take_back(sentence, self._restore(hidden, cue))
            case Amendment(stated, displaced) as cue:
                displaced = None if displaced is None else hidden.restore(_first_clause(displaced))
                await self._amend(sentence, replace(cue, stated=hidden.restore(stated), displaced=displaced))
            case None if (named := spot_named_before(hidden.text)) is not None:
                await self._take_back(sentence, self._restore(hidden, named))
            case None:
                remark = Referents(why_not="it was not understood as taking anything back")
                await self.state(sentence, remark if remarks_on_it(hidden.text) else None)

    def _find_own_sentence(self, sentence: str) -> tuple[str, str] | None:
        """Return the lead and rest of a sentence in the domain's wording that looks like a change, or None.

        "Skip Ann on day 3" takes nothing back if a type has the sentence or wording "skip {0} on day {1}".
        """
        hidden = self.names.hide(plain(sentence))
        if detect_change(hidden.text) is None:
            return None
        texts = dict.fromkeys((sentence, hidden.restore(without_courtesy(hidden.text))))
        for lead, own in (peeled for text in texts for peeled in peel_lead(self.instance, text, LEAD)):
            try:
                made = match_sentence(self.instance, own) or match_wording(self.instance, own)
            except ConstraintError:
                continue
            if made is not None:
                kind = self.instance.types[made.type]
                words = (self.names.hide(one.format(*made.args)).text for one in (kind.sentence, *kind.wordings))
                return (lead, own) if any(detect_change(one) is not None for one in words) else None
        return None

    async def _state_own(self, sentence: str, lead: str, own: str) -> None:
        cue = spot_amendment(f"{lead}this")
        if cue is not None and cue.kind == "correction":
            await self._amend(sentence, Amendment(own, kind="correction"))
        else:
            await self.state(sentence, own=own)

    async def state(self, sentence: str, otherwise: Referents | None = None, own: str = "") -> None:
        """Read a sentence that only states something.

        `otherwise` gives the rejection to record if nothing is read in the sentence. If `own` is given, that text is
        read in place of the sentence.
        """
        readings = await self._read(own or sentence)
        if not readings and not is_small_talk(sentence):
            unread = Reading(sentence, "rejected", None, 0.0, UNREAD, why=Why.UNREAD)
            readings = [unread if otherwise is None else otherwise.rejection(sentence)]
        for reading in readings:
            self._add(replace(reading, sentence=sentence) if own else reading)

    def _restore(self, hidden: Hidden, cue: Withdrawal) -> Withdrawal:
        return replace(cue, content=hidden.restore(cue.content), rest=hidden.restore(cue.rest))

    def _find_aim(self, cue: Withdrawal) -> Withdrawal:
        """Return the cue with the words for its object as `content`, and all words behind the object as `rest`."""
        hidden = self.names.hide(cue.rest).text
        if cue.rest and not (says_otherwise(hidden) or detect_change(hidden) is not None or is_clause(hidden)):
            return replace(cue, content=f"{cue.content} {cue.rest}".strip(), rest="")
        if cue.content and not cue.rest and self.resolver.find_referents(cue, self.held).why_not is not None:
            for content, rest in parts(self.instance, cue.content):
                return replace(cue, content=content, rest=rest)
        return cue

    async def _take_back(self, sentence: str, cue: Withdrawal) -> None:
        cue = self._find_aim(cue)
        meant = self._find_referents(cue)
        found, confidence = meant.commitments, 1.0
        if meant.among:
            read = _certain(await self._read(cue.content, [one.constraint for one in meant.among]))
            if read is not None:
                found = tuple(one for one in meant.among if one.constraint == read.constraint)
                confidence = read.confidence
        if not found and not cue.sure:
            await self.state(sentence, meant)
            return
        if not found:
            self._add(meant.rejection(sentence))
        for one in found:
            self._add(Reading(sentence, "accepted", one.constraint, confidence, act="withdraws"))
        if cue.rest and not says_otherwise(cue.rest):
            await self.hear(cue.rest)

    def _find_referents(self, cue: Withdrawal) -> Referents:
        """Find the commitments to take back. 'That' means the topic of the message, or the newest commitments."""
        if says_otherwise(self.names.hide(cue.rest).text):
            return Referents(why_not=f"with {cue.rest.split()[0]!r} it is not clear what is meant")
        pointing = bool(_THAT_ONE.fullmatch(self.names.hide(cue.content).text.strip(" .!")))
        if pointing or points_back(cue):
            if self._just_gone:
                return Referents(why_not="what was named just before is taken back already")
            if self._topic is not None:
                topic = self.names.hide(self._topic)
                if read_content(self.instance, self._topic).names_something:
                    return self.resolver.find_referents(
                        self._restore(topic, spot_aim(topic.text.rstrip("?!. "))), self.held
                    )
                if not _OF_ONESELF.match(topic.text):
                    return Referents(why_not=f"it may be about {self._topic!r:.80}")
            if pointing:
                cue = replace(cue, content="")
        return self.resolver.find_referents(cue, self.held)

    async def _amend(self, sentence: str, cue: Amendment) -> None:
        if self.replacement.is_conditional(cue):
            await self.state(sentence)
            return
        # 'Forget that. Put Ann on day 3 instead' replaces the commitment that was just taken back.
        gone = self.withdrawn if cue.displaced is None else []
        possible = self.replacement.find_stated(cue, gone or self.held)
        made, confidence = possible[0] if len(possible) == 1 else None, 1.0
        if made is None and cue.displaced is not None and denies(self.instance, cue.stated):
            await self.state(sentence)  # 'Don't put Ann on day 3 instead of day 2' changes nothing
            return
        if made is None and cue.kind != "contrast":
            readings = await self._read(cue.stated)
            read = _certain(readings)
            if read is None or read.constraint is None:
                # A doubtful reading replaces nothing.
                why = self.replacement.either(possible)
                for reading in readings:
                    if why and reading.status == "rejected":
                        reading = replace(reading, reason=why, why=None)
                    self._add(replace(reading, sentence=sentence))
                return
            made, confidence = self.instance.canonical(read.constraint), read.confidence
        if left := self._find_residue(cue, made):
            self._add(replace(left, sentence=sentence))
            return
        settled = cue.kind == "correction" or bool(gone)
        replaced = self.replacement.find_replaced(cue, made, self.held) if made and not settled else []
        if made and cue.kind == "correction" and not gone:
            replaced = self.replacement.find_corrected(made, self.held)
        if made is None or (cue.kind == "contrast" and len(replaced) != 1):
            await self.state(sentence)
            return
        reading = Reading(sentence, "accepted", made, confidence)
        if len(replaced) == 1:
            reading = replace(reading, act="amends", replaces=replaced[0].constraint)
        elif replaced:
            several = f"which of {self.resolver.tell(replaced)} it replaces is not clear"
            reading = doubtful(reading, several, Why.SEVERAL)
        elif cue.displaced is not None:
            # If the new constraint replaced nothing, it would leave a contradiction that nobody meant.
            reading = doubtful(reading, f"nothing that was agreed fits {cue.displaced!r}")
        elif not gone:
            reading = replace(reading, act="amends")
        self._add(reading)

    def _find_residue(self, cue: Amendment, constraint: Constraint | None) -> Reading | None:
        """Return a reading that names the words of a change that its constraint leaves out, or None."""
        if constraint is None:
            return None
        for part, kinds in ((cue.stated, ASIDES | REMARKS), (cue.displaced or "", ASIDES)):
            # The words of the replaced thing may be missing: 'day 3 instead'.
            read = Reading(part, "accepted", constraint)
            held = hold_to_words(self.instance, part, [read], self.tail, kinds)
            if held != [read]:
                return held[0]
        return None

    async def _read(self, sentence: str, among: Sequence[Constraint] = ()) -> list[Reading]:
        """Split a sentence into statements, read each, and check the readings against the words."""
        if among:
            return await self._read_words(sentence, among)
        split = split_statements(self.instance, sentence, self._context)
        self._context = split.context
        if split.statements == (Statement(sentence),):
            return await self._read_words(sentence)
        found: list[Reading] = []
        for one in split.statements:
            read = await self._read_words(one.text)
            found += [replace(not_sure_of(reading, one.guessed), sentence=sentence) for reading in read]
        return hold_together(self.instance, sentence, found, split.dropped, split.reasons)

    async def _read_words(self, sentence: str, among: Sequence[Constraint] = ()) -> list[Reading]:
        readings = await self._reader.read_sentence(self.instance, sentence, self.calls, among)
        return hold_to_words(self.instance, sentence, readings, self.tail, ASIDES if among else None)

    def _add(self, reading: Reading) -> None:
        """Record a reading, and update the commitments that hold after it."""
        self.readings.append(reading)
        self._topic = None
        self._just_gone = reading.act == "withdraws" and reading.status != "rejected"
        if reading.constraint is None or reading.status == "rejected":
            return
        made = self.instance.canonical(reading.constraint)
        known = self._held.pop(made, None)
        if reading.act == "withdraws" and known is not None:
            self.withdrawn.append(known)
            return
        if reading.replaces is not None:
            self._held.pop(reading.replaces, None)
        self._held[made] = ActiveCommitment(known.id if known else "", made, self.turn)


def _first_clause(text: str) -> str:
    """Return the text without a remark at its end: 'day 2' of 'day 2, the hall is booked'."""
    first, *rest = _CLAUSE_END.split(without_courtesy(text), maxsplit=1)
    open_still = rest and any(words.search(rest[0].casefold()) for words in (ALTERNATIVE, CONDITION, HEDGE))
    return text if open_still else first


def _certain(readings: Sequence[Reading]) -> Reading | None:
    read = [one for one in readings if one.code != UNREAD_PART]
    return read[0] if len(read) == 1 and read[0].status == "accepted" else None


ANSWERS_NOTHING = "it answers, and nothing was asked"


class SentenceReader(ABC):
    """A `SentenceReader` is an extractor that reads one sentence at a time. Subclasses implement `read_sentence`."""

    async def read(self, instance: Instance, message: str, context: MessageContext) -> Extraction:
        """Return everything that a message states, in order, and the active commitments that it withdraws or amends."""
        active = context.active
        hearing = Hearing(self, instance, context.turn, active or ())
        names = hearing.names
        message = normalize("NFC", message)
        # A withdrawal by a name that only resembles a known one changes nothing.
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
        if not hearing.readings:
            answered = read_confirmation(message, asked=1)
            if answered.answers != (None,) and not answered.rest.strip():
                hearing.readings.append(Reading(message, "rejected", None, 0.0, ANSWERS_NOTHING))
        readings = (_guessed(reading, respelled.guessed) for reading in hearing.readings)
        # Readings quote the user's own spelling.
        quoted = (replace(one, sentence=quotes.get(one.sentence, one.sentence)) for one in readings)
        return Extraction(tuple(quoted), tuple(hearing.calls))

    @abstractmethod
    async def read_sentence(
        self, instance: Instance, sentence: str, calls: list[CallRecord], among: Sequence[Constraint] = ()
    ) -> list[Reading]:
        """Return the constraints that a sentence states, and add the model calls to `calls`.

        If `among` is given, the result is restricted to these constraints. The caller checks the result against the
        words of the sentence (`residual_content`).
        """


def _guessed(reading: Reading, guessed: Mapping[str, str]) -> Reading:
    """Return a reading, made doubtful if its constraint has a name that the message spells in another way.

    A withdrawal with such a name is rejected.
    """
    named = [name for name in guessed if reading.constraint is not None and name in reading.constraint.args]
    if reading.status != "accepted" or not named:
        return reading
    why = ", ".join(f"{guessed[name]!r} was taken for {name!r}" for name in named)
    if reading.act == "withdraws":
        return replace(reading, status="rejected", constraint=None, confidence=0.0, reason=why)
    return doubtful(reading, why)
