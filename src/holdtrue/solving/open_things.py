"""The named things of a vocabulary and some unnamed ones that may exist or not, for grounding sentences over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from holdtrue.logic import formula as f
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.naming import unnamed_label
from holdtrue.logic.fol.vocabulary import ANY, Function, Vocabulary
from holdtrue.solving.sentence_grounding import TRUTH, Member, thing_label


@dataclass(frozen=True)
class OpenThings:
    """`OpenThings` are the named things, each of its own sort only, and at most `unnamed` others of any sorts.

    Whether an unnamed thing exists is a 0/1 variable, and so is whether it is of a sort; a named thing of no sort may
    be of any too. A closed sort has the things that are named as being of it. There is one thing at least.
    """

    vocabulary: Vocabulary
    unnamed: int

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(own.name for own in self.vocabulary.entities)

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """Return what facts call each named thing, and each unnamed one, which is called ?1, ?2."""
        return {**{name: thing_label(name) for name in self.names}, **{label: label for label in self._unnamed}}

    @cached_property
    def _unnamed(self) -> tuple[str, ...]:
        return tuple(map(unnamed_label, range(1, self.unnamed + 1)))

    def exists(self, label: str) -> f.Variable:
        """Return the variable that says whether an unnamed thing exists."""
        return f.Variable(f"exists {label}", TRUTH)

    def is_of(self, sort: str, label: str) -> f.Variable:
        """Return the variable that says whether a thing, by its label, is of a sort, where that is open."""
        return f.Variable(f"is a {sort}: {label}", TRUTH)

    @cached_property
    def open_sorts(self) -> tuple[str, ...]:
        """Return the sorts that unnamed things can be of."""
        closed = self.vocabulary.closed
        return tuple(sort for sort in sorted(self.vocabulary.thing_sorts) if sort != ANY and sort not in closed)

    def members(self, sort: str | None) -> Sequence[Member]:
        return self._members[sort or ANY]

    @cached_property
    def _members(self) -> Mapping[str, Sequence[Member]]:
        return {sort: self._of(sort) for sort in self.vocabulary.thing_sorts}

    def _of(self, sort: str) -> list[Member]:
        found: list[Member] = []
        for own in self.vocabulary.entities:
            label = self.labels[own.name]
            if sort in (ANY, own.sort):
                found.append((label, None))
            elif own.sort == ANY and sort in self.open_sorts:
                found.append((label, self.is_of(sort, label).eq(1)))
        if sort in self.vocabulary.closed or ANY in self.vocabulary.closed:
            return found
        for label in self._unnamed:
            here = self.exists(label).eq(1)
            is_one = here if sort == ANY else f.And((here, self.is_of(sort, label).eq(1)))
            found.append((label, is_one))
        return found

    @cached_property
    def variables(self) -> tuple[f.Variable, ...]:
        """Return the variables that say what exists and of which sorts it is."""
        unsorted = [self.labels[own.name] for own in self.vocabulary.entities if own.sort == ANY]
        sorts = [self.is_of(sort, label) for sort in self.open_sorts for label in (*unsorted, *self._unnamed)]
        return (*map(self.exists, self._unnamed), *sorts)

    @cached_property
    def laws(self) -> tuple[f.Formula, ...]:
        """Return what holds in any case: something exists, unnamed things in order, and a function has its value."""
        exist = list(map(self.exists, self._unnamed))
        found: list[f.Formula] = [other.eq(1).implies(one.eq(1)) for one, other in pairwise(exist)]
        if ANY in self.vocabulary.closed:
            found += [one.eq(0) for one in exist]
        elif exist and not self.names:
            found.append(exist[0].eq(1))
        to_things = (own for own in self.vocabulary.functions if self.vocabulary.value_sort(own.result) is None)
        found += map(self._valued, to_things)
        return tuple(found)

    def _valued(self, function: Function) -> f.Formula:
        """Return that there is something that is the value where there is something to be an argument."""
        sorts = [sort for sort in function.sorts if sort in self.vocabulary.thing_sorts]
        return f.And(tuple(map(self._some, sorts))).implies(self._some(function.result))

    def _some(self, sort: str) -> f.Formula:
        return f.Or(tuple(f.Truth(True) if here is None else here for _, here in self._members.get(sort, ())))


def all_of_their_sorts(sentence: fol.Sentence, functions: Mapping[str, Function], vocabulary: Vocabulary) -> bool:
    """Return whether each argument of these functions is of the sort that the function takes, whatever it stands for.

    The bounds of a function hold for such arguments alone.
    """
    sorts = {own.name: own.sort for own in vocabulary.entities}

    def fits(node: fol.Sentence | fol.Term, bound: Mapping[str, str]) -> bool:
        if isinstance(node, fol.Binder):
            bound = {**bound, node.variable: node.sort or ANY}
        if isinstance(node, fol.Apply) and node.function in functions:
            for arg, wanted in zip(node.args, functions[node.function].sorts, strict=False):
                named = sorts.get(arg.name) if isinstance(arg, fol.Constant) else None
                is_of = bound.get(arg.name) if isinstance(arg, fol.Bound) else named
                if wanted not in (ANY, is_of):
                    return False
        return all(fits(part, bound) for part in fol.parts(node))

    return fits(sentence, {})
