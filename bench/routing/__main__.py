"""Prints how well routes are found by the types that a model gives."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence

from bench.routing.by_model import classify
from bench.routing.score import RouteScore, StressClaim, measure_router, stress_claims
from holdtrue.language.asking import Asking
from holdtrue.models.model_registry import open_model
from holdtrue_claims.claim_record import Route
from holdtrue_claims.kind.checking import ROUTES


def main(argv: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="bench.routing", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model", help="the model to ask: local/NAME, openai/NAME, ...")
    parser.add_argument("--every", type=int, default=1, help="ask it about every so manieth claim only")
    options = parser.parse_args(argv)
    claims = stress_claims()[:: options.every]
    types = asyncio.run(by_model(claims, options.model))
    found = measure_router(types.__getitem__, claims)
    routes = " ".join(f"{route.value} {describe(found.routes[route])}" for route in (Route.HARD, Route.SOFT))
    print(f"{options.model} n={found.claims} accuracy {found.accuracy:.3f} {routes}")
    for claim in found.misrouted:
        print(f"  is {claim.route.value}: {claim.text}")


async def by_model(claims: Sequence[StressClaim], name: str) -> dict[StressClaim, Route]:
    """The routes of the types that a model names."""
    model = open_model(name)
    try:
        return {claim: ROUTES[await classify(Asking(model), claim.text)] for claim in claims}
    finally:
        await model.aclose()


def describe(score: RouteScore) -> str:
    """Precision, recall and F1; a dash where there is nothing to divide by."""
    shares = {"P": score.precision, "R": score.recall, "F1": score.f1}
    return " ".join(f"{name} {'-' if share is None else format(share, '.3f')}" for name, share in shares.items())


if __name__ == "__main__":
    main()
