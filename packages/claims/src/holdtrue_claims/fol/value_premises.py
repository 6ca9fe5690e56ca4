"""Eliminate premises about all values, so that the remaining sentences are about single values.

The premise `∀d ∈ date (weekday_of(d) ≤ 5 → Open(d))` is eliminated by reading `Open(d)` as `weekday_of(d) ≤ 5 ∨
Open(d)` in all other sentences (after W. Ackermann, "Untersuchungen über das Eliminationsproblem der mathematischen
Logik", 1935). A situation of these sentences, with that reading of the predicate, is a situation of all. Premises that
state or bound the value of a function are eliminated in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from holdtrue.errors import FormulaError
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.evaluation import Evaluation
from holdtrue_claims.fol.signature import names_in
from holdtrue_claims.fol.term_sorts import TermSorts
from holdtrue_claims.fol.value_clauses import MOST_PARTS, Clause, value_clauses
from holdtrue_claims.fol.value_readings import NotTold, Reading, readings_of, settled_readings
from holdtrue_claims.fol.written_out import FALSE, MOST_NODES, TRUE, by_cases, goes_through_values, joined, plain

_MOST_READINGS = 100
_MOST_OF_FACTS = 3_000
"""The largest number of parts after a single fact is substituted; a statement about all values may lead to more."""
_MOST_TRIED = 2_000
"""The largest number of values for deciding a sentence without names."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """A `Reduced` has the remaining sentences by id.

    Attributes:
        sentences: A sentence for each id. They can all hold exactly if the original sentences can.
        needs: For each id, the ids of the sentences that were substituted into it.
        readings: The readings of names, in order. Under them a situation of `sentences` satisfies the original ones.
    """

    sentences: Mapping[str, fol.Sentence]
    needs: Mapping[str, frozenset[str]]
    readings: tuple[Reading, ...]


def reduced(
    sentences: Mapping[str, fol.Sentence],
    kept: frozenset[str],
    sorts: TermSorts,
    write: Callable[[fol.Sentence], fol.Sentence],
    is_late: Callable[[], bool] = lambda: False,
) -> Reduced:
    """Return the remaining sentences, simplified by `write`. Names in `kept` occur elsewhere and stay.

    After `is_late` returns true, no further name is eliminated; the sentences are then longer, but still equivalent.
    """
    work = _Reduction(sorts, {id: [*value_clauses(id, sentence, (), sorts)] for id, sentence in sentences.items()})
    work.eliminate(kept, is_late)
    return work.finished(write, is_late)


class _Reduction:
    def __init__(self, sorts: TermSorts, clauses: dict[str, list[Clause]]) -> None:
        self._sorts, self._clauses = sorts, clauses
        self._needs: dict[str, frozenset[str]] = {id: frozenset() for id in clauses}
        self._readings: list[Reading] = []
        # A reading that contains the name itself, as in 'three years later once more', is applied only a limited number
        # of times.
        names = Counter(name for each in clauses.values() for own in each for name in names_in(own.sentence))
        self._left = Counter({name: count + 1 for name, count in names.items()})
        self._most = 2 * sum(map(len, clauses.values())) + MOST_PARTS

    def eliminate(self, kept: frozenset[str], is_late: Callable[[], bool]) -> None:
        for _ in range(_MOST_READINGS):
            if is_late() or not (self._settle_one(kept) or self._eliminate_one(kept, is_late)):
                return

    def _settle_one(self, kept: frozenset[str]) -> bool:
        clauses = [own.sentence for each in self._clauses.values() for own in each]
        return any(self._put_in(None, own) for own in settled_readings(clauses, self._sorts) if own.name not in kept)

    def _eliminate_one(self, kept: frozenset[str], is_late: Callable[[], bool]) -> bool:
        clauses = [own for each in self._clauses.values() for own in each]
        found = [
            (clause, own)
            for clause in clauses
            for own in readings_of(clause, self._sorts)
            if own.name not in kept and self._left[own.name]
        ]
        # A definition removes the name from all clauses. A single value, if it came first, would hide statements about
        # all values.
        found.sort(key=lambda pair: (not pair[0].prefix, not pair[1].defines))
        return any(not is_late() and self._put_in(clause, reading) for clause, reading in found)

    def _put_in(self, clause: Clause | None, reading: Reading) -> bool:
        """Apply a reading to all other clauses; return whether that was possible."""
        made: dict[str, list[Clause]] = {}
        size = 0
        for id, clauses in self._clauses.items():
            rest = [own for own in clauses if own is not clause]
            if not any(reading.name in names_in(own.sentence) for own in rest):
                made[id] = rest
                continue
            try:
                said = {
                    own: plain(reading.of(own.sentence, {}), self._sorts)
                    for own in rest
                    if reading.name in names_in(own.sentence)
                }
            except NotTold:
                return False
            size += sum(1 for sentence in said.values() for _ in fol.walk(sentence))
            if size > (MOST_NODES if clause is None or clause.prefix else _MOST_OF_FACTS) or any(
                _depth(sentence) > fol.DEEPEST for sentence in said.values()
            ):
                return False
            made[id] = [
                new
                for own in rest
                for new in (value_clauses(id, said[own], (), self._sorts) if own in said else (own,))
            ]
            if clause is not None and made[id] != rest:
                self._needs[id] |= {clause.id} | self._needs[clause.id]
        if sum(map(len, made.values())) > self._most:
            return False
        self._clauses = made
        self._readings.append(reading)
        self._left[reading.name] -= 1
        return True

    def finished(self, write: Callable[[fol.Sentence], fol.Sentence], is_late: Callable[[], bool]) -> Reduced:
        found: dict[str, fol.Sentence] = {}
        for id, clauses in self._clauses.items():
            apart = (own.sentence if is_late() else by_cases(own.sentence, self._sorts) for own in clauses)
            said = map(write, apart)
            parts = (part for own in said for part in (own.operands if isinstance(own, fol.And) else (own,)))
            found[id] = joined(fol.And, [self._told(part, is_late) for part in parts])
        return Reduced(found, self._needs, tuple(self._readings))

    def _told(self, sentence: fol.Sentence, is_late: Callable[[], bool]) -> fol.Sentence:
        """Return the truth of a sentence without names, if arithmetic or the calendar decides it; otherwise the
        sentence.
        """

        tried = count()

        def check() -> None:
            if is_late() or next(tried) > _MOST_TRIED:
                raise TimeoutError

        if names_in(sentence) or not goes_through_values(sentence, self._sorts):
            return sentence
        with suppress(FormulaError, TimeoutError):
            truth = Evaluation(None, {}, self._sorts, check, {}).truth(sentence)
            return sentence if truth is None else TRUE if truth else FALSE
        return sentence


def _depth(node: fol.Sentence | fol.Term) -> int:
    return 1 + max(map(_depth, fol.parts(node)), default=0)
