"""Take premises about all values in, so that what is left to decide speaks of single values.

A premise `∀d ∈ date (weekday_of(d) ≤ 5 → Open(d))` holds with others if and only if these do once `Open(d)` is read as
`weekday_of(d) ≤ 5 ∨ Open(d)` wherever they have it for a date (after W. Ackermann, "Untersuchungen über das
Eliminationsproblem der mathematischen Logik", 1935): whatever is a situation of those is one of all, with that reading
for the predicate. So too for functions, of which a premise states the value or a limit.
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

_MOST_INSTANCES = 200
_MOST_READINGS = 100
_MOST_OF_FACTS = 3_000
"""A single fact is not put in where sentences would have more parts: others say more with less."""
_MOST_TRIED = 2_000
"""So many values are tried at most to find out whether a sentence holds that names nothing."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """A `Reduced` has what is left of sentences, by their ids.

    Attributes:
        sentences: A sentence for each id; they can all hold if and only if the sentences before could.
        needs: Of each id all ids of which something was put into its sentence.
        readings: How names were read, in turn: what was asked holds in a situation where it does by these readings.
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
    """Return what is left of sentences, written out by `write`; of the names of `kept` others speak as well.

    No name is read any more once it `is_late`: what is left then says the same in more parts.
    """
    work = _Reduction(sorts, {id: [*value_clauses(id, sentence, (), sorts)] for id, sentence in sentences.items()})
    work.eliminate(kept, is_late)
    return work.finished(write, is_late)


class _Reduction:
    def __init__(self, sorts: TermSorts, clauses: dict[str, list[Clause]]) -> None:
        self._sorts, self._clauses = sorts, clauses
        self._needs: dict[str, frozenset[str]] = {id: frozenset() for id in clauses}
        self._readings: list[Reading] = []
        # A name that is read by itself, as in 'three years later once more', would be read without an end.
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
        # A definition rids all clauses of the name; a single value first would hide what others say of all.
        found.sort(key=lambda pair: (not pair[0].prefix, not pair[1].defines))
        return any(not is_late() and self._put_in(clause, reading) for clause, reading in found)

    def _put_in(self, clause: Clause | None, reading: Reading) -> bool:
        """Read a name in all other clauses as one of them says, if any; return whether that could be done."""
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
        """Return whether a sentence holds that names nothing, if the calendar or mere numbers tell; else itself."""

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
