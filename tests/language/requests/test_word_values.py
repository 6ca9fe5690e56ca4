"""Values are computed from the words for them at any place in a text, and other words have no value."""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction

import pytest
from babel.dates import format_date
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.requests.operation import Argument, RequestContext
from holdtrue.language.requests.word_values import is_written, stands_in, value_in
from holdtrue.language.requests.written_moments import dates_in, times_in, weekdays_in
from holdtrue.logic.value_sorts import DATE, Calendar
from holdtrue.rules.types import FLAG, TEXT, Name, Number, Type

CONTEXT = RequestContext(1, datetime(2026, 3, 2, 9), shown=frozenset({"ann_lee_7", "kiosk"}))
IDS = "ORD-77 A-17/3 #W2378156 user_12 mia.k.90 B/4711 x:y:9 12-34-56 U+0041 2026-A B_9-z 9f3c-aa".split()
ID, COLOR = Name("order", None), Name("", ("second class", "class", "deep_red"))


def read(quote: str, type: Type, text: str = "", **more: object) -> object:
    return value_in(quote, Argument("act", "own", type), text or quote, CONTEXT, **more).value  # type: ignore[arg-type]


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("form", ["cancel {}", "({}), please!", "\u201c{}\u201d and nothing else.", "my order: {}?"])
def test_an_id_is_read_whole_with_its_signs(id: str, form: str) -> None:
    assert read(id, ID, form.format(id)) == id and read(f"order {id}", ID, f"order {id}, ok?") == id


@pytest.mark.parametrize("id", IDS[:3])
def test_a_part_of_an_id_is_no_other_id(id: str) -> None:
    assert read(id[:-1], ID, f"cancel {id} now") in (None, id)


def test_of_several_words_the_one_that_was_shown_is_the_id() -> None:
    assert read("kiosk at 9", ID) == "kiosk"
    assert read("A-1 and A-2", ID) is None and read("the last one", ID) is None


@pytest.mark.parametrize(
    ("quote", "value"),
    [("40.50 \u20ac", 40.5), ("$1,200", 1200), ("-7", -7), ("four guests", 4), ("no number", None)],
)
def test_a_number_keeps_its_sign_and_leaves_its_unit(quote: str, value: object) -> None:
    assert read(quote, Number()) == value


def test_a_share_may_be_a_hundredth() -> None:
    found = value_in("15 %", Argument("act", "own", Number()), "15 %", CONTEXT)
    assert (found.value, found.others, found.how) == (15, (0.15,), "several")


def test_who_quotes_an_hour_means_the_whole_of_what_the_message_says() -> None:
    assert read("4:15", Calendar("time"), "at 4:15 in the evening") == "16:15"


def test_a_day_of_the_week_that_is_not_wanted_is_none_of_its_dates() -> None:
    assert read("Friday", DATE, relation="not") == "Friday" and read("Friday", DATE) == "2026-03-06"


def test_a_choice_is_named_or_chosen_and_nothing_else() -> None:
    assert read("in second class", COLOR) == "second class" and read("deep red", COLOR) == "deep_red"
    assert read("class or deep red", COLOR) is None and read("class or deep red", COLOR, chosen="class") == "class"
    assert read("blue", COLOR, chosen="blue") is None


def test_a_flag_is_chosen_and_a_text_is_its_words() -> None:
    assert read("with it", FLAG) is None and read("with it", FLAG, chosen=False) is False
    assert read(' "Ann Lee". ', TEXT) == "Ann Lee" and read("?!", TEXT) is None and read("x" * 999, TEXT) is None


def test_a_name_stands_in_a_text_as_whole_words() -> None:
    assert stands_in("Jos\u00e9 Ruiz", "for jose ruiz, please") and not stands_in("Ann", "Annie")
    assert not stands_in("", "anything") and not stands_in("?", "?")


def test_a_moment_is_not_read_from_words() -> None:
    moment = Argument("book", "start", Calendar("moment", "UTC"))
    read = value_in("on Friday at nine", moment, "on Friday at nine", CONTEXT)
    assert (read.value, read.why) == (None, "moment UTC is not read from words")


_DATES = {
    "this Thursday, the twelfth of March": "2026-03-12",
    "Friday the twenty-ninth, may I": "2026-05-29",
    "Freitag, dem achten Mai": "2026-05-08",
    "le vendredi quinze mai, et puis": "2026-05-15",
    "mercoledì diciotto marzo": "2026-03-18",
    "até trinta e um de maio de 2027": "2027-05-31",
    "OUT Thu 19/03 08:00": "2026-03-19",
    "Sun 29.03. / 23.30": "2026-03-29",
    "up to the thirty-first of March 2028": "2028-03-31",
    "10-13 Apr (3 nts)": "2026-04-10",
    "Sat 14.3. 1300": "2026-03-14",
    "sexta-feira 12/06": "2026-06-12",
}
_TIMES = {
    "8 h 30": (8, 30), "6:00 Uhr": (6, 0), "7.30 am": (7, 30), "2 pm": (14, 0), "at nine thirty": (21, 30),
    "dix-huit heures trente": (18, 30), "quarter to seven": (18, 45), "kwart over zes": (18, 15), "p/u 0800": (8, 0),
    "dalle 15 e 30": (15, 30), "dieciocho horas": (18, 0),
}  # fmt: skip


@pytest.mark.parametrize(("text", "day"), _DATES.items())
def test_a_date_is_found(text: str, day: str) -> None:
    assert any(own.means(date.fromisoformat(day)) for own in dates_in(text))
    other = date.fromordinal(date.fromisoformat(day).toordinal() + 40)
    assert not any(own.means(other) for own in dates_in(text) if own.is_plain)


@pytest.mark.parametrize(("text", "time"), _TIMES.items())
def test_a_time_is_found(text: str, time: tuple[int, int]) -> None:
    assert any(time in own.options for own in times_in(text))


def test_a_short_date_is_the_near_one_of_two() -> None:
    march, december, now = date(2026, 3, 12), date(2026, 12, 3), date(2026, 3, 2)
    (own,) = dates_in("on 3/12, ok?")
    assert not own.means(march) and not own.means(december)
    assert own.means(march, now) and not own.means(december, now)


@pytest.mark.parametrize("text", ["may 3 of them", "so eight queens", "to five hives", "Tor 3", "6.20 each"])
def test_what_may_be_something_else_is_not_plain(text: str) -> None:
    assert not any(own.is_plain for own in dates_in(text)) and not any(own.is_plain for own in times_in(text))


def test_a_date_has_no_time_in_it_and_a_day_of_another_week_is_another_day() -> None:
    assert not [own for own in times_in("on 2026-03-14, 12.03.2026") if own.is_plain]
    assert not any(own.means(date(2026, 3, 19)) for own in dates_in("Friday 19 March"))
    assert weekdays_in("domingo o lunes", frozenset({"es"})) == {6, 0}


LOCALES = st.sampled_from(["en_US", "en_GB", "de_DE", "de_CH", "fr_FR", "es_ES", "it_IT", "nl_NL", "pt_BR", "sv_SE"])
TIME = Calendar("time")


@given(st.integers(0, 10**9), LOCALES)
def test_a_number_is_found_as_any_of_these_languages_writes_it(cents: int, locale: str) -> None:
    number = Fraction(cents, 100)
    text = format_decimal(float(number), format="#,##0.00", locale=locale)
    assert is_written(number, Number(), f"({text} EUR)")


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_number_is_no_part_of_another_one(one: int, other: int) -> None:
    assert is_written(Fraction(one), Number(), f"it is {other}.") is (one == other)
    assert not is_written(Fraction(one), Number(), f"it is 1{one}, {one}7, {one}:30 or -{one}")


@pytest.mark.parametrize("text", ["40,00 \u20ac", "40.00 EUR", "\u20ac40", "40 \u20ac", "40,- \u20ac", "40,0"])
def test_forty_euros_are_found_as_they_are_written(text: str) -> None:
    assert is_written(Fraction(40), Number(), f"Das kostet {text}!")


@given(st.dates(date(1990, 1, 1), date(2060, 12, 31)), LOCALES, st.sampled_from(["long", "medium", "short"]))
def test_a_date_is_found_as_any_of_these_languages_writes_it(day: date, locale: str, width: str) -> None:
    assert is_written(day.toordinal(), DATE, f"({format_date(day, width, locale=locale)})")


@given(st.dates(date(1990, 1, 1), date(2060, 12, 31)), st.dates(date(1990, 1, 1), date(2060, 12, 31)))
def test_a_date_is_written_in_no_other_one(one: date, other: date) -> None:
    assert is_written(one.toordinal(), DATE, f"On {other:%B} {other.day}, {other.year}.") is (one == other)


@pytest.mark.parametrize("text", ["19:30", "19.30 Uhr", "19h30", "19 h 30", "1930"])
def test_a_time_is_found_as_it_is_written(text: str) -> None:
    assert is_written(19 * 3600 + 30 * 60, TIME, f"um {text}")
    assert not is_written(9 * 3600 + 30 * 60, TIME, f"um {text}")


@pytest.mark.parametrize("text", ["jeudi 3/12", "do 3.12", "Thu 12/3", "3 Dec, 0645", "jueves, 3 de diciembre"])
def test_a_day_without_a_year_is_found_where_no_other_day_is_meant(text: str) -> None:
    assert is_written(date(2026, 12, 3).toordinal(), DATE, f"{text}, ok?")


@pytest.mark.parametrize("text", ["3/12", "vendredi 3/12", "jeudi 3/11", "3 Dec, 2027"])
def test_a_day_that_can_be_another_one_is_not_found(text: str) -> None:
    assert not is_written(date(2026, 12, 3).toordinal(), DATE, f"{text}, ok?")
