"""Tests of reading values in texts: 60 phrases written beforehand, more forms, doubts, and round trips."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import DATE, TIME, Calendar, Instant, show_number
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Compare, Number, Term
from holdtrue_claims.values.single_values import formula_of
from holdtrue_claims.values.text_values import ValuesRead, read_values
from tests.claims.values.value_phrases import PHRASES
from tests.patience import no_hang


def value(formula: str) -> Term:
    """Return the value that formulas write like this."""
    sentence = read_fol(f"f(A) = {formula}").sentence
    assert isinstance(sentence, Compare), formula
    return sentence.right


def formulas(text: str) -> list[str]:
    return [found.formula for found in read_values(text).values]


@pytest.mark.parametrize("text, expected, doubtful", PHRASES)
def test_phrases_that_were_written_before_the_reader(text: str, expected: tuple[str, ...], doubtful: bool) -> None:
    read = read_values(text)
    assert [found.value for found in read.values] == [value(formula) for formula in expected]
    assert bool(read.doubts) == doubtful


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Order 4711 cost 240 euros.", ["4711", "240 EUR"]),
        ("Prices: EUR 1,250.00; 1.250,00 EUR; 1'250 CHF.", ["1250 EUR", "1250 EUR", "1250 CHF"]),
        ("Rents between €500 and €700 a month.", ["500 EUR/month", "700 EUR/month"]),
        ("Rents of €500-700 a month.", ["500 EUR/month", "700 EUR/month"]),
        ("A salary of $50k to $60k.", ["50000 USD", "60000 USD"]),
        ("Between 2 and 3 million people.", ["2000000", "3000000"]),
        ("Twice a week she swims, three times a month he does.", ["2 time/week", "3 time/month"]),
        ("100 km at 5 l per 100 km.", ["100 km", "0.05 l/km"]),
        ("9 am to 5 pm, Saturdays 9-11 am, Sundays 11-2 pm.", ["09:00", "17:00", "09:00", "11:00", "11:00", "14:00"]),
        ("Valid from 1 March to 31 May 2026.", ["2026-03-01", "2026-05-31"]),
        ("They meet at 5 pm on Friday, 6 March 2026.", ["2026-03-06T17:00"]),
        ("By 2026-03-01T14:30Z.", ["2026-03-01T14:30Z"]),
        ("12/31/2026 and 03/04/2026.", ["2026-12-31", "2026-03-04"]),
        ("It is 12 p.m. It is 12 a.m. It is seven o'clock in the evening.", ["12:00", "00:00", "19:00"]),
        ("Three quarters of an hour, a year and a half, 30min.", ["0.75 hour", "1.5 year", "30 minute"]),
        ("£3 and 50 pence, 2 pounds.", ["3.5 GBP", "2 GBP"]),
        ("Minus 20 euros at -5 degrees Celsius.", ["-20 EUR", "-5 celsius"]),
        ("Half a dozen eggs, a hundred euros, two-thirds.", ["6", "100 EUR", "2 / 3"]),
        ("No one came, the other one left, and one guest stayed.", ["1"]),
        ("80 euros per person per night.", ["80 EUR/person/night"]),
        ("A 12-month period with two-week notice.", ["12 month", "2 week"]),
        ("Five hundred and twenty-three thousand of them.", ["523000"]),
        ("12 euros per square metre, 30 m² of it.", ["12 EUR/m/m", "30 m*m"]),
        ("P1 and A4 and api2 are names.", []),
        ("440 minus 44, and 5 \u22123, but minus 2.", ["440", "44", "5", "3", "-2"]),
    ],
)
def test_more_forms(text: str, expected: list[str]) -> None:
    assert formulas(text) == expected


@pytest.mark.parametrize(
    "text, why",
    [
        ("It opens at 9:00 and closes at 5:30 pm.", "which half of the day"),
        ("We meet at half past two.", "which half of the day"),
        ("She arrives at 5.", "may be a time of day"),
        ("At midnight it ends.", "begins a day and ends one"),
        ("Sunday, 6 March 2026.", "that day is a Friday"),
        ("On 31 April 2026.", "no such day"),
        ("In March 2026.", "the day is not said"),
        ("On 5 May.", "the year is not said"),
        ("On 01.02.26.", "the century is not said"),
        ("17:30 CET", "in the zone CET"),
        ("5 pm UTC", "needs its date"),
        ("It is 1,234 or 12,5 metres.", "its comma"),
        ("10 000 euros", "one number or several"),
        ("Version 2.1.3", "make no number"),
        ("Call 555-1234.", "a range, a difference or a name"),
        ("Open 24/7.", "no fraction"),
        ("The 3th place.", "neither as a number"),
        ("It costs 50 cents.", "of which money"),
        ("It is 12 pounds.", "money or a mass"),
        ("It takes 2 hours 30, or six euros eighty.", "has no unit"),
        ("Thirteen fifty, that one.", "has no unit"),
        ("About 30 days.", "how near it is"),
        ("A few days, dozens of people.", "not said how many"),
        ("Two quarters.", "parts of a whole, or of a year"),
        ("It takes a quarter.", "or three months"),
        ("Seat 12b, a 3x3 grid.", "letters stand directly behind"),
    ],
)
def test_what_is_not_certain_is_told(text: str, why: str) -> None:
    doubts = read_values(text).doubts
    assert any(why in doubt.why for doubt in doubts), doubts
    for doubt in doubts:
        assert text[doubt.start : doubt.end] == doubt.text or doubt.text.startswith(text[doubt.start : doubt.end])


def test_both_ends_of_a_range_and_what_is_counted() -> None:
    read = read_values("Ten to twelve guests stay 3 to 5 days, from 22:00 to 6:00.")
    assert [found.formula for found in read.values][:4] == ["10", "12", "3 day", "5 day"]
    assert [found.noun for found in read.values] == ["guests", "guests", "", "", "", ""]


def test_labels_and_ordinals_are_told_apart() -> None:
    read = read_values("The third guest of order 4711 is in room 12 for 2 nights.")
    assert [(found.formula, found.role) for found in read.values] == [
        ("3", "ordinal"),
        ("4711", "label"),
        ("12", "label"),
        ("2", "value"),
    ]


# --- round trips ------------------------------------------------------------------------------------------------------

UNITS = ("kg", "mg", "km", "hour", "day", "month", "EUR", "USD", "mg/kg", "EUR/night", "%", "l")
decimals = st.builds(lambda digits, places: Fraction(digits, 10**places), st.integers(0, 10**7), st.integers(0, 3))
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def spelled(number: int) -> str:
    """Return a number below a thousand millions in words: an oracle by plain division."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10 - 2] + (f"-{_ONES[number % 10]}" if number % 10 else "")
    if number < 1000:
        return f"{_ONES[number // 100]} hundred" + (f" and {spelled(number % 100)}" if number % 100 else "")
    size, name = (10**6, "million") if number >= 10**6 else (1000, "thousand")
    rest = number % size
    joint = " and " if 0 < rest < 100 else " "
    return f"{spelled(number // size)} {name}" + (f"{joint}{spelled(rest)}" if rest else "")


def only(text: str) -> ValuesRead:
    read = read_values(text)
    assert len(read.values) == 1 and not read.doubts, (text, read)
    return read


@given(decimals, st.sampled_from(UNITS), st.booleans())
def test_an_amount_is_read_back(number: Fraction, name: str, grouped: bool) -> None:
    written = show_number(number)
    if grouped:
        whole, point, rest = written.partition(".")
        written = f"{int(whole):,}{point}{rest}"
    found = only(f"It is {written} {name} then.").values[0]
    assert found.value == Number(number, unit(name))
    assert value(found.formula) == found.value


@given(decimals, st.sampled_from(("EUR", "USD", "GBP")), st.sampled_from(("{s}{n}", "{n} {c}", "{c} {n}", "{n}{s}")))
def test_money_is_read_back(number: Fraction, code: str, form: str) -> None:
    sign = {"EUR": "€", "USD": "$", "GBP": "£"}[code]
    found = only(f"Pay {form.format(s=sign, c=code, n=show_number(number, 2))} now.").values[0]
    assert found.value == Number(number, unit(code))


@given(st.integers(0, 999_999_999))
def test_a_number_in_words_is_read_back(number: int) -> None:
    assert only(f"There are {spelled(number)} in all.").values[0].value == Number(number)


@given(st.integers(0, 999), st.integers(1, 19), st.integers(2, 20))
def test_a_mixed_number_is_read_back(whole: int, over: int, under: int) -> None:
    if over < under:
        assert only(f"It takes {whole} {over}/{under} hours.").values[0].value == Number(
            whole + Fraction(over, under), unit("hour")
        )


_MONTHS = "January February March April May June July August September October November December".split()
_DATES = (
    "{d} {m} {y}",
    "{d}{s} {m} {y}",
    "the {d}{s} of {m} {y}",
    "{m} {d}, {y}",
    "{m} {d}{s}, {y}",
    "{w}, {d} {m} {y}",
)


def suffix(number: int) -> str:
    return "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


@given(st.dates(date(1000, 1, 1)), st.sampled_from((*_DATES, "{iso}", "{y}/{n:02d}/{d:02d}", "{d:02d}.{n:02d}.{y}")))
def test_a_date_is_read_back_or_told_as_doubtful(day: date, form: str) -> None:
    parts = {"d": day.day, "n": day.month, "y": day.year, "s": suffix(day.day), "iso": day.isoformat()}
    text = form.format(m=_MONTHS[day.month - 1], w=day.strftime("%A"), **parts)
    read = read_values(f"It is due on {text}.")
    if form == "{d:02d}.{n:02d}.{y}" and day.day <= 12 and day.day != day.month:
        assert not read.values and Instant(day.toordinal(), DATE) in read.doubts[0].choices
    else:
        assert [found.value for found in read.values] == [Instant(day.toordinal(), DATE)], text


@given(st.integers(0, 23), st.integers(0, 59), st.sampled_from(("clock", "padded", "pm", "p.m.")))
def test_a_time_is_read_back(hour: int, minute: int, form: str) -> None:
    half = ("am", "a.m.")[form == "p.m."] if hour < 12 else ("pm", "p.m.")[form == "p.m."]
    text = {"clock": f"{hour}:{minute:02d}", "padded": f"{hour:02d}:{minute:02d}"}.get(
        form, f"{hour % 12 or 12}:{minute:02d} {half}"
    )
    assert only(f"It begins at {text} sharp.").values[0].value == Instant(hour * 3600 + minute * 60, TIME)


@given(st.dates(date(1000, 1, 1)), st.integers(0, 1439))
def test_a_moment_is_read_back(day: date, minutes: int) -> None:
    clock = f"{minutes // 60:02d}:{minutes % 60:02d}"
    moment = Instant((day.toordinal() - 1) * 86400 + minutes * 60, Calendar("moment"))
    for text in (f"{day.isoformat()}T{clock}", f"{day.isoformat()} {clock}", f"{clock} on {day.isoformat()}"):
        found = only(f"It is {text}, then.").values[0]
        assert found.value == moment
        assert value(formula_of(found.value)) == moment


pieces = st.sampled_from(
    "1 2,5 3.000 and a half between to - half past two 03/04/2026 March 1st 5 pm € $ kg per day % 12b :30 twenty "
    "hundred million . , ; th quarter of an hour dozen 1/2 ½ 2026-13-45 99:99 CET -".split(" ")
)


@given(st.lists(pieces | st.text(max_size=4), max_size=14).map(" ".join) | st.text(max_size=60))
@example("1 -")
@example("$3 -\n")
def test_reading_never_fails_and_places_are_right(text: str) -> None:
    read = read_values(text)
    ends = 0
    for found in read.values:
        assert text[found.start : found.end] == found.text
        assert ends <= found.start < found.end
        ends = found.end
        assert value(found.formula) == found.value


def test_a_long_text_takes_no_long_time() -> None:
    with no_hang():
        for part in ("1,", "twenty ", "a half ", "12:", "€", "1 000 ", "March ", "of the "):
            read_values(part * 5_000)
