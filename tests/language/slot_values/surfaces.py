"""Rules that write a date, a time, a duration or an amount in three languages, from its value."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

MONTHS = {
    "en-US": "January February March April May June July August September October November December".split(),
    "de-DE": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "es-ES": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
}
WEEKDAYS = {
    "en-US": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "de-DE": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
    "es-ES": "lunes martes miércoles jueves viernes sábado domingo".split(),
}
HOURS = {
    "en-US": "one two three four five six seven eight nine ten eleven twelve".split(),
    "de-DE": "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split(),
    "es-ES": "una dos tres cuatro cinco seis siete ocho nueve diez once doce".split(),
}
TENS = {
    "en-US": {5: "five", 10: "ten", 20: "twenty", 25: "twenty-five"},
    "de-DE": {5: "fünf", 10: "zehn", 20: "zwanzig"},
    "es-ES": {5: "cinco", 10: "diez", 20: "veinte", 25: "veinticinco"},
}
LOCALES = tuple(MONTHS)


def dates(day: date, locale: str) -> Iterator[str]:
    """Return ways to say a date with its year."""
    month, weekday = MONTHS[locale][day.month - 1], WEEKDAYS[locale][day.weekday()]
    yield day.isoformat()
    match locale:
        case "en-US":
            ending = "th" if day.day // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
            yield f"{month} {day.day}, {day.year}"
            yield f"on the {day.day}{ending} of {month} {day.year}"
            yield f"{weekday}, {month} {day.day}{ending}, {day.year}"
            yield f"{day.month}/{day.day}/{day.year}"
        case "de-DE":
            yield f"am {day.day}. {month} {day.year}"
            yield f"{weekday}, den {day.day}. {month} {day.year}"
            yield f"{day.day:02}.{day.month:02}.{day.year}"
        case "es-ES":
            yield f"el {day.day} de {month} de {day.year}"
            yield f"{weekday} {day.day} de {month} de {day.year}"
            yield f"{day.day}/{day.month}/{day.year}"


def times(minutes: int, locale: str) -> Iterator[str]:
    """Return ways to say a time of day, with its half of the day."""
    hour, minute = divmod(minutes, 60)
    small = (hour - 1) % 12
    own, following = HOURS[locale][small], HOURS[locale][(small + 1) % 12]
    names = TENS[locale]
    match locale:
        case "en-US":
            half = "in the morning" if hour < 12 else "in the afternoon"
            yield f"{small + 1}:{minute:02} {'am' if hour < 12 else 'p.m.'}"
            yield f"{small + 1}:{minute:02} {half}"
            if minute == 0:
                yield f"{own} o'clock {half}"
            elif minute in (15, 30):
                yield f"{'quarter' if minute == 15 else 'half'} past {own} {half}"
            elif minute in names:
                yield f"{names[minute]} past {own} {half}"
            if hour % 12 != 11 and 60 - minute in names:  # The half of the day is that of the hour that is named.
                yield f"{names[60 - minute]} to {following} {half}"
        case "de-DE":
            half = "morgens" if hour < 12 else "abends"
            yield f"um {hour:02}:{minute:02} Uhr"
            if minute == 0:
                yield f"um {own.removesuffix('s') if own == 'eins' else own} Uhr {half}"
            if minute in (15, 30, 45):
                yield f"{ {15: 'viertel', 30: 'halb', 45: 'dreiviertel'}[minute] } {following} {half}"
            if minute == 25:
                yield f"fünf vor halb {following} {half}"
            if minute in names:
                yield f"{names[minute]} nach {own} {half}"
            if 60 - minute in names:
                yield f"{names[60 - minute]} vor {following} {half}"
        case "es-ES":
            half = "de la mañana" if hour < 12 else "de la tarde"
            article = "la" if own == "una" else "las"
            yield f"{small + 1}:{minute:02} {half}"
            if minute == 0:
                yield f"a {article} {own} {half}"
            elif minute in (15, 30):
                yield f"a {article} {own} y {'cuarto' if minute == 15 else 'media'} {half}"
            elif minute in names:
                yield f"{article} {own} y {names[minute]} {half}"
            if hour % 12 != 11 and 60 - minute in names:
                yield f"{'la' if following == 'una' else 'las'} {following} menos {names[60 - minute]} {half}"


def durations(minutes: int, locale: str) -> Iterator[str]:
    """Return ways to say how long something takes."""
    hours, rest = divmod(minutes, 60)
    one, many, small, link = {
        "en-US": ("hour", "hours", "minutes", "and"),
        "de-DE": ("Stunde", "Stunden", "Minuten", "und"),
        "es-ES": ("hora", "horas", "minutos", "y"),
    }[locale]
    yield f"{minutes} {small}"
    yield f"{minutes} min"
    if hours and rest > 1:
        yield f"{hours} {one if hours == 1 else many} {link} {rest} {small}"
        yield f"{hours} h {rest} min"
        yield f"{hours}h {rest}min"
    if hours > 1 and rest == 0:
        yield f"{hours} {many}"
    if hours > 1 and rest == 30:
        yield f"{hours}{'.' if locale == 'en-US' else ','}5 {many}"


def amounts(cents: int, locale: str) -> Iterator[str]:
    """Return ways to write an amount of euros."""
    whole, part = divmod(cents, 100)
    grouped = f"{whole:,}"
    plain = str(whole)
    if locale != "en-US":
        grouped = grouped.replace(",", ".")
    decimals = "" if part == 0 else f"{'.' if locale == 'en-US' else ','}{part:02}"
    for number in dict.fromkeys((grouped, plain)):
        yield f"{number}{decimals} euros"
        yield f"{number}{decimals} €"
        yield f"€{number}{decimals}"
        yield f"EUR {number}{decimals}"
