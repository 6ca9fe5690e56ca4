"""Read a number that is a whole text: in digits by the signs of its locale, or in words; exactly."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache

from text_to_num import text2num

from holdtrue.language.number_words import read_number
from holdtrue.language.slot_values.language_words import Words

_LONGEST = 80
_FRACTION = re.compile(r"(?:(?P<whole>\d{1,6}) )?(?P<part>\d{1,3})/(?P<of>\d{1,3})")
_SHORTENED = re.compile(r"(?P<number>\d{1,6}(?:[.,]\d{1,3})?) ?(?P<scale>k)")
_SCALES: dict[str, dict[str, int]] = {
    "en": {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "dozen": 12},
    "de": {"hundert": 100, "tausend": 1_000, "million": 10**6, "millionen": 10**6, "milliarden": 10**9, "dutzend": 12},
    "es": {"mil": 1_000, "millon": 10**6, "millones": 10**6, "docenas": 12},
}
"""What a number in digits is multiplied by, by language: 2 million, 3 dozen."""
_ACCENTED = {
    "dieciseis": "dieciséis",
    "veintiun": "veintiuno",
    "veintiuna": "veintiuno",
    "veintidos": "veintidós",
    "veintitres": "veintitrés",
    "veintiseis": "veintiséis",
}
"""What the library of number words writes otherwise, once accents are folded."""


def read_whole_number(text: str, words: Words) -> Fraction | None:
    """Return the number that a folded text is, or None where it is none, or where two are meant."""
    if not text or len(text) > _LONGEST:
        return None
    if text in words.articles:
        return Fraction(1)
    if text[0].isdigit():
        return _digits(text, words)
    return _in_words(text, words)


def is_number_word(word: str, words: Words) -> bool:
    """Return whether a folded word is a number, or part of one, such as `hundred`."""
    return word in _SCALES[words.language] or read_whole_number(word, words) is not None


def _digits(text: str, words: Words) -> Fraction | None:
    if (match := _FRACTION.fullmatch(text)) is not None:
        if int(match["of"]) == 0 or (match["whole"] is not None and int(match["part"]) >= int(match["of"])):
            return None
        return int(match["whole"] or 0) + Fraction(int(match["part"]), int(match["of"]))
    if (match := _SHORTENED.fullmatch(text)) is not None:
        number = _digits(match["number"], words)
        return None if number is None else number * 1000
    digits, _, scale = text.rpartition(" ")
    if digits and scale in _SCALES[words.language]:
        number = _digits(digits, words)
        return None if number is None else number * _SCALES[words.language][scale]
    group, decimal = re.escape(words.group), re.escape(words.decimal)
    plain = rf"(\d{{1,3}}(?:(?:{group}|')\d{{3}})+|\d+)(?:{decimal}(\d+))?"
    match = re.fullmatch(plain, text)
    if match is None:
        return None
    whole = re.sub(r"\D", "", match[1])
    return Fraction(f"{whole}.{match[2] or 0}")


@lru_cache(maxsize=4096)
def _spelled(text: str, language: str) -> int | None:
    try:
        return int(text2num(text, language))
    except ValueError:
        return None


def _in_words(text: str, words: Words) -> Fraction | None:
    for half in words.halves:
        if text.endswith(f" {half}") or (half == "einhalb" and text.endswith(half)):
            number = _in_words(text[: -len(half)].strip(), words)
            return None if number is None or number.denominator != 1 else number + Fraction(1, 2)
    if text in words.articles:
        return Fraction(1)
    if words.language == "en":
        found = read_number(text.removeprefix("a "), 0) or read_number(text, 0)
        whole = found is not None and found.value is not None and found.end in (len(text), len(text.removeprefix("a ")))
        return found.value if found is not None and whole else None
    spelled = " ".join(_ACCENTED.get(word, word) for word in text.split())
    for own in (spelled, _umlauts(spelled)):
        spelled_out = _spelled(own, words.language)
        if spelled_out is not None:
            return Fraction(spelled_out)
    return None


def _umlauts(text: str) -> str:
    """Return folded German number words as they are written: `funf` is `fünf`, and `zwoelf` is `zwölf`."""
    for plain, written in (
        ("fuenf", "fünf"),
        ("funf", "fünf"),
        ("zwoelf", "zwölf"),
        ("zwolf", "zwölf"),
        ("dreissig", "dreißig"),
    ):
        text = text.replace(plain, written)
    return unicodedata.normalize("NFC", text)
