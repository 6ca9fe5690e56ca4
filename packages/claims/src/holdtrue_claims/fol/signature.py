"""Collect the names that sentences use, with alerts if two sentences use a name differently."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from holdtrue.logic.value_sorts import Instant, show_amount
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.alert import Alert, AlertKind
from holdtrue_claims.fol.naming import stem


@dataclass(frozen=True, slots=True)
class Signature:
    """A `Signature` has names in order of their first use: predicates and functions with their arity, and things.

    A name with several arities keeps the first one, and gets an alert.
    """

    predicates: Mapping[str, int]
    functions: Mapping[str, int]
    constants: tuple[str, ...]
    alerts: tuple[Alert, ...] = ()


def signature(sentences: Iterable[fol.Sentence]) -> Signature:
    """Return the names that the sentences use. Raises `FormulaError` for deep nesting.

    A number in the place of a thing is a thing named by its digits.
    """
    found = _Vocabulary()
    for sentence in sentences:
        found.take(sentence)
    found.compare_names()
    return Signature(found.predicates, found.functions, tuple(found.constants), tuple(found.alerts))


def names_in(sentence: fol.Sentence | fol.Term) -> frozenset[str]:
    """Return the names of all predicates, functions and things in a sentence."""
    found: set[str] = set()
    for node in fol.walk(sentence):
        match node:
            case fol.Holds(name) | fol.Apply(name) | fol.Constant(name):
                found.add(name)
    return frozenset(found)


def is_numeric(compared: fol.Compare) -> bool:
    """Return whether numbers are compared: they are ordered, a side is computed, or both sides are written numbers.

    A single written number can be the name of a thing.
    """
    sides = (compared.left, compared.right)
    return (
        compared.op not in ("=", "!=")
        or any(not isinstance(side, fol.Constant | fol.Bound | fol.Number) for side in sides)
        or all(isinstance(side, fol.Number) for side in sides)
    )


def thing_name(term: fol.Term) -> str | None:
    """Return the name of the thing that a term denotes; None for a variable or a term that denotes no thing."""
    match term:
        case fol.Constant(name):
            return name
        case fol.Number(value, unit):
            return show_amount(value, unit)
        case Instant(value, sort):
            return sort.show(value)
    return None


@dataclass(slots=True)
class _Vocabulary:
    predicates: dict[str, int] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    constants: dict[str, None] = field(default_factory=dict)
    # a dict, so that each alert occurs once
    alerts: dict[Alert, None] = field(default_factory=dict)

    def alert(self, kind: AlertKind, message: str) -> None:
        self.alerts[Alert(kind, message)] = None

    def take(self, sentence: fol.Sentence) -> None:
        for name in fol.free_variables(sentence):
            self.alert("free_variable", f"no quantifier binds the variable {name}")
        for node in fol.walk(sentence):
            match node:
                case fol.Holds(predicate, args):
                    self.applied(self.predicates, predicate, args)
                case fol.Apply(function, args):
                    self.applied(self.functions, function, args)
                case fol.Compare(_, left, right):
                    if is_numeric(node):
                        self.numbers((left, right))
                    else:
                        self.things((left, right))
                case fol.Plus(parts):
                    self.numbers([part for _, part in parts])

    def applied(self, arities: dict[str, int], name: str, args: tuple[fol.Term, ...]) -> None:
        arity = arities.setdefault(name, len(args))
        if arity != len(args):
            self.alert("arity_clash", f"{name} has {arity} arguments in one place and {len(args)} in another")
        self.things(args)

    def things(self, terms: Iterable[fol.Term]) -> None:
        for term in terms:
            name = thing_name(term)
            if name is not None:
                self.constants.setdefault(name)
            elif not isinstance(term, fol.Bound):
                self.alert("function", "a function's value or a sum stands where only a name can")

    def numbers(self, terms: Iterable[fol.Term]) -> None:
        for term in terms:
            if isinstance(term, fol.Constant | fol.Bound):
                self.alert("sort_clash", f"{term.name} is a thing, and stands where a number has to")

    def compare_names(self) -> None:
        """Add alerts for a name with two uses, and for similar names with the same use."""
        uses = (("a predicate", [*self.predicates]), ("a function", [*self.functions]), ("a thing", [*self.constants]))
        seen: dict[str, str] = {}
        for use, names in uses:
            stems: dict[str, str] = {}
            for name in names:
                if name in seen:
                    self.alert("name_clash", f"{name} is {seen[name]} and {use}")
                seen.setdefault(name, use)
                first = stems.setdefault(stem(name), name)
                if first != name:
                    self.alert("name_clash", f"{first} and {name} look like one name")
