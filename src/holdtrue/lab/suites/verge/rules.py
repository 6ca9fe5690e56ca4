"""Facts and rules about named things, and what follows from them step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from holdtrue.logic.fol.syntax import And, Bound, Constant, Holds, Implies, Not, Quantified, Sentence, Term

ANYTHING = "?"
"""In a rule, the one variable that it may have."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A predicate holds of these things, or does not: `positive` says which."""

    predicate: str
    args: tuple[str, ...]
    positive: bool = True

    def __invert__(self) -> Literal:
        return replace(self, positive=not self.positive)

    def of(self, thing: str) -> Literal:
        """The literal with the thing in the place of the variable."""
        return replace(self, args=tuple(thing if arg == ANYTHING else arg for arg in self.args))

    @property
    def sentence(self) -> Sentence:
        args: tuple[Term, ...] = tuple(Bound("x") if arg == ANYTHING else Constant(arg) for arg in self.args)
        holds = Holds(self.predicate, args)
        return holds if self.positive else Not(holds)


@dataclass(frozen=True, slots=True)
class Rule:
    """Where all conditions hold, the conclusion does; a fact has no conditions."""

    conditions: tuple[Literal, ...]
    conclusion: Literal

    @property
    def general(self) -> bool:
        """Whether it is about all things."""
        return any(ANYTHING in literal.args for literal in (*self.conditions, self.conclusion))

    def instances(self, things: Iterable[str]) -> tuple[Rule, ...]:
        """The rule for each of the things; itself where it is about none in particular."""
        if not self.general:
            return (self,)
        return tuple(
            Rule(tuple(literal.of(thing) for literal in self.conditions), self.conclusion.of(thing)) for thing in things
        )

    @property
    def sentence(self) -> Sentence:
        """The rule as an implication, for all things where it is general: as classical logic takes it."""
        parts = tuple(literal.sentence for literal in self.conditions)
        body = self.conclusion.sentence
        if parts:
            body = Implies(parts[0] if len(parts) == 1 else And(parts), body)
        return Quantified("forall", "x", body) if self.general else body


def chain(rules: Sequence[Rule], things: Sequence[str]) -> frozenset[Literal]:
    """Every literal that the rules derive, one step after the other, until nothing new comes.

    A denied condition needs the denial itself to be derived (open world): that something is not derived says nothing
    of it. Rules are used in one direction only, so no contraposition and no reasoning by cases.
    """
    waiting = [instance for rule in rules for instance in rule.instances(things)]
    derived: set[Literal] = set()
    while True:
        ready = [rule for rule in waiting if derived.issuperset(rule.conditions)]
        if not ready:
            return frozenset(derived)
        derived.update(rule.conclusion for rule in ready)
        waiting = [rule for rule in waiting if rule.conclusion not in derived]
