"""Reading the fixed wording: each constraint type's sentence, turned around. Exact and free: no model is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdtrue.errors import ConstraintError
from holdtrue.language.changes import SentenceReader
from holdtrue.language.matching import match_sentence
from holdtrue.language.names import names_of
from holdtrue.language.reading import Reading
from holdtrue.language.small_talk import plain, without_courtesy
from holdtrue.record import CallRecord
from holdtrue.world.instance import Constraint, Instance

_JOINED = re.compile(r"\s*[,;]\s*(?:and|but|also)\s+(?:also\s+)?|\s+and\s+(?:also\s+)?", re.IGNORECASE)
_PLEASE = re.compile(r"^(?:(?:please|also|and|ok(?:ay)?|yes|well|so)\b[\s,]*)+", re.IGNORECASE)


class TemplateExtractor(SentenceReader):
    """Reads messages in the domain's own wording; everything else is rejected. Makes no calls."""

    name = "templates"

    async def read_sentence(
        self, instance: Instance, sentence: str, calls: list[CallRecord], among: Sequence[Constraint] = ()
    ) -> list[Reading]:
        """The sentence by its wording alone, whatever it may mean out of `among`."""
        whole = _read_sentence(instance, sentence)
        if whole.status == "accepted":
            return [whole]
        parts = [_read_sentence(instance, part) for part in _split(instance, sentence)]
        return parts if len(parts) > 1 and all(part.status == "accepted" for part in parts) else [whole]


def _read_sentence(instance: Instance, sentence: str) -> Reading:
    fault: ConstraintError | None = None
    for text in dict.fromkeys((sentence, _without_courtesy(instance, sentence))):
        try:
            constraint = match_sentence(instance, text)
        except ConstraintError as error:
            fault = fault or error
            continue
        if constraint is not None:
            return Reading(sentence, "accepted", constraint)
    if fault is not None:
        return Reading(sentence, "rejected", reason=str(fault), code=fault.code)
    return Reading(sentence, "rejected", reason="no known wording fits this sentence")


def _without_courtesy(instance: Instance, sentence: str) -> str:
    """The sentence without 'please' before it and 'thanks' behind it."""
    hidden = names_of(instance).hide(plain(sentence))
    return hidden.restore(_PLEASE.sub("", without_courtesy(hidden.text)))


def _split(instance: Instance, sentence: str) -> list[str]:
    """What is joined by 'and' outside of names: 'Ann works on day 2, and Bob works on day 3'."""
    hidden = names_of(instance).hide(plain(sentence))
    return [hidden.restore(part) for part in _JOINED.split(hidden.text)]
