from __future__ import annotations

import pytest

from holdtrue.errors import SettingsError
from holdtrue_lab.suites.cross_query.card import CARD, CASES, share_out


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
