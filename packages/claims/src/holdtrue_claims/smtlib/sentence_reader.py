"""Read an SMT-LIB script as first-order sentences, over a vocabulary made of its declarations.

A script may have declared sorts, constants and functions, definitions without recursion, and assertions over integers,
reals and things. Commands that only ask a solver or describe the script are skipped. Reading ends at `exit`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, count
from typing import get_args

from holdtrue.errors import FormulaError, SmtLibError
from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.script import ASKING, Assertion, Script, read_script
from holdtrue.logic.smtlib.sexpr import ReadLimits, excerpt
from holdtrue.logic.smtlib.symbols import name_of
from holdtrue.logic.value_sorts import read_sort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.smtlib.sentence_translation import SentenceTranslation

_VALUES = {smt.INT: "whole", smt.REAL: "number"}
_MOST_PAIRED = 50
"""If there are more constants, only those in one common `distinct` count as different."""


@dataclass(frozen=True, slots=True)
class SentenceScript:
    """A `SentenceScript` is the vocabulary of a script, with the sentences that it asserts, in order.

    The sentences can all hold exactly if the script is satisfiable.
    """

    vocabulary: Vocabulary
    sentences: tuple[fol.Sentence, ...]


def read_sentences(text: str, limits: ReadLimits | None = None) -> SentenceScript:
    """Return the vocabulary and the sentences of a script.

    Constants of a declared sort may be equal, so they become functions without arguments. Only the first constant of
    each sort, and constants that the script declares different, become names of things. Every sort of SMT-LIB has an
    element, so a sentence states that if no thing of the sort is named. Numbers have no units.

    Raises `SmtLibError` with line and column for scripts that `script.read_script` refuses, and for contents that
    sentences cannot express. These are quantifiers over numbers or truth values, truth values as arguments, and
    divisors that are not written numbers. Formulas that are too deep or large once written out are refused, too.
    """
    script = read_script(text, limits, passed_over=ASKING)
    reading = _Reading(script)
    translation = SentenceTranslation(
        reading.names, reading.things, reading.sorts, {own.function.name: own for own in script.definitions}
    )
    vocabulary = reading.vocabulary()
    found: list[fol.Sentence] = list(reading.inhabited())
    for assertion in script.assertions:
        if _all_different(assertion.formula, reading.things):
            continue
        try:
            found.append(state(translation.stated(assertion.formula), vocabulary).sentence)
        except FormulaError as error:
            raise SmtLibError(assertion.line, assertion.column, str(error)) from None
    return SentenceScript(vocabulary, tuple(found))


class _Reading:
    """A `_Reading` turns the declarations of a script into a vocabulary."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.sorts = _sort_names([own.name for own in script.sorts])
        # A function with the name of an operation would be read as the operation.
        self.names = _unlike([own.name for own in script.functions], get_args(fol.Operator))
        self.things = frozenset(self._named(_different(script.assertions)))

    def _named(self, groups: Iterable[frozenset[str]]) -> Iterator[str]:
        """Yield constants of each sort that denote different things: the first one, and others that must differ."""
        within: dict[str, set[int]] = defaultdict(set)
        for place, group in enumerate(groups):
            for constant in group:
                within[constant].add(place)
        chosen: dict[smt.SmtSort, list[str]] = defaultdict(list)
        in_group: Counter[tuple[smt.SmtSort, int]] = Counter()
        for own in self._script.functions:
            if own.arguments or own.result.name not in self.sorts:
                continue
            others = chosen[own.result]
            listed = any(in_group[own.result, place] == len(others) for place in within[own.name])
            paired = len(others) <= _MOST_PAIRED and all(within[own.name] & within[other] for other in others)
            if not others or listed or paired:
                others.append(own.name)
                in_group.update((own.result, place) for place in within[own.name])
                yield own.name

    def vocabulary(self) -> Vocabulary:
        """Return the vocabulary. Raises `SmtLibError` for an argument that is a truth value."""
        entities: list[Entity] = []
        predicates: list[Predicate] = []
        functions: list[Function] = []
        for own in self._script.functions:
            name = self.names[own.name]
            if own.name in self.things:
                entities.append(Entity(name, self._sort(own.result)))
                continue
            if smt.BOOL in own.arguments:
                line, column = self._script.places.get(own.name, (0, 0))
                raise SmtLibError(line, column, f"{excerpt(own.name)} takes a truth value, which sentences cannot say")
            sorts = tuple(map(self._sort, own.arguments))
            if own.result == smt.BOOL:
                predicates.append(Predicate(name, sorts))
            else:
                functions.append(Function(name, sorts, result=self._sort(own.result)))
        return Vocabulary(tuple(entities), tuple(predicates), tuple(functions), sorts=tuple(self.sorts.values()))

    def _sort(self, sort: smt.SmtSort) -> str:
        return _VALUES.get(sort) or self.sorts[sort.name]

    def inhabited(self) -> Iterator[fol.Sentence]:
        """Yield the sentence that a sort has a thing, for each sort without named things."""
        named = {own.result.name for own in self._script.functions if own.name in self.things}
        for symbol, sort in self.sorts.items():
            if symbol not in named:
                yield fol.Quantified("exists", "x", fol.And(()), sort)


def _sort_names(symbols: Iterable[str]) -> Mapping[str, str]:
    """Return a name for each sort of things. No name is that of the sort of all things or of a sort of values, such as
    `date`.
    """
    found: dict[str, str] = {}
    used = {ANY}
    for symbol in symbols:
        name = name_of(symbol)
        numbered = (f"sort {number}" for number in count(2))
        found[symbol] = next(
            own for own in chain((name, f"sort {name}"), numbered) if own not in used and _is_word(own)
        )
        used.add(found[symbol])
    return found


def _is_word(name: str) -> bool:
    try:
        return bool(name.strip()) and read_sort(name) is None
    except FormulaError:
        return False


def _unlike(symbols: Iterable[str], taken: Iterable[str]) -> Mapping[str, str]:
    """Return a name for each symbol; the names are distinct and not taken."""
    found: dict[str, str] = {}
    used = set(taken)
    for symbol in symbols:
        first = name = name_of(symbol) or "nameless"
        number = 2
        while name in used:
            name, number = f"{first} {number}", number + 1
        used.add(name)
        found[symbol] = name
    return found


def _different(assertions: Iterable[Assertion]) -> Iterator[frozenset[str]]:
    """Yield sets of constants that are asserted to be all different."""
    for assertion in assertions:
        constants = _told_apart(assertion.formula)
        if constants:
            yield constants


def _told_apart(term: smt.SmtTerm) -> frozenset[str]:
    match term:
        case smt.Operation("distinct", operands) | smt.Operation("not", (smt.Operation("=", operands),)):
            names = [own.function.name for own in operands if isinstance(own, smt.Call) and not own.operands]
            apart = term.op == "distinct" or len(operands) == 2
            if apart and len(names) == len(set(names)) == len(operands):
                return frozenset(names)
    return frozenset()


def _all_different(term: smt.SmtTerm, things: frozenset[str]) -> bool:
    """Return whether a formula only states that named things are different."""
    return bool(constants := _told_apart(term)) and constants <= things
