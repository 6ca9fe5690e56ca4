"""Refute sentences by instances without quantifiers (`fol.instances`), which z3 decides."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import z3

from holdtrue.budget import Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import Instant, ValueSort
from holdtrue.solving.result import Core, Id
from holdtrue.solving.z3_engine import Assumed, ask_z3, core_of
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.instances import MEMBER, Instances
from holdtrue_claims.fol.signature import names_in
from holdtrue_claims.fol.term_sorts import TermSorts
from holdtrue_claims.fol.value_windows import Literal, is_value, literal
from holdtrue_claims.fol.vocabulary import ANY, Vocabulary
from holdtrue_claims.solving.z3_sentences import Body, Environment, Z3Sentences, counted_cases
from holdtrue_claims.solving.z3_values import value_in

_WIDTHS = (0, 0, 1, 0, 0, 2, 0, 0)
"""The widths of successive rounds (`Instances.round`). The last three apply only to all sentences together."""
_STEPS = 4
"""The number of steps in which sentences with common names are added; the last step has all sentences."""
_LONG = 10
"""The least number of cases of a written out count that gets a number variable."""
_MOST_CORRECTIONS, _MOST_MODELS = 30, 20


def refuted(
    vocabulary: Vocabulary, kept: tuple[fol.Sentence, ...], asked: Mapping[Id, fol.Sentence], budget: Budget
) -> Core | None:
    """Return sentences of `asked` that cannot all hold with the `kept` ones; None if none are found.

    The last sentence is the question. Sentences that share names with it are tried first, then also sentences that
    share names with those.
    """
    deadline = budget.start()
    own = {f"={place}": sentence for place, sentence in enumerate(kept)}
    names, near = names_in([*asked.values()][-1]) if asked else frozenset(), dict[Id, fol.Sentence]()
    for step in range(_STEPS):
        last = step == _STEPS - 1
        found = {id: said for id, said in asked.items() if last or names & names_in(said)}
        if len(found) == len(near):
            continue
        near, names = found, names.union(*map(names_in, found.values()))
        try:
            widths = _WIDTHS if last else _WIDTHS[:-3]
            core = _refuted(vocabulary, own, near, widths, budget.until(deadline, _STEPS - step).start())
        except (FormulaError, TimeoutError, z3.Z3Exception):
            continue
        if core is not None:
            return core
    return None


def _refuted(
    vocabulary: Vocabulary,
    kept: Mapping[Id, fol.Sentence],
    asked: Mapping[Id, fol.Sentence],
    widths: tuple[int, ...],
    deadline: Deadline,
) -> Core | None:
    instances = Instances(vocabulary, {**kept, **asked}, deadline.check)
    context = z3.Context()
    solver = z3.SimpleSolver(ctx=context)
    terms = _GroundTerms(vocabulary, context, solver.add, deadline.check)
    trackers = {id: z3.Bool(f"sentence {place}", context) for place, id in enumerate(asked)}
    assumed = {tracker.get_id(): (tracker, id) for id, tracker in trackers.items()}
    values: dict[fol.Term, Literal] = {}
    for width in widths:
        new = instances.round(width, values)
        if not new:
            continue
        terms.learn(instances.vocabulary)
        for id, sentence in new:
            stated = terms.sentence(sentence, {})
            solver.add(z3.Implies(trackers[id], stated) if id in trackers else stated)
        model = _corrected(solver, terms, assumed, deadline)
        if isinstance(model, Core):
            return model
        values = {} if model is None else _settled(instances, terms, solver, assumed, model, deadline)
    return None


def _corrected(solver: Any, terms: Z3Sentences, assumed: Assumed, deadline: Deadline) -> Any:
    """Return a core, or a model with a correct calendar; None if z3 cannot decide."""
    for _ in range(_MOST_CORRECTIONS):
        answer = ask_z3(solver, assumed, deadline)
        if answer == z3.unsat:
            return core_of(solver, assumed)
        if answer != z3.sat:
            deadline.check()
            return None
        model = solver.model()
        corrections = terms.calendar.corrections(model)
        if not corrections:
            return model
        solver.add(*corrections)
    return None


def _settled(
    instances: Instances, terms: Z3Sentences, solver: Any, assumed: Assumed, model: Any, deadline: Deadline
) -> dict[fol.Term, Literal]:
    """Return the values of the terms that have the same value in all situations, as far as z3 finds this out soon."""
    found = {}
    for term in instances.terms():
        with suppress(FormulaError, KeyError):
            expression = terms.term(term, {})
            found[term] = expression, value_in(model, expression)
    solver.push()
    for _ in range(_MOST_MODELS):
        solver.add(
            z3.Or(*[own != terms.exact(value) for own, value in found.values()], z3.BoolVal(False, terms.context))
        )
        model = _corrected(solver, terms, assumed, deadline)
        if model is None or isinstance(model, Core):
            break
        found = {term: pair for term, pair in found.items() if value_in(model, pair[0]) == pair[1]}
    solver.pop()
    if not isinstance(model, Core):
        return {}
    sorts = {term: instances.sorts.sort(term, {}) for term in found}
    return {
        term: literal(value, sort)
        for term, (_, value) in found.items()
        if not isinstance(sort := sorts[term], str) and is_value(value, sort)
    }


class _GroundTerms(Z3Sentences):
    """`_GroundTerms` translates sentences without quantifiers. A quantifier within a term is an unknown truth value,
    and a count an unknown number.
    """

    def add_laws(self) -> None:
        self._totals: dict[fol.Term, Any] = {}
        self._declared = frozenset(self.functions)
        self._stated: dict[int, Any] = {}

    def learn(self, vocabulary: Vocabulary) -> None:
        """Declare the functions of new instances."""
        self.vocabulary, self.sorts = vocabulary, TermSorts(vocabulary)
        for own in vocabulary.functions:
            if own.name not in self.functions:
                places = (*self._argument_sorts(own.name), self._sort(self.sorts.result(own.name)))
                self.functions[own.name] = z3.Function(f"f {own.name}", *places)

    def every(self, sort: str | None, body: Body) -> Any:
        return z3.FreshBool("every", self.context)

    def some(self, sort: str | None, body: Body) -> Any:
        return z3.FreshBool("some", self.context)

    def all_values(self, node: fol.Quantified, sort: ValueSort, environment: Environment) -> Any:
        return z3.FreshBool("every", self.context)

    def at_least(self, number: int, count: fol.Count, environment: Environment) -> Any:
        return self.total(count, environment) >= number

    def compared(self, node: fol.Compare, environment: Environment) -> Any:
        found = super().compared(node, environment)
        if any(isinstance(side, fol.Plus) and len(side.parts) >= _LONG for side in (node.left, node.right)):
            # Link both forms of the comparison, which z3 would treat separately.
            sides = (self.term(side, environment) for side in (node.left, node.right))
            self.state(found == fol.COMPARED[node.op](*sides))
        return found

    def total_of_values(self, node: fol.Count | fol.Total, sort: ValueSort, environment: Environment) -> Any:
        return self.total(node, environment)

    def total(self, node: fol.Count | fol.Total, environment: Environment) -> Any:
        if node not in self._totals:
            number = z3.FreshInt("total", self.context)
            if isinstance(node, fol.Total):
                number = z3.FreshReal("total", self.context)
            self._totals[node] = number
        return self._totals[node]

    def sentence(self, node: fol.Sentence, environment: Environment) -> Any:
        if isinstance(node, fol.Holds) and node.predicate.startswith(MEMBER):
            return self.member(node.predicate.removeprefix(MEMBER), self.term(node.args[0], environment))
        return super().sentence(node, environment)

    def term(self, term: fol.Term, environment: Environment) -> Any:
        if isinstance(term, Instant):
            return self.exact(term.value * term.sort.unit.factor)  # its day is not named, only corrected if wrong
        if not isinstance(term, fol.Plus) or len(term.parts) < _LONG or (cases := counted_cases(term)) is None:
            return super().term(term, environment)
        if term not in self._totals:
            self._totals[term] = number = z3.FreshInt("total", self.context)
            held = [z3.If(self.sentence(case, environment), 1, 0) for case in cases]
            self.state(number == z3.Sum(held))
        return self._totals[term]

    def applied(self, function: str, application: Any) -> Any:
        result = self.sorts.result(function)
        if application.get_id() in self._stated or not isinstance(result, str):
            return application
        self._stated[application.get_id()] = application
        if function in self._declared:  # a function for "there is" need not give a thing of its sort
            self.state(
                z3.Implies(self.are_of_sorts(function, application.children()), self.member(result, application))
            )
        for sort in {result, ANY} & {*self.vocabulary.closed}:
            named = [application == self.named[own.name] for own in self.vocabulary.named(sort)]
            one = z3.Or(*named, z3.BoolVal(False, self.context))
            self.state(z3.Implies(self.member(sort, application), one))
        return application
