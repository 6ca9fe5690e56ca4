"""A value is computed from the words for it: ids stay whole, numbers keep their signs, and what is no value is none."""

from __future__ import annotations

from datetime import datetime

import pytest

from holdtrue.language.requests.operation import Argument, RequestContext
from holdtrue.language.requests.word_values import stands_in, value_in
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
