"""Route a claim to the solver or to judges, by the type that a model gave it (VERGE, section 3.3, table 6)."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.claim_record import ClaimType, Route
from holdtrue.kinds.claims.settings import Routing

ROUTES: Mapping[ClaimType, Route] = {
    ClaimType.MATHEMATICAL: Route.HARD,
    ClaimType.LOGICAL: Route.HARD,
    ClaimType.TEMPORAL: Route.HARD,
    ClaimType.PROBABILISTIC: Route.SOFT,
    ClaimType.COMMONSENSE: Route.SOFT,
    ClaimType.VAGUE: Route.SOFT,
}
"""Where each type goes."""


def choose_route(type: ClaimType, routing: Routing) -> tuple[Route, str]:
    """Return the route of a claim, and the reason: `type` or `setting`."""
    if routing == "types":
        return ROUTES[type], "type"
    return (Route.HARD if routing == "hard" else Route.SOFT), "setting"
