from __future__ import annotations

import pytest

from holdtrue_claims.claim_record import ClaimType, Route
from holdtrue_claims.kind.checking import ALL_TRIED, ROUTES, choose_route
from holdtrue_claims.kind.settings import CheckSettings, Routing


def test_solvers_take_the_first_three_types() -> None:
    assert {type for type, route in ROUTES.items() if route is Route.HARD} == set(list(ClaimType)[:3])
    assert set(ROUTES) == set(ClaimType)


@pytest.mark.parametrize(
    ("routing", "chosen"),
    [("types", (Route.SOFT, "type")), ("hard", (Route.HARD, "setting")), ("soft", (Route.SOFT, "setting"))],
)
def test_a_setting_outweighs_the_type(routing: Routing, chosen: tuple[Route, str]) -> None:
    assert choose_route(ClaimType.VAGUE, CheckSettings(routing=routing, accept="judged")) == chosen
    proved = chosen if routing == "hard" else (Route.HARD, ALL_TRIED)
    assert choose_route(ClaimType.VAGUE, CheckSettings(routing=routing)) == proved
