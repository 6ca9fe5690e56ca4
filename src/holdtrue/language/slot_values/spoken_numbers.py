"""Read a number that is a whole text: in digits by the signs of its locale, or in words; exactly."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from text_to_num import text2num

from holdtrue.language.number_words import NumberText, read_number, read_ordinal
from holdtrue.language.slot_values.language_words import Words

_LONGEST = 80
_FRACTION = re.compile(r"(?:(?P<whole>\d{1,6}) )?(?P<part>\d{1,3})/(?P<of>\d{1,3})")
_SHORTENED = re.compile(r"(?P<number>\d{1,6}(?:[.,]\d{1,3})?) ?k")


def read_whole_number(text: str, words: Words) -> Fraction | None:
    """Return the number that a folded text is, or None where it is none, or where two are meant."""
    if not text or len(text) > _LONGEST:
        return None
    return _digits(text, words) if text[0].isdigit() else _in_words(text, words)


def read_ordinal_word(text: str, words: Words) -> Fraction | None:
    """Return the number of an ordinal that is written in words: `first`, `zwanzigste`."""
    if text in words.ordinals:
        return Fraction(words.ordinals[text])
    if words.language == "en":
        return None if text[:1].isdigit() else _whole(read_ordinal(text, 0), text)
    stems = (text.removesuffix(own) for own in words.ordinal_endings if text.endswith(own))
    return next((own for stem in stems if (own := _spelled(stem, words)) is not None), None)


def is_number_word(word: str, words: Words) -> bool:
    """Return whether a folded word is a number, or part of one, such as `hundred`."""
    readers = (read_whole_number, read_ordinal_word)
    return word in words.scales or any(read(word, words) is not None for read in readers)


def _digits(text: str, words: Words) -> Fraction | None:
    if (match := _FRACTION.fullmatch(text)) is not None:
        if int(match["of"]) == 0 or (match["whole"] is not None and int(match["part"]) >= int(match["of"])):
            return None
        return int(match["whole"] or 0) + Fraction(int(match["part"]), int(match["of"]))
    short = _SHORTENED.fullmatch(text)
    digits, _, name = text.rpartition(" ")
    number, scale = (short["number"], 1000) if short else (digits, words.scales.get(name))
    if number and scale is not None:
        read = _digits(number, words)
        return None if read is None else read * scale
    group, decimal = re.escape(words.group), re.escape(words.decimal)
    match = re.fullmatch(rf"(\d{{1,3}}(?:(?:{group}|')\d{{3}})+|\d+)(?:{decimal}(\d+))?", text)
    return None if match is None else Fraction(f"{re.sub(r'[^0-9]', '', match[1])}.{match[2] or 0}")


def _in_words(text: str, words: Words) -> Fraction | None:
    for half in words.halves:
        if text.endswith(half) and text != half:
            number = _in_words(text.removesuffix(half).strip(), words)
            return None if number is None or number.denominator != 1 else number + Fraction(1, 2)
    if text in words.articles:
        return Fraction(1)
    if words.language != "en":
        return _spelled(text, words)
    found = (_whole(read_number(own, 0), own) for own in (text.removeprefix("a "), text))
    return next((own for own in found if own is not None), None)


def _whole(found: NumberText | None, text: str) -> Fraction | None:
    """Return a number that a whole text is."""
    return found.value if found is not None and found.end == len(text) else None


@lru_cache(maxsize=4096)
def _spelled(text: str, words: Words) -> Fraction | None:
    for folded, written in words.spellings.items():
        text = re.sub(folded, written, text)
    try:
        return Fraction(int(text2num(text, words.language)))
    except ValueError:
        return None
