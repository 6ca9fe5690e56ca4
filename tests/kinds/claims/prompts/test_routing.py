from __future__ import annotations

import re

import pytest

from holdtrue.claim_record import ClaimType, Route
from holdtrue.kinds.claims.prompts.routing import ROUTES, RULES, choose_route, route_by_rules
from holdtrue.kinds.claims.settings import Routing
from tests.patience import no_hang

# Sentences of this file, one for each rule; the stress set has its own.
ONE_EACH = {
    "likelihood": "The parcel will probably get lost.",
    "numeric idiom": "Anna has two left feet.",
    "rhetoric": "Her sigh implied that something was wrong.",
    "generic": "Milk usually turns sour.",
    "logical form": "Every drummer owns a metronome.",
    "vague quantity": "Several drummers left.",
    "subjective": "The drum solo was boring.",
    "number": "The band has 7 drums.",
    "order": "The encore comes after the solo.",
}


def test_each_rule_has_its_sentence_and_its_route() -> None:
    assert set(ONE_EACH) == {rule.name for rule in RULES}
    for rule in RULES:
        found = route_by_rules(ONE_EACH[rule.name])
        assert found is not None
        assert found is rule


def test_rules_say_nothing_of_plain_facts() -> None:
    assert route_by_rules("The drummer owns the van.") is None
    assert route_by_rules("") is None


@pytest.mark.parametrize(
    ("text", "route"),
    [
        # Inside a rule, any word may stand for a plain predicate.
        ("If a drummer is often late, then the drummer is boring.", Route.HARD),
        ("Two of the songs are beautiful.", Route.SOFT),
        ("If it rains, the show will probably be short.", Route.SOFT),
        ("The drum is at most 60 cm wide.", Route.HARD),
    ],
)
def test_the_first_rule_counts(text: str, route: Route) -> None:
    found = route_by_rules(text)
    assert found is not None
    assert found.route is route


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_pattern_matches_the_empty_word(rule: object) -> None:
    pattern: re.Pattern[str] = rule.pattern  # type: ignore[attr-defined]
    assert pattern.search("") is None
    assert pattern.search("xyzzy plugh") is None


def test_solvers_take_the_first_three_types() -> None:
    assert {type for type, route in ROUTES.items() if route is Route.HARD} == set(list(ClaimType)[:3])
    assert set(ROUTES) == set(ClaimType)


@pytest.mark.parametrize(
    ("routing", "text", "chosen"),
    [
        ("types", "The band has 7 drums.", (Route.SOFT, "type")),
        ("rules", "The band has 7 drums.", (Route.HARD, "rule: number")),
        ("rules", "The drummer owns the van.", (Route.SOFT, "type")),
        ("hard", "The drum solo was boring.", (Route.HARD, "setting")),
        ("soft", "The band has 7 drums.", (Route.SOFT, "setting")),
    ],
)
def test_a_setting_outweighs_rules_and_rules_the_type(routing: Routing, text: str, chosen: tuple[Route, str]) -> None:
    assert choose_route(text, ClaimType.VAGUE, routing) == chosen


def test_long_texts_take_no_long_time() -> None:
    with no_hang():
        for text in ("either or " * 2000, "follows " * 3000, "110% " * 3000, "neither " * 4000):
            route_by_rules(text)
