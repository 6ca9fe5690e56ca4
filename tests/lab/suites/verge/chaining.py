"""Forward chaining over rules, the logic of ProofWriter's labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from holdtrue_lab.suites.verge.proofwriter import ANYTHING, Literal, ProofWriterRecord, Rule

LETTERS = {True: "A", False: "B", None: "C"}
"""The options of a statement that is true, false, or unknown."""


def instances(rule: Rule, things: Iterable[str]) -> tuple[Rule, ...]:
    """Yield the rule for each of the things, or the rule itself if it is not general."""
    if not rule.general:
        return (rule,)
    return tuple(
        Rule(tuple(_of(own, thing) for own in rule.conditions), _of(rule.conclusion, thing)) for thing in things
    )


def chain(rules: Sequence[Rule], things: Sequence[str]) -> frozenset[Literal]:
    """Return every literal that the rules derive, step by step.

    A negated condition needs a derived negation (open world). Rules are used in one direction only, without
    contraposition and reasoning by cases.
    """
    waiting = [instance for rule in rules for instance in instances(rule, things)]
    derived: set[Literal] = set()
    while True:
        ready = [rule for rule in waiting if derived.issuperset(rule.conditions)]
        if not ready:
            return frozenset(derived)
        derived.update(rule.conclusion for rule in ready)
        waiting = [rule for rule in waiting if rule.conclusion not in derived]


def chained(record: ProofWriterRecord) -> str:
    """Return the option by forward chaining: A if the statement is derived, B if its negation is, C for neither.

    Raises `ValueError` if both are derived, because the rules then clash.
    """
    literals = [literal for rule in record.rules for literal in (*rule.conditions, rule.conclusion)]
    named = (arg for literal in (*literals, record.statement) for arg in literal.args if arg != ANYTHING)
    derived = chain(record.rules, tuple(dict.fromkeys(named)))
    claim, denial = record.statement, replace(record.statement, positive=not record.statement.positive)
    if claim in derived and denial in derived:
        raise ValueError(f"{record.item.id}: both {claim} and its denial are derived")
    return LETTERS[True if claim in derived else False if denial in derived else None]


def _of(literal: Literal, thing: str) -> Literal:
    """Return the literal with the thing in place of the variable."""
    return replace(literal, args=tuple(thing if arg == ANYTHING else arg for arg in literal.args))
