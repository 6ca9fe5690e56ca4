from __future__ import annotations

import pytest

from holdtrue.errors import SettingsError
from holdtrue.record import Label
from holdtrue_lab.suites.cross_query.card import CARD, CASES, is_balanced, share_out

E, C, U = Label.ENTAILED, Label.CONTRADICTED, Label.UNKNOWN


def test_the_card_adds_up() -> None:
    assert CASES == 390
    assert sum(row.queries for row in CARD.values()) == 2515
    assert all(sum(row.labels.values()) == pytest.approx(1) for row in CARD.values())


@pytest.mark.parametrize("total", [1, 4, 13, 39, 390])
def test_cases_are_shared_out_in_the_cards_proportions(total: int) -> None:
    counts = share_out(total)
    assert sum(counts.values()) == total
    assert all(abs(counts[name] - total * row.cases / CASES) < 1 for name, row in CARD.items())
    assert total < CASES or counts == {name: row.cases for name, row in CARD.items()}


def test_there_is_at_least_one_case() -> None:
    with pytest.raises(SettingsError, match="at least 1"):
        share_out(0)


@pytest.mark.parametrize(
    ("labels", "balanced"),
    [((U, U, U, U, U), False), ((U, U, U, U, C), False), ((U, U, U, C, C), True), ((U, U, U, C, E), True)],
)
def test_at_most_all_but_two_have_the_same_label(labels: tuple[Label, ...], balanced: bool) -> None:
    assert is_balanced(labels) is balanced
