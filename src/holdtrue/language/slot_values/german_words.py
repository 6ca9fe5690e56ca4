"""German, as the readers of values know it; umlauts are folded, and their spelling with an e is known beside."""

from __future__ import annotations

from holdtrue.language.slot_values.language_words import Words

_MONTHS = "januar februar marz april mai juni juli august september oktober november dezember".split()
_SHORT = {own[:3]: place for place, own in enumerate(_MONTHS, start=1)}
_WEEKDAYS = "montag dienstag mittwoch donnerstag freitag samstag sonntag".split()
_ORDINALS = (
    "erst zweit dritt viert funft sechst siebt acht neunt zehnt elft zwolft dreizehnt vierzehnt funfzehnt sechzehnt "
    "siebzehnt achtzehnt neunzehnt zwanzigst einundzwanzigst zweiundzwanzigst dreiundzwanzigst vierundzwanzigst "
    "funfundzwanzigst sechsundzwanzigst siebenundzwanzigst achtundzwanzigst neunundzwanzigst dreissigst "
    "einunddreissigst"
).split()
_WHEN = {
    "fruh": "morning",
    "morgen": "morning",
    "vormittag": "morning",
    "mittag": "noon",
    "nachmittag": "afternoon",
    "abend": "evening",
    "nacht": "night",
}


def german() -> Words:
    """Return the words of German."""
    near = {"heute": 0, "morgen": 1, "ubermorgen": 2, "uebermorgen": 2, "gestern": -1}
    return Words(
        months={own: place for place, name in enumerate(_MONTHS, start=1) for own in (name, name[:3])}
        | _SHORT
        | {"maerz": 3, "janner": 1, "jaenner": 1, "feber": 2, "sept": 9},
        weekdays={own: place for place, name in enumerate(_WEEKDAYS) for own in (name, name[:2])} | {"sonnabend": 5},
        days=near
        | {
            f"{day} {part}": value
            for day, value in near.items()
            for part in _WHEN
            if (day, part) != ("morgen", "morgen")
        }
        | {"heute noch": 0},
        ordinals={f"{own}e{end}": place for place, own in enumerate(_ORDINALS, start=1) for end in ("", "n", "r")},
        parts={
            **dict.fromkeys(("fruh", "morgens", "vormittags", "am morgen", "am vormittag", "in der fruh"), "morning"),
            **dict.fromkeys(("heute fruh", "morgen fruh", "fruhmorgens", "frueh"), "morning"),
            **dict.fromkeys(("mittags", "am mittag"), "noon"),
            **dict.fromkeys(("nachmittags", "am nachmittag", "nachmittag"), "afternoon"),
            **dict.fromkeys(("abends", "am abend", "heute abend", "abend"), "evening"),
            **dict.fromkeys(("nachts", "in der nacht"), "night"),
        },
        times={"mittag": 720, "mittags": 720, "12 uhr mittags": 720, "mitternacht": 0, "zwolf uhr mittags": 720},
        units={
            **dict.fromkeys(("sekunde", "sekunden", "sek", "s"), "second"),
            **dict.fromkeys(("minute", "minuten", "min", "min.", "m"), "minute"),
            **dict.fromkeys(("stunde", "stunden", "std", "std.", "h"), "hour"),
            **dict.fromkeys(("tag", "tage", "tagen"), "day"),
            **dict.fromkeys(("woche", "wochen"), "week"),
            **dict.fromkeys(("monat", "monate", "monaten"), "month"),
            **dict.fromkeys(("jahr", "jahre", "jahren"), "year"),
            **dict.fromkeys(("dollar", "$", "us$", "usd", "us-dollar"), "USD"),
            **dict.fromkeys(("euro", "euros", "€", "eur"), "EUR"),
            **dict.fromkeys(("£", "gbp", "britische pfund", "pfund sterling"), "GBP"),
            **dict.fromkeys(("kg", "kilo", "kilos", "kilogramm"), "kg"),
            **dict.fromkeys(("g", "gramm"), "g"),
            **dict.fromkeys(("km", "kilometer", "kilometern"), "km"),
            **dict.fromkeys(("l", "liter", "litern"), "litre"),
            **dict.fromkeys(("meile", "meilen"), "mile"),
            "pfund": "GBP",
        },
        before=(
            "am",
            "um",
            "bis",
            "fur",
            "fuer",
            "ab",
            "gegen",
            "den",
            "dem",
            "vom",
            "von",
            "genau",
            "punkt",
            "so um",
            "schon",
            "zum",
            "insgesamt",
            "also",
        ),
        behind=("bitte", "genau", "punkt", "dann", "insgesamt"),
        dates={
            "relative": ("{relative}",),
            "in_units": ("in {n} {unit}", "heute in {n} {unit}", "{n} {unit} ab heute"),
            "after": ("{weekday} in {n} {unit}", "{relative} in {n} {unit}"),
            "this_weekday": (
                "(?:diese[nmrs]? |kommende[nmrs]? |(?:der|am) kommenden )?{weekday}(?:fruh|vormittag|mittag|nachmittag"
                "|abend)?(?: (?:fruh|vormittag|nachmittag|abend))?",
            ),
            "next_weekday": ("nachste[nmrs]? {weekday}", "naechste[nmrs]? {weekday}"),
            "weekday_this_week": ("{weekday} (?:in )?diese[rn]? woche", "diese woche {weekday}"),
            "weekday_next_week": (
                "{weekday} (?:in (?:der )?)?(?:nachste|naechste|kommende)[rn]? woche",
                "(?:nachste|naechste|kommende) woche,? (?:am )?{weekday}",
            ),
            "day_of_month": ("(?:der |den )?{day}(?: (?P<next>(?:diese|nachste|naechste)[ns]?) monats?)?",),
            "month_day": ("(?:{weekday},? (?:den |der |dem )?)?(?:der |den )?{day},? {month}(?:,? {year})?",),
            "weekday_day": ("{weekday},? (?:den |der |dem )?{day}",),
            "last_of_month": (
                "(?:der |den )?letzte[nr]? (?:tag )?(?:im |des )?{month}s?(?: {year})?",
                "(?:der |den )?letzte[nr]? tag (?:des |dieses )monats",
            ),
        },
        clocks={
            "past_half": ("{m}(?: minuten)? nach halb {n}(?: uhr)?",),
            "to_half": ("{m}(?: minuten)? vor halb {n}(?: uhr)?",),
            "half_to": ("halb {n}(?: uhr)?",),
            "three_quarters_to": ("drei ?viertel {n}",),
            "past": ("{m}(?: minuten| min)? nach {n}(?: uhr)?",),
            "to": ("{m}(?: minuten| min)? vor {n}(?: uhr)?",),
            "quarter_to_next": ("viertel {n}",),
            "hour": ("{n}(?: uhr| h)?",),
            "hour_minute": (
                r"(?P<n>\d{1,2})(?::|\.)(?P<m>[0-5]\d)(?: uhr| h)?",
                "{n}(?: uhr | h | ?uhr){m}",
            ),
        },
        lengths={
            "eine halbe stunde": 30,
            "halbe stunde": 30,
            "ne halbe stunde": 30,
            "eine viertelstunde": 15,
            "viertelstunde": 15,
            "eine dreiviertelstunde": 45,
            "dreiviertelstunde": 45,
            "anderthalb stunden": 90,
            "eineinhalb stunden": 90,
            "zweieinhalb stunden": 150,
            "dreieinhalb stunden": 210,
            "viereinhalb stunden": 270,
            "anderthalb tage": 2160,
            "eineinhalb tage": 2160,
            "einen halben tag": 720,
            "ein halber tag": 720,
            "halber tag": 720,
            "eine dreiviertel stunde": 45,
            "dreiviertel stunde": 45,
            "eine viertel stunde": 15,
            "ne viertelstunde": 15,
            "ne dreiviertelstunde": 45,
        },
        articles=("ein", "eine", "einen", "einem", "einer", "ne", "nen"),
        halves=("und eine halbe", "einhalb"),
        links=("und",),
        decimal=",",
        group=".",
        day_first=True,
        twelve_hours=False,
        language="de",
    )
