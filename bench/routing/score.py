"""The router's stress set, and what a router makes of it (VERGE, appendix C.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from bench.routing.claims import ADVERSARIAL, SOFT, STANDARD
from holdtrue_claims.claim_record import ClaimType, Route

Group = Literal["standard", "soft", "adversarial"]

_HARD_TYPES = frozenset({ClaimType.MATHEMATICAL, ClaimType.LOGICAL, ClaimType.TEMPORAL})


@dataclass(frozen=True, slots=True)
class StressClaim:
    """One claim with the type that it has."""

    id: str
    text: str
    group: Group
    type: ClaimType

    @property
    def route(self) -> Route:
        """Where it has to go: hard or soft."""
        return Route.HARD if self.type in _HARD_TYPES else Route.SOFT


def stress_claims() -> tuple[StressClaim, ...]:
    """Return the whole set."""
    groups: tuple[tuple[Group, tuple[tuple[str, ClaimType], ...]], ...] = (
        ("standard", STANDARD),
        ("soft", SOFT),
        ("adversarial", ADVERSARIAL),
    )
    return tuple(
        StressClaim(f"{group}-{place}", text, group, type)
        for group, rows in groups
        for place, (text, type) in enumerate(rows)
    )


@dataclass(frozen=True, slots=True)
class RouteScore:
    """How well one route is found; each 0 to 1, None where there is nothing to divide by."""

    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class RouterScore:
    """What a router does with claims. `accuracy` counts undecided ones as wrong, `decided` is the share of the others.

    `misrouted` are claims with a wrong route, `undecided` those with none.
    """

    claims: int
    accuracy: float
    decided: float
    routes: Mapping[Route, RouteScore]
    misrouted: tuple[StressClaim, ...]
    undecided: tuple[StressClaim, ...]


def measure_router(route_of: Callable[[StressClaim], Route | None], claims: Iterable[StressClaim]) -> RouterScore:
    """The score of a router, which gives a route or says nothing. Raises `ValueError` where there are no claims."""
    found = [(claim, route_of(claim)) for claim in claims]
    if not found:
        raise ValueError("there are no claims to measure a router with")
    right = sum(claim.route is route for claim, route in found)
    undecided = tuple(claim for claim, route in found if route is None)
    return RouterScore(
        len(found),
        right / len(found),
        1 - len(undecided) / len(found),
        {route: _score(found, route) for route in (Route.HARD, Route.SOFT)},
        tuple(claim for claim, route in found if route not in (None, claim.route)),
        undecided,
    )


def _score(found: list[tuple[StressClaim, Route | None]], route: Route) -> RouteScore:
    right = sum(claim.route is given is route for claim, given in found)
    given = sum(given is route for _, given in found)
    there = sum(claim.route is route for claim, _ in found)
    precision = right / given if given else None
    recall = right / there if there else None
    # Twice the hits over all that was given and all that was there: the harmonic mean without its case of 0.
    return RouteScore(precision, recall, 2 * right / (given + there) if given + there else None)
