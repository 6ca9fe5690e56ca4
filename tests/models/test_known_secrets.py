"""Where a known secret stands is found in one reading of the text, whatever is in it."""

from __future__ import annotations

import pytest

from holdtrue.models.known_secrets import PART, secret_places
from tests.patience import no_hang

KEY = "0f8fad5b-d9cb-469f-a165-70867728950e"


def test_places_go_from_the_first_sign_of_a_part_to_its_last_with_all_between() -> None:
    text = "no: 0F8FAD5B' + '-D9CB, and %30%66%38%66%61%64%35%62!"
    assert [text[start:end] for start, end in secret_places(text, [KEY])] == [
        "0F8FAD5B' + '-D9CB",
        "%30%66%38%66%61%64%35%62",
    ]


def test_less_than_a_part_is_no_secret_but_where_the_text_goes_on() -> None:
    begun = f"no: {KEY[: PART - 1]}"
    assert secret_places(begun, [KEY]) == []
    assert secret_places(begun, [KEY], cut=True) == [(4, len(begun))]


@pytest.mark.parametrize("unit", ["\\", "%", "%25", "&", "&amp;", "&#0", "\\u{", "0f8fad5", KEY, KEY.upper()])
def test_hostile_texts_take_no_longer_than_others(unit: str) -> None:
    with no_hang():
        places = secret_places(unit * (200_000 // len(unit)), [KEY], cut=True)
    # Keys one behind the other touch, and are one place.
    assert len(places) <= 1 or "0f8fad5" in unit
