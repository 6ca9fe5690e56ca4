"""Prints how well routes are found: by rules, by rules with the solver for what they leave open, and by a model."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence

from bench.routing.by_model import classify
from bench.routing.score import Half, RouterScore, RouteScore, StressClaim, measure_router, stress_claims
from holdtrue.claim_record import Route
from holdtrue.kinds.claims.prompts.routing import ROUTES, route_by_rules
from holdtrue.language.asking import Asking
from holdtrue.models.model_registry import open_model


def by_rules(claim: StressClaim) -> Route | None:
    """The route by the rules, or None where none of them applies."""
    found = route_by_rules(claim.text)
    return None if found is None else found.route


def rules_else_hard(claim: StressClaim) -> Route:
    """The route by the rules, and to the solver where none of them applies."""
    return by_rules(claim) or Route.HARD


def main(argv: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="bench.routing", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model", help="ask this model as well: local/NAME, openai/NAME, ...")
    parser.add_argument("--every", type=int, default=1, help="ask it about every so manieth claim only")
    options = parser.parse_args(argv)
    halves: tuple[Half | None, ...] = ("dev", "test", None)
    for half in halves:
        claims = stress_claims(half)
        show("rules", half or "all", measure_router(by_rules, claims))
        show("rules, else hard", half or "all", measure_router(rules_else_hard, claims))
    if options.model:
        claims = stress_claims()[:: options.every]
        types = asyncio.run(by_model(claims, options.model))
        show("model", "all", measure_router(types.__getitem__, claims))
        show("rules, else model", "all", measure_router(lambda claim: by_rules(claim) or types[claim], claims))


async def by_model(claims: Sequence[StressClaim], name: str) -> dict[StressClaim, Route]:
    """The routes of the types that a model names."""
    model = open_model(name)
    try:
        return {claim: ROUTES[await classify(Asking(model), claim.text)] for claim in claims}
    finally:
        await model.aclose()


def show(name: str, half: str, found: RouterScore) -> None:
    routes = " ".join(f"{route.value} {describe(found.routes[route])}" for route in (Route.HARD, Route.SOFT))
    print(f"{name:17} {half:5} n={found.claims} accuracy {found.accuracy:.3f} decided {found.decided:.3f} {routes}")
    for claim in found.misrouted:
        print(f"  is {claim.route.value}: {claim.text}")


def describe(score: RouteScore) -> str:
    """Precision, recall and F1; a dash where there is nothing to divide by."""
    shares = {"P": score.precision, "R": score.recall, "F1": score.f1}
    return " ".join(f"{name} {'-' if share is None else format(share, '.3f')}" for name, share in shares.items())


if __name__ == "__main__":
    main()
