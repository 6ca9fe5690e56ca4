"""Tests of the words that a sentence mentions: values that it certainly or possibly states, and names."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.logic.units import ONE, unit
from holdtrue.logic.value_sorts import DATE, TIME, Instant
from holdtrue_claims.fol.syntax import Number
from holdtrue_claims.kind.mentions import mentioned_values, mentions_in, unmentioned
from holdtrue_claims.kind.plain_mismatch import plain_mismatch
from holdtrue_claims.values.text_values import read_values
from tests.claims.fol.test_english import VOCABULARY, read
from tests.claims.values.value_phrases import PHRASES

MAY = Instant(date(2026, 5, 3).toordinal(), DATE)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("It cost 1,240.50 euros.", [Number(Fraction("1240.5"), unit("EUR"))]),
        ("It cost $20.", [Number(20, unit("USD"))]),
        ("On 3 May 2026 and May 3rd, 2026 and 2026-05-03.", [MAY]),
        ("Between 5:30 pm and 17:45.", [Instant(63000, TIME), Instant(63900, TIME)]),
        ("At least three guests, 15% of them.", [Number(3, ONE), Number(15, unit("%"))]),
        ("Within 30 days.", [Number(30, unit("day"))]),
        ("It weighs 500 g.", [Number(500, unit("g"))]),
        ("It cost one million euros.", [Number(1_000_000, unit("EUR"))]),
        ("A hundred guests came.", [Number(100)]),
        ("Nobody came.", []),
    ],
)
def test_what_is_plainly_written_is_sure(text: str, values: list[object]) -> None:
    found = mentioned_values(text)
    assert set(found.sure) == set(found.perhaps) == set(values) and not found.doubtful


@pytest.mark.parametrize(
    ("text", "perhaps", "doubtful"),
    [
        ("About 60 guests came.", [Number(60)], True),
        ("It weighs 12 pounds.", [Number(12, unit("lb")), Number(12, unit("GBP"))], True),
        ("A few guests came.", [], True),
        ("Order 4711 is late.", [Number(4711)], False),
        ("She was the third to arrive.", [Number(3)], False),
        ("It is due once a month.", [Number(1, unit("time/month"))], False),
        ("He was away for a week.", [Number(1, unit("week"))], False),
    ],
)
def test_what_is_doubtful_a_name_a_place_or_not_written_out_is_not_sure(
    text: str, perhaps: list[object], doubtful: bool
) -> None:
    found = mentioned_values(text)
    assert found.sure == () and set(found.perhaps) == set(perhaps) and found.doubtful == doubtful


@pytest.mark.parametrize("text", [phrase[0] for phrase in PHRASES])
def test_nothing_that_a_doubt_covers_is_sure_and_its_choices_may_be_meant(text: str) -> None:
    found, whole = mentioned_values(text), read_values(text)
    assert set(found.sure) <= set(found.perhaps)
    assert all(set(doubt.choices) <= set(found.perhaps) for doubt in whole.doubts)
    plain = {
        own.value for own in whole.values if not any(d.start < own.end and own.start < d.end for d in whole.doubts)
    }
    assert set(found.sure) <= plain


DOUBTFUL = ["about 60 kg", "roughly 60 kg", "60 pounds", "a few kilos", "several kilos", "almost 60 kg", "some 60 kg"]


@given(st.sampled_from(DOUBTFUL), st.integers(0, 500), st.sampled_from(["=", ">=", "<=", ">", "<"]))
def test_a_doubtful_value_is_never_surely_wrong(said: str, number: int, sign: str) -> None:
    assert plain_mismatch(f"Ann weighs {said}.", read(f"weight(Ann) {sign} {number} kg"), VOCABULARY) is None


@given(st.integers(2, 10**6), st.integers(2, 10**6))
def test_a_sure_value_is_another_one_or_fits(said: int, written: int) -> None:
    found = plain_mismatch(f"Ann weighs {said} kg.", read(f"weight(Ann) = {written} kg"), VOCABULARY)
    assert (found is None) is (said == written)


def test_names_are_found_in_the_forms_of_their_words() -> None:
    assert mentions_in("Ann likes Ben.", VOCABULARY).names == {"Ann", "Ben", "Likes"}
    assert mentions_in("The weight of Order 4711 is 5 kg.", VOCABULARY).names == {"Order4711", "weight"}
    assert mentions_in("Ben is late.", VOCABULARY).names == {"Ben", "Late"}


TOLD = "Order 4711 weighs 7 kg. Ann waits for it since 3 May 2026. It costs 1,200 EUR. Room B12 is locked."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Order 4712 weighs 7 g.", {"4712": "4711", "7 g": "7 kg"}),
        ("Anne is tired, and Ben came.", {"Anne": "Ann", "Ben": ""}),
        ("The room is B13.", {"B13": "B12"}),
        ("Then Ann waits since 2026-05-03 for 7,000 g at 1200 euros.", {}),
        ("It took two days, I think.", {}),
    ],
)
def test_what_was_not_told_is_found_with_what_was(text: str, found: dict[str, str]) -> None:
    assert unmentioned(text, [TOLD], ["Ann", "Order4711"]) == found


@given(st.lists(st.sampled_from([phrase[0] for phrase in PHRASES]), min_size=1, max_size=3))
def test_what_was_told_is_never_unmentioned(phrases: list[str]) -> None:
    text = ". ".join(phrases)
    assert unmentioned(text, [text]) == {}


@pytest.mark.parametrize("label", ["[9:02] ", "[Ola, 18:30] ", "§ 3 ", "3. ", "(3) "])
def test_what_labels_a_sentence_is_no_value_of_it(label: str) -> None:
    assert mentioned_values(f"{label}The rent is 3 kg.").sure == mentioned_values("The rent is 3 kg.").sure


def test_these_two_days_are_things_and_no_amount() -> None:
    assert not mentioned_values("Between these two days nobody leaves.").sure
    assert mentioned_values("Within two days nobody leaves.").sure
