"""What a run about assignments can set of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, get_args

from holdtrue.lab.kit.options import Option
from holdtrue.lab.kit.settings import one_of
from holdtrue.language.readers import EXTRACTORS as READERS
from holdtrue.language.readers import GoldExtractor, Protocol

PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
EXTRACTORS = (*READERS, GoldExtractor.name)


@dataclass(frozen=True, slots=True)
class AssignmentSettings:
    """How messages are played and read; raises `SettingsError` for what there is not."""

    protocol: Annotated[str, Option("stated (the setting in every turn) or upstream.")] = "stated"
    extractor: Annotated[str, Option("llm, templates, or gold (an oracle).")] = "llm"

    def __post_init__(self) -> None:
        one_of("protocol", self.protocol, PROTOCOLS)
        one_of("extractor", self.extractor, EXTRACTORS)
