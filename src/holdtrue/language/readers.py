"""Readers by name, and the two of them that ask no model: one for the domain's own wording, and the oracle."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from holdtrue.errors import ConstraintError, SettingsError
from holdtrue.language.changes import SentenceReader
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.matching import match_sentence, match_wording, peel_lead
from holdtrue.language.names import names_of
from holdtrue.language.reading import ActiveCommitment, Extraction, Extractor, Reading
from holdtrue.language.small_talk import plain, without_courtesy
from holdtrue.language.upstream import UpstreamExtractor
from holdtrue.language.withdrawals import OPENING
from holdtrue.models.chat import ChatModel
from holdtrue.record import CallRecord
from holdtrue.world.instance import Instance
from holdtrue.world.world import Constraint, World

_JOINED = re.compile(r"\s*[,;]\s*(?:and|but|also)\s+(?:also\s+)?|\s+and\s+(?:also\s+)?", re.IGNORECASE)


class TemplateExtractor(SentenceReader):
    """A `TemplateExtractor` reads what is in the domain's own wording, rejects all else, and makes no calls."""

    name = "templates"

    async def read_sentence(
        self, instance: Instance, sentence: str, calls: list[CallRecord], among: Sequence[Constraint] = ()
    ) -> list[Reading]:
        """Return what the sentence states in the domain's own wording; `among` is not used."""
        whole = _read_sentence(instance, sentence)
        if whole.status == "accepted":
            return [whole]
        parts = [_read_sentence(instance, part) for part in _split(instance, sentence)]
        return parts if len(parts) > 1 and all(part.status == "accepted" for part in parts) else [whole]


def _read_sentence(instance: Instance, sentence: str) -> Reading:
    fault: ConstraintError | None = None
    polite = dict.fromkeys((sentence, _without_courtesy(instance, sentence)))
    for text in (behind for one in polite for _, behind in peel_lead(instance, one, OPENING)):
        try:
            constraint = match_sentence(instance, text)
        except ConstraintError as error:
            fault = error  # the last names what stands behind 'please' and the like
            continue
        if constraint is not None:
            return Reading(sentence, "accepted", constraint)
    if fault is not None:
        return Reading(sentence, "rejected", reason=str(fault), code=fault.code)
    return Reading(sentence, "rejected", reason=f"no known wording fits this sentence{_own_words(instance, sentence)}")


def _own_words(instance: Instance, sentence: str) -> str:
    """Tell what would be read in place of a sentence in another wording of its type, which only models know."""
    for _, text in peel_lead(instance, _without_courtesy(instance, sentence), OPENING):
        if made := match_wording(instance, text):
            return f"; {TemplateExtractor.name!r} would read: {instance.sentence(made)!r}"
    return ""


def _without_courtesy(instance: Instance, sentence: str) -> str:
    """Return the sentence without 'thanks' and the like behind it."""
    hidden = names_of(instance).hide(plain(sentence))
    return hidden.restore(without_courtesy(hidden.text))


def _split(instance: Instance, sentence: str) -> list[str]:
    """Split what is joined by 'and' outside of names: 'Ann works on day 2, and Bob works on day 3'."""
    hidden = names_of(instance).hide(plain(sentence))
    return [hidden.restore(part) for part in _JOINED.split(hidden.text)]


class GoldExtractor:
    """A `GoldExtractor` returns each turn's gold constraints (turns from 1), whatever is said, and makes no calls.

    No deployed system has this reader, so a report marks its rows as an oracle's.
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
        active: Sequence[ActiveCommitment] | None = None,
    ) -> Extraction:
        """Return the gold constraints of the turn, or none where the turn has none."""
        stated = self._gold.get(turn, ())
        return Extraction(tuple(Reading(instance.sentence(made), "accepted", made) for made in stated))


EXTRACTORS = ("llm", "templates")
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
