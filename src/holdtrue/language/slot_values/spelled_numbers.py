"""Find numbers in words, in the languages of Europe, by the rules of the Unicode project.

>>> sorted(spelled(48))[:3], small_numbers()[("quarante", "huit")]
([('achtenveertig',), ('achtundvierzig',), ('cuarenta', 'ocho')], frozenset({48}))
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from holdtrue.extras import need
from holdtrue.language.names import without_accents

Languages = frozenset[str]

LANGUAGES: Languages = frozenset("en de fr es it nl pt sv da no fi pl cs".split())
"""The languages whose numbers, days and months are known."""
_LEAST = 0.02
_SHORTEST_TEXT = 20
"""A text of fewer letters may be in any language."""


@lru_cache(maxsize=256)
def languages_of(text: str) -> Languages:
    """Return the known languages that a text is in with some probability.

    >>> sorted(languages_of("I would book the table for the two of you on Friday."))
    ['en']
    """
    if sum(map(str.isalpha, text)) < _SHORTEST_TEXT:
        return LANGUAGES
    return frozenset(name for name, probability in _identifier().rank(text) if probability >= _LEAST)


@cache
def _identifier() -> Any:
    need("Telling the language of a text", "py3langid")
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # type: ignore[import-untyped]

    found = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    found.set_languages(sorted(LANGUAGES))
    return found


_RULES = {own: (own,) for own in "en de fr es it nl sv da no".split()} | {"pt": ("pt", "pt_PT")}
"""The rule sets of each language. Polish, Czech and Finnish have too many forms, or no rules."""
_WORD = re.compile("\\d+|[^\\W\\d_](?:\u00ad?[^\\W\\d_])*")
_SOFT_HYPHEN = "\u00ad"
_MOST_DAYS, _MOST_MINUTES = 31, 60
_MARKS = frozenset(".,;:!?()\n|")
_MARKS_BETWEEN = _MARKS - {","}
_FEWEST_DIGITS = 4
_LONGEST = 4
"""The largest number of words of a number below sixty, with one for *and* among them."""

Words = tuple[str, ...]


def folded_words(text: str) -> list[tuple[int, int, str]]:
    """Return the words and runs of digits of a text with their start and end, in small letters without accents."""
    found = ((own.start(), own.end(), own[0].replace(_SOFT_HYPHEN, "")) for own in _WORD.finditer(text))
    return [(start, end, without_accents(word.casefold())) for start, end, word in found]


@cache
def _engines(language: str) -> tuple[Any, ...]:
    need("Numbers in words", "unicode_rbnf")
    from unicode_rbnf import RbnfEngine

    return tuple(map(RbnfEngine.for_language, _RULES.get(language, ())))


@lru_cache(maxsize=1024)
def spelled(number: int, languages: Languages = LANGUAGES) -> frozenset[Words]:
    """Return the ways to spell a whole number as a count or, for a day of a month, as a rank.

    Words for *and* are left out: 'a hundred and ten' is a hundred ten.
    """
    from unicode_rbnf import FormatPurpose

    found = set[Words]()
    for engine in (engine for language in sorted(languages) for engine in _engines(language)):
        own = set(engine.format_number(number).text_by_ruleset.values())
        if number <= _MOST_DAYS:
            own |= set(engine.format_number(number, purpose=FormatPurpose.ORDINAL).text_by_ruleset.values())
        if f"{number}".startswith("1") and len(f"{number}") in (3, 4):
            one = engine.format_number(1).text_by_ruleset.values()
            own |= {text.removeprefix(each) for text in own for each in one}
        found |= {words for text in own if (words := _words(text))}
    return frozenset(found)


def _words(text: str) -> Words:
    return tuple(word for _, _, word in folded_words(text) if word not in and_words())


@cache
def and_words() -> frozenset[str]:
    """Return the words for *and*."""
    need("Numbers in words", "babel")
    from babel import Locale

    patterns = (Locale.parse(own).list_patterns for own in _RULES)
    return frozenset(without_accents(own["standard"]["2"].format("", "").strip().casefold()) for own in patterns)


@cache
def small_numbers(languages: Languages = LANGUAGES) -> Mapping[Words, frozenset[int]]:
    """Return the numbers below sixty (days, hours and minutes) by their words."""
    found = defaultdict[Words, set[int]](set)
    for number in range(_MOST_MINUTES):
        for words in spelled(number, languages):
            found[words].add(number)
    return {words: frozenset(own) for words, own in found.items()}


@cache
def _number_words(languages: Languages) -> frozenset[str]:
    round = {own for number in (60, 70, 80, 90, 100, 1000) for own in spelled(number, languages)}
    return frozenset(word for words in (*small_numbers(languages), *round) for word in words)


def small_number_at(
    words: Sequence[str], place: int, languages: Languages = LANGUAGES
) -> tuple[int, frozenset[int]] | None:
    """Return the longest number below sixty at a place in some words: its count of words, and its values."""
    if words[place].isdecimal():
        return (1, frozenset({int(words[place])})) if len(words[place]) <= 2 else None
    known = small_numbers(languages)
    for size in range(min(_LONGEST, len(words) - place), 0, -1):
        own = tuple(word for word in words[place : place + size] if word not in and_words())
        if own in known and words[place + size - 1] not in and_words():
            return size, known[own]
    return None


def small_numbers_in(
    words: Sequence[str], languages: Languages = LANGUAGES
) -> Iterator[tuple[int, tuple[int, frozenset[int]]]]:
    """Yield the place of each number below sixty with the result of `small_number_at`; none lies within another."""
    place = 0
    while place < len(words):
        read = small_number_at(words, place, languages)
        if read is not None:
            yield place, read
        place += 1 if read is None else read[0]


def number_places(text: str, languages: Languages = LANGUAGES) -> list[int]:
    """Return the start of each number of a text, in digits or in words."""
    found = folded_words(text)
    words = [word for _, _, word in found]
    small = {place for place, _ in small_numbers_in(words, languages)}
    return [own[0] for place, own in enumerate(found) if own[2].isdecimal() or place in small]


def spoken_digits(text: str, languages: Languages = LANGUAGES) -> Iterator[tuple[int, int, str]]:
    """Yield the start, end and digits of ids that are spelled digit by digit: 'four eight double-oh one'."""
    run, digits, times = list[tuple[int, int, str]](), "", 1
    for own in (*folded_words(text), (len(text), len(text), "")):
        is_joined = not run or not _MARKS_BETWEEN & set(text[run[-1][1] : own[0]])
        digit = _digit(own[2], languages) if is_joined else None
        if digit is None and own[2] == "double" and is_joined:
            times, run = 2, [*run, own]
            continue
        if digit is not None:
            run, digits, times = [*run, own], digits + digit * times, 1
            continue
        if len(digits) >= _FEWEST_DIGITS:
            yield run[0][0], run[-1][1], digits
        first = _digit(own[2], languages)
        run, digits, times = ([own], first, 1) if first is not None else ([], "", 1)


def _digit(word: str, languages: Languages) -> str | None:
    """Return the digit that a word means, or None. *Oh* is zero, too."""
    known = {own for own in small_numbers(languages).get((word,), ()) if own < 10} if word != "oh" else {0}
    return str(min(known)) if len(known) == 1 else None


def says_number(whole: int, cents: int, text: str, languages: Languages = LANGUAGES) -> bool:
    """Return whether a text has a number in words that are part of no other number.

    The cents of a sum follow it: 'six twenty', 'six euros twenty'.
    """
    found = [own for own in folded_words(text) if own[2] not in and_words()]
    words = [word for _, _, word in found]
    for first, end in _places(whole, words, languages):
        if first and _is_joined(text, found[first - 1], found[first], languages):
            continue
        marks = (at for at in range(end, len(found)) if _MARKS & set(text[found[at - 1][1] : found[at][0]]))
        near = words[: next(marks, len(found))]
        if cents:
            digits = (at for at, word in enumerate(near) if word == f"{cents:02}")
            if any(end <= at <= end + 1 for at in (*digits, *(at for at, _ in _places(cents, near, languages)))):
                return True
            continue
        goes_on = end < len(found) and _is_joined(text, found[end - 1], found[end], languages)
        if not goes_on and not _cents_behind(near, end, languages):
            return True
    return False


def _places(number: int, words: Sequence[str], languages: Languages) -> Iterator[tuple[int, int]]:
    for form in spelled(number, languages):
        for place in range(len(words) - len(form) + 1):
            if tuple(words[place : place + len(form)]) == form:
                yield place, place + len(form)


def _cents_behind(words: Sequence[str], end: int, languages: Languages) -> bool:
    """Return whether a unit and a number of two digits in words follow, as in 'six euros fifty'."""
    if end + 1 >= len(words) or words[end] in _number_words(languages) or words[end + 1].isdecimal():
        return False
    return words[end + 1] in _two_digits(languages)


@cache
def _two_digits(languages: Languages) -> frozenset[str]:
    return frozenset(own[0] for number in range(10, 100) for own in spelled(number, languages) if own)


def _is_joined(text: str, one: tuple[int, int, str], other: tuple[int, int, str], languages: Languages) -> bool:
    between = {word for _, _, word in folded_words(text[one[1] : other[0]])}
    is_near = between <= and_words() and not set(text[one[1] : other[0]]) & _MARKS
    return is_near and {one[2], other[2]} <= _number_words(languages)
