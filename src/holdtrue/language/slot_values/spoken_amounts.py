"""Read a whole text as a duration or an amount, in words, digits or signs."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from text_to_num import text2num

from holdtrue.language.slot_values.language_words import Words
from holdtrue.logic.units import ONE, SECOND, Unit, unit

_LONGEST = 80
_FRACTION = re.compile(r"(?:(?P<whole>\d{1,6}) )?(?P<part>\d{1,3})/(?P<of>\d{1,3})")
_SHORTENED = re.compile(r"(?P<number>\d{1,6}(?:[.,]\d{1,3})?) ?k")


def read_whole_number(text: str, words: Words) -> Fraction | None:
    """Return the number that a folded text gives, or None if it gives none or is ambiguous."""
    if not text or len(text) > _LONGEST:
        return None
    return _digits(text, words) if text[0].isdigit() else _in_words(text, words)


def read_ordinal_word(text: str, words: Words) -> Fraction | None:
    """Return the number of an ordinal in words: `first`, `zwanzigste`."""
    if text in words.ordinals:
        return Fraction(words.ordinals[text])
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
    if text in words.numbers:
        return Fraction(words.numbers[text])
    if words.language == "en":
        bare = text.removeprefix("a ")
        if bare.partition(" ")[0] in words.scales:  # 'hundred' needs a count or 'a': 'a few hundred' is no number
            text = "" if bare == text else f"one {bare}"
        elif bare != text:
            return read_whole_number(bare, words)
    count, _, scale = text.rpartition(" ")
    number = _spelled(text, words)
    if number is None and count and scale in words.scales:
        counted = _in_words(count, words)
        return None if counted is None else counted * words.scales[scale]
    return number


@lru_cache(maxsize=4096)
def _spelled(text: str, words: Words) -> Fraction | None:
    for folded, written in words.spellings.items():
        text = re.sub(folded, written, text)
    try:
        return Fraction(int(text2num(text, words.language)))
    except ValueError:
        return None


Measured = tuple[Fraction, Unit]
_MINUTE = unit("minute")
_CLOCK = re.compile(r"(\d{1,3}) ?h(?:ours?)? ?([0-5]?\d)(?: ?m(?:in)?)?")
_COLON = re.compile(r"(\d{1,2}):([0-5]\d) ?(?:h|hours?|stunden|std\.?|horas?)")


class AmountReader:
    """An `AmountReader` reads amounts in the words of one language."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._names = tuple(sorted(words.units, key=len, reverse=True))
        self._links = re.compile(rf"(?:,? (?:{'|'.join(map(re.escape, words.links))}) |, )")

    def read(self, text: str) -> tuple[Measured, ...]:
        """Return the meanings of a folded text, each a number with its unit. The result is empty if it is not an exact
        amount.
        """
        minutes = self._words.lengths.get(text)
        if minutes is not None:
            return ((Fraction(minutes), _MINUTE),)
        for form in (_CLOCK, _COLON):
            if (match := form.fullmatch(text)) is not None:
                return ((Fraction(int(match[1]) * 60 + int(match[2])), _MINUTE),)
        single = self._single(text)
        return single if single else self._summed(text)

    def _summed(self, text: str) -> tuple[Measured, ...]:
        """Return a sum of times: two hours and ten minutes, 1 h 30 min, an hour and a half."""
        parts = self._links.split(text)
        if len(parts) == 1:
            parts = re.findall(r"\d+(?:[.,]\d+)? ?[a-z]+\.?", text)
            if " ".join(parts).replace(" ", "") != text.replace(" ", ""):
                return ()
        if len(parts) != 2:
            return ()
        first = self._single(parts[0])
        if len(first) != 1 or first[0][1].dimension != SECOND.dimension:
            return ()
        if any(f"{link} {parts[1]}" in self._words.halves for link in self._words.links):
            return ((first[0][0] + Fraction(1, 2), first[0][1]),)
        second = self._single(parts[1])
        if not second and parts[1] in self._words.lengths:
            second = ((Fraction(self._words.lengths[parts[1]]), _MINUTE),)
        if len(second) != 1 or second[0][1].dimension != SECOND.dimension or second[0][1].factor >= first[0][1].factor:
            return ()
        (one, of), (two, smaller) = first[0], second[0]
        return ((one * of.factor / SECOND.factor + two * smaller.factor / SECOND.factor, SECOND),)

    def _single(self, text: str) -> tuple[Measured, ...]:
        number = read_whole_number(text, self._words)
        if number is not None:
            return ((number, ONE),)
        if not text.startswith(self._names) and not text.endswith(self._names):
            return ()  # A quick exit, because most texts have no unit.
        for name in self._names:
            for rest in self._without(text, name):
                number = read_whole_number(rest, self._words)
                if number is not None:
                    return tuple((number, unit(own)) for own in self._words.units[name].split("|"))
        return ()

    def _without(self, text: str, name: str) -> tuple[str, ...]:
        found = []
        if text.endswith(name) and len(text) > len(name) and (text[-len(name) - 1] in " -" or _may_touch(text, name)):
            found.append(text[: -len(name)].strip(" -").removesuffix(" of"))
        rest = text[len(name) :]
        # A sign stands directly before a number, and a currency code has a space behind it.
        if text.startswith(name) and rest and (not name[-1].isalpha() or (len(name) == 3 and rest[0] == " ")):
            found.append(rest.strip())
        return tuple(found)


def _may_touch(text: str, name: str) -> bool:
    """Return whether a unit may follow without a space: behind a digit, or as a sign behind anything."""
    return text[-len(name) - 1].isdigit() or not name[0].isalpha()
