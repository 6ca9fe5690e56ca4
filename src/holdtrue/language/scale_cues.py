"""Tell by words which of two entities comes first in a list of numbers: who lives on a lower floor, or is older.

A domain names the cues of an order in its list. Where the list counts upwards, 'below' and 'younger' mean the smaller
number, which comes first, whatever 'below' means in a list of names.
"""

from __future__ import annotations

import re

from holdtrue.language.grounding import COUNTING_WORDS, places
from holdtrue.language.instance_cache import cached_per_instance
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.instance import Constraint, Instance

_LESS = re.compile(
    r"\b(?:lower|below|under(?:neath)?|beneath|less|fewer|smaller|younger|cheaper|shorter|lighter|earlier|sooner"
    r"|downstairs)\b|<"
)
_MORE = re.compile(
    r"\b(?:higher|above|over|more|bigger|larger|older|greater|dearer|pricier|taller|longer|heavier|later|upstairs)\b|>"
)
_DENIED = re.compile(r"\b(?:not|never|no|cannot|neither|nor)\b|n't\b")
_JOINED = re.compile(r"\W*(?:and|or|nor|with)\W*(?:the |our )?", re.IGNORECASE)
_SIZES = (
    ("tiny", "small", "medium", "large", "huge", "giant"),
    ("xs", "s", "m", "l", "xl", "xxl"),
    ("low", "medium", "high"),
)
_LONGEST = 60  # characters between the two names; more may hold anything


def first_on_scale(instance: Instance, sentence: str, constraint: Constraint) -> str | None:
    """Return which of the constraint's two entities comes first by the words of the sentence; None where none says it.

    Only a list that counts up or down has such words. They stand between the names, as in 'Ann is older than Bob', or
    before the first one, as in 'A lower floor for Ann than for Bob'.
    """
    step = next((found for arg in constraint.args if (found := _step(instance, str(arg)))), 0)
    one, other = str(constraint.args[0]), str(constraint.args[1])
    text = sentence.replace("\u2019", "'").casefold()
    named = places(sentence, (one, other))
    if not step or len(named) != 2 or named[0][0] == named[1][0]:
        return None
    (subject, _, end), (object_, start, _) = named
    between = text[end:start]
    if len(between) > _LONGEST or _DENIED.search(between) or _JOINED.fullmatch(between):
        return None
    if re.match(r"\W*than\b", between) or not (_LESS.search(between) or _MORE.search(between)):
        if not re.search(r"\bthan\b", between) or _DENIED.search(text[: named[0][1]]):
            return None
        between = text[max(0, named[0][1] - _LONGEST) : named[0][1]]
    less, more = _LESS.search(between) is not None, _MORE.search(between) is not None
    if less == more:
        return None
    smaller, greater = (subject, object_) if less else (object_, subject)
    return smaller if step > 0 else greater


@cached_per_instance
def _step(instance: Instance, attribute: str) -> int:
    """Return 1 for a list of values that count up, -1 for one that counts down, and 0 for any other."""
    known = instance.attributes.get(attribute)
    if known is None or not isinstance(known.sort, EnumSort):
        return 0
    folded = [label.casefold() for label in known.sort.labels]
    sizes = next((scale for scale in _SIZES if set(folded) <= set(scale)), None)
    numbers = [sizes.index(label) if sizes else _number(label) for label in folded]
    counted = [number for number in numbers if number is not None]
    if len(counted) < len(numbers) or len(counted) < 2:
        return 0
    return 1 if counted == sorted(set(counted)) else -1 if counted == sorted(set(counted), reverse=True) else 0


def _number(label: str) -> int | None:
    folded = label.casefold()
    if folded in COUNTING_WORDS:
        return COUNTING_WORDS[folded]
    digits = re.findall(r"\d+", folded)
    return int(digits[0]) if len(digits) == 1 and not re.search(r"\d\s*(?:am|pm|a\.m|p\.m|:)", folded) else None
