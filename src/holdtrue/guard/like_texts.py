"""Tell whether two texts are one value: by their letters they are, or cannot be, or only somebody can say."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from holdtrue.language.names import without_accents

_ALIKE = 0.6
_WORD = re.compile(r"[\w+#*@=<>%&$\u20ac\u00a3]+|(?<=\w)-(?!\w)|(?<!\w)-(?=\d)")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019](?=\w)")
_CODE = re.compile(r"@|://|\w\.\w\w|/")
_NUMBER = re.compile(r"[0-9]+")
_CODED = re.compile(r"(?=.*\d)(?=.*[A-Z])[A-Z\d]+(?:[ -][A-Z\d]+)*")
"""A postcode, a plate or a number of an order: what is written in capitals and digits only."""
_MAIL = re.compile(r"[^@\s]+@[^@\s]+")
_CLOCK = re.compile(r"\d{1,2}[:.]\d{2}|\d{1,4}[/.-]\d{1,2}(?:[/.-]\d{1,4})?")
_ARTICLES = ("the ", "a ", "an ")
_FOREIGN_ARTICLES = frozenset("el la las los le les l der die das il lo".split())
"""Articles of names that people leave out, `Vegas`, though they keep them in short forms: `LA`."""


def comparable(text: str) -> str:
    """Return a text in small letters, without accents, marks that only part words, and an article before it.

    Marks that say something stay: `A+` is no `A-`, and `C++` no `C`.
    """
    words = " ".join(_WORD.findall(_APOSTROPHE.sub("", without_accents(text.casefold()))))
    return next((words[len(own) :] for own in _ARTICLES if words.startswith(own)), words) or text.strip()


def is_short_for(one: str, other: str) -> bool:
    """Return whether of two texts one is a short form of the other, by its letters.

    It is how it begins (`The Weight`, `The Weight of the Badge`), its first letters (`SD`, `San Diego`), or has words
    cut short (`San Fran`). Addresses of mail or of pages, and numbers, have no short forms.

    >>> is_short_for("NYC", "New York"), is_short_for("San Fran", "San Francisco"), is_short_for("Leeds", "London")
    (True, True, False)
    """
    short, long = sorted((comparable(one), comparable(other)), key=len)
    few, many = short.split(), long.split()
    if not few or "".join(few) == "".join(many):
        return bool(few)
    if any(_CODE.search(own) for own in (one, other)):
        return False
    if few in (many[: len(few)], many[1 : 1 + len(few)] if many[0] in _FOREIGN_ARTICLES else None):
        return True
    written = one if comparable(one) == short else other
    first = "".join(word[0] for word in many)
    if len(few) == 1 and len(many) > 1 and written.isupper() and short in (first, f"{first}c"):
        return True
    return len(few) == len(many) > 1 and all(
        cut == whole or (whole.startswith(cut) and len(cut) >= min(3, len(whole)) and whole.isalpha())
        for cut, whole in zip(few, many, strict=True)
    )


def differ_surely(one: str, other: str) -> bool:
    """Return whether two texts cannot mean the same, whatever anybody says: two addresses of mail, or other numbers.

    The numbers tell them apart only where all the rest is alike, as of two houses of a street, or two telephones.

    >>> differ_surely("80 Quay Street", "18 Quay Street"), differ_surely("7 pm", "19:00")
    (True, False)
    """
    first, second = one.casefold().strip(), other.casefold().strip()
    if _MAIL.fullmatch(first) and _MAIL.fullmatch(second):
        return first != second
    if _CODED.fullmatch(one.strip()) and _CODED.fullmatch(other.strip()):
        short, long = sorted((re.sub(r"[ -]", "", own.strip()) for own in (one, other)), key=len)
        return not (long.startswith(short) or long.endswith(short))
    if _NUMBER.sub("", comparable(one)).split() != _NUMBER.sub("", comparable(other)).split():
        return False
    if not _NUMBER.sub("", comparable(one)).split():
        # Only digits, as of telephones: a prefix may be left out. Hours and days can be written in two ways.
        if _CLOCK.fullmatch(first) or _CLOCK.fullmatch(second):
            return False
        all_digits = ["".join(_NUMBER.findall(own)).lstrip("0") for own in (one, other)]
        short, long = sorted(all_digits, key=len)
        return not long.endswith(short)
    numbers = [sorted(int(own) for own in _NUMBER.findall(each)) for each in (one, other)]
    return all(numbers) and numbers[0] != numbers[1]


def are_alike(one: str, other: str) -> bool:
    """Return whether two texts may be two names of one thing, by their letters, though nothing says so.

    A model's word alone proves nothing, so that only texts without likeness are told apart by it.
    """
    if differ_surely(one, other):
        return False
    one, other = _without_common_start(comparable(one), comparable(other))
    first = "".join(word[0] for word in max(one, other, key=len).split())
    is_alike = SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE or one[:3] == other[:3]
    return is_alike or (len(first) > 1 and min(one, other, key=len).startswith(first[:2]))


def _without_common_start(one: str, other: str) -> tuple[str, str]:
    """Return two texts without the words with which both begin: two nurses are not alike for being nurses."""
    first, second = one.split(), other.split()
    while len(first) > 1 and len(second) > 1 and first[0] == second[0]:
        del first[0], second[0]
    return " ".join(first), " ".join(second)
