"""One z3 solver over one world: open, or with so many unnamed things. It proves, and it shows structures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import z3

from holdtrue.budget import OUT_OF_TIME, Deadline
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.structure import Fact, Structure
from holdtrue.logic.fol.term_sorts import Sort
from holdtrue.logic.fol.vocabulary import ANY, Vocabulary
from holdtrue.logic.value_sorts import Amount, Value
from holdtrue.solving.result import Core, Id, Unknown
from holdtrue.solving.z3_engine import NO_LIMIT, STOPPED, TIMER_SLACK_S
from holdtrue.solving.z3_sentences import FiniteWorld, OpenWorld, Z3Sentences

LARGEST_UNIVERSE = 200
"""A structure with more things is not looked at one by one."""


class SentenceWorld:
    """A `SentenceWorld` has every sentence once, behind a Boolean constant that implies it.

    `unnamed` is the number of unnamed things that there can be, or None where there can be any number.
    """

    def __init__(self, vocabulary: Vocabulary, background: Iterable[fol.Sentence], unnamed: int | None) -> None:
        self.vocabulary = vocabulary
        self.unnamed = unnamed
        self._context = z3.Context()
        self._solver = z3.SimpleSolver(ctx=self._context)
        make = self._solver.add
        self._terms: Z3Sentences = (
            OpenWorld(vocabulary, self._context, make)
            if unnamed is None
            else FiniteWorld(vocabulary, self._context, make, unnamed)
        )
        for sentence in background:
            self._solver.add(self._terms.sentence(sentence, {}))
        self._trackers: dict[fol.Sentence, Any] = {}

    def check(self, soft: Mapping[Id, fol.Sentence], deadline: Deadline) -> Structure | Core | Unknown:
        """Return a structure in which all hold as z3 has it, not yet confirmed; a core; or why there is neither."""
        assumed: dict[int, Id] = {}
        trackers = []
        for id, sentence in soft.items():
            if deadline.passed:
                return _out_of_time()
            tracker = self._tracker(sentence)
            trackers.append(tracker)
            assumed.setdefault(tracker.get_id(), id)
        left = deadline.remaining_s
        self._solver.set("timeout", NO_LIMIT if left is None else max(1, math.ceil(min(1000 * left, NO_LIMIT))))
        answer = self._solver.check(*trackers)
        if answer == z3.sat:
            return self._structure(self._solver.model())
        if answer == z3.unsat:
            core = {tracker.get_id() for tracker in self._solver.unsat_core()}
            return Core(tuple(id for key, id in assumed.items() if key in core))
        reason = self._solver.reason_unknown()
        if reason in STOPPED:
            left = deadline.remaining_s
            if left is None or left > TIMER_SLACK_S:
                raise KeyboardInterrupt
            return _out_of_time()
        return Unknown(f"z3 gave up: {reason}")

    def _tracker(self, sentence: fol.Sentence) -> Any:
        if sentence not in self._trackers:
            tracker = z3.Bool(f"sentence {len(self._trackers)}", self._context)
            self._solver.add(z3.Implies(tracker, self._terms.sentence(sentence, {})))
            self._trackers[sentence] = tracker
        return self._trackers[sentence]

    def _structure(self, model: Any) -> Structure | Unknown:
        universe = self._universe(model)
        if len(universe) > LARGEST_UNIVERSE:
            return Unknown(f"z3 shows a situation of {len(universe)} things, too many to look at")
        facts = _ModelFacts(self._terms, model, universe)
        things = {label: facts.sorts_of(label) for label in universe}
        return Structure(self.vocabulary, things, facts)

    def _universe(self, model: Any) -> dict[str, Any]:
        """What there is in a model, by label: the named things, and unnamed ones as ?1, ?2."""
        found = {name: model.eval(thing, model_completion=True) for name, thing in self._terms.named.items()}
        if isinstance(self._terms, FiniteWorld):
            for place, (thing, exists) in enumerate(zip(self._terms.unnamed, self._terms.existing, strict=True), 1):
                if z3.is_true(model.eval(exists, model_completion=True)):
                    found[f"?{place}"] = model.eval(thing, model_completion=True)
            return found
        known = {value.get_id() for value in found.values()}
        others = [value for value in model.get_universe(self._terms.thing) or () if value.get_id() not in known]
        if not found and not others:
            others = [model.eval(z3.FreshConst(self._terms.thing), model_completion=True)]
        for place, value in enumerate(others, 1):
            found[f"?{place}"] = value
        return found


class _ModelFacts(Mapping[Fact, "Value | str"]):
    """The facts of a model, each read when it is first asked for, and kept."""

    def __init__(self, terms: Z3Sentences, model: Any, universe: Mapping[str, Any]) -> None:
        self._terms, self._model, self._universe = terms, model, universe
        self._labels = {value.get_id(): label for label, value in universe.items()}
        self._known: dict[Fact, Value | str] = {}

    def sorts_of(self, label: str) -> frozenset[str]:
        thing = self._universe[label]
        sorts = [sort for sort in self._terms.vocabulary.thing_sorts if sort != ANY]
        return frozenset(s for s in sorts if z3.is_true(self._eval(self._terms.member(s, thing))))

    def __getitem__(self, fact: Fact) -> Value | str:
        if fact not in self._known:
            self._known[fact] = self._read(*fact)
        return self._known[fact]

    def __iter__(self) -> Any:
        return iter(self._complete())

    def __len__(self) -> int:
        return len(self._complete())

    def _complete(self) -> Mapping[Fact, Value | str]:
        """All facts about things, and those about numbers that were asked for."""
        for named in (self._terms.vocabulary.predicates, self._terms.vocabulary.functions):
            for own in named:
                sorts = self._terms.sorts.arguments[own.name]
                if all(isinstance(sort, str) for sort in sorts) and len(self._universe) ** len(sorts) <= _MOST_LISTED:
                    for args in product(self._universe, repeat=len(sorts)):
                        _ = self[own.name, args]
        return self._known

    def _read(self, name: str, args: Sequence[str | Fraction]) -> Value | str:
        declared = self._terms.predicates.get(name)
        function = declared is None
        if declared is None:
            if name not in self._terms.functions:
                raise KeyError(name)
            declared = self._terms.functions[name]
        wanted = self._terms.sorts.arguments[name]
        given = [
            self._argument(arg, sort, declared.domain(at))
            for at, (arg, sort) in enumerate(zip(args, wanted, strict=True))
        ]
        value = self._eval(declared(*given))
        if not function:
            return int(z3.is_true(value))
        sort = self._terms.sorts.result(name)
        if isinstance(sort, str):
            if value.get_id() not in self._labels:
                raise KeyError(name)
            return self._labels[value.get_id()]
        number = _exact(value)
        step = sort.step if isinstance(sort, Amount) and sort.step is not None else Fraction(1)
        return _plain(number * step)

    def _argument(self, arg: str | Fraction, sort: Sort, range_: Any) -> Any:
        if isinstance(arg, str):
            return self._universe[arg]
        value = self._terms.exact(arg)
        return z3.ToReal(value) if z3.is_int(value) and range_.kind() == z3.Z3_REAL_SORT else value

    def _eval(self, expression: Any) -> Any:
        return self._model.eval(expression, model_completion=True)


_MOST_LISTED = 1_000


def _exact(value: Any) -> Fraction:
    if z3.is_int_value(value):
        return Fraction(value.as_long())
    if z3.is_rational_value(value):
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    raise KeyError("an irrational number")  # a root: no structure of exact numbers has it


def _plain(value: Fraction) -> Value:
    return int(value) if value.denominator == 1 else value


def _out_of_time() -> Unknown:
    return Unknown(f"z3 gave up: {OUT_OF_TIME}")
