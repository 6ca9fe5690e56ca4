"""Sentences as formulas: the suite's own, or those that a model makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Protocol

from holdtrue.domains.instance import Instance
from holdtrue.language.reading import Extractor
from holdtrue.logic.formula import Formula
from holdtrue.record import CallRecord, ReadingRecord


@dataclass(frozen=True, slots=True)
class Formalized:
    """What a sentence says as a formula, None where nothing could be read; and what reading it cost."""

    formula: Formula | None
    calls: tuple[CallRecord, ...] = ()
    readings: tuple[ReadingRecord, ...] = ()


class Formalizer(Protocol):
    """Makes formulas of the sentences of one case; `name` is what records call it."""

    @property
    def name(self) -> str: ...

    async def formalize(self, sentence: str, own: Formula | None) -> Formalized:
        """What the sentence says; `own` is the suite's own formula, which only an oracle looks at."""
        ...


class GoldFormalizer:
    """The suite's own formulas: an oracle."""

    name = "gold"

    async def formalize(self, sentence: str, own: Formula | None) -> Formalized:
        return Formalized(own)


class LlmFormalizer:
    """A model reads each sentence by itself, as constraints of the case's instance, and all that it states holds."""

    def __init__(self, instance: Instance, extractor: Extractor) -> None:
        self.name = extractor.name
        self._instance = instance
        self._extractor = extractor

    async def formalize(self, sentence: str, own: Formula | None) -> Formalized:
        extraction = await self._extractor.read(self._instance, sentence, turn=1)
        stated = [self._instance.formula(constraint) for constraint, _ in extraction.stated]
        readings = tuple(reading.record() for reading in extraction.readings)
        return Formalized(reduce(and_, stated) if stated else None, extraction.calls, readings)
