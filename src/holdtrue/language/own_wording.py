"""Read a sentence that is in the domain's own wording: by code, exactly, and without a model."""

from __future__ import annotations

import re

from holdtrue.errors import ConstraintError
from holdtrue.language.matching import match_sentence, match_wording, peel_lead
from holdtrue.language.names import names_of
from holdtrue.language.reading import Reading
from holdtrue.language.small_talk import plain, without_courtesy
from holdtrue.language.withdrawals import OPENING
from holdtrue.world.instance import Instance

_JOINED = re.compile(r"\s*[,;]\s*(?:and|but|also)\s+(?:also\s+)?|\s+and\s+(?:also\s+)?", re.IGNORECASE)


def read_own_wording(instance: Instance, sentence: str) -> list[Reading]:
    """Return what a sentence states in the domain's own wording: one reading, or one for each part that 'and' joins.

    A sentence in any other wording comes back as one rejected reading that says why.
    """
    whole = _read(instance, sentence)
    if whole.status == "accepted":
        return [whole]
    parts = [_read(instance, part) for part in _split(instance, sentence)]
    return parts if len(parts) > 1 and all(part.status == "accepted" for part in parts) else [whole]


def _read(instance: Instance, sentence: str) -> Reading:
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
            return f"; 'templates' would read: {instance.sentence(made)!r}"
    return ""


def _without_courtesy(instance: Instance, sentence: str) -> str:
    """Return the sentence without 'thanks' and the like behind it."""
    hidden = names_of(instance).hide(plain(sentence))
    return hidden.restore(without_courtesy(hidden.text))


def _split(instance: Instance, sentence: str) -> list[str]:
    """Split what is joined by 'and' outside of names: 'Ann works on day 2, and Bob works on day 3'."""
    hidden = names_of(instance).hide(plain(sentence))
    return [hidden.restore(part) for part in _JOINED.split(hidden.text)]
