from __future__ import annotations

from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdtrue_lab.suites.verge.proofwriter import ANYTHING, Literal, Rule
from tests.lab.suites.verge.chaining import chain, instances

THINGS = ("ann", "bob")
KINDS = ("red", "big", "old")
literals = st.builds(Literal, st.sampled_from(KINDS), st.tuples(st.sampled_from((*THINGS, ANYTHING))), st.booleans())
rules = st.builds(Rule, st.lists(literals, max_size=2).map(tuple), literals)


def chain_by_trying(given_rules: list[Rule]) -> set[Literal]:
    """Every instance again and again, one conclusion at a time: the naive twin."""
    ground = [instance for rule in given_rules for thing in THINGS for instance in instances(rule, [thing])]
    derived: set[Literal] = set()
    for _ in range(len(ground) + 1):
        for instance in ground:
            if all(condition in derived for condition in instance.conditions):
                derived.add(instance.conclusion)
    return derived


@given(st.lists(rules, max_size=6))
@settings(max_examples=80, deadline=None)
def test_chaining_finds_what_trying_finds(given_rules: list[Rule]) -> None:
    assert chain(given_rules, THINGS) == chain_by_trying(given_rules)


@given(st.lists(rules, max_size=5))
@settings(max_examples=60, deadline=None)
def test_what_is_chained_is_true_wherever_the_rules_are(given_rules: list[Rule]) -> None:
    facts = [(kind, thing) for kind in KINDS for thing in THINGS]
    worlds = [dict(zip(facts, values, strict=True)) for values in product((False, True), repeat=len(facts))]

    def true(literal: Literal, world: dict[tuple[str, str], bool]) -> bool:
        return world[literal.predicate, literal.args[0]] == literal.positive

    ground = [instance for rule in given_rules for instance in instances(rule, THINGS)]
    allowed = [
        world
        for world in worlds
        if all(
            true(one.conclusion, world) or not all(true(condition, world) for condition in one.conditions)
            for one in ground
        )
    ]
    assume(allowed)
    assert all(true(literal, world) for literal in chain(given_rules, THINGS) for world in allowed)


def test_a_rule_about_everything_has_an_instance_for_each_thing() -> None:
    general = Rule((Literal("red", (ANYTHING,)),), Literal("sees", (ANYTHING, "bob"), False))
    assert [str(one.conclusion.args) for one in instances(general, THINGS)] == ["('ann', 'bob')", "('bob', 'bob')"]
    particular = Rule((), Literal("red", ("ann",)))
    assert instances(particular, THINGS) == (particular,)
