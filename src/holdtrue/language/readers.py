"""The readers that can be asked for by name."""

from __future__ import annotations

from typing import Literal

from holdtrue.errors import SettingsError
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.reading import Extractor
from holdtrue.language.templates import TemplateExtractor
from holdtrue.language.upstream import UpstreamExtractor
from holdtrue.models.chat import ChatModel

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
