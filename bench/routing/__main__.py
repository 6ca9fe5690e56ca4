"""Prints how well rules find the route of a claim, alone and with the solver for what they leave open."""

from __future__ import annotations

from bench.routing.score import Half, RouterScore, StressClaim, measure_router, stress_claims
from holdtrue.claim_record import Route
from holdtrue.kinds.claims.prompts.routing import route_by_rules


def by_rules(claim: StressClaim) -> Route | None:
    """The route by the rules, or None where none of them applies."""
    found = route_by_rules(claim.text)
    return None if found is None else found.route


def rules_else_hard(claim: StressClaim) -> Route:
    """The route by the rules, and to the solver where none of them applies."""
    return by_rules(claim) or Route.HARD


def main() -> None:
    """Print the table."""
    halves: tuple[Half | None, ...] = ("dev", "test", None)
    for half in halves:
        claims = stress_claims(half)
        show("rules", half or "all", measure_router(by_rules, claims))
        show("rules, else hard", half or "all", measure_router(rules_else_hard, claims))


def show(name: str, half: str, found: RouterScore) -> None:
    hard, soft = found.routes[Route.HARD], found.routes[Route.SOFT]
    print(
        f"{name:16} {half:5} n={found.claims} accuracy {found.accuracy:.3f} decided {found.decided:.3f} "
        f"hard P {hard.precision:.3f} R {hard.recall:.3f} F1 {hard.f1:.3f} "
        f"soft P {soft.precision:.3f} R {soft.recall:.3f} F1 {soft.f1:.3f}"
    )
    for claim in found.misrouted:
        print(f"  is {claim.route.value}: {claim.text}")


if __name__ == "__main__":
    main()
