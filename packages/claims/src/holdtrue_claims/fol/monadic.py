"""Tell whether sentences speak of unnamed things only one at a time, so that these need only be counted by kind.

"At most 300 of the 1,200 seats are free" relates no seat to another one. Then all that matters of unnamed things is how
many there are of each kind, a kind being a combination of marks: the sorts that a thing is of and the predicates that
hold of it. This is the monadic fragment with counting, whose sentences are statements about the numbers of each kind
(Kuncak, Nguyen and Rinard, "Deciding Boolean Algebra with Presburger Arithmetic", JAR 2006).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from holdtrue.logic.value_sorts import Instant
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.term_sorts import TermSorts
from holdtrue_claims.fol.vocabulary import ANY, Vocabulary

MOST_MARKS = 9
"""With more marks there are too many kinds."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A `Mark` is what an unnamed thing can have: it is of a sort, or a predicate holds of it.

    `predicate` is None for a sort, which `args` then names; else `args` are the predicate's arguments, and None stands
    where the thing does.
    """

    predicate: str | None
    args: tuple[fol.Term | str | None, ...]


def mark_of(holds: fol.Holds) -> tuple[str | None, Mark] | None:
    """Return the variable that an atom is about and the mark that it says of it; None where it is about several.

    The variable is None for an atom about named things alone.
    """
    names = {arg.name for arg in holds.args if isinstance(arg, fol.Bound)}
    plain = all(isinstance(arg, fol.Bound | fol.Constant | fol.Number | Instant) for arg in holds.args)
    if len(names) > 1 or (names and not plain):
        return None
    marked = tuple(None if isinstance(arg, fol.Bound) else arg for arg in holds.args)
    return (names.pop() if names else None), Mark(holds.predicate, marked)


def marks_in(sentences: Iterable[fol.Sentence], vocabulary: Vocabulary) -> tuple[Mark, ...] | None:
    """Return the marks that the sentences tell of unnamed things; None where they relate things, or say too much."""
    if any(vocabulary.value_sort(own.result) is None for own in vocabulary.functions):
        return None
    found: dict[Mark, None] = {}
    sorts = TermSorts(vocabulary)
    for sentence in sentences:
        if not _collect(sentence, found, sorts):
            return None
    return tuple(found) if len(found) <= MOST_MARKS else None


def _collect(node: fol.Sentence | fol.Term, found: dict[Mark, None], sorts: TermSorts) -> bool:
    match node:
        case fol.Holds():
            marked = mark_of(node)
            if marked is None:
                return False
            if marked[0] is not None:
                found.setdefault(marked[1])
                return True
        case fol.Apply() if any(isinstance(arg, fol.Bound) for arg in node.args):
            return False
        case fol.Compare(_, left, right) if isinstance(left, fol.Bound) or isinstance(right, fol.Bound):
            return left == right or isinstance(left, fol.Constant) or isinstance(right, fol.Constant)
        case fol.Choice(_, then, otherwise) if isinstance(then, fol.Bound) or isinstance(otherwise, fol.Bound):
            return False
        case fol.Total():
            return False
        case fol.Quantified(sort=sort) | fol.Count(sort=sort):
            if sorts.ranged(sort) is not None:
                return False
            if sort not in (None, ANY, *sorts.vocabulary.closed):
                found.setdefault(Mark(None, (sort,)))
    return all(_collect(part, found, sorts) for part in fol.parts(node))


@dataclass(frozen=True, slots=True)
class KindOfThing:
    """A `KindOfThing` has each mark or has it not."""

    number: int
    has: Mapping[Mark, bool]

    @property
    def sorts(self) -> frozenset[str]:
        """Return the sorts that such a thing is of."""
        return frozenset(str(mark.args[0]) for mark, held in self.has.items() if held and mark.predicate is None)


def kinds_of(marks: tuple[Mark, ...]) -> tuple[KindOfThing, ...]:
    """Return all kinds of unnamed things, which are the combinations of the marks."""
    return tuple(
        KindOfThing(number, {mark: bool(number >> place & 1) for place, mark in enumerate(marks)})
        for number in range(2 ** len(marks))
    )
