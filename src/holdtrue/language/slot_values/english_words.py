"""English, as the readers of values know it."""

from __future__ import annotations

from holdtrue.language.slot_values.language_words import Words

_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_TO_TWENTY = {word: place for place, word in enumerate(_ORDINALS, start=1)}
_TWENTIES = {f"twenty{sign}{word}": 20 + place for word, place in _TO_TWENTY.items() if place < 10 for sign in "- "}


def english(*, day_first: bool) -> Words:
    """Return the words of English; between America and Britain the order of day and month in digits differs."""
    return Words(
        months={own: place for place, name in enumerate(_MONTHS, start=1) for own in (name, name[:3])} | {"sept": 9},
        weekdays={own: place for place, name in enumerate(_WEEKDAYS) for own in (name, name[:3])}
        | {"tues": 1, "weds": 2, "thur": 3, "thurs": 3},
        days={
            "today": 0,
            "later today": 0,
            "tonight": 0,
            "this morning": 0,
            "this afternoon": 0,
            "this evening": 0,
            "tomorrow": 1,
            "tmrw": 1,
            "tomorrow morning": 1,
            "tomorrow afternoon": 1,
            "tomorrow evening": 1,
            "tomorrow night": 1,
            "day after tomorrow": 2,
            "the day after tomorrow": 2,
            "yesterday": -1,
        },
        ordinals=_TO_TWENTY | _TWENTIES | {"thirtieth": 30, "thirty-first": 31, "thirty first": 31},
        parts={
            **dict.fromkeys(("am", "a.m", "a.m.", "a m", "in the morning", "morning"), "morning"),
            **dict.fromkeys(("pm", "p.m", "p.m.", "p m", "in the afternoon", "afternoon"), "afternoon"),
            **dict.fromkeys(("in the evening", "evening", "this evening"), "evening"),
            **dict.fromkeys(("at night", "tonight", "night"), "night"),
        },
        times={"noon": 720, "midday": 720, "12 noon": 720, "midnight": 0, "12 midnight": 0},
        units={
            **dict.fromkeys(("second", "seconds", "sec", "secs", "s"), "second"),
            **dict.fromkeys(("minute", "minutes", "min", "mins", "m"), "minute"),
            **dict.fromkeys(("hour", "hours", "hr", "hrs", "h"), "hour"),
            **dict.fromkeys(("day", "days"), "day"),
            **dict.fromkeys(("week", "weeks", "wk", "wks"), "week"),
            **dict.fromkeys(("month", "months"), "month"),
            **dict.fromkeys(("year", "years"), "year"),
            **dict.fromkeys(("$", "us$", "dollar", "dollars", "usd", "bucks", "buck", "us dollars"), "USD"),
            **dict.fromkeys(("€", "euro", "euros", "eur"), "EUR"),
            **dict.fromkeys(("£", "pounds sterling", "gbp", "quid"), "GBP"),
            **dict.fromkeys(("kg", "kgs", "kilo", "kilos", "kilogram", "kilograms"), "kg"),
            **dict.fromkeys(("g", "gram", "grams"), "g"),
            **dict.fromkeys(("km", "kms", "kilometer", "kilometers", "kilometre", "kilometres"), "km"),
            **dict.fromkeys(("mi", "mile", "miles"), "mile"),
            **dict.fromkeys(("l", "liter", "liters", "litre", "litres"), "litre"),
            **dict.fromkeys(("lb", "lbs", "pound", "pounds"), "lb"),
        },
        before=("on", "at", "by", "for", "from", "until", "till", "starting", "say", "just", "exactly", "a total of"),
        behind=("please", "sharp", "exactly", "on the dot", "if possible", "then", "total", "in total"),
        dates={
            "relative": ("{relative}",),
            "in_units": ("in {n} {unit}", "{n} {unit} from (?:now|today)", "{n} {unit} hence"),
            "after": (
                "(?:the )?{unit} after {relative}",
                "{n} {unit} (?:from|after) {relative}",
                "{n} {unit} (?:from|after) (?:this |next )?{weekday}",
                "{weekday}(?P<unit> )week",
            ),
            "this_weekday": ("(?:this |this coming |coming )?{weekday}(?: morning| afternoon| evening| night)?",),
            "next_weekday": ("next {weekday}",),
            "weekday_this_week": (
                "{weekday} (?:of )?this week",
                "this week {weekday}",
                "{weekday} of the current week",
            ),
            "weekday_next_week": (
                "{weekday} (?:of |in )?(?:the )?(?:next|coming|following) week",
                "next week,? (?:on )?{weekday}",
                "a? ?week on {weekday}",
            ),
            "day_of_month": ("(?:the )?{day}(?: of (?P<next>this|next|the next) month)?",),
            "month_day": (
                "(?:{weekday},? (?:the )?)?(?:the )?{day}(?: of|,)? {month},?(?: {year})?",
                "(?:{weekday},? )?{month},? (?:the )?{day},?(?: {year})?(?:,? {weekday2})?",
            ),
            "weekday_day": ("{weekday},? (?:the )?{day}",),
            "last_of_month": (
                "(?:the )?last day of (?:the |this )?(?:{month}|month)(?: {year})?",
                "(?:the )?last (?:day )?of {month}",
            ),
        },
        clocks={
            "past": ("{m}(?: minutes?| mins?)? (?:past|after) {n}(?: ?o'?clock)?",),
            "to": ("{m}(?: minutes?| mins?)? (?:to|before|till|of) {n}(?: ?o'?clock)?",),
            "half_past": ("half (?:past|after) {n}", "half {n}"),
            "hour": ("{n}(?: ?o'?clock)?", r"(?P<n>0\d|1[3-9]|2[0-4])(?: hours| hrs)"),
            "hour_minute": (
                r"(?P<n>\d{1,2})(?::|\.|h)(?P<m>[0-5]\d)(?::00)?(?: ?hrs| ?h| hours)?",
                r"(?P<n>\d{1,2}) (?P<m>[0-5]\d)",
                "(?P<n>[a-z]+)[ -](?P<m>(?:oh |o )?[a-z]+(?:[ -][a-z]+)?)",
            ),
            "military": (r"(?P<n>[012]\d)(?P<m>[0-5]\d)(?: ?hrs| ?h| hours)?",),
        },
        lengths={
            "half an hour": 30,
            "a half hour": 30,
            "half hour": 30,
            "a quarter of an hour": 15,
            "quarter of an hour": 15,
            "three quarters of an hour": 45,
            "an hour and a half": 90,
            "a day and a half": 2160,
            "a fortnight": 20160,
            "fortnight": 20160,
            "half a day": 720,
        },
        articles=("a", "an"),
        halves=("and a half",),
        links=("and", "&"),
        decimal=".",
        group=",",
        day_first=day_first,
        twelve_hours=True,
        language="en",
    )
