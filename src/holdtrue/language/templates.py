"""Reading the fixed wording: each constraint type's sentence, turned around. Exact and free: no model is asked."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.domains.instance import Constraint, Instance
from holdtrue.errors import ConstraintError
from holdtrue.language.changes import SentenceReader
from holdtrue.language.matching import match_sentence
from holdtrue.language.reading import Reading
from holdtrue.record import CallRecord


class TemplateExtractor(SentenceReader):
    """Reads messages in the domain's own wording; everything else is rejected. Makes no calls."""

    name = "templates"

    async def read_sentence(
        self, instance: Instance, sentence: str, calls: list[CallRecord], among: Sequence[Constraint] = ()
    ) -> list[Reading]:
        """The sentence by its wording alone, whatever it may mean out of `among`."""
        return [_read_sentence(instance, sentence)]


def _read_sentence(instance: Instance, sentence: str) -> Reading:
    try:
        constraint = match_sentence(instance, sentence)
    except ConstraintError as error:
        return Reading(sentence, "rejected", reason=str(error), code=error.code)
    if constraint is None:
        return Reading(sentence, "rejected", reason="no known wording fits this sentence")
    return Reading(sentence, "accepted", constraint)
