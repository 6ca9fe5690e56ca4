"""Read a whole text as a time of day: every time that it can mean, as minutes since midnight, or none."""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue.language.slot_values.language_words import Part, Words
from holdtrue.language.slot_values.spoken_numbers import read_whole_number

_DAY, _HALF_DAY = 1440, 720
_FRACTIONS = {"quarter": 15, "a quarter": 15, "half": 30, "viertel": 15, "cuarto": 15, "un cuarto": 15, "media": 30}
_OFFSETS = {
    "past": 0,
    "to": -60,
    "half_past": 0,
    "half_to": -60,
    "past_half": -60,
    "to_half": -60,
    "three_quarters_to": -60,
    "quarter_to_next": -60,
    "to_next": -60,
    "hour": 0,
    "hour_minute": 0,
    "military": 0,
}
"""What each form says of the hour that it names: `halb drei` is in the hour before three."""


class TimeReader:
    """A `TimeReader` reads times of day in the words of one language."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._forms = words.forms(words.clocks)

    def read(self, text: str) -> tuple[int, ...]:
        """Return the minutes since midnight that a folded text can mean, the likeliest first; none where it is no time.

        A time of twelve hours without its half of the day can be in either; as it is written comes first.
        """
        if text in self._words.times:
            return (self._words.times[text],)
        clock, part = self._parted(text)
        if text in self._words.articles and self._words.language != "es":  # 'a la una' is a time, and 'a' is none
            return ()
        if part is not None and clock in self._words.times:
            return (self._words.times[clock],)
        found = dict.fromkeys(self._told(clock, part))
        return tuple(found)

    def _parted(self, text: str) -> tuple[str, Part | None]:
        """Return the time without its part of the day, which stands before or behind it."""
        for word in sorted(self._words.parts, key=len, reverse=True):
            own = self._words.parts[word]
            if text.endswith(word) and (text[: -len(word)].endswith((" ", ",")) or _is_digit_before(text, word)):
                return text[: -len(word)].strip(" ,"), own
            if text.startswith(f"{word} "):
                rest = text[len(word) + 1 :].removeprefix("at ").removeprefix("um ").removeprefix("a las ")
                return rest.removeprefix("a la ").strip(" ,"), own
        return text, None

    def _told(self, text: str, part: Part | None) -> Iterator[int]:
        for name, form in self._forms:
            match = form.fullmatch(text)
            if match is None:
                continue
            found = match.groupdict()
            hour, minute = self._hour(found["n"]), self._minutes(name, found.get("m"))
            if hour is None or minute is None or hour > 24:
                continue
            # A leading zero, or a number from thirteen on, is of twenty-four hours.
            certain = found["n"].startswith("0") or hour > 12 or hour == 0
            total = hour * 60 + _OFFSETS[name] + minute
            if hour == 24 and total != _DAY:
                continue
            yield from _halves(total, part, certain=certain or name == "military", hour=hour)
            return

    def _hour(self, text: str) -> int | None:
        own = text.strip()
        number = read_whole_number(own.removeprefix("las ").removeprefix("la "), self._words)
        return int(number) if number is not None and number.denominator == 1 and 0 <= number <= 24 else None

    def _minutes(self, name: str, text: str | None) -> int | None:
        if text is None:
            fixed = {"half_past": 30, "half_to": 30, "three_quarters_to": 45, "quarter_to_next": 15}
            return fixed.get(name, 0)
        own = text.strip().removeprefix("oh ").removeprefix("o ")
        number = _FRACTIONS.get(own)
        if number is None:
            read = read_whole_number(own, self._words)
            if read is None or read.denominator != 1 or not 0 <= read <= 59:
                return None
            number = int(read)
            if name == "hour_minute" and number < 10 and own == text.strip() and not own.isdigit():
                return None  # 'one oh four' is a time; 'one four' is two numbers
        signs = {"to": 60 - number, "to_next": 60 - number, "past_half": 30 + number, "to_half": 30 - number}
        return signs.get(name, number)


def _is_digit_before(text: str, word: str) -> bool:
    """Return whether letters like `pm` stand directly behind a digit."""
    return len(word) <= 4 and len(text) > len(word) and text[-len(word) - 1].isdigit()


def _halves(total: int, part: Part | None, *, certain: bool, hour: int) -> Iterator[int]:
    total %= _DAY
    if part is None:
        yield total
        if not certain:
            yield (total + _HALF_DAY) % _DAY
        return
    if certain and hour > 12:
        # Of twenty-four hours, and the part of the day has to agree.
        if (part == "morning") is (total < _HALF_DAY) or part == "night":
            yield total
        return
    small = total % _HALF_DAY
    match part:
        case "morning":
            yield small
        case "noon":
            yield small + (_HALF_DAY if small < 240 else 0)
        case "afternoon" | "evening":
            yield small + _HALF_DAY
        case "night":
            yield small if (small < 300 and hour != 12) or small < 60 else small + _HALF_DAY
