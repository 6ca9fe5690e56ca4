"""Values are read completely or not at all: as the value behind the text, or with all their meanings."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.errors import FormulaError, InputError
from holdtrue.language.slot_values.slot_value import LOCALES, LONGEST, SlotValue, read_slot_value
from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import Amount, Calendar
from holdtrue.rules.types import DURATION, TEXT, Nullable, Number, Type
from tests.data import DATA
from tests.language.slot_values import surfaces

NOW = datetime(2019, 3, 1, 9, 17)
"""A Friday."""
DATE, TIME = Calendar("date"), Calendar("time")
WHOLE_NUMBER = Number(Amount(step=Fraction(1)))
EUROS = Number(Amount(unit("EUR")))
DAYS = st.dates(date(1990, 1, 1), date(2060, 12, 31))
WHERE = st.sampled_from(surfaces.LOCALES)


def shown(text: str, type: Type, locale: str = "en-US") -> tuple[str, ...]:
    return read_slot_value(text, type, NOW, locale).shown


@given(DAYS, WHERE, st.data())
def test_a_date_is_the_one_it_was_made_from(day: date, locale: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([*surfaces.dates(day, locale)]))
    assert shown(text, DATE, locale) == (day.isoformat(),)


@given(st.integers(0, 287).map(lambda own: own * 5), WHERE, st.data())
def test_a_time_is_the_one_it_was_made_from(minutes: int, locale: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([*surfaces.times(minutes, locale)]))
    meant = f"{minutes // 60:02}:{minutes % 60:02}"
    found = shown(text, TIME, locale)
    # "11:00 Uhr" is said of both halves of the day; no word decides.
    assert meant in found and len(found) <= (2 if text.endswith("Uhr") else 1), (text, found)


@given(st.integers(1, 6000), WHERE, st.data())
def test_a_duration_is_the_one_it_was_made_from(minutes: int, locale: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([*surfaces.durations(minutes, locale)]))
    assert read_slot_value(text, DURATION, NOW, locale).value == minutes * 60, text


@given(st.integers(1, 10**9), WHERE, st.data())
def test_an_amount_is_the_one_it_was_made_from(cents: int, locale: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([*surfaces.amounts(cents, locale)]))
    found = read_slot_value(text, EUROS, NOW, locale).value
    assert found is not None and found * 100 == cents, text


@given(
    DAYS,
    st.integers(0, 287),
    WHERE,
    st.sampled_from(["or so", "unless it rains", "vielleicht", "o mañana", "xyz", "or the 9th", "- no"]),
    st.data(),
)
def test_what_says_more_than_a_value_is_refused(
    day: date, fives: int, locale: str, more: str, data: st.DataObject
) -> None:
    forms = [(own, DATE) for own in surfaces.dates(day, locale)]
    forms += [(own, TIME) for own in surfaces.times(fives * 5, locale)]
    text, type = data.draw(st.sampled_from(forms))
    assert shown(f"{text} {more}", type, locale) == ()


@given(st.text(max_size=60), st.sampled_from(LOCALES), st.sampled_from([DATE, TIME, DURATION, EUROS]))
def test_any_text_is_read_or_refused(text: str, locale: str, type: Type) -> None:
    found = read_slot_value(text, type, NOW, locale)
    assert bool(found.values) or found.why


@given(DAYS, st.integers(0, 400), WHERE)
def test_a_date_without_its_year_is_the_next_one(today: date, distance: int, locale: str) -> None:
    day = today + timedelta(distance % 365)
    text = {"en-US": f"{surfaces.MONTHS[locale][day.month - 1]} {day.day}"}.get(
        locale, f"{day.day}{'.' if locale == 'de-DE' else ' de'} {surfaces.MONTHS[locale][day.month - 1]}"
    )
    now = datetime(today.year, today.month, today.day, 12)
    (found,) = read_slot_value(text, DATE, now, locale).shown
    own = date.fromisoformat(found)
    assert (own.day, own.month) == (day.day, day.month) and today <= own
    assert own == day or (day.day, day.month) == (29, 2)


@pytest.mark.parametrize(
    ("text", "locale", "days"),
    [
        ("today", "en-US", ["2019-03-01"]),
        ("the day after tomorrow", "en-US", ["2019-03-03"]),
        ("next Tuesday", "en-US", ["2019-03-05", "2019-03-12"]),
        ("next Friday", "en-US", ["2019-03-08"]),
        ("Friday", "en-US", ["2019-03-01", "2019-03-08"]),
        ("Friday next week", "en-US", ["2019-03-08"]),
        ("Wednesday this week", "en-US", ["2019-02-27"]),
        ("this week Sunday", "en-US", ["2019-03-03"]),
        ("the 10th", "en-US", ["2019-03-10"]),
        ("the 31st", "en-GB", ["2019-03-31"]),
        ("3/4/2019", "en-US", ["2019-03-04"]),
        ("3/4/2019", "en-GB", ["2019-04-03"]),
        ("a week from Monday", "en-US", ["2019-03-11"]),
        ("the last day of February", "en-US", ["2020-02-29"]),
        ("29 February", "en-GB", ["2020-02-29"]),
        ("February 30th", "en-US", []),
        ("Monday, March 8th 2019", "en-US", []),
        ("in two weeks", "en-US", ["2019-03-15"]),
        ("sometime next week", "en-US", []),
        ("übermorgen", "de-DE", ["2019-03-03"]),
        ("in drei Wochen", "de-DE", ["2019-03-22"]),
        ("nächste Woche Mittwoch", "de-DE", ["2019-03-06"]),
        ("Mittwoch dieser Woche", "de-DE", ["2019-02-27"]),
        ("am siebten März", "de-DE", ["2019-03-07"]),
        ("pasado mañana", "es-ES", ["2019-03-03"]),
        ("el domingo de esta semana", "es-ES", ["2019-03-03"]),
        ("el lunes que viene", "es-ES", ["2019-03-04", "2019-03-11"]),
        ("dentro de quince días", "es-ES", ["2019-03-16"]),
        ("mañana a las 5", "es-ES", []),
    ],
)
def test_dates_are_relative_to_now(text: str, locale: str, days: list[str]) -> None:
    assert shown(text, DATE, locale) == tuple(days)


@pytest.mark.parametrize(
    ("text", "locale", "times"),
    [
        ("half past two", "en-US", ["02:30", "14:30"]),
        ("2:30 pm", "en-US", ["14:30"]),
        ("evening 6", "en-US", ["18:00"]),
        ("14:30", "en-US", ["14:30"]),
        ("12 at night", "en-US", ["00:00"]),
        ("12:15 am", "en-US", ["00:15"]),
        ("noon", "en-US", ["12:00"]),
        ("25:00", "en-US", []),
        ("3:75 pm", "en-US", []),
        ("halb drei", "de-DE", ["02:30", "14:30"]),
        ("halb eins", "de-DE", ["00:30", "12:30"]),
        ("fünf nach halb neun abends", "de-DE", ["20:35"]),
        ("18 Uhr 30", "de-DE", ["18:30"]),
        ("las tres menos cuarto de la tarde", "es-ES", ["14:45"]),
        ("una y media", "es-ES", ["01:30", "13:30"]),
        ("un rato", "es-ES", []),
    ],
)
def test_a_time_of_twelve_hours_can_be_in_either_half(text: str, locale: str, times: list[str]) -> None:
    assert sorted(shown(text, TIME, locale)) == sorted(times)


@pytest.mark.parametrize(
    ("text", "type", "locale", "value"),
    [
        ("an hour and a half", DURATION, "en-US", 5400),
        ("a fortnight", DURATION, "en-US", 14 * 86400),
        ("anderthalb Stunden", DURATION, "de-DE", 5400),
        ("tres cuartos de hora", DURATION, "es-ES", 2700),
        ("90", DURATION, "en-US", None),  # Nobody said the unit.
        ("90", EUROS, "en-US", 90),
        ("a few euros", EUROS, "en-US", None),
        ("20 dollars", EUROS, "en-US", None),
        ("1.5 km", Number(Amount(unit("metre"))), "en-US", 1500),
        ("zwei", Number(Amount(step=None)), "de-DE", 2),
        ("two and a half", WHOLE_NUMBER, "en-US", None),
        ("half a dozen", WHOLE_NUMBER, "en-US", 6),
        ("a hundred and twenty", WHOLE_NUMBER, "en-US", 120),
        ("few hundred", WHOLE_NUMBER, "en-US", None),
        ("tens", WHOLE_NUMBER, "en-US", None),
        ("0", Nullable(Number(low=Fraction(1))), "en-US", None),
    ],
)
def test_amounts_have_the_unit_of_the_slot(text: str, type: Type, locale: str, value: int | None) -> None:
    assert read_slot_value(text, type, NOW, locale).value == value


def test_why_there_is_not_one_value_is_told() -> None:
    found = read_slot_value("half past two", TIME, NOW)
    assert found == SlotValue(TIME, (9000, 52200), "'half past two' can mean 02:30 or 14:30") and found.value is None
    assert read_slot_value("soon", DATE, NOW).why == "'soon' is no date that can be read whole"
    assert read_slot_value("9" * 10_000, EUROS, NOW).values == ()
    assert len(read_slot_value("9" * 10_000, EUROS, NOW).why) < 2 * LONGEST


def test_what_is_not_read_here_is_an_error() -> None:
    with pytest.raises(InputError, match=r"only dates, times of day, durations, amounts and numbers .* not a text"):
        read_slot_value("Ann", TEXT, NOW)
    with pytest.raises(InputError, match="values are read in en-US, en-GB, de-DE, es-ES, not in 'fr-FR'"):
        read_slot_value("hier", DATE, NOW, "fr-FR")


FILE = DATA / "sgd" / "share.jsonl"


def phrases() -> dict[tuple[str, str, str], Calendar]:
    """Return each phrase with its day and the value that annotators gave it."""
    found = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        dialogue = json.loads(line)
        for event in (own for turn in dialogue["turns"] for own in turn["events"]):
            value = str(event.get("value"))
            for kind, form in (("date", r"\d{4}-\d\d-\d\d"), ("time", r"\d\d:\d\d")):
                if re.fullmatch(form, value):
                    sort = Calendar("date" if kind == "date" else "time")
                    found.update({(own, dialogue["today"], value): sort for own in event["surface"]})
    return found


@pytest.mark.skipif(not FILE.exists(), reason="the shared data are not here")
def test_no_phrase_is_read_as_another_value() -> None:
    read = {key: read_slot_value(key[0], sort, datetime.fromisoformat(key[1])).shown for key, sort in phrases().items()}
    assert len(read) == 74
    assert all(value in found for (_, _, value), found in read.items())
    assert sum(len(found) == 1 for found in read.values()) == 71


PHRASES = Path(__file__).parent / "data" / "unseen_phrases.jsonl"


def readings(phrase: dict[str, Any]) -> tuple[set[Any], set[Any]]:
    """Return the accepted values of a phrase, and those that are read."""
    text, locale, now = phrase["text"], phrase["locale"], datetime.fromisoformat(phrase["now"])
    match phrase["type"]:
        case "duration":
            found = read_slot_value(text, DURATION, now, locale).values
            return {Fraction(own) for own in phrase["values"]}, {Fraction(own) / 60 for own in found}
        case "amount":
            amounts: set[Any] = set()
            for name in {own["unit"] for own in phrase["values"]} or {None}:
                amounts |= {Fraction(own) for own in read_slot_value(text, _amount(name), now, locale).values}
            return {Fraction(own["number"]) for own in phrase["values"]}, amounts
        case kind:
            return set(phrase["values"]), set(read_slot_value(text, Calendar(kind), now, locale).shown)


def _amount(name: str | None) -> Number:
    """Return a number in a unit; a thing that is counted, such as a person, is none."""
    try:
        return Number() if name is None else Number(Amount(unit(name)))
    except FormulaError:
        return Number()


def test_no_phrase_is_read_as_another_value_and_most_are_read() -> None:
    counts: Counter[str] = Counter()
    wrong = []
    for line in PHRASES.read_text(encoding="utf-8").splitlines():
        phrase = json.loads(line)
        accepted, found = readings(phrase)
        if found and not found & accepted:
            wrong.append((phrase["id"], phrase["text"], found))
        counts["right" if accepted == found else "other" if found else "refused"] += 1
    print(dict(counts))
    assert wrong == []
    assert counts["right"] >= 310 and counts["other"] <= 15
