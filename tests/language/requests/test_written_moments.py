"""Dates and times are found as people write and say them, and what may as well be something else is not plain."""

from __future__ import annotations

from datetime import date

import pytest

from holdtrue.language.requests.written_moments import dates_in, times_in, weekdays_in

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
