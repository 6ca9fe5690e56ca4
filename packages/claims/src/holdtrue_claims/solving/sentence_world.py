"""One z3 solver for one world, open or with a limited number of unnamed things. It finds proofs and structures."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import z3

from holdtrue.budget import Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import Amount, Value
from holdtrue.solving.result import Core, Id, Unknown
from holdtrue.solving.z3_engine import MOST_TRACKED, ask_z3, core_of, gave_up, out_of_time
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.naming import unnamed_label
from holdtrue_claims.fol.structure import FactsRead, Structure
from holdtrue_claims.fol.vocabulary import ANY, Vocabulary
from holdtrue_claims.solving.open_world import OpenWorld
from holdtrue_claims.solving.quantifier_free_worlds import CountedWorld, FiniteWorld, KindFacts
from holdtrue_claims.solving.sentence_memo import MOST_PARTS, Unnamed
from holdtrue_claims.solving.z3_sentences import Z3Sentences, real
from holdtrue_claims.solving.z3_values import value_in

LARGEST_UNIVERSE = 200
"""The largest number of things in a structure that is examined."""
_GLANCE_S = 0.3
"""The time in seconds for checking whether a situation with a wrong calendar satisfies the sentences."""
_MOST_CORRECTIONS = 100
"""The largest number of corrections of the calendar or of values for one question."""


class SentenceWorld:
    """A `SentenceWorld` asserts every sentence once, implied by a Boolean constant.

    `unnamed` is the largest number of unnamed things, None for any number, or the marks by which they are counted
    (`fol.fragment`). The solver is replaced now and then, so that a long series of questions leaves nothing behind.
    """

    def __init__(self, vocabulary: Vocabulary, background: Iterable[fol.Sentence], unnamed: Unnamed) -> None:
        self.vocabulary = vocabulary
        self.unnamed = unnamed
        self.background = tuple(background)
        self._terms: Z3Sentences | None = None

    def check(self, soft: Mapping[Id, fol.Sentence], deadline: Deadline) -> Structure | Core | Unknown:
        """Return a structure found by z3, not yet confirmed, a core, or the reason why there is neither.

        Raises `FormulaError` for a sentence without a meaning in the vocabulary.
        """
        try:
            assumed = self._assumed(soft, deadline)
        except TimeoutError:
            self._terms = None  # a partial translation is useless
            return out_of_time()
        except z3.Z3Exception as error:
            self._terms = None
            raise FormulaError(f"this cannot be told to z3: {error}") from error
        answer, shown = z3.unknown, None
        for number in range(_MOST_CORRECTIONS):
            answer = ask_z3(self._solver, assumed, deadline)
            if answer != z3.sat:
                break
            try:
                corrections, shown = self._shown(self._solver.model())
            except TimeoutError:
                return out_of_time()
            if not corrections or deadline.passed:
                return out_of_time() if corrections or shown is None else shown
            # The error may not matter, for instance if it is about a day that no sentence mentions.
            if number & (number - 1) == 0 and (likely := self._likely(soft, shown)) is not None:
                return likely
            self._solver.add(*corrections)
        if answer == z3.unsat:
            return core_of(self._solver, assumed)
        if answer == z3.sat:
            return self._structure(self._solver.model())  # the remaining errors may not matter
        self._terms = None  # z3 can crash if a stopped solver is asked again
        return gave_up(self._solver, deadline)

    def _assumed(self, soft: Mapping[Id, fol.Sentence], deadline: Deadline) -> dict[int, tuple[Any, Id]]:
        """Return the constants that stand for the sentences, each with the id of its sentence."""
        self._deadline = deadline
        deadline.check()
        if self._terms is None or len(self.trackers) > MOST_TRACKED + len(soft) or self._parts > MOST_PARTS:
            self._start()
        found: dict[int, tuple[Any, Id]] = {}
        for id, sentence in soft.items():
            tracker = self._tracker(sentence)
            found.setdefault(tracker.get_id(), (tracker, id))
        return found

    def _start(self) -> None:
        """Start with a new solver."""
        self._context = z3.Context()
        self._solver = z3.SimpleSolver(ctx=self._context)
        if self.unnamed is not None:  # prefer false, so that structures have few true facts
            self._solver.set("phase_selection", 0)
        self.trackers: dict[fol.Sentence, Any] = {}
        self._parts = 0
        add = self._solver.add
        given = (self.vocabulary, self._context, add, self._part)
        terms: Z3Sentences
        if self.unnamed is None:
            terms = OpenWorld(*given)
        elif isinstance(self.unnamed, int):
            terms = FiniteWorld(*given, self.unnamed)
        else:
            terms = CountedWorld(*given, self.unnamed)
        for sentence in self.background:
            add(terms.sentence(sentence, {}))
        self._terms = terms

    def _part(self) -> None:
        self._parts += 1
        self._deadline.check()

    def _tracker(self, sentence: fol.Sentence) -> Any:
        if sentence not in self.trackers and self._terms is not None:
            tracker = z3.Bool(f"sentence {len(self.trackers)}", self._context)
            self._solver.add(z3.Implies(tracker, self._terms.sentence(sentence, {})))
            self.trackers[sentence] = tracker
        return self.trackers[sentence]

    def _shown(self, model: Any) -> tuple[list[Any], Structure | Unknown | None]:
        """Return corrections of a model's calendar, or else of its values, and the structure of the model."""
        if self._terms is None:
            return [], None
        corrections = self._terms.calendar.corrections(model)
        shown = None if corrections else self._structure(model)
        if isinstance(shown, Structure):
            evaluation = shown.evaluation(self._deadline.check)
            labels = {thing.get_id(): label for label, thing in self._terms.known_things.items()}
            corrections = self._terms.binders.corrections(model, evaluation, labels)
        return corrections, shown

    def _likely(self, soft: Mapping[Id, fol.Sentence], shown: Structure | Unknown | None) -> Structure | None:
        """Return the structure of the model if all sentences hold in it, in spite of a wrong calendar."""
        found = self._structure(self._solver.model()) if shown is None else shown
        soon = Budget(_GLANCE_S).start()
        with suppress(FormulaError, TimeoutError):
            if isinstance(found, Structure) and all(
                found.truth(own, soon.check) for own in (*self.background, *soft.values())
            ):
                return found
        return None

    def _structure(self, model: Any) -> Structure | Unknown:
        universe = self._universe(model)
        if self._terms is None or len(universe) > LARGEST_UNIVERSE:
            return Unknown(f"z3 shows a situation of {len(universe)} things, too many to look at")
        facts = _ModelFacts(self._terms, model, universe)
        things = {label: facts.sorts_of(label) for label in universe}
        if isinstance(self._terms, CountedWorld):
            kinds = self._terms.kinds_in(model)
            things |= {label: kind.sorts for label, (kind, _) in kinds.items()}
            copies = {label: count for label, (_, count) in kinds.items()}
            return Structure(self.vocabulary, things, KindFacts(facts, kinds, self._terms.predicates), copies)
        return Structure(self.vocabulary, things, facts)

    def _universe(self, model: Any) -> dict[str, Any]:
        """Return the things of a model by label: the named ones, and unnamed ones as ?1, ?2."""
        terms = self._terms
        if terms is None:
            return {}
        found = {name: model.eval(thing, model_completion=True) for name, thing in terms.named.items()}
        if isinstance(terms, FiniteWorld):
            for place, (thing, exists) in enumerate(zip(terms.unnamed, terms.existing, strict=True), 1):
                if z3.is_true(model.eval(exists, model_completion=True)):
                    found[unnamed_label(place)] = model.eval(thing, model_completion=True)
            return found
        if isinstance(terms, CountedWorld):
            return found
        known = {value.get_id() for value in found.values()}
        others = [value for value in model.get_universe(terms.thing) or () if value.get_id() not in known]
        if not found and not others:
            others = [model.eval(z3.FreshConst(terms.thing), model_completion=True)]
        for place, value in enumerate(others, 1):
            found[unnamed_label(place)] = value
        return found


class _ModelFacts(FactsRead):
    """`_ModelFacts` reads the facts of a model."""

    def __init__(self, terms: Z3Sentences, model: Any, universe: Mapping[str, Any]) -> None:
        super().__init__(terms.sorts, universe, _MOST_LISTED)
        self._terms, self._model, self._universe = terms, model, universe
        self._found: dict[tuple[str, int], Sequence[Fraction] | None] = {}
        self._by_value = {value.get_id(): label for label, value in universe.items()}

    def sorts_of(self, label: str) -> frozenset[str]:
        thing = self._universe[label]
        sorts = [sort for sort in self._terms.vocabulary.thing_sorts if sort != ANY]
        return frozenset(s for s in sorts if z3.is_true(self._eval(self._terms.member(s, thing))))

    def _read(self, name: str, args: Sequence[str | Fraction]) -> Value | str:
        given = [
            self._universe[arg] if isinstance(arg, str) else real(self._terms.exact(self._listed(name, place, arg)))
            for place, arg in enumerate(args)
        ]
        if name in self._terms.predicates:
            return int(z3.is_true(self._eval(self._terms.predicates[name](*given))))
        if name not in self._terms.functions:
            raise KeyError(name)
        value, sort = self._eval(self._terms.functions[name](*given)), self._terms.sorts.result(name)
        if isinstance(sort, str):
            label = self._by_value.get(value.get_id())
            if label is not None and (self._is_of(sort, label) or not self._fit(name, args)):
                return label
            # For arguments outside of all sentences the value may have a wrong sort; any thing of the right sort will
            # do.
            return next((label for label in self._universe if self._is_of(sort, label)), next(iter(self._universe)))
        step = sort.step if isinstance(sort, Amount) and sort.step is not None else Fraction(1)
        exact = value_in(self._model, value) * step
        return int(exact) if exact.denominator == 1 else exact

    def _listed(self, name: str, place: int, value: Fraction) -> Fraction:
        """Return the listed argument value that represents this one: the next lower one."""
        ends = self.ends(name, place)
        return ends[max(bisect(ends, value) - 1, 0)] if ends else value

    def ends(self, name: str, place: int) -> Sequence[Fraction] | None:
        if (name, place) not in self._found:
            self._found[name, place] = self._ends_of(name, place)
        return self._found[name, place]

    def _ends_of(self, name: str, place: int) -> Sequence[Fraction] | None:
        """Return the argument values that a model lists; None if it computes values instead."""
        declared = {**self._terms.predicates, **self._terms.functions}[name]
        # If a model lists all values of a name, completion adds only a default value.
        self._eval(declared(*[z3.FreshConst(declared.domain(at)) for at in range(declared.arity())]))
        known = self._model[declared]
        if known is None:
            return ()
        listed = [known.entry(own) for own in range(known.num_entries())]
        with suppress(z3.Z3Exception):
            if known.else_value().num_args():
                return None
        # A model omits arguments with the default value.
        asked = [own.arg(place) for own in self._terms.applied_to(declared.name())]
        return sorted({value_in(self._model, own) for own in (*asked, *(own.arg_value(place) for own in listed))})

    def _is_of(self, sort: str, label: str) -> bool:
        return sort == ANY or sort in self.sorts_of(label)

    def _fit(self, name: str, args: Sequence[str | Fraction]) -> bool:
        """Return whether things have the sorts of a function's arguments."""
        pairs = zip(args, self._terms.sorts.arguments[name], strict=True)
        return all(self._is_of(sort, arg) for arg, sort in pairs if isinstance(arg, str) and isinstance(sort, str))

    def _eval(self, expression: Any) -> Any:
        return self._model.eval(expression, model_completion=True)


_MOST_LISTED = 1_000
