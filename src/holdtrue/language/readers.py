"""Readers by name, and the two of them that ask no model: one for the domain's own wording, and the oracle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from holdtrue.errors import SettingsError
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.message_reader import SentenceReader
from holdtrue.language.own_wording import read_own_wording
from holdtrue.language.reading import Extraction, Extractor, MessageContext, Reading
from holdtrue.language.upstream import UpstreamExtractor
from holdtrue.models.chat import ChatModel
from holdtrue.record import CallRecord
from holdtrue.world.instance import Instance
from holdtrue.world.world import Constraint, World


class TemplateExtractor(SentenceReader):
    """A `TemplateExtractor` reads by code alone what is in the domain's own wording, and rejects all else."""

    name = "templates"

    async def read_sentence(
        self, instance: Instance, sentence: str, calls: list[CallRecord], among: Sequence[Constraint] = ()
    ) -> list[Reading]:
        """Return what the sentence states in the domain's own wording; `among` is not used."""
        return read_own_wording(instance, sentence)


class GoldExtractor:
    """A `GoldExtractor` returns each turn's gold constraints (turns from 1), whatever is said, and makes no calls.

    No deployed system has this reader, so a report marks its rows as an oracle's.
    """

    name = "gold"

    def __init__(self, gold: Mapping[int, Sequence[Constraint]]) -> None:
        self._gold = {turn: tuple(constraints) for turn, constraints in gold.items()}

    async def read(self, world: World, message: str, context: MessageContext) -> Extraction:
        """Return the gold constraints of the turn, or none where the turn has none."""
        stated = self._gold.get(context.turn, ())
        return Extraction(tuple(Reading(world.sentence(made), "accepted", made) for made in stated))


EXTRACTORS = ("llm", "templates")
UNASKING = (TemplateExtractor.name, GoldExtractor.name)
"""The readers that ask no model."""
Protocol = Literal["stated", "upstream"]
"""`stated`: the prompt tells the setting in every turn. `upstream`, as published: in the first turn only."""


def make_extractor(name: str, model: ChatModel, protocol: Protocol) -> Extractor:
    """Return the reader named `llm` (the model reads, as the protocol says) or `templates` (no model at all).

    Raises `SettingsError` for any other name; `gold` needs gold, which only a suite has.
    """
    match name:
        case "templates":
            return TemplateExtractor()
        case "llm":
            return UpstreamExtractor(model) if protocol == "upstream" else LlmExtractor(model)
    raise SettingsError(f"unknown extractor {name!r}; there are {' and '.join(EXTRACTORS)}")
