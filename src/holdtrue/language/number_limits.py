"""Find words that limit a number, such as 'at least', 'or later' and 'up to', which a constraint may fail to say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from holdtrue.language.english import masked
from holdtrue.language.masked_text import mask
from holdtrue.language.qualifying_words import EARLIEST, EXACT, LATEST, LOWER, UPPER
from holdtrue.world.domain import ConstraintType, Integer
from holdtrue.world.instance import Instance
from holdtrue.world.world import Constraint

Side = Literal["earliest", "latest"]

_DENIED = r"\b(?:not|no|never|nothing|cannot|nor|neither|none|without)\b[^,;:.]{0,40}?\b"
_DENIED_LATER = re.compile(rf"{_DENIED}(?:(?<!\bor )later|after|past|beyond|exceed\w*)\b")
_UP_TO = re.compile(r"\bup (?:to|until|till)\b(?: and including)?(?= (?:\w+ ){0,3}[NM]\b)")
_DENIED_EARLIER = re.compile(rf"{_DENIED}(?:earlier|sooner|before|prior|until|ahead)\b")


def given_end(instance: Instance, sentence: str) -> Side | None:
    """Return which end of a range the words give, or None where they give both, or none that is known."""
    text = mask(instance, sentence, ()).text.replace("n't", " not")
    later, earlier = _DENIED_LATER.search(text), _DENIED_EARLIER.search(text)
    if later or earlier:
        return None if later and earlier else "latest" if later else "earliest"
    from_on, until = EARLIEST.search(text), LATEST.search(text) or _UP_TO.search(text)
    if bool(from_on) == bool(until):
        return None
    return "earliest" if from_on else "latest"


_LIMIT = re.compile("|".join(limit.pattern for limit in (LOWER, UPPER, EARLIEST, LATEST)))
_FEW = masked("number_limits.few")
_PAST_IT = re.compile(r"(?<!no )(?<!not )(?<!never )\b(?:more than|greater than|over|above) N\b")
_DENIED_LIMIT = masked("number_limits.denied_limit")
_DENIED_ALREADY = masked("number_limits.denied_already")
_UNIT = re.compile(r"\b(second|minute|hour|day|week|month|year)s?\b")
_COUNTED = re.compile(r"N (?:working |business |calendar )?(second|minute|hour|day|week|month|year)s?\b")
_LEAST = masked("number_limits.least")


def without_limits(text: str) -> str:
    """The text with all words that limit a number taken out."""
    return _LIMIT.sub(" ", text)


def affirm_limit(text: str) -> str:
    """Return the text without the denial of a limit that stands plainly before it, as in 'cannot start before N'."""
    found = _DENIED_LIMIT.search(text)
    if found is None or _DENIED_ALREADY.search(text[: found.start()]):
        return text
    return f"{text[: found.start()]} {' ' * len(found['denial'])}{text[found.end('denial') :]}"


def is_bounded(kind: ConstraintType) -> bool:
    """Return whether the constraint gives limits of a number, in which 'no more' and 'not before' deny nothing."""
    said = own_sentence(kind)
    return any(bound.search(said) for bound in (LOWER, UPPER, EARLIEST, LATEST)) or kind.sentence.count("between") > 0


def own_sentence(kind: ConstraintType) -> str:
    """The type's sentence in small letters, with N for its numbers and E for all else."""
    letters = ["N" if isinstance(argument, Integer) else "E" for argument in kind.arguments]
    return kind.sentence.casefold().format(*letters)


def own_wordings(kind: ConstraintType) -> str:
    """The type's sentence and wordings, a line each, as `own_sentence` writes them."""
    letters = ["N" if isinstance(argument, Integer) else "E" for argument in kind.arguments]
    return "\n".join(wording.casefold().format(*letters) for wording in (kind.sentence, *kind.wordings))


def find_limits(kinds: Sequence[ConstraintType], text: str) -> Iterator[tuple[int, int]]:
    """Yield the places where the text limits a number and the types do not, or limit it on the other side, or where
    the types limit a number and the text does not.
    """
    counting = [kind for kind in kinds if any(isinstance(argument, Integer) for argument in kind.arguments)]
    if not counting or any(sum(isinstance(a, Integer) for a in kind.arguments) > 1 for kind in counting):
        if not counting and (found := _FEW.search(text)):
            yield found.span()
        return
    own = "\n".join(map(own_sentence, counting))
    if past := _next_to(own, text):
        yield past
        return
    low, high = (bool(one.search(own) or other.search(own)) for one, other in ((LOWER, EARLIEST), (UPPER, LATEST)))
    if low and not _LEAST.search(text) and not any(word in text for kind in counting for word, _ in kind.number_words):
        yield _number_at(text)
        return
    limits: tuple[re.Pattern[str], ...] = (LOWER, UPPER, EARLIEST, LATEST)
    if low:
        limits, text = (UPPER,), _blanked(LOWER, text)
    elif high:
        limits, text = (LOWER,), _blanked(UPPER, text)
    for limit in limits:
        if (found := limit.search(text)) and re.search(r"[NM]", text):
            yield found.span()
            return
    if all(is_bounded(kind) for kind in counting) and (found := EXACT.search(text)):
        yield found.span()


def _next_to(own: str, text: str) -> tuple[int, int] | None:
    """Find where the text counts past the number or in other units: '2 days' is not 'more than 2 days' or '2 weeks'."""
    if (found := _PAST_IT.search(text)) and re.search(LOWER.pattern, own):
        return found.span()
    units = set(_UNIT.findall(own))
    other = next(
        (one for one in _COUNTED.finditer(text) if one[1] not in units or " " in one[0].removeprefix("N ")), None
    )
    return other.span() if units and other else None


def _blanked(limit: re.Pattern[str], text: str) -> str:
    """The text with a limit blanked, every other word in its place."""
    return limit.sub(lambda match: " " * len(match.group()), text)


def _number_at(text: str) -> tuple[int, int]:
    found = re.search("[NM]", text)
    return found.span() if found else (0, 0)


def is_within(name: str, kinds: Sequence[ConstraintType], stated: Sequence[Constraint]) -> bool:
    """Return whether the name is a number inside a range that was read: '6, 7 or 8'."""
    if not name.isdecimal():
        return False
    ranges = [
        [arg for kind, arg in zip(one.arguments, made.args, strict=True) if isinstance(kind, Integer)]
        for one, made in zip(kinds, stated, strict=True)
    ]
    return any(len(ends) > 1 and min(map(int, ends)) < int(name) < max(map(int, ends)) for ends in ranges)
