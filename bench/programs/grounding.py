"""Programs in first-order sentences: what they say about the things that they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.programs.formalization import Formalization, Statement
from bench.programs.sections import Line
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.signature import signature
from holdtrue_claims.fol.syntax import Holds, Quantified, Sentence, check_depth, free_variables, walk
from holdtrue_claims.solving.sentence_grounding import ground
from tests.claims.fol.named_things import Things

LARGEST_PROGRAM = 300_000
"""Formulas and terms in all formulas of a program; real ones have some thousands."""

MOST_THINGS = 300
"""Things that a program names; real ones name some dozens."""


@dataclass(frozen=True, slots=True)
class Stated:
    """One line of a program and its sentence; None where it could not be read."""

    id: str
    line: Line
    sentence: Sentence | None


def grounded(
    premises: Sequence[Stated], queries: Sequence[Stated], declared: Mapping[str, int], alerts: Iterable[Alert]
) -> Formalization:
    """The program over the things it names and two more. `declared` has the number of arguments of its predicates.

    Variables that nothing binds stand for all things. What cannot be given a meaning has no formula, and an alert.
    """
    found = list(alerts)
    closed = {one.id: sentence for one in (*premises, *queries) if (sentence := _closed(one, found)) is not None}
    names = signature(closed.values())
    found += names.alerts
    found += _against(declared, closed.values())
    meaning = _Meaning(Things(names.constants), found)
    made = {one.id: meaning.of(one, closed[one.id]) if one.id in closed else None for one in (*premises, *queries)}
    return Formalization(
        variables_of(formula for formula in made.values() if formula is not None),
        (),
        tuple(Statement(one.id, one.line.text, one.line.words, made[one.id]) for one in premises),
        tuple(Statement(one.id, one.line.text, one.line.words, made[one.id]) for one in queries),
        tuple(found),
    )


def variables_of(formulas: Iterable[Formula]) -> tuple[Variable, ...]:
    """Every variable of the formulas, by name.

    Raises `FormulaError` for two of one name: a predicate and a function, or functions of different ranges.
    """
    found: dict[str, Variable] = {}
    for formula in formulas:
        for variable in formula.variables:
            if found.setdefault(variable.name, variable) != variable:
                raise FormulaError(f"{variable.name} is two things: {found[variable.name].sort} and {variable.sort}")
    return tuple(found[name] for name in sorted(found))


def _closed(stated: Stated, alerts: list[Alert]) -> Sentence | None:
    """The sentence for all things in the place of its free variables, unless it is nested too deep."""
    sentence = stated.sentence
    try:
        if sentence is not None:
            for name in free_variables(sentence):
                sentence = Quantified("forall", name, sentence)
            check_depth(sentence)
    except FormulaError as error:
        alerts.append(Alert("unsupported", str(error), stated.line.text))
        return None
    return sentence


class _Meaning:
    """Gives sentences their formulas, until these have `LARGEST_PROGRAM` parts."""

    def __init__(self, things: Things, alerts: list[Alert]) -> None:
        self.things = things
        self.alerts = alerts
        self.parts = 0

    def of(self, stated: Stated, sentence: Sentence) -> Formula | None:
        try:
            if len(self.things.names) > MOST_THINGS:
                raise FormulaError(f"the program names {len(self.things.names)} things, over {MOST_THINGS}")
            if self.parts > LARGEST_PROGRAM:
                raise FormulaError(f"the program is too large: what comes before has over {LARGEST_PROGRAM} parts")
            formula = ground(sentence, self.things)
        except FormulaError as error:
            self.alerts.append(Alert("unsupported", str(error), stated.line.text))
            return None
        self.parts += formula.size
        return formula


def _against(declared: Mapping[str, int], sentences: Iterable[Sentence]) -> list[Alert]:
    """Predicates that were declared otherwise, or not at all: once for each name and number of arguments."""
    used = [(node.predicate, len(node.args)) for one in sentences for node in walk(one) if isinstance(node, Holds)]
    alerts = []
    for name, arity in dict.fromkeys(used):
        if name not in declared:
            alerts.append(Alert("undeclared", f"the predicate {name} is not declared", name))
        elif declared[name] != arity:
            message = f"{name} is declared with {declared[name]} arguments, and used with {arity}"
            alerts.append(Alert("arity_clash", message, name))
    return alerts
