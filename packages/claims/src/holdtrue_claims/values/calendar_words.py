"""Read a date, a time of day or a moment that is written in English or in digits.

An ambiguous text has no value, but `choices`. Examples are a date without a year, day and month in either order, and a
time without its half of the day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from holdtrue.logic.value_sorts import DATE, TIME, Calendar, Instant
from holdtrue_claims.values.number_words import read_number, read_ordinal


@dataclass(frozen=True, slots=True)
class CalendarText:
    """A `CalendarText` is a date, time or moment that ends at `end`. If it is uncertain, `value` is None and `why`
    explains.

    `day` and `month` are set for a date without a year.
    """

    value: Instant | None
    end: int
    choices: tuple[Instant, ...] = ()
    why: str = ""
    day: int | None = None
    month: int | None = None


_MONTHS = "january february march april may june july august september october november december".split()
_SHORT = {month[:3]: place for place, month in enumerate(_MONTHS, start=1)} | {"sept": 9}
_WHOLE = "|".join((*map(str.capitalize, _MONTHS), *map(str.upper, _MONTHS)))
_MONTH = rf"(?P<month>{_WHOLE}|(?:{'|'.join(map(str.capitalize, _SHORT))})\b\.?)"
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_WEEKDAY = rf"(?:(?P<weekday>(?i:{'|'.join(_WEEKDAYS)})),?\s+(?:the\s+)?)?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?P<year>\d{4})(?![\d:]|[.,]\d))"
_DAY_FIRST = re.compile(rf"{_WEEKDAY}(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}\b{_YEAR}?")
_MONTH_FIRST = re.compile(
    rf"{_WEEKDAY}{_MONTH}\s+(?:the\s+)?{_DAY}\b(?![:.,]\d|\s*(?:%|€|am\b|pm\b|a\.m|p\.m)){_YEAR}?"
)
_SPELLED_DAY = re.compile(rf"\s+of\s+{_MONTH}\b{_YEAR}?")
_MONTH_ALONE = re.compile(rf"{_MONTH}\s+(?P<year>\d{{4}})(?!\d)")
_ISO = re.compile(r"(?P<year>\d{4})(?P<sign>[-/])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})(?!\d)")
_ISO_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])(?![\d-])")
_DIGITS = re.compile(r"(?P<one>\d{1,2})(?P<sign>[./-])(?P<two>\d{1,2})(?P=sign)(?P<year>\d{4}|\d{2})(?![\d]|[./-]\d)")
_DOT_DAY = re.compile(rf"(?P<day>\d{{1,2}})\.\s*{_MONTH}\b{_YEAR}?")

_ZONE = re.compile(r"\s?(?P<zone>UTC|GMT|Z|CES?T|[ECMP][SD]T|BST|IST|JST|[+-]\d{2}:?\d{2})(?!\w)")
_HALF = re.compile(r"\s*(?P<half>[aApP])\.?\s?[mM](?:\.|\b)(?!\w)")
_PERIOD = re.compile(r"\s+(?:in the (?P<part>morning|afternoon|evening)|at (?P<night>night))\b")
_TWELVE = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2})(?::(?P<second>\d{2}))?)?(?=\s*[aApP]\.?\s?[mM](?:\.|\b))"
)
_CLOCK = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?![\d:]|\.\d)(?:\s?(?:h|hrs)\b)?")
_NAMED = re.compile(r"(?P<name>noon|midday|midnight)\b", re.IGNORECASE)
_PAST = re.compile(r"(?P<minutes>half|(?:a\s+)?quarter|[\w-]+(?:\s+minutes?)?)\s+(?P<side>past|to)\s+", re.IGNORECASE)
_SURELY = re.compile(r"half|(?:a\s+)?quarter|.*minutes?$", re.IGNORECASE)
_BEFORE_TIME = re.compile(r"\b(?:at|by|until|till|before|after|since)\s+$", re.IGNORECASE)
_BEHIND_TIME = re.compile(r"$|[.,;!?)]|\s+(?:in the|at night|o['’]clock|[ap]\.?m\b|on\b|and\b|or\b)", re.IGNORECASE)
_O_CLOCK = re.compile(r"\s*o['’]clock\b", re.IGNORECASE)
_TWELVE_HOURS = re.compile(r"\d\s*[aApP]\.?\s?[mM]\b")
_BETWEEN = re.compile(r"(?:,?\s+at\s+|,\s*|\s+|T)(?=\S)")
_ON = re.compile(r"(?:,?\s+on\s+|,\s*|\s+)(?=\S)")
_DAY_SECONDS = 86400


def read_instant(text: str, at: int) -> CalendarText | None:
    """Return the date, time of day or moment at a place of a text."""
    day = read_date(text, at)
    if day is not None:
        return _moment(text, day, _BETWEEN) if day.value is not None else day
    time = read_time(text, at)
    if time is None or time.value is None:
        return time
    link = _ON.match(text, time.end)
    day = read_date(text, link.end()) if link is not None else None
    if day is None or day.value is None:
        return time
    return CalendarText(_joined(day.value, time.value), day.end)


def _moment(text: str, day: CalendarText, link: re.Pattern[str]) -> CalendarText:
    match = link.match(text, day.end)
    time = read_time(text, match.end()) if match is not None else None
    if time is None or day.value is None:
        return day
    if time.value is None:
        choices = tuple(_joined(day.value, own) for own in time.choices)
        return CalendarText(None, time.end, choices, time.why)
    return CalendarText(_joined(day.value, time.value), time.end)


def _joined(day: Instant, time: Instant) -> Instant:
    return Instant((day.value - 1) * _DAY_SECONDS + time.value, Calendar("moment", time.sort.zone))


def read_date(text: str, at: int) -> CalendarText | None:
    """Return the date at a place of a text."""
    if match := _ISO.match(text, at):
        return _dated(match, int(match["year"]), int(match["month"]), int(match["day"]))
    if match := _ISO_MONTH.match(text, at):
        return CalendarText(None, match.end(), why="the day is not said")
    if match := _DIGITS.match(text, at):
        return _in_digits(text, match)
    for form in (_DAY_FIRST, _MONTH_FIRST, _DOT_DAY):
        if match := form.match(text, at):
            return _in_words(match, int(match["day"]))
    start = at + len(found[0]) if (found := re.compile(r"the\s+").match(text, at)) else at
    ordinal = read_ordinal(text, start)
    if ordinal is not None and ordinal.value is not None and (match := _SPELLED_DAY.match(text, ordinal.end)):
        return _in_words(match, int(ordinal.value))
    if match := _MONTH_ALONE.match(text, at):
        return CalendarText(None, match.end(), why="the day is not said")
    return None


def _in_words(match: re.Match[str], day: int) -> CalendarText:
    month = _SHORT[match["month"].casefold()[:3]]
    if match["year"] is None:
        return CalendarText(None, match.end(), why="the year is not said", day=day, month=month)
    return _dated(match, int(match["year"]), month, day)


def _dated(match: re.Match[str], year: int, month: int, day: int) -> CalendarText:
    try:
        found = date(year, month, day)
    except ValueError:
        return CalendarText(None, match.end(), why="there is no such day")
    weekday = match.groupdict().get("weekday")
    if weekday is not None and _WEEKDAYS.index(weekday.casefold()) != found.weekday():
        return CalendarText(None, match.end(), why=f"that day is a {_WEEKDAYS[found.weekday()].capitalize()}")
    return CalendarText(Instant(found.toordinal(), DATE), match.end())


def _in_digits(text: str, match: re.Match[str]) -> CalendarText:
    """Return a date of two numbers and a year. Another date in the text may show which number is the day."""
    one, two = int(match["one"]), int(match["two"])
    if len(match["year"]) == 2:
        return CalendarText(None, match.end(), why="the century is not said")
    year = int(match["year"])
    if one == two or two > 12 or one > 12:
        return _dated(match, year, *((one, two) if two > 12 else (two, one)))
    orders = {own for own in map(_day_first, _DIGITS.finditer(text)) if own is not None}
    if len(orders) == 1:
        return _dated(match, year, *((two, one) if orders.pop() else (one, two)))
    choices = (_dated(match, year, two, one).value, _dated(match, year, one, two).value)
    why = "it does not show which is the day and which the month"
    return CalendarText(None, match.end(), tuple(own for own in choices if own is not None), why)


def _day_first(match: re.Match[str]) -> bool | None:
    """Return whether a date in digits must have its day first (True) or second (False); None if both are possible."""
    one, two = int(match["one"]), int(match["two"])
    return one > 12 if (one > 12) != (two > 12) else None


def read_time(text: str, at: int) -> CalendarText | None:
    """Return the time of day at a place of a text."""
    found = _twelve_hours(text, at) or _named(text, at) or _clock(text, at) or _told(text, at)
    if found is None:
        return None
    zone = _ZONE.match(text, found.end)
    if zone is None:
        return found
    if zone["zone"] in ("UTC", "GMT", "Z", "+00:00", "+0000") and found.value is not None:
        return CalendarText(Instant(found.value.value, Calendar("time", "Z")), zone.end())
    return CalendarText(None, zone.end(), why=f"times are not read in the zone {zone['zone']}")


def _twelve_hours(text: str, at: int) -> CalendarText | None:
    match = _TWELVE.match(text, at)
    half = _HALF.match(text, match.end()) if match is not None else None
    if match is None or half is None:
        return None
    hour, minute, second = int(match["hour"]), int(match["minute"] or 0), int(match["second"] or 0)
    end = half.end()
    # The last full stop belongs to "p.m." only if there is another one in the middle.
    if text[end - 1] == "." and "." not in half[0][:-1]:
        end -= 1
    if not 1 <= hour <= 12 or minute > 59 or second > 59:
        return CalendarText(None, end, why="there is no such time of day")
    hours = hour % 12 + (12 if half["half"] in "pP" else 0)
    return CalendarText(Instant(hours * 3600 + minute * 60 + second, TIME), end)


def _clock(text: str, at: int) -> CalendarText | None:
    match = _CLOCK.match(text, at)
    if match is None:
        return None
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
    seconds = hour * 3600 + minute * 60 + second
    if minute > 59 or second > 59 or seconds > _DAY_SECONDS:
        return CalendarText(None, match.end(), why="there is no such time of day")
    if 1 <= hour <= 12 and not match["hour"].startswith("0"):
        if (period := _PERIOD.match(text, match.end())) is not None:
            return _in_period(seconds % (12 * 3600), period)
        # In a text with "5 pm", a bare "9:00" may be in either half of the day.
        if _TWELVE_HOURS.search(text):
            return _either_half(seconds % (12 * 3600), match.end())
    return CalendarText(Instant(seconds, TIME), match.end())


def _named(text: str, at: int) -> CalendarText | None:
    match = _NAMED.match(text, at)
    if match is None:
        return None
    if match["name"].casefold() == "midnight":
        choices = (Instant(0, TIME), Instant(_DAY_SECONDS, TIME))
        return CalendarText(None, match.end(), choices, "midnight begins a day and ends one")
    return CalendarText(Instant(_DAY_SECONDS // 2, TIME), match.end())


def _told(text: str, at: int) -> CalendarText | None:
    """Return a time in words: half past two, ten to five, 5 o'clock, with its half of the day if stated."""
    minutes, start = 0, at
    if (past := _PAST.match(text, at)) is not None:
        found = _minutes(past["minutes"])
        hour = _hour(text, past.end())
        if found is not None and hour is not None and (_SURELY.match(past["minutes"]) or _at_time(text, at, hour[1])):
            minutes, start = found if past["side"].casefold() == "past" else -found, past.end()
    hour = _hour(text, start)
    if hour is None:
        return None
    value, end = hour
    clock = _O_CLOCK.match(text, end)
    end = clock.end() if clock is not None else end
    period = _PERIOD.match(text, end)
    if start == at and clock is None and period is None:
        return None
    seconds = ((value % 12) * 60 + minutes) % 720 * 60
    if (half := _HALF.match(text, end)) is not None:
        return CalendarText(Instant(seconds + (43200 if half["half"] in "pP" else 0), TIME), half.end())
    return _either_half(seconds, end) if period is None else _in_period(seconds, period)


def _at_time(text: str, at: int, end: int) -> bool:
    """Return whether numbers like "ten to five" are in the place of a time; elsewhere they may be a range."""
    return _BEFORE_TIME.search(text, max(0, at - 8), at) is not None and _BEHIND_TIME.match(text, end) is not None


def _minutes(words: str) -> int | None:
    small = " ".join(words.casefold().split()).removeprefix("a ").removesuffix("s").removesuffix(" minute")
    if small in ("half", "quarter"):
        return 30 if small == "half" else 15
    number = read_number(small, 0)
    if number is None or number.value is None or number.end != len(small):
        return None
    return int(number.value) if number.value.denominator == 1 and 0 < number.value < 30 else None


def _hour(text: str, at: int) -> tuple[int, int] | None:
    number = read_number(text, at)
    if number is None or number.value is None or number.value.denominator != 1 or not 1 <= number.value <= 12:
        return None
    return int(number.value), number.end


def _in_period(seconds: int, period: re.Match[str]) -> CalendarText:
    """Return a time on a twelve-hour clock in its part of the day; an impossible combination leaves it open."""
    hours = seconds // 3600
    if period["part"] == "morning":
        return CalendarText(Instant(seconds, TIME), period.end())
    if period["part"] in ("afternoon", "evening") and (hours < 12 and (hours != 0 or period["part"] == "afternoon")):
        return CalendarText(Instant(seconds + 43200, TIME), period.end())
    if period["night"] and hours >= 6:
        return CalendarText(Instant(seconds + 43200, TIME), period.end())
    return _either_half(seconds, period.end())


def _either_half(seconds: int, end: int) -> CalendarText:
    choices = (Instant(seconds, TIME), Instant(seconds + 43200, TIME))
    return CalendarText(None, end, choices, "it is not said which half of the day it is in")


def with_year(found: CalendarText, year: int) -> CalendarText:
    """Return a date without a year as a date of this year; unchanged if the date is complete."""
    if found.day is None or found.month is None:
        return found
    try:
        return CalendarText(Instant(date(year, found.month, found.day).toordinal(), DATE), found.end)
    except ValueError:
        return replace(found, why="there is no such day")


def calendar_places(text: str) -> list[int]:
    """Return the numbers of the weekdays and months that a text names, from 1."""
    words = re.findall(r"[A-Za-z]+", text)
    found = [
        names.index(word.casefold()) + 1 for word in words for names in (_WEEKDAYS, _MONTHS) if word.casefold() in names
    ]
    return list(dict.fromkeys(found))
