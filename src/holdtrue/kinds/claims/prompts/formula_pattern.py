"""This module writes the regular expression of formulas over a vocabulary, which a backend can enforce.

What it admits uses only declared names, with as many arguments as they take, and no variable that is not bound.
Brackets nest as deep as is written out here, because a regular expression cannot count. Two shapes that are nearly
always a slip are left out: `forall x (A(x) and B(x))`, by which everything there is is both, and
`exists x (A(x) -> B(x))`, which anything that is no A makes true.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from holdtrue.kinds.claims.prompts.content_words import word_set
from holdtrue.logic.fol.naming import is_number, name_text, name_words, stem, thing_text
from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Vocabulary

_POINTING = word_set("he she it they his her its their this that these those")
"""A sentence that begins with one of these may speak of anything."""

_SOME = word_set(
    "some someone somebody something there exist exists least few several many most one",
    "a an any anyone anybody anything",
)


def says_some(sentence: str) -> bool:
    """Return whether a word of the sentence can mean that there is something: without one it speaks of all."""
    words = {word.casefold() for word in name_words(sentence)}
    return bool(words & _SOME)


def mentioned(vocabulary: Vocabulary, sentence: str) -> Vocabulary:
    """The vocabulary with only those things that the sentence names by a word, other than that of their sort.

    "If people dance, they practise" names nobody; bound to things anyway, a small model takes the first one for it.
    """
    words = [word.casefold() for word in name_words(sentence)]
    if words and words[0] in _POINTING:
        return vocabulary
    said = {stem(word) for word in words}
    return replace(vocabulary, entities=tuple(own for own in vocabulary.entities if said & _stems(own)))


def _stems(entity: Entity) -> set[str]:
    """The stems of the words that name the thing; that of its sort only where there is no other."""
    stems = {stem(word.casefold()) for word in name_words(entity.name)} or {stem(entity.name)}
    return stems - {stem(entity.sort)} or stems


VARIABLES = ("x", "y", "z")
_MORE = "{0,3}"
"""Operands behind the first one: where nothing ends it, a small model goes on to the end of its tokens."""
_FEW_VALUES = 30
"""Up to so many values of a function are listed one by one."""


def formula_pattern(vocabulary: Vocabulary, *, some: bool = True) -> str:
    """Return the anchored pattern of formulas; without `some` none of them begins with `exists`.

    With no predicate and no function only `true` and `false` are left to say. At each place few ways are open at once:
    backends follow all of them for each token.
    """
    shapes = _Shapes(vocabulary)
    found = [shapes.quantified(some=some)]
    if ground := shapes.operand(()):
        more = f"( (and|or|xor) {ground}){_MORE}"
        found.append(f"{ground}{more}( (->|<->) {ground}{more})?")
    return f"^{_any(found) or '(true|false)'}$"


class _Shapes:
    """Parts of the pattern; `bound` are the variables that may stand in them. A part that cannot be is empty."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._related = bool(vocabulary.functions) or any(len(said.sorts) > 1 for said in vocabulary.predicates)

    def quantified(self, *, some: bool) -> str:
        """One variable, and where anything relates two things, another one inside or several in front."""
        if not self._atom(VARIABLES[:1]):
            return ""
        found = [rf"\({self._every(VARIABLES[:1])}\)"]
        if self._related:
            found.append(rf"forall y \({self._every(VARIABLES[:2])}\)")
            found.append(rf"forall y forall z \({self._every(VARIABLES, plain=True)}\)")
            found.append(rf"exists y \({self._some(VARIABLES[:2])}\)")
        shapes = [f"forall x {_any(found)}"]
        if some:
            found = [rf"\({self._some(VARIABLES[:1])}\)"]
            if self._related:
                found.append(rf"(exists|forall) y \({self._some(VARIABLES[:2])}\)")
            shapes.append(f"exists x {_any(found)}")
        return f"(not )?{_any(shapes)}"

    def _every(self, bound: Sequence[str], *, plain: bool = False) -> str:
        """The body of `forall`: conditions and what follows from them, or alternatives."""
        operand = self.literal(bound) if plain else self.operand(bound)
        implied = f"( (and|or|xor) {operand}){_MORE} (->|<->) {operand}( (and|or|xor) {operand}){_MORE}"
        return f"{operand}({implied}|( (or|xor) {operand}){_MORE})"

    def _some(self, bound: Sequence[str]) -> str:
        """The body of `exists`."""
        operand = self.operand(bound)
        return f"{operand}( (and|or) {operand}){_MORE}"

    def operand(self, bound: Sequence[str]) -> str:
        """A literal, several of them in brackets, or something about another thing than the one that is bound."""
        atom, literal = self._atom(bound), self.literal(bound)
        if not atom:
            return ""
        found = [atom, rf"\({literal}( (and|or|xor|->|<->) {literal}){{1,3}}\)"]
        if self._related and len(bound) == 1:
            inner = self.literal(VARIABLES[:2])
            found.append(rf"exists y \({inner}( (and|or) {inner}){_MORE}\)")
            found.append(rf"forall y \({inner}( and {inner}){_MORE}( (->|or) {inner})?\)")
        return f"(not )?{_any(found)}"

    def literal(self, bound: Sequence[str]) -> str:
        atom = self._atom(bound)
        return f"(not )?{atom}" if atom else ""

    def _atom(self, bound: Sequence[str]) -> str:
        """Empty where no atom can be made of these names."""
        found = [self._applied(predicate.name, predicate.sorts, bound) for predicate in self._vocabulary.predicates]
        found.append(self._comparison(bound))
        if bound and self._related:
            found.append(f"{_any(bound)} !?= {self._thing(ANY, bound)}")
        return _any(found)

    def _applied(self, name: str, sorts: Sequence[str], bound: Sequence[str]) -> str:
        """A name with arguments; a predicate without any stands alone."""
        things = [self._thing(sort, bound) for sort in sorts]
        if not things:
            return _name(name)
        return rf"{_name(name)}\({', '.join(things)}\)" if all(things) else ""

    def _thing(self, sort: str, bound: Sequence[str]) -> str:
        names = [entity.name for entity in self._vocabulary.of_sort(sort)]
        written = [name if is_number(name) else thing_text(name, VARIABLES) for name in names]
        return _any([*bound, *map(re.escape, written)])

    def _comparison(self, bound: Sequence[str]) -> str:
        """Values of functions, held against each other or against a number."""
        functions = self._vocabulary.functions
        values = _any([self._applied(function.name, function.sorts, bound) for function in functions])
        if not values:
            return ""
        numbers = _any(dict.fromkeys(number for function in functions for number in _numbers(function)))
        return rf"{values} (=|!=|<|<=|>|>=) ({values}( [+-] [1-9])?|{numbers})"


def _numbers(function: Function) -> list[str]:
    low, high = function.low, function.high
    if low is not None and high is not None and high - low < _FEW_VALUES:
        return [str(value) for value in range(low, high + 1)]
    return [f"{'-?' if low is None or low < 0 else ''}(0|[1-9][0-9]{{0,5}})"]


def _name(name: str) -> str:
    return re.escape(name_text(name))


def _any(choices: Iterable[str]) -> str:
    """One of them; empty ones are none."""
    found = [choice for choice in choices if choice]
    return found[0] if len(found) == 1 and found[0].isalnum() else f"({'|'.join(found)})" if found else ""
