"""Find the sorts of things that can be sorts of SMT-LIB, without a change of what sentences say.

Here things are of one universe, a thing may be of several sorts, and a sort may have no thing. In SMT-LIB sorts share
nothing and have an element each. No sentence can tell the difference for a sort of which something is named, if no
quantifier goes through all things, and nothing of the sort stands where another sort is wanted, or the other way round:
whatever holds in one kind of structures can be carried over to the other, sort by sort.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.signature import thing_name
from holdtrue.logic.fol.term_sorts import TermSorts
from holdtrue.logic.fol.vocabulary import ANY, Vocabulary

Bindings = Mapping[str, str]
"""The sort of each bound variable."""


def own_sorts(
    vocabulary: Vocabulary, sentences: Iterable[fol.Sentence], laws: Iterable[fol.Sentence]
) -> frozenset[str]:
    """Return the sorts that can be declared; all others have to be predicates of things.

    `laws` are of the vocabulary (`stated_laws`): one that goes through all things says what can hold of any thing.
    """
    mixing = _Mixing(vocabulary)
    for sentence in (*sentences, *laws):
        mixing.look(sentence, {})
    if ANY in vocabulary.closed or any(_goes_through_all(sentence) for sentence in sentences):
        return frozenset()
    return frozenset(own.sort for own in vocabulary.entities) - mixing.found - {ANY}


def _goes_through_all(sentence: fol.Sentence) -> bool:
    binders = (node for node in fol.walk(sentence) if isinstance(node, fol.Quantified | fol.Count | fol.Total))
    return any(node.sort in (None, ANY) for node in binders)


class _Mixing:
    """Collects in `found` the sorts of which a term stands where another sort is wanted, and those wanted sorts."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._sorts = TermSorts(vocabulary)
        self._things = {own.name: own.sort for own in vocabulary.entities}
        self.found: set[str] = set()

    def look(self, node: fol.Sentence | fol.Term, bound: Bindings) -> None:
        match node:
            case fol.Quantified(variable=name, sort=sort) | fol.Count(name, _, sort) | fol.Total(name, _, _, sort):
                bound = {**bound, name: sort or ANY}
            case fol.Holds(name, args):
                self._take(name, args, bound)
            case fol.Apply(name, args):
                fits, result = self._take(name, args, bound), self._sorts.result(name)
                if not fits and isinstance(result, str):
                    # What it gives for a thing of another sort is of no sort for sure.
                    self.found.add(result)
            case fol.Compare(_, one, other) | fol.Choice(_, one, other):
                sides = {sort for sort in (self._sure(one, bound), self._sure(other, bound)) if sort is not None}
                if len(sides) > 1:
                    self.found |= sides
        for part in fol.parts(node):
            self.look(part, bound)

    def _take(self, name: str, args: tuple[fol.Term, ...], bound: Bindings) -> bool:
        """Collect the sorts of arguments that do not fit; return whether all fit."""
        fits = True
        for arg, wanted in zip(args, self._sorts.arguments[name], strict=True):
            if isinstance(wanted, str) and (own := self._sure(arg, bound) or ANY) != wanted:
                self.found |= {own, wanted}
                fits = False
        return fits

    def _sure(self, term: fol.Term, bound: Bindings) -> str | None:
        """Return the sort that what a term stands for is of in any case; None for a value."""
        match term:
            case fol.Bound(name):
                return bound.get(name, ANY)
            case fol.Apply(name, args):
                result = self._sorts.result(name)
                if not isinstance(result, str):
                    return None
                pairs = zip(args, self._sorts.arguments[name], strict=True)
                sure = all(self._sure(arg, bound) == wanted for arg, wanted in pairs if isinstance(wanted, str))
                return result if sure else ANY
            case fol.Choice(_, then, otherwise):
                one, other = self._sure(then, bound), self._sure(otherwise, bound)
                return one if one == other else ANY
        return self._things.get(thing_name(term) or "")
