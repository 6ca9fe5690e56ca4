"""Spanish, as the readers of values know it."""

from __future__ import annotations

from holdtrue.language.slot_values.language_words import Words

_MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
_WEEKDAYS = "lunes martes miercoles jueves viernes sabado domingo".split()
_NEAR = {"hoy": 0, "manana": 1, "pasado manana": 2, "pasado": 2, "ayer": -1}
_WHEN = ("por la manana", "por la tarde", "por la noche", "a la manana", "a la tarde", "a la noche", "a mediodia")


def spanish() -> Words:
    """Return the words of Spanish."""
    return Words(
        months={own: place for place, name in enumerate(_MONTHS, start=1) for own in (name, name[:3])}
        | {"setiembre": 9, "sept": 9},
        weekdays={own: place for place, name in enumerate(_WEEKDAYS) for own in (name, name[:3])},
        days=_NEAR
        | {f"{day} {when}": value for day, value in _NEAR.items() for when in _WHEN}
        | {"hoy mismo": 0, "esta noche": 0, "esta tarde": 0, "esta manana": 0, "manana mismo": 1},
        ordinals={"primero": 1, "primer": 1},
        parts={
            **dict.fromkeys(
                ("de la manana", "por la manana", "a.m", "am", "a. m", "a m", "de la madrugada"), "morning"
            ),
            **dict.fromkeys(("de la tarde", "por la tarde", "esta tarde", "pm", "p.m", "p. m", "p m"), "afternoon"),
            **dict.fromkeys(("de la noche", "por la noche", "esta noche"), "night"),
            **dict.fromkeys(("del mediodia", "de mediodia"), "noon"),
        },
        times={"mediodia": 720, "el mediodia": 720, "medianoche": 0, "12 del mediodia": 720, "doce del mediodia": 720},
        units={
            **dict.fromkeys(("segundo", "segundos", "seg", "s"), "second"),
            **dict.fromkeys(("minuto", "minutos", "min", "m"), "minute"),
            **dict.fromkeys(("hora", "horas", "h", "hs", "hrs"), "hour"),
            **dict.fromkeys(("dia", "dias"), "day"),
            **dict.fromkeys(("semana", "semanas"), "week"),
            **dict.fromkeys(("mes", "meses"), "month"),
            **dict.fromkeys(("ano", "anos"), "year"),
            **dict.fromkeys(("$", "us$", "dolar", "dolares", "usd"), "USD"),
            **dict.fromkeys(("€", "euro", "euros", "eur"), "EUR"),
            **dict.fromkeys(("£", "libra esterlina", "libras esterlinas", "gbp"), "GBP"),
            **dict.fromkeys(("kg", "kilo", "kilos", "kilogramo", "kilogramos"), "kg"),
            **dict.fromkeys(("g", "gr", "gramo", "gramos"), "g"),
            **dict.fromkeys(("km", "kilometro", "kilometros"), "km"),
            **dict.fromkeys(("l", "litro", "litros"), "litre"),
            **dict.fromkeys(("milla", "millas"), "mile"),
            **dict.fromkeys(("libra", "libras"), "lb|GBP"),
        },
        before=(
            "el dia",
            "el",
            "a las",
            "a la",
            "las",
            "la",
            "para el",
            "para",
            "por",
            "sobre las",
            "hasta",
            "desde",
            "del",
            "al",
            "a",
            "en punto",
            "unos",
            "justo",
            "exactamente",
            "en total",
        ),
        behind=("por favor", "en punto", "exactamente", "en total", "justo", "exactas"),
        dates={
            "relative": ("{relative}",),
            "in_units": ("(?:dentro de|en|de aqui a) {n} {unit}", "{n} {unit} a partir de hoy"),
            "after": (
                "{n} {unit} despues de(?:l)? (?:{relative}|{weekday})",
                "(?:de )?{relative} en {n} {unit}",
                "{weekday} en {n} {unit}",
            ),
            "this_weekday": ("(?:este |el )?{weekday}(?: por la (?:manana|tarde|noche))?", "este proximo {weekday}"),
            "next_weekday": ("(?:el )?proximo {weekday}", "(?:el )?{weekday} (?:proximo|que viene|siguiente)"),
            "weekday_this_week": ("(?:el )?{weekday} de esta (?:misma )?semana", "esta semana el {weekday}"),
            "weekday_next_week": (
                "(?:el )?{weekday} (?:de |en )?la (?:proxima|semana proxima|semana que viene|proxima semana|semana "
                "siguiente)(?: semana)?",
                "la (?:semana que viene|proxima semana),? el {weekday}",
            ),
            "day_of_month": (
                "{day}(?: (?:de|del) (?P<next>este mes|mes actual|proximo mes|mes que viene|corriente))?",
            ),
            "month_day": ("(?:{weekday},? (?:dia )?)?{day}(?: de|,| del)? {month},?(?:(?: de| del)? {year})?",),
            "weekday_day": ("{weekday},? (?:dia |el )?{day}",),
            "last_of_month": ("(?:el )?ultimo (?:dia )?(?:de|del) (?:{month}|mes|este mes)(?: (?:de |del )?{year})?",),
        },
        clocks={
            "past": ("{n} y {m}(?: minutos| min)?",),
            "to": ("{n} menos {m}(?: minutos| min)?",),
            "to_next": ("{m}(?: minutos)? (?:para|pa) (?:las |la ){n}", "(?:faltan )?{m} para las {n}"),
            "hour": ("{n}(?: horas| h| hs|h)?",),
            "hour_minute": (
                r"(?P<n>\d{1,2})(?::|\.|h)(?P<m>[0-5]\d)(?: ?h| horas| hs| hrs)?",
                r"(?P<n>\d{1,2}) (?P<m>[0-5]\d)",
            ),
        },
        lengths={
            "media hora": 30,
            "una media hora": 30,
            "un cuarto de hora": 15,
            "cuarto de hora": 15,
            "tres cuartos de hora": 45,
            "hora y media": 90,
            "una hora y media": 90,
            "hora y cuarto": 75,
            "una hora y cuarto": 75,
            "medio dia": 720,
            "dia y medio": 2160,
            "un dia y medio": 2160,
            "quince dias": 21600,
        },
        articles=("un", "una", "uno"),
        halves=("y media", "y medio"),
        links=("y", "con"),
        decimal=",",
        group=".",
        day_first=True,
        twelve_hours=True,
        language="es",
    )
