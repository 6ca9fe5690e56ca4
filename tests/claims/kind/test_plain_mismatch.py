"""Tests of the mismatches of a formula with its sentence that code finds, and of those that it leaves to models."""

from __future__ import annotations

import pytest

from holdtrue_claims.kind.plain_mismatch import plain_mismatch
from tests.claims.fol.test_english import VOCABULARY, read


@pytest.mark.parametrize(
    ("text", "formula", "says"),
    [
        ("Ann weighs 48 kg.", "weight(Ann) = 84 kg", "the sentence says 48 kg, and the formula says 84 kg"),
        ("Ann weighs at least 60 kg.", "weight(Ann) <= 60 kg", "says: The weight of Ann is at least 60 kg."),
        ("At most 3 guests came.", "count x in guest (Came(x)) >= 3", "says: At most 3 guests came."),
        ("Ann came.", "Came(Ben)", "the formula is about Ben, and the sentence is about Ann"),
        ("Ann is not late.", "Late(Ann)", "the sentence says: Ann is not late."),
        ("Ann is late.", "not Late(Ann)", "the sentence says: Ann is late."),
        ("Order 4711 was delivered on 3 May 2026.", "delivered(Order4711) = 2026-03-05", "2026-05-03"),
        ("Order 4711 cost 240 EUR.", "Open", "the formula says nothing of 240 EUR"),
        ("Ann is heavy.", "weight(Ann) > 90 kg", "the sentence says nothing of 90 kg"),
        ("Order 4711 cost one million euros.", "total(Order4711) = 1000 EUR", "says 1000000 EUR, and the formula says"),
        ("Ann was half an hour late.", "Late(Ann)", "the formula says nothing of 0.5 hour"),
        ("Ann weighs forty-eight kilos.", "weight(Ann) = 84 kg", "the sentence says 48 kg"),
        ("On the scales Ann comes to at least 60 kg.", "weight(Ann) < 60 kg", "compares one way"),
        ("On the scales Ann comes to no more than 60 kg.", "weight(Ann) >= 60 kg", "compares one way"),
        ("The parcel came before 3 May 2026.", "delivered(Order4711) > 2026-05-03", "compares one way"),
        ("On the scales Ann comes to 60 kg.", "weight(Ann) != 60 kg", "denies what the sentence states"),
        ("26 December 2025 is when Order 4711 was delivered.", "delivered(Order4711) = 2026-12-26", "2025-12-26"),
        ("Late is what Ann is.", "not Late(Ann)", "the other way round"),
        ("Late is what the guest Ann is.", "not Late(Ann)", "the other way round"),
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
        ("Order 4711 cost one million euros.", "total(Order4711) = 1000000 EUR"),
        ("About 60 guests came.", "count x in guest (Came(x)) >= 55"),
        ("Order 4711 was delivered on 03/05/2026.", "delivered(Order4711) = 2026-05-03"),
        ("Order 4711 was delivered on 03/05/2026.", "delivered(Order4711) = 2026-03-05"),
        ("Ann weighs 110 pounds.", "weight(Ann) = 50 kg"),
        ("A few guests came.", "count x in guest (Came(x)) >= 4"),
        ("Ann was the third who came, with 7 guests.", "Came(Ann)"),
        ("Ann was late once a month.", "Late(Ann)"),
        ("Nobody doubts that Ann weighs at least 60 kg.", "not weight(Ann) >= 60 kg"),
        ("3 May 2026 is before Order 4711 was delivered.", "delivered(Order4711) > 2026-05-03"),
        ("Ann gave up being late.", "not Late(Ann)"),
        ("After 60 kg the scales of Ann stop.", "weight(Ann) = 60 kg"),
        ("Ann and Ben weigh more than a kilogram.", "weight(Ann) + weight(Ben) > 1 kg"),
        ("Order 4711, sent on 30 April 2026, took 3 days.", "delivered(Order4711) = 2026-05-03"),
    ],
)
def test_other_words_for_the_same_pass(text: str, formula: str) -> None:
    assert plain_mismatch(text, read(formula), VOCABULARY) is None
