"""The readers that can be asked for by name, and the oracle that hands out what a suite's author wrote down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from holdtrue.errors import SettingsError
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.reading import Extraction, Extractor, Held, Reading
from holdtrue.language.templates import TemplateExtractor
from holdtrue.language.upstream import UpstreamExtractor
from holdtrue.models.chat import ChatModel
from holdtrue.world.world import Constraint, World


class GoldExtractor:
    """The gold constraints of each turn (counted from 1), whatever the message says. Makes no calls.

    Rows made with it are oracle rows: no deployed system has this reader.
    """

    name = "gold"

    def __init__(self, gold: Mapping[int, Sequence[Constraint]]) -> None:
        self._gold = {turn: tuple(constraints) for turn, constraints in gold.items()}

    async def read(
        self,
        instance: World,
        message: str,
        *,
        turn: int,
        answer: str | None = None,
        active: Sequence[Held] | None = None,
    ) -> Extraction:
        """The gold constraints of the turn; none where the turn has none."""
        stated = self._gold.get(turn, ())
        return Extraction(tuple(Reading(instance.sentence(made), "accepted", made) for made in stated))


EXTRACTORS = ("llm", "templates")
Protocol = Literal["stated", "upstream"]
"""Whether the setting is told in every turn, or as published: in the first one alone."""


def make_extractor(name: str, model: ChatModel, protocol: Protocol) -> Extractor:
    """The reader named `llm` (the model reads, in the protocol's way) or `templates` (no model at all).

    Raises `SettingsError` for any other name; `gold` needs gold, which only a suite has.
    """
    match name:
        case "templates":
            return TemplateExtractor()
        case "llm":
            return UpstreamExtractor(model) if protocol == "upstream" else LlmExtractor(model)
    raise SettingsError(f"unknown extractor {name!r}; there are {' and '.join(EXTRACTORS)}")
