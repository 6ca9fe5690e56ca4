"""Read a whole text as a duration or an amount: a number with its unit, in words, digits or signs."""

from __future__ import annotations

import re
from fractions import Fraction

from holdtrue.language.slot_values.language_words import Words
from holdtrue.language.slot_values.spoken_numbers import read_whole_number
from holdtrue.logic.units import ONE, SECOND, Unit, unit

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
        """Return what a folded text can mean, each as a number and its unit; none where it is no exact amount."""
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
            return ()  # Most texts have no unit, and are asked about often.
        for name in self._names:
            for rest in self._without(text, name):
                number = read_whole_number(rest, self._words)
                if number is not None:
                    return tuple((number, unit(own)) for own in self._words.units[name].split("|"))
        return ()

    def _without(self, text: str, name: str) -> tuple[str, ...]:
        """Return the text without a unit that stands before or behind it."""
        found = []
        if text.endswith(name) and len(text) > len(name) and (text[-len(name) - 1] in " -" or _may_touch(text, name)):
            found.append(text[: -len(name)].strip(" -").removesuffix(" of"))
        rest = text[len(name) :]
        # A sign stands directly before a number, a code of money with a space behind it.
        if text.startswith(name) and rest and (not name[-1].isalpha() or (len(name) == 3 and rest[0] == " ")):
            found.append(rest.strip())
        return tuple(found)


def _may_touch(text: str, name: str) -> bool:
    """Return whether a unit stands directly behind a digit, or its sign behind anything."""
    return text[-len(name) - 1].isdigit() or not name[0].isalpha()
