"""Read a whole text as a time of day: every time that it can mean, as minutes since midnight, or none."""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue.language.slot_values.language_words import Words
from holdtrue.language.slot_values.spoken_numbers import read_whole_number

_DAY, _HALF_DAY = 1440, 720
_SHIFTS = {
    "half_past": 30,
    "half_to": -30,
    "past_half": -30,
    "to_half": -30,
    "three_quarters_to": -15,
    "quarter_to_next": -45,
}
"""How many minutes a form adds to the hour that it names: `halb drei` is half an hour before three."""


class TimeReader:
    """A `TimeReader` reads times of day in the words of one language."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._forms = words.forms(words.clocks)
        self._parts = sorted(words.parts, key=len, reverse=True)

    def read(self, text: str) -> tuple[int, ...]:
        """Return the minutes since midnight that a folded text can mean, the likeliest first; none where it is no time.

        A time of twelve hours without its half of the day can be in either; as it is written comes first.
        """
        clock, part = (text, None) if text in self._words.times else self._parted(text)
        if clock in self._words.times:
            return (self._words.times[clock],)
        if self._without_hour_words(text) in self._words.articles and not self._words.article_is_hour:
            return ()  # 'a la una' is a time, and 'at a' is none
        return tuple(dict.fromkeys(self._told(clock, part)))

    def _parted(self, text: str) -> tuple[str, str | None]:
        """Return the time without its part of the day, which stands before or behind it."""
        for word in self._parts:
            before, behind = text.removesuffix(word), text.removeprefix(f"{word} ")
            # Letters like `pm` may stand directly behind a digit.
            if before != text and (before.endswith((" ", ",")) or (len(word) <= 4 and before[-1:].isdigit())):
                return before.strip(" ,"), self._words.parts[word]
            if behind != text:
                return self._without_hour_words(behind).strip(" ,"), self._words.parts[word]
        return text, None

    def _without_hour_words(self, text: str) -> str:
        """Return the hour of `at 6` and `las 6`."""
        own = next((own for own in self._words.hour_words if text.startswith(f"{own} ")), None)
        return text if own is None else text[len(own) + 1 :]

    def _told(self, text: str, part: str | None) -> Iterator[int]:
        for name, form in self._forms:
            match = form.fullmatch(text)
            if match is None:
                continue
            found = match.groupdict()
            hour = self._below(25, self._without_hour_words(found["n"].strip()))
            minute = self._minutes(name, found["m"].strip()) if "m" in found else 0
            if hour is None or minute is None:
                continue
            total = hour * 60 + _SHIFTS.get(name, 0) + (-minute if name.startswith("to") else minute)
            if hour == 24 and total != _DAY:
                continue
            # A leading zero, or a number from thirteen on, is of twenty-four hours.
            certain = found["n"].startswith("0") or hour > 12 or hour == 0 or name == "military"
            yield from _halves(total % _DAY, part, certain=certain, hour=hour)
            return

    def _minutes(self, name: str, text: str) -> int | None:
        minutes = self._words.quarters.get(text)
        number = self._below(60, text) if minutes is None else minutes
        is_two_numbers = name == "hour_minute" and minutes is None and not text.isdigit() and (number or 0) < 10
        return None if is_two_numbers else number  # 'one oh four' is a time, and 'one four' is none

    def _below(self, end: int, text: str) -> int | None:
        number = read_whole_number(text, self._words)
        return int(number) if number is not None and number.denominator == 1 and 0 <= number < end else None


def _halves(total: int, part: str | None, *, certain: bool, hour: int) -> Iterator[int]:
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
    is_early = {
        "morning": True,
        "noon": small >= 240,
        "night": (small < 300 and hour != 12) or small < 60,
    }.get(part, False)
    yield small if is_early else small + _HALF_DAY
