"""A case as a simulated answerer knows it: the right labels, and which answers cannot both be right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdtrue.budget import Budget
from holdtrue.kinds.labels.case import Case, Query
from holdtrue.ledger.beliefs import DENIAL, commitment
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Unsatisfiable
from holdtrue.solving.route import make_engine

# Counted in conflicts, so that what is answered does not depend on the machine.
_BUDGET = Budget(timeout_s=None, conflicts=20_000)

LabelledStatement = tuple[str, Label]


class LabelWorld:
    """A case with a solver, which is made when it is first needed. Only verdicts of the solver are used: its
    witnesses depend on what it was asked before.
    """

    def __init__(self, case: Case) -> None:
        self.queries: Mapping[str, Query] = {query.id: query for query in case.queries}
        self._case = case
        self._engine: Engine | None = None
        self._impossible: dict[frozenset[LabelledStatement], bool] = {}
        self._sentences = _sentences(case)

    def labelled(self, sentences: Iterable[str]) -> list[LabelledStatement]:
        """The answers that sentences of beliefs repeat; what they are about has to be a query of the case."""
        found = (self._sentences.get(_plain(sentence)) for sentence in sentences)
        return [labelled for labelled in found if labelled is not None]

    def clashing(self, query: str, earlier: Iterable[LabelledStatement]) -> list[Label]:
        """The labels of a query that are impossible with an earlier answer and the premises.

        Only the earlier answers that the premises allow are looked at, and labels that they allow come first.
        """
        held = [said for said in dict.fromkeys(earlier) if self._commits(said) and not self._refuted(said)]
        options = [(query, label) for label in (Label.ENTAILED, Label.CONTRADICTED)]
        found = [option for option in options if any(self._refuted(option, said) for said in held)]
        allowed = [option for option in found if not self._refuted(option)]
        return [label for _, label in allowed or found]

    def _commits(self, labelled: LabelledStatement) -> bool:
        return labelled[1] is not Label.UNKNOWN and self.queries[labelled[0]].formula is not None

    def _refuted(self, *answers: LabelledStatement) -> bool:
        """Return whether the premises make it impossible that these answers are all right."""
        asked = frozenset(answers)
        if asked not in self._impossible:
            if self._engine is None:
                case = self._case
                self._engine = make_engine(case.variables, (*case.laws, *case.theory.values()))
            formulas = {f"{id}={label}": self._commitment(id, label) for id, label in answers}
            soft = {name: formula for name, formula in formulas.items() if formula is not None}
            self._impossible[asked] = isinstance(self._engine.decide(soft, _BUDGET), Unsatisfiable)
        return self._impossible[asked]

    def _commitment(self, id: str, label: Label) -> Formula | None:
        statement = self.queries[id].formula
        return None if statement is None else commitment(statement, label)


def _sentences(case: Case) -> dict[str, LabelledStatement]:
    """Return what sentences of beliefs say: they have a query's own words or those of its constraint, or deny them."""
    found: dict[str, LabelledStatement] = {}
    for query in case.queries:
        texts = [query.text]
        if case.instance is not None and query.constraint is not None:
            texts.append(case.instance.sentence(query.constraint))
        for text in texts:
            found.setdefault(_plain(text), (query.id, Label.ENTAILED))
            found.setdefault(_plain(DENIAL + text), (query.id, Label.CONTRADICTED))
    return found


def _plain(sentence: str) -> str:
    return " ".join(sentence.split()).rstrip(".?!").casefold()
