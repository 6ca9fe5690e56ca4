"""Sentences that share no name are solved apart and shown in one situation, or in none if they cannot all hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.solving.separate_parts import SeparateParts

SHOP = Vocabulary(
    (Entity("Ann", "person"), Entity("Bob", "person")),
    (Predicate("Late", ("person", "date")), Predicate("Barred", ("person", "date")), Predicate("Open", ("date",))),
    (Function("fee", ("person",), result="EUR"), Function("due", ("person",), result="date")),
)
RULES = (
    "forall x in person forall d in date (Late(x, d) -> Barred(x, d + 1 month))",
    "forall d in date (weekday_of(d) = 7 -> not Open(d))",
    "forall x in person (fee(x) >= 3 EUR)",
    "forall x in person (due(x) > 2026-05-01)",
    "fee(Ann) = 5 EUR",
    "Late(Ann, 2026-05-03)",
    "Open(2026-05-04)",
)
CLASHING = ("fee(Bob) < 3 EUR", "Open(2026-05-03)", "not Barred(Ann, 2026-06-03)", "due(Bob) = 2026-04-30")


def read(text: str) -> Sentence:
    found = read_fol(text).sentence
    assert found is not None
    return found


@settings(deadline=None, max_examples=25)
@given(st.sets(st.sampled_from(RULES), min_size=1))
def test_the_parts_together_are_a_situation_of_all(rules: set[str]) -> None:
    asked = {text: read(text) for text in sorted(rules)}
    found = SeparateParts(SHOP, ()).situation(asked, Budget(20))
    assert found is not None
    assert all(found.truth(sentence) for sentence in asked.values())
    assert dict(found) == {name: found[name] for name in found} and len(found) == len(list(found))


@pytest.mark.parametrize("claim", CLASHING)
def test_what_one_part_rules_out_is_shown_nowhere(claim: str) -> None:
    parts = SeparateParts(SHOP, ())
    asked = {text: read(text) for text in RULES}
    assert parts.situation(asked, Budget(20)) is not None
    assert parts.situation({**asked, claim: read(claim)}, Budget(20)) is None


def test_a_law_that_joins_two_names_joins_their_parts() -> None:
    law = read("forall x in person (fee(x) = 4 EUR <-> due(x) < 2026-06-01)")
    found = SeparateParts(SHOP, (law,)).situation({"f": read("fee(Ann) = 4 EUR"), "o": read(RULES[1])}, Budget(20))
    assert found is not None and found.truth(law)


@pytest.mark.parametrize(("rule", "more"), [("exactly", 2), ("at most", 0)])
def test_things_that_nobody_named_are_added_where_a_part_needs_them(rule: str, more: int) -> None:
    late = "forall d in date (weekday_of(d) = 1 -> count x in person (Late(x, d)) >= 4)"
    few = "count x in person (x = x) <= 3"
    asked = {"late": read(late), **({"few": read(few)} if rule == "at most" else {})}
    found = SeparateParts(SHOP, ()).situation(asked, Budget(20))
    assert (0 if found is None else len(found.things) - 2) == more
    assert found is None or all(found.truth(sentence) for sentence in asked.values())
