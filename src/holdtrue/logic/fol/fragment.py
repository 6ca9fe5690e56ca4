"""Tell whether finitely many unnamed things are enough to decide sentences, and how many.

A sentence that says of no thing that there is another, once "there is" is moved to the front, holds of some things if
and only if it holds of the named ones and of one thing for each "there is": whatever else there is can be left out
(Bernays and Schönfinkel 1928; with functions to numbers too, since these are left as they are). "At least n" counts as
n of "there is". Where a sentence says of every thing that there is another one, as "everybody has a manager" does, no
number is enough in general, and nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterable

from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.vocabulary import Vocabulary


def unnamed_needed(sentences: Iterable[fol.Sentence], vocabulary: Vocabulary) -> int | None:
    """Return how many unnamed things decide whether the sentences can all hold, or None where no number is known."""
    counting = _Counting(vocabulary)
    try:
        return sum(counting.needed(sentence, positive=True, every=False) for sentence in sentences)
    except _Unbounded:
        return None


class _Unbounded(Exception):
    """A sentence is not of the fragment; it never leaves this file."""


class _Counting:
    def __init__(self, vocabulary: Vocabulary) -> None:
        sizes = {sort: 0 for sort in vocabulary.closed}
        for entity in vocabulary.entities:
            if entity.sort in sizes:
                sizes[entity.sort] += 1
        self._closed = sizes
        self._to_things = {own.name for own in vocabulary.functions if vocabulary.value_sort(own.result) is None}

    def needed(self, node: fol.Sentence | fol.Term, *, positive: bool | None, every: bool) -> int:
        """Return how many a part needs that stands positive, negative or (None) both, under an `every` or not."""
        match node:
            case fol.Not(operand):
                return self.needed(operand, positive=_turned(positive), every=every)
            case fol.Implies(left, right):
                before = self.needed(left, positive=_turned(positive), every=every)
                return before + self.needed(right, positive=positive, every=every)
            case fol.Quantified(quantifier, _, body, sort):
                return self._quantified(quantifier == "exists", body, sort, positive, every)
            case fol.Compare(op, left, right):
                return self._compared(op, left, right, positive, every)
            case fol.Apply(function) if function in self._to_things:
                raise _Unbounded
            case fol.Count(body=body, sort=sort):
                return self._listed((body,), sort, every)
            case fol.Total(term=term, body=body, sort=sort):
                return self._listed((term, body), sort, every)
            case fol.Choice() | fol.Iff() | fol.Xor():
                positive = None
        return sum(self.needed(part, positive=positive, every=every) for part in fol.parts(node))

    def _quantified(
        self, exists: bool, body: fol.Sentence, sort: str | None, positive: bool | None, every: bool
    ) -> int:
        if sort in self._closed:
            return self._closed[sort] * self.needed(body, positive=positive, every=every)
        # Where it stands both ways it is also the other quantifier.
        some = positive is None or exists is positive
        if some and every:
            raise _Unbounded
        inner = self.needed(body, positive=positive, every=every or not some or positive is None)
        return inner + (1 if some else 0)

    def _compared(self, op: fol.Comparison, left: fol.Term, right: fol.Term, positive: bool | None, every: bool) -> int:
        if isinstance(left, fol.Number) and isinstance(right, fol.Count):
            left, right, op = right, left, _TURNED[op]
        if not isinstance(left, fol.Count) or not isinstance(right, fol.Number) or left.sort in self._closed:
            return sum(self.needed(part, positive=None, every=every) for part in (left, right))
        if positive is False:
            op = _DENIED[op]
        # At least so many there are: one of "there is" for each; of at most so many, none.
        least = {">=": right.value, ">": right.value + 1, "=": right.value}.get(
            op, 0 if op in ("<", "<=") else right.value + 1
        )
        if positive is None:
            least = max(least, right.value + 1)
        count = max(0, int(least))
        if count and every:
            raise _Unbounded
        # Inside of a count anything stands under an "every".
        return count + self.needed(left.body, positive=None, every=True)

    def _listed(self, parts: Iterable[fol.Sentence | fol.Term], sort: str | None, every: bool) -> int:
        """Return what a list needs: what is counted or summed has to be known one by one."""
        if sort not in self._closed:
            raise _Unbounded
        return self._closed[sort] * sum(self.needed(part, positive=None, every=every) for part in parts)


def _turned(positive: bool | None) -> bool | None:
    return None if positive is None else not positive


_TURNED: dict[fol.Comparison, fol.Comparison] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_DENIED: dict[fol.Comparison, fol.Comparison] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
