"""Hold what was read in the statements of one sentence to the sentence as a whole."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdtrue.language.grounding import mentions
from holdtrue.language.reading import Reading
from holdtrue.language.residual_content import doubtful, tell_left, words_holding_back
from holdtrue.world.instance import Constraint, Instance

UNREAD_PART = "unread_part"
"""The code of a reading that only tells of a part of its sentence in which nothing was read."""

_DEMANDS = re.compile(
    r"\b(?:must(?:n['\u2019]t)?|shall|should(?:n['\u2019]t)?|(?:has|have|had|got|needs?) to|cannot|can['\u2019]t"
    r"|may not|(?:not|n't) allowed|ought|gotta)\b"
    r"|\b(?:does|do|is|are|must|shall|should|will|can)(?:n['\u2019]t| not)?\W*$",
    re.IGNORECASE,
)
_NOTHING = "nothing was read in "
_REFERS = re.compile(r"\b(?:he|she|it|they|both|neither|everyone|the (?:former|latter|others?))\b", re.IGNORECASE)


def not_sure_of(reading: Reading, guessed: Sequence[str]) -> Reading:
    """Return a reading, doubtful where it has one of the names for which it is not sure that they are meant."""
    unsure = [name for name in guessed if reading.constraint is not None and name in reading.constraint.args]
    if not unsure or reading.status != "accepted":
        return reading
    return doubtful(reading, f"whether {' and '.join(unsure)} is meant is not sure")


def hold_together(
    instance: Instance,
    sentence: str,
    readings: Sequence[Reading],
    dropped: Sequence[str],
    reasons: Sequence[str] = (),
) -> list[Reading]:
    """Return the readings of a sentence that was taken apart, doubtful where words beside them may hold for all.

    'Bob thinks that Ann has seat 2 and Cy has seat 3': what was held back in one statement, and what stands in the
    `dropped` parts of the sentence, may be said of the others, too. A dropped part that demands something is rejected
    by a reading of its own, so that nobody takes it for read. What gives the `reasons` of a statement holds none back.
    """
    unread = [
        Reading(sentence, "rejected", None, 0.0, f'{_NOTHING}"{part.strip()}"', UNREAD_PART)
        for part in (*dropped, *reasons)
        if may_state_something(instance, part)
    ]
    return [*_held_together(instance, readings, dropped), *unread]


def unread_part(reading: Reading) -> str:
    """Return the words in which a rejected reading found nothing: a part of its sentence, or all of it."""
    if reading.code != UNREAD_PART or reading.reason is None:
        return reading.sentence
    return reading.reason.removeprefix(_NOTHING).strip('"')


def may_state_something(instance: Instance, part: str) -> bool:
    """Return whether a part demands something of somebody, or names somebody with a value or a number."""
    found = mentions(instance, part)
    if (found.entities and (found.values or found.numbers)) or len(found.entities) > 1:
        return True
    return bool(_DEMANDS.search(part) and (found.entities or found.values or _REFERS.search(part)))


def _plain(readings: Sequence[Reading]) -> list[Constraint]:
    """Return what was stated in words that hold nothing back: 'he begged for Blue, so Blue it is'."""
    return [one.constraint for one in readings if one.constraint is not None and not one.held_back]


def _held_together(instance: Instance, readings: Sequence[Reading], dropped: Sequence[str]) -> list[Reading]:
    stated = [one.constraint for one in readings if one.constraint is not None and one.status != "rejected"]
    if left := words_holding_back(instance, ", ".join(dropped), stated):
        reason = f"{tell_left(left)}, which may hold for all that the sentence states"
    elif any(one.held_back and one.constraint not in _plain(readings) for one in readings):
        reason = "another part of the sentence is no plain statement"
    else:
        return list(readings)
    return [doubtful(one, reason) if one.status == "accepted" else one for one in readings]
