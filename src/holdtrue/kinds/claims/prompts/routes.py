"""Who decides on a claim: a solver or judges, by its type or by rules about its words (VERGE, section 3.3, table 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from holdtrue.claim_record import ClaimType, Route
from holdtrue.kinds.claims.prompts.route_words import RULES

Routing = Literal["types", "rules", "hard", "soft"]

ROUTES: Mapping[ClaimType, Route] = {
    ClaimType.MATHEMATICAL: Route.HARD,
    ClaimType.LOGICAL: Route.HARD,
    ClaimType.TEMPORAL: Route.HARD,
    ClaimType.PROBABILISTIC: Route.SOFT,
    ClaimType.COMMONSENSE: Route.SOFT,
    ClaimType.VAGUE: Route.SOFT,
}
"""Where each type goes (VERGE, table 6)."""


@dataclass(frozen=True, slots=True)
class RuleRoute:
    """The route that a rule demands, and the rule's name."""

    route: Route
    rule: str


def route_by_rules(text: str) -> RuleRoute | None:
    """The route by the first rule that applies; None where no rule says anything."""
    found = next((rule for rule in RULES if rule.pattern.search(text)), None)
    return None if found is None else RuleRoute(found.route, found.name)


def choose_route(text: str, type: ClaimType, routing: Routing) -> tuple[Route, str]:
    """The route of a claim, and why: `type`, `rule: ...` or `setting`."""
    if routing == "hard":
        return Route.HARD, "setting"
    if routing == "soft":
        return Route.SOFT, "setting"
    rule = route_by_rules(text) if routing == "rules" else None
    return (ROUTES[type], "type") if rule is None else (rule.route, f"rule: {rule.rule}")
