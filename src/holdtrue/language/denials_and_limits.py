"""Compare the denials and number limits of a sentence with those of the constraint that was read from it.

A reader that loses a 'not' reads the opposite. One that loses 'at least' or 'up to' reads another constraint. The
*type* of a constraint has a sentence with places for its arguments; that sentence shows whether it denies or limits
something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from holdtrue.language.direction import has_direction
from holdtrue.language.english_patterns import english, fragment, masked
from holdtrue.language.masked_text import count_entities, mask
from holdtrue.language.qualifying_words import EARLIEST, EXACT, LATEST, LOWER, UPPER
from holdtrue.world.domain import ConstraintType, Integer
from holdtrue.world.instance import Constraint, Instance

Side = Literal["earliest", "latest"]

_DENYING = r"\b(?:not|no|never|nothing|cannot|nor|neither|none|without)\b[^,;:.]{0,40}?\b"
_DENIED_LATER = re.compile(rf"{_DENYING}(?:(?<!\bor )later|after|past|beyond|exceed\w*)\b")
_UP_TO = re.compile(r"\bup (?:to|until|till)\b(?: and including)?(?= (?:\w+ ){0,3}[NM]\b)")
_DENIED_EARLIER = re.compile(rf"{_DENYING}(?:earlier|sooner|before|prior|until|ahead)\b")


def given_end(instance: Instance, sentence: str) -> Side | None:
    """Return which end of a range the words give, or None if they give both or none."""
    text = mask(instance, sentence, ()).text.replace("n't", " not")
    later, earlier = _DENIED_LATER.search(text), _DENIED_EARLIER.search(text)
    if later or earlier:
        return None if later and earlier else "latest" if later else "earliest"
    from_on, until = EARLIEST.search(text), LATEST.search(text) or _UP_TO.search(text)
    if bool(from_on) == bool(until):
        return None
    return "earliest" if from_on else "latest"


_LIMIT = re.compile("|".join(limit.pattern for limit in (LOWER, UPPER, EARLIEST, LATEST)))
_FEW = masked("denials_and_limits.few")
_PAST_IT = re.compile(r"(?<!no )(?<!not )(?<!never )\b(?:more than|greater than|over|above) N\b")
_DENIED_LIMIT = masked("denials_and_limits.denied_limit")
_DENIED_ALREADY = masked("denials_and_limits.denied_already")
_UNIT = re.compile(r"\b(second|minute|hour|day|week|month|year)s?\b")
_COUNTED = re.compile(r"N (?:working |business |calendar )?(second|minute|hour|day|week|month|year)s?\b")
_LEAST = masked("denials_and_limits.least")


def without_limits(text: str) -> str:
    """Return the text without all words that limit a number."""
    return _LIMIT.sub(" ", text)


def affirm_limit(text: str) -> str:
    """Return the text without a denial directly before a limit, as in 'cannot start before N'."""
    found = _DENIED_LIMIT.search(text)
    if found is None or _DENIED_ALREADY.search(text[: found.start()]):
        return text
    return f"{text[: found.start()]} {' ' * len(found['denial'])}{text[found.end('denial') :]}"


def is_bounded(kind: ConstraintType) -> bool:
    """Return whether the type limits a number, so that 'no more' and 'not before' deny nothing in it."""
    said = own_sentence(kind)
    return any(bound.search(said) for bound in (LOWER, UPPER, EARLIEST, LATEST)) or kind.sentence.count("between") > 0


def own_sentence(kind: ConstraintType) -> str:
    """Return the type's sentence in small letters, with N for its numbers and E for all other arguments."""
    letters = ["N" if isinstance(argument, Integer) else "E" for argument in kind.arguments]
    return kind.sentence.casefold().format(*letters)


def own_wordings(kind: ConstraintType) -> str:
    """Return the type's sentence and wordings, one a line, in the form of `own_sentence`."""
    letters = ["N" if isinstance(argument, Integer) else "E" for argument in kind.arguments]
    return "\n".join(wording.casefold().format(*letters) for wording in (kind.sentence, *kind.wordings))


def find_limits(kinds: Sequence[ConstraintType], text: str) -> Iterator[tuple[int, int]]:
    """Yield the places at which the text and the types limit a number differently.

    One of the two may have no limit, or a limit on the other side.
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
        yield found.span() if (found := re.search("[NM]", text)) else (0, 0)
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
    """Return the place of words beyond the number, or of a unit that no type uses: '2 weeks' for '2 days'."""
    if (found := _PAST_IT.search(text)) and re.search(LOWER.pattern, own):
        return found.span()
    units = set(_UNIT.findall(own))
    other = next(
        (one for one in _COUNTED.finditer(text) if one[1] not in units or " " in one[0].removeprefix("N ")), None
    )
    return other.span() if units and other else None


def _blanked(limit: re.Pattern[str], text: str) -> str:
    return limit.sub(lambda match: " " * len(match.group()), text)


def is_within(name: str, kinds: Sequence[ConstraintType], stated: Sequence[Constraint]) -> bool:
    """Return whether the name is a number inside a range that was read: '6, 7 or 8'."""
    if not name.isdecimal():
        return False
    ranges = [
        [arg for kind, arg in zip(one.arguments, made.args, strict=True) if isinstance(kind, Integer)]
        for one, made in zip(kinds, stated, strict=True)
    ]
    return any(len(ends) > 1 and min(map(int, ends)) < int(name) < max(map(int, ends)) for ends in ranges)


_SHORT = (
    (re.compile(r"\bcan(?:not|'t)\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"\bshan't\b", re.IGNORECASE), "shall not"),
    (re.compile(r"(?<=\w)n't\b", re.IGNORECASE), " not"),
)
_AUXILIARY = fragment("denials_and_limits.auxiliary")
_DENIED = english("denials_and_limits.denied")
_FIRST = re.compile(rf"\b{_AUXILIARY}\b", re.IGNORECASE)
_OTHER = english("denials_and_limits.other")
_MAIN = re.compile(r"^\s*([a-z]+)s\b")
_BASES = {"ha": "have", "doe": "do", "goe": "go"}


def denied(behind: str) -> str | None:
    """Return the text behind a subject with its verb denied; None if the place of the 'not' is unclear."""
    text = _in_full(behind)
    if _OTHER.search(text):
        return None
    if verb := _FIRST.search(text):
        return f"{text[: verb.end()]} not{text[verb.end() :]}"
    if main := _MAIN.match(text):
        base = _BASES.get(main[1], main[1])
        return f" does not {base}{text[main.end() :]}"
    return None


def affirmed(behind: str) -> str | None:
    """Return the text behind a subject without the denial of its verb; None if it has no such denial, or others."""
    text = _in_full(behind)
    if len(_OTHER.findall(text)) != 1 or not (found := _DENIED.search(text)):
        return None
    return f"{text[: found.end(1)]}{text[found.end() :]}"


def denies_its_verb(behind: str) -> bool | None:
    """Return whether the verb is denied; None if another part of the statement is denied or limited."""
    text = _in_full(behind)
    if not _OTHER.search(text):
        return False
    return True if len(_OTHER.findall(text)) == 1 and _DENIED.search(text) else None


def _in_full(text: str) -> str:
    text = text.replace("\u2019", "'")
    for short, full in _SHORT:
        text = short.sub(full, text)
    return text


_STRICT = fragment("denials_and_limits.strict")
_STRONG = fragment("denials_and_limits.strong")
_SOFT = fragment("denials_and_limits.soft")
_LIKE = fragment("denials_and_limits.like")
_AROUND = fragment("denials_and_limits.around")
_LIMITS = fragment("denials_and_limits.limits")
_LIFTED = masked("denials_and_limits.lifted")
_NOT_BOTH = masked("denials_and_limits.not_both")
_NOT_SO = masked("denials_and_limits.not_so")
_WAITS = re.compile(r"\b(?:until|till|unless|before|earlier|sooner|without|prior)\b")
_DENIED_DIFFERENCE = re.compile(rf"(?:\bnot|\bnever|n't|\bno) (?:\w+ ){{0,3}}?(?:{_SOFT})")
_NEITHER = re.compile(r"\bneither E (?:nor|or) E\b")
_IS_OVER = masked("denials_and_limits.is_over")


def find_lost_denials(
    instance: Instance, text: str, main: str, stated: Sequence[Constraint]
) -> Iterator[tuple[tuple[int, int] | None, bool]]:
    """Yield the places at which masked text denies something and the constraints do not, or None for the opposite case.

    The flag of each place says whether the sentence certainly means something else. `main` is the text with remarks
    blanked (`without_remarks`), because a remark denies something else.
    """
    kinds = [instance.types[made.type] for made in stated]
    if found := _LIFTED.search(text):
        yield found.span(), True
    keeps_two_apart = len(stated) == 1 and denies(kinds[0]) and count_entities(instance, stated[0]) == 2
    if (found := _NOT_BOTH.search(text)) and not keeps_two_apart:
        yield found.span(), True
    if (found := _NEITHER.search(text)) and any(count_entities(instance, made) > 1 for made in stated):
        yield found.span(), True
    denying = [kind for kind in kinds if denies(kind)]
    strict = list(re.finditer(_STRICT, main))
    if len(denying) == len(kinds):
        if not re.search(_LIKE, text) and not any(_own_words(kind, text) for kind in kinds):
            yield None, False
        if found := _DENIED_DIFFERENCE.search(text):
            yield found.span(), True
        if (found := _NOT_SO.search(text)) and re.search(_LIKE, text[found.end() :]):
            yield found.span(), True
        return
    if denying:
        return  # only some types deny: the reader decides which words belong to them
    bounded = all(is_bounded(kind) for kind in kinds)
    cancelled = _LIMITS if bounded else f"{_STRONG}|{_SOFT}|{_AROUND}"
    # Words before the first name may be about the words behind it ('nobody may come between E and E').
    for match in strict:
        if re.search(cancelled, re.split("[;:.!?]", main[match.end() :], maxsplit=1)[0]):
            continue
        if any(_waits_rightly(kind, main[match.end() :]) for kind in kinds):
            continue
        yield match.span(), True
        return
    found = None if strict or bounded else re.search(f"{_STRONG}|{_SOFT}", main)
    if found and not any(found.group() in kind.sentence.casefold() for kind in kinds):
        yield found.span(), False


def lifts(words: str) -> bool:
    """Return whether words only release from a duty: 'need not', 'no need', 'does not have to'."""
    return _LIFTED.fullmatch(words) is not None


def denies(kind: ConstraintType) -> bool:
    """Return whether the sentence of this type denies something."""
    said = kind.sentence.casefold()
    return not is_bounded(kind) and bool(re.search(f"{_STRICT}|{_STRONG}|{_SOFT}", said))


def _waits_rightly(kind: ConstraintType, text: str) -> bool:
    """Return whether 'not ... until' gives the order of the type. 'Not before' gives it only with a word for an end."""
    if not has_direction(kind) or not (found := _WAITS.search(text)):
        return False
    return found.group() in ("until", "till", "unless", "without") or bool(_IS_OVER.search(text))


def _own_words(kind: ConstraintType, text: str) -> bool:
    said = " ".join((kind.sentence, *kind.wordings)).casefold()
    return any(match.group() in text for match in re.finditer(f"{_STRONG}|{_SOFT}", said))
