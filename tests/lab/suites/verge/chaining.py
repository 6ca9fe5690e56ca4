"""What follows from rules step by step: the logic that the labels of ProofWriter follow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from holdtrue_lab.suites.verge.proofwriter import ANYTHING, Literal, ProofWriterRecord, Rule

LETTERS = {True: "A", False: "B", None: "C"}
"""The option of a statement that is true, false, or unknown."""


def instances(rule: Rule, things: Iterable[str]) -> tuple[Rule, ...]:
    """The rule for each of the things; itself where it is about none in particular."""
    if not rule.general:
        return (rule,)
    return tuple(
        Rule(tuple(_of(own, thing) for own in rule.conditions), _of(rule.conclusion, thing)) for thing in things
    )


def chain(rules: Sequence[Rule], things: Sequence[str]) -> frozenset[Literal]:
    """Every literal that the rules derive, one step after the other, until nothing new comes.

    A denied condition needs the denial itself to be derived (open world): that something is not derived says nothing
    of it. Rules are used in one direction only, so no contraposition and no reasoning by cases.
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
    """The option by forward chaining: A where the statement is derived, B where its denial is, C for neither.

    Raises `ValueError` where both are: then the rules clash.
    """
    literals = [literal for rule in record.rules for literal in (*rule.conditions, rule.conclusion)]
    named = (arg for literal in (*literals, record.statement) for arg in literal.args if arg != ANYTHING)
    derived = chain(record.rules, tuple(dict.fromkeys(named)))
    claim, denial = record.statement, replace(record.statement, positive=not record.statement.positive)
    if claim in derived and denial in derived:
        raise ValueError(f"{record.item.id}: both {claim} and its denial are derived")
    return LETTERS[True if claim in derived else False if denial in derived else None]


def _of(literal: Literal, thing: str) -> Literal:
    """The literal with the thing in the place of the variable."""
    return replace(literal, args=tuple(thing if arg == ANYTHING else arg for arg in literal.args))
