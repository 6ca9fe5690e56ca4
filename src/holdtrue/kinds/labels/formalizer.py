"""Get the formulas of sentences from the suite, or let a model write them."""

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
"""The source of formulas: the case (`gold`), or a model that reads the sentences (`llm`)."""

_NO_FORMULA = "no formula was given with it"
_NOTHING = "nothing that could be held to was found in it"


@dataclass(frozen=True, slots=True)
class Formalized:
    """The formula of a sentence, or None with a reason in `readings`, and the calls that read it."""

    formula: Formula | None
    calls: tuple[CallRecord, ...] = ()
    readings: tuple[ReadingRecord, ...] = ()


class Formalizer(Protocol):
    """A `Formalizer` turns the sentences of one case into formulas. Records show its `name`."""

    @property
    def name(self) -> str: ...

    async def formalize(self, sentence: str, own: Formula | None) -> Formalized:
        """Return the formula of the sentence. `own` is the suite's formula, which only an oracle may use."""
        ...


class GoldFormalizer:
    """A `GoldFormalizer` returns the suite's formulas. It is an oracle."""

    name = "gold"

    async def formalize(self, sentence: str, own: Formula | None) -> Formalized:
        # A sentence without a formula counts as unread, as if a model could not read it.
        return Formalized(own, readings=() if own is not None else (_unread(sentence, _NO_FORMULA),))


class LlmFormalizer:
    """A model reads each sentence as constraints of the case's instance. The formula is their conjunction."""

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
    """A `case` with a model's formulas for its whole text. `readings` list the sentences without a formula."""

    case: Case
    calls: tuple[CallRecord, ...] = ()
    readings: tuple[ReadingRecord, ...] = ()


class WrittenFormalizer:
    """A `WrittenFormalizer` returns the formulas that a model has written for the whole case (`CaseReading`)."""

    name = "llm"

    async def formalize(self, sentence: str, own: Formula | None) -> Formalized:
        # The readings of the whole case already say why a sentence has no formula.
        return Formalized(own)


class Formalizing:
    """A `Formalizing` formalizes sentences one after the other, and gathers `calls` and `readings`."""

    def __init__(self, formalizer: Formalizer) -> None:
        self._formalizer = formalizer
        self.calls: tuple[CallRecord, ...] = ()
        self.readings: tuple[ReadingRecord, ...] = ()

    def take(self, reading: CaseReading) -> None:
        """Add the calls and readings of the whole case."""
        self.calls += reading.calls
        self.readings += reading.readings

    async def formalize(self, sentence: str, own: Formula | None) -> Formula | None:
        """Return the sentence's formula, or None if it could not be read (see `Formalizer`)."""
        made = await self._formalizer.formalize(sentence, own)
        self.calls += made.calls
        self.readings += made.readings
        return made.formula


def _unread(sentence: str, reason: str) -> ReadingRecord:
    return ReadingRecord(sentence, "rejected", reason=reason)
