"""A twin for tests: it recounts the beliefs of a dialogue from its journal, by trying all truth assignments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from holdtrue.kinds.labels.case import Case
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue_lab.kinds.labels.entry import LabelEntry, first_labels

Answer = tuple[str, str]
"""A query and a label that commits to something."""


class Twin:
    """One dialogue; `worlds` are all that its premises allow."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._queries = {query.id: query for query in case.queries}
        names = [variable.name for variable in case.variables]
        laws_and_premises = (*case.laws, *case.theory.values())
        every = (dict(zip(names, values, strict=True)) for values in product((0, 1), repeat=len(names)))
        self.worlds = [world for world in every if all(formula.holds(world) for formula in laws_and_premises)]
        assert self.worlds

    def says(self, answer: Answer) -> Formula:
        """Return the formula that the answer commits to."""
        formula = self._queries[answer[0]].formula
        assert formula is not None and answer[1] != Label.UNKNOWN
        return formula if answer[1] == Label.ENTAILED else formula.negation

    def literal(self, answer: Answer) -> tuple[str, bool]:
        """The atom that it is about, and what it says of it."""
        formula = self.says(answer)
        [atom] = formula.variables
        return atom.name, formula.holds({atom.name: 1})

    def possible(self, answers: Iterable[Answer]) -> bool:
        formulas = [self.says(answer) for answer in answers]
        return any(all(formula.holds(world) for formula in formulas) for world in self.worlds)

    def believed(self, turns: Sequence[LabelEntry]) -> list[Answer]:
        """The beliefs after the last of these turns, the one that was said longest ago first."""
        given = {id: label for entry in turns for id, label in first_labels(entry.record).items()}
        return [(id, given[id]) for id in turns[-1].record.holds]

    def last_commitments(self, believed: Iterable[Answer]) -> dict[str, str]:
        """By query: what the last belief about its atom says of it, UNKNOWN without one (the paper's final label)."""
        last = dict(map(self.literal, believed))
        found = {}
        for query in self.case.queries:
            atom, asserts = self.literal((query.id, Label.ENTAILED))
            says = last.get(atom)
            label = Label.UNKNOWN if says is None else Label.ENTAILED if says == asserts else Label.CONTRADICTED
            found[query.id] = label.value
        return found

    def entailed(self, believed: Sequence[Answer]) -> dict[str, str]:
        """By query: what follows from premises and beliefs; nothing where they cannot all hold."""
        formulas = [self.says(answer) for answer in believed]
        left = [world for world in self.worlds if all(formula.holds(world) for formula in formulas)]
        found = {}
        for query in self.case.queries if left else ():
            assert query.formula is not None
            truths = {query.formula.holds(world) for world in left}
            label = Label.UNKNOWN if len(truths) > 1 else Label.ENTAILED if truths == {True} else Label.CONTRADICTED
            found[query.id] = label.value
        return found

    def cause(self, before: Sequence[Answer], new: Answer) -> str:
        """Why the published algorithm could not make this newcomer possible."""
        if not self.possible([new]):
            return "contradicts the rules"
        once = {self.literal(answer): answer for answer in before}  # what was said twice is there once
        for belief in once.values():
            if self.possible([new, *(other for other in once.values() if other is not belief)]):
                return "said twice"
        return "two conflicts at once"

    def right(self, labels: dict[str, str]) -> int:
        """How many queries have the right one of these labels."""
        return sum(labels.get(query.id) == query.label for query in self.case.queries)
