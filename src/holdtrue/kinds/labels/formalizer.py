"""Get the formulas of sentences: the suite's own ones, or those that a model writes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Literal, Protocol

from holdtrue.kinds.labels.case import Case
from holdtrue.language.reading import Extractor, MessageContext
from holdtrue.logic.formula import Formula
from holdtrue.record import CallRecord, ReadingRecord
from holdtrue.world.instance import Instance

Formal = Literal["gold", "llm"]
"""Whether what sentences say is taken from the case, or read by a model."""

_NO_FORMULA = "no formula was given with it"
_NOTHING = "nothing that could be held to was found in it"


@dataclass(frozen=True, slots=True)
class Formalized:
    """The formula of a sentence, and what reading it cost.

    The formula is None if nothing could be read; one of the readings then says why.
    """

    formula: Formula | None
    calls: tuple[CallRecord, ...] = ()
    readings: tuple[ReadingRecord, ...] = ()


class Formalizer(Protocol):
    """Makes formulas of the sentences of one case; `name` is what records call it."""

    @property
    def name(self) -> str: ...

    async def formalize(self, sentence: str, own: Formula | None) -> Formalized:
        """Return what the sentence says; `own` is the suite's own formula, which only an oracle looks at."""
        ...


class GoldFormalizer:
    """A `GoldFormalizer` gives the suite's own formulas: it is an oracle."""

    name = "gold"

    async def formalize(self, sentence: str, own: Formula | None) -> Formalized:
        # What nobody wrote down is not read, as what a model could not read is not.
        return Formalized(own, readings=() if own is not None else (_unread(sentence, _NO_FORMULA),))


class LlmFormalizer:
    """A model reads each sentence by itself, as constraints of the case's instance, and all that it states holds."""

    def __init__(self, instance: Instance, extractor: Extractor) -> None:
        self.name = extractor.name
        self._instance = instance
        self._extractor = extractor

    async def formalize(self, sentence: str, own: Formula | None) -> Formalized:
        extraction = await self._extractor.read(self._instance, sentence, MessageContext())
        stated = [self._instance.formula(constraint) for constraint, _ in extraction.stated]
        readings = tuple(reading.record() for reading in extraction.readings)
        if not stated and not any(reading.status == "rejected" for reading in readings):
            readings = (*readings, _unread(sentence, _NOTHING))
        return Formalized(reduce(and_, stated) if stated else None, extraction.calls, readings)


@dataclass(frozen=True, slots=True)
class CaseReading:
    """A `case` with the formulas that a model wrote of all that it says, in a vocabulary of the model's own.

    `calls` are what that cost, and `readings` tell which sentences have no formula, and why.
    """

    case: Case
    calls: tuple[CallRecord, ...] = ()
    readings: tuple[ReadingRecord, ...] = ()


class WrittenFormalizer:
    """A `WrittenFormalizer` gives the formulas that a model wrote of the whole case before (`CaseReading`)."""

    name = "llm"

    async def formalize(self, sentence: str, own: Formula | None) -> Formalized:
        # Why a sentence has none is told once, by what was read of the case.
        return Formalized(own)


class Formalizing:
    """A `Formalizing` has sentences formalized one after the other, and gathers `calls` and `readings`."""

    def __init__(self, formalizer: Formalizer) -> None:
        self._formalizer = formalizer
        self.calls: tuple[CallRecord, ...] = ()
        self.readings: tuple[ReadingRecord, ...] = ()

    def take(self, reading: CaseReading) -> None:
        """Add what reading the whole case cost and brought."""
        self.calls += reading.calls
        self.readings += reading.readings

    async def formalize(self, sentence: str, own: Formula | None) -> Formula | None:
        """Return the sentence's formula, or None if it could not be read; see `Formalizer`."""
        made = await self._formalizer.formalize(sentence, own)
        self.calls += made.calls
        self.readings += made.readings
        return made.formula


def _unread(sentence: str, reason: str) -> ReadingRecord:
    return ReadingRecord(sentence, "rejected", reason=reason)
