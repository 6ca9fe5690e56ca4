"""Score each label against gold, and score whether all labels can be right together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import combinations

from holdtrue.budget import Budget
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.record import LabelsRecord
from holdtrue.ledger.beliefs import commitment
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.classification import equivalent, label_of
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.result import Equivalent, MinimumMcs, Satisfiable, Unknown
from holdtrue_lab.kinds.labels.entry import FormulaSource, LabelScore, SetScore, first_labels

# The limit on the solver's conflicts makes results independent of the machine's speed. The time limit is a last resort.
BUDGET = Budget(timeout_s=60.0, conflicts=100_000)
UNDONE = "+"  # the id of a commitment whose retraction is undone; no query has this id
_SET_ASIDE = "set_aside"

Labels = Mapping[str, str]


class LabelScorer:
    """Scores the turns of one case under one method, by the case's formulas. Turns must come in order, from the first.

    `budget` limits each solver call. If `written` is true, a model wrote the formulas, and scores say which labels the
    formulas prove.
    """

    def __init__(self, case: Case, budget: Budget = BUDGET, *, written: bool = False) -> None:
        self._case = case
        self._written = written
        self._budget = budget
        self._queries = {query.id: query for query in case.queries}
        self._asked: dict[str, None] = {}  # the ids of the queries in the order of asking
        self._first: dict[str, str] = {}
        self._kept: dict[str, Formula] = {}  # commitments as first delivered, without those that had a conflict
        self._retracted: dict[str, str] = {}

    @cached_property
    def _engine(self) -> Engine:
        """An engine in which the premises hold."""
        return self._case.make_engine(self._case.variables, (*self._case.laws, *self._case.theory.values()))

    def score(self, record: LabelsRecord, *, last: bool, differ: bool | None = None) -> LabelScore:
        """Return the score of the next turn. The `last` turn also gets the score of the whole case.

        `differ` is copied into the score.
        """
        self._asked.update(dict.fromkeys(record.detail.asked))
        for id, label in first_labels(record).items():
            self._first.setdefault(id, label)
        for event in record.events:
            if event.kind == _SET_ASIDE and event.type is not None:
                self._retracted[event.id] = event.type
        return LabelScore(
            gold={id: self._queries[id].label.value for id in record.detail.asked},
            prefix=self._prefix(record),
            clash=tuple(self._clash(id, record.detail.labels) for id in record.detail.asked),
            differ=differ,
            whole=self._whole(record) if last else None,
            formulas=self.formulas,
            proved={id: self._proved(id) for id in record.detail.asked if self._queries[id].formula is not None}
            if self._written
            else {},
        )

    @property
    def formulas(self) -> FormulaSource:
        """The source of the formulas."""
        case = self._case
        if not case.laws and not case.theory and all(query.formula is None for query in case.queries):
            return "none"
        if self._written:
            return "model"
        return "file" if case.instance is None else "gold"

    def _proved(self, id: str) -> str | None:
        """Return the label that the model's formulas of premises and query prove, or None if that is not known."""
        formula = self._queries[id].formula
        found = None if formula is None else label_of(self._engine, {}, formula, self._budget)
        return found.value if isinstance(found, Label) else None

    def _prefix(self, record: LabelsRecord) -> tuple[bool | None, ...]:
        """Return, for each query of the turn, whether all commitments up to this query can hold."""
        upto: dict[str, Formula] = {}
        found: dict[str, bool | None] = {}
        possible: bool | None = None
        for id in self._asked:
            upto.update(self._committed([id], record.detail.labels))
            # If a set of commitments is impossible, every larger set is impossible too.
            if id in record.detail.asked and possible is not False:
                possible = self._possible(upto)
            found[id] = None if self._queries[id].formula is None else possible
        return tuple(found[id] for id in record.detail.asked)

    def _clash(self, id: str, labels: Labels) -> bool | None:
        if self._queries[id].formula is None:
            return None
        new = self._committed([id], labels)
        if not new:
            return False
        possible = self._possible({**self._kept, **new})
        if possible:
            self._kept.update(new)
        return None if possible is None else not possible

    def _whole(self, record: LabelsRecord) -> SetScore:
        labels = record.detail.labels
        committed = self._committed(self._asked, labels)
        formal = [id for id in self._asked if self._queries[id].formula is not None]
        consistent = self._possible(committed) if formal else None
        return SetScore(
            consistent=consistent,
            epistemic=self._epistemic(committed, formal, labels) if consistent else consistent,
            revision_cost=0 if consistent else self._revision_cost(committed, consistent),
            of=len(formal),
            edits=sum(labels.get(id) != label for id, label in self._first.items()),
            needless=self._needless(committed, record),
            opposed=self._opposed(),
        )

    def _epistemic(self, committed: Soft, formal: Iterable[str], labels: Labels) -> bool | None:
        """Return whether consistent commitments leave every UNKNOWN statement open, or None if that is undecided."""
        result: bool | None = True
        for id in formal:
            statement = self._queries[id].formula
            if statement is None or labels.get(id) != Label.UNKNOWN:
                continue
            for side in (statement, statement.negation):
                possible = self._possible({**committed, id: side})
                if possible is False:
                    return False
                if possible is None:
                    result = None
        return result

    def _revision_cost(self, committed: Soft, consistent: bool | None) -> int | None:
        if consistent is None:
            return None
        found = minimum_mcs(self._engine, committed, self._budget)
        return found.cost if isinstance(found, MinimumMcs) else None

    def _needless(self, committed: Soft, record: LabelsRecord) -> int:
        """Return the number of retractions, of those still in effect, that could be undone one at a time."""
        count = 0
        for id, label in self._retracted.items():
            stands = id not in record.holds and record.detail.labels.get(id) != label
            for formula in self._committed([id], {id: label}).values() if stands else ():
                count += self._possible({**committed, UNDONE: formula}) is True
        return count

    def _opposed(self) -> bool | None:
        """Return whether two first labels commit to a statement and to its negation, even without any premises."""
        engine: Engine | None = None
        result: bool | None = False
        for one, other in combinations(self._committed(self._asked, self._first).values(), 2):
            if one.variables != other.variables:
                continue
            engine = engine or self._case.make_engine(self._case.variables)
            found = equivalent(engine, one, other.negation, self._budget)
            if isinstance(found, Equivalent):
                return True
            if isinstance(found, Unknown):
                result = None
        return result

    def _committed(self, ids: Iterable[str], labels: Labels) -> dict[str, Formula]:
        """Return the formulas that the labels of these queries commit to, by the ids of the queries."""
        found: dict[str, Formula] = {}
        for id in ids:
            statement = self._queries[id].formula
            formula = None if statement is None else commitment(statement, labels.get(id))
            if formula is not None:
                found[id] = formula
        return found

    def _possible(self, soft: Soft) -> bool | None:
        """Return whether all of `soft` can hold with the premises, or None if that is undecided."""
        found = self._engine.decide(soft, self._budget)
        return None if isinstance(found, Unknown) else isinstance(found, Satisfiable)
