"""What of a formula plainly does not fit its sentence, and what is left to the models."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from holdtrue.kinds.claims.plain_mismatch import plain_mismatch
from holdtrue.kinds.claims.written_values import written_values
from holdtrue.logic.fol.syntax import Number
from holdtrue.logic.units import ONE, unit
from holdtrue.logic.value_sorts import DATE, TIME, Instant
from tests.logic.fol.test_english import VOCABULARY, read

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
        ("Nobody came.", []),
    ],
)
def test_values_are_read_from_a_text(text: str, values: list[object]) -> None:
    assert set(written_values(text)) == set(values)


@pytest.mark.parametrize(
    ("text", "formula", "says"),
    [
        ("Ann weighs 48 kg.", "weight(Ann) = 84 kg", "the sentence says 48 kg, and the formula says 84 kg"),
        ("Ann weighs at least 60 kg.", "weight(Ann) <= 60 kg", "the formula says the opposite"),
        ("At most 3 guests came.", "count x in guest (Came(x)) >= 3", "the formula says the opposite"),
        ("Ann came.", "Came(Ben)", "the formula is about Ben, and the sentence is about Ann"),
        ("Ann is not late.", "Late(Ann)", "the formula states what the sentence denies"),
        ("Ann is late.", "not Late(Ann)", "the formula denies what the sentence states"),
        ("Order 4711 was delivered on 3 May 2026.", "delivered(Order4711) = 2026-03-05", "2026-05-03"),
        ("Order 4711 cost 240 EUR.", "Open", "the formula says nothing of 240 EUR"),
        ("Ann is heavy.", "weight(Ann) > 90 kg", "the sentence says nothing of 90 kg"),
    ],
)
def test_what_plainly_does_not_fit_is_told(text: str, formula: str, says: str) -> None:
    found = plain_mismatch(text, read(formula), VOCABULARY)
    assert found is not None and says in found


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("Ann weighs 500 g less than Ben.", "weight(Ann) = weight(Ben) - 0.5 kg"),
        ("More than two guests came.", "count x in guest (Came(x)) >= 3"),
        ("With 15% off, Order 4711 costs 85 EUR.", "total(Order4711) = 85 EUR"),
        ("Ben is twice as heavy as Ann.", "weight(Ben) = 2 * weight(Ann)"),
        ("The office is closed.", "not Open"),
        ("Robert came.", "Came(Ben)"),
        ("He likes Ann.", "Likes(Ben, Ann)"),
        ("Nobody but Ann came.", "forall x in guest (Came(x) -> x = Ann)"),
        ("Not only Ann came.", "exists x in guest (Came(x) and x != Ann)"),
        ("Ann fails to be on time, she is late.", "Late(Ann)"),
        ("No more than 3 guests came.", "count x in guest (Came(x)) < 4"),
        ("Order 4711 cost 240 euros and 60 euros for shipping.", "total(Order4711) = 300 EUR"),
    ],
)
def test_other_words_for_the_same_pass(text: str, formula: str) -> None:
    assert plain_mismatch(text, read(formula), VOCABULARY) is None
