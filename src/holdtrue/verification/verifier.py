"""Verify one answer against a ledger: the verdicts on both, the triggers, and the commitments that are broken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.budget import Budget, Deadline
from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.evaluate import Values
from holdtrue.logic.formula import Formula
from holdtrue.logic.sorts import within
from holdtrue.record import AnswerStatus, Satisfiability, Trigger, VerdictRecord
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import BackgroundConflict, Core, Id, Mus, Satisfiable, Unknown, Violated
from holdtrue.world.answer import Answer, Assignment, Unparsed
from holdtrue.world.world import World


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on an answer alone. If `conflict` is true, no completion of the answer keeps the ledger."""

    status: AnswerStatus
    conflict: bool = False
    violated: tuple[str, ...] = ()
    blame: tuple[str, ...] = ()
    background: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    reason: str | None = None


class Verifier:
    """A `Verifier` judges the answers of one conversation, and keeps solver work between turns.

    Complete answers are judged by direct evaluation. The solver is asked about ledgers, about partial answers, and for
    explanations. The budget is for all questions about one answer together.
    """

    def __init__(self, instance: World, engine: Engine, budget: Budget) -> None:
        self.instance = instance
        self.engine = engine
        self.budget = budget
        self._evaluation = Evaluation()
        self._laws = [(axiom.formula.holds, axiom) for axiom in instance.axioms]
        self._ranges = [(name, within(variable.sort)) for name, variable in instance.variables.items()]

    def verify(
        self, ledger: Ledger, answer: Answer, *, nothing_read: bool = False, budget: Budget | None = None
    ) -> VerdictRecord:
        """Return the verdict on `answer`. `nothing_read` means that no constraint could be extracted from this turn.

        `budget` replaces the verifier's budget for this verdict.
        """
        deadline = (budget or self.budget).start()
        found = self.judge(ledger, answer, deadline)
        if found.status is AnswerStatus.RESPECTING:
            status, core, reason = Satisfiability.SAT, None, None  # the answer itself is the witness
        else:
            status, core, reason = self._ledger_status(ledger, deadline)
        return VerdictRecord(
            basis=status,
            answer=found.status,
            triggers=_triggers(status, found, nothing_read),
            violated=found.violated,
            blame=found.blame if status is Satisfiability.SAT else (),
            background=found.background,
            missing=found.missing,
            mus=None if core is None else core.ids,
            mus_minimal=not isinstance(core, Core),
            reason=found.reason or reason,
        )

    def judge(self, ledger: Ledger, answer: Answer, deadline: Deadline | None = None) -> Finding:
        """Return the finding about the answer, whether or not the ledger is satisfiable."""
        if isinstance(answer, Unparsed):
            return Finding(answer.status, reason=answer.reason)
        if len(answer.values) == len(self._ranges) and not answer.foreign:
            return self._judge_complete(ledger, answer.values)
        return self._judge_partial(ledger, answer, self._background(answer), deadline or self.budget.start())

    def _judge_complete(self, ledger: Ledger, values: Values) -> Finding:
        violated = self._evaluation.broken(ledger.soft, values)
        broken_laws = self._out_of_range(values)
        broken_laws += [axiom.sentence for holds, axiom in self._laws if not holds(values)]
        if violated or broken_laws:
            return Finding(AnswerStatus.VIOLATING, True, violated, background=tuple(broken_laws))
        return Finding(AnswerStatus.RESPECTING)

    def _judge_partial(
        self, ledger: Ledger, answer: Assignment, broken_laws: tuple[str, ...], deadline: Deadline
    ) -> Finding:
        """Judge an answer that lacks values: can it be completed?"""
        missing = answer.missing(self.instance.variables, self.instance.required)
        complete_enough = AnswerStatus.INCOMPLETE if missing else None
        if broken_laws:
            violated = tuple(id for id, formula in ledger.soft.items() if self._breaks(formula, answer.values))
            status = complete_enough or AnswerStatus.VIOLATING
            return Finding(status, True, violated, background=broken_laws, missing=missing)
        result = self.engine.decide(ledger.soft, self.budget.until(deadline), fixed=answer.values)
        match result:
            case Satisfiable():
                return Finding(complete_enough or AnswerStatus.RESPECTING, missing=missing)
            case Unknown(reason):
                return Finding(complete_enough or AnswerStatus.UNDECIDED, missing=missing, reason=reason)
        status = complete_enough or AnswerStatus.VIOLATING
        broken = violated_partial(self.engine, ledger.soft, answer.values, self.budget.until(deadline))
        if isinstance(broken, Core):
            values = ", ".join(id.removeprefix("=") for id in broken.ids)
            why = f"the values given to {values} exclude each other" if values else "the setting alone is impossible"
            return Finding(status, True, background=(why,), missing=missing)
        violated, open_ids = (
            (broken.ids, broken.undecided) if isinstance(broken, Violated) else ((), tuple(ledger.soft))
        )
        blame = () if violated else self._blame(ledger, answer, deadline)
        late = f"out of time on whether it breaks {', '.join(open_ids)} too" if open_ids else None
        return Finding(status, True, violated, blame, missing=missing, reason=late)

    def _blame(self, ledger: Ledger, answer: Assignment, deadline: Deadline) -> tuple[str, ...]:
        """Return commitments that the answer makes impossible together, although it breaks none by itself."""
        found = mus(self.engine, ledger.soft, self.budget.until(deadline), fixed=answer.values)
        return found.ids if isinstance(found, Mus | Core) else ()

    def _background(self, answer: Assignment) -> tuple[str, ...]:
        """Return the laws of the domain that the answer breaks, in words."""
        values = answer.values
        broken = [f"{name} is given {text!r}, which is no value of it" for name, text in answer.foreign.items()]
        broken += self._out_of_range(values)
        return (*broken, *(axiom.sentence for _, axiom in self._laws if self._breaks(axiom.formula, values)))

    def _out_of_range(self, values: Values) -> list[str]:
        return [
            f"{name} is {values[name]}, outside {self.instance.variables[name].sort}"
            for name, possible in self._ranges
            if name in values and values[name] not in possible
        ]

    def _breaks(self, formula: Formula, values: Values) -> bool:
        """Return whether the values decide that the formula is false."""
        return all(v.name in values for v in formula.variables) and not formula.holds(values)

    def _ledger_status(
        self, ledger: Ledger, deadline: Deadline
    ) -> tuple[Satisfiability, Mus | Core | None, str | None]:
        match self.engine.decide(ledger.soft, self.budget.until(deadline)):
            case Satisfiable():
                return Satisfiability.SAT, None, None
            case Unknown(reason):
                return Satisfiability.UNKNOWN, None, reason
        found = mus(self.engine, ledger.soft, self.budget.until(deadline))
        if isinstance(found, BackgroundConflict):
            return Satisfiability.UNSAT, Mus(()), "the setting alone is impossible, whatever was agreed"
        # If time ran out before the first step, all commitments together are still a core.
        return Satisfiability.UNSAT, found if isinstance(found, Mus | Core) else Core(tuple(ledger.soft)), None


def _triggers(ledger: Satisfiability, finding: Finding, nothing_read: bool) -> tuple[Trigger, ...]:
    triggers = [Trigger.CONSTRAINT_EXTRACTION_FAILED] if nothing_read else []
    if ledger is Satisfiability.UNSAT:
        triggers.append(Trigger.UNSAT_LEDGER)
    else:
        # An undecided ledger is no excuse, because a wrong answer is wrong in any case.
        # Comparing by identity is faster than a table of members, and every verdict runs this.
        if finding.status is AnswerStatus.UNPARSED:
            triggers.append(Trigger.ANSWER_PARSE_FAILED)
        if finding.status is AnswerStatus.REFUSED:
            triggers.append(Trigger.ANSWER_REFUSED)
        if finding.status is AnswerStatus.INCOMPLETE:
            triggers.append(Trigger.INCOMPLETE_ASSIGNMENT)
        if finding.conflict:
            triggers.append(Trigger.ANSWER_LEDGER_CONFLICT)
    return tuple(triggers)


def violated(soft: Soft, values: Values) -> tuple[Id, ...]:
    """Return the ids of the formulas that a complete assignment breaks (V_t). Raises `KeyError` for a missing value."""
    return tuple([id for id, formula in soft.items() if not formula.holds(values)])


def violated_partial(engine: Engine, soft: Soft, fixed: Mapping[str, int], budget: Budget) -> Violated | Core | Unknown:
    """Return the ids that no completion of the `fixed` values can satisfy, each by itself with the background.

    Returns a `Core` of fixed ids if the values break the background by themselves. Then every commitment would count as
    broken, although none is to blame. An empty `Violated` does not prove that a completion exists, since possible
    commitments may be impossible together. For that, call `mus` with `fixed`.
    """
    deadline = budget.start()
    by_themselves = engine.check({}, budget, fixed=fixed)
    if not isinstance(by_themselves, Satisfiable):
        return by_themselves
    if isinstance(engine.check(soft, budget.until(deadline), fixed=fixed), Satisfiable):
        return Violated(())
    broken, undecided = [], []
    for id, formula in soft.items():
        result = engine.check({id: formula}, budget.until(deadline), fixed=fixed)
        if isinstance(result, Core):
            broken.append(id)
        elif isinstance(result, Unknown):
            undecided.append(id)
    return Violated(tuple(broken), tuple(undecided))


ALL_BELOW = 64
"""For fewer formulas, evaluating all of them is faster than finding out which ones changed."""


class Evaluation:
    """An `Evaluation` finds the broken formulas of a growing theory under one assignment after another.

    Answers mostly repeat earlier ones. So only new formulas, and those about changed values, are evaluated.
    """

    def __init__(self) -> None:
        self._ids: list[Id] = []
        self._formulas: list[Formula] = []
        self._about: dict[str, list[int]] = {}
        self._values: Values | None = None
        self._broken: set[int] = set()

    def broken(self, theory: Mapping[Id, Formula], values: Values) -> tuple[Id, ...]:
        """Return the ids of the formulas that a complete assignment breaks. Raises `KeyError` for a missing value."""
        if len(theory) < ALL_BELOW:
            return violated(theory, values)
        due = self._follow(theory)
        before = self._values
        # If a name is missing and their number is the same, another name is new. Then all formulas are evaluated.
        changed = [name for name, value in values.items() if before is None or before.get(name) != value]
        if before is None or len(values) != len(before) or not all(name in before for name in changed):
            due = set(range(len(self._formulas)))
        else:
            for name in changed:
                due.update(self._about.get(name, ()))
        self._values = None  # until all formulas are evaluated, in case a value is missing
        for place in due:
            (self._broken.discard if self._formulas[place].holds(values) else self._broken.add)(place)
        self._values = dict(values)
        return tuple([self._ids[place] for place in sorted(self._broken)])

    def _follow(self, theory: Mapping[Id, Formula]) -> set[int]:
        """Take in the new formulas, or all if earlier ones changed. Return the places of those not yet evaluated."""
        ids, formulas = list(theory), list(theory.values())
        known = len(self._formulas)
        if ids[:known] != self._ids or formulas[:known] != self._formulas:
            self._about, self._broken, self._values, known = {}, set(), None, 0
        self._ids, self._formulas = ids, formulas
        for place in range(known, len(formulas)):
            for variable in formulas[place].variables:
                self._about.setdefault(variable.name, []).append(place)
        return set(range(known, len(formulas)))
