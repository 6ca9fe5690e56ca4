"""Verify one answer against a ledger: the status of both, the triggers, and exactly what is broken."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.budget import Budget, Deadline
from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.evaluate import Values
from holdtrue.logic.formula import Formula
from holdtrue.logic.sorts import within
from holdtrue.record import AnswerStatus, Satisfiability, Trigger, VerdictRecord
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.explain.violated_commitments import Evaluation, violated_partial
from holdtrue.solving.result import BackgroundConflict, Core, Mus, Satisfiable, Unknown, Violated
from holdtrue.world.answer import Answer, Assignment, Unparsed
from holdtrue.world.world import World


@dataclass(frozen=True, slots=True)
class Finding:
    """A `Finding` tells what was found about an answer alone; if `conflict`, no completion of it keeps the ledger."""

    status: AnswerStatus
    conflict: bool = False
    violated: tuple[str, ...] = ()
    blame: tuple[str, ...] = ()
    background: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    reason: str | None = None


class Verifier:
    """Verifies the answers of one conversation; solver work is kept between turns.

    Complete answers are judged by direct evaluation; the solver is asked about ledgers, about answers that
    leave values open, and for explanations. The budget is for all questions about one answer together.
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
        """Return the verdict on `answer`; `nothing_read` says that no constraint could be extracted from this turn.

        `budget` replaces the verifier's own for this verdict.
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
        """Return how the answer stands to the ledger, whether or not the ledger is satisfiable."""
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
        """Values are missing: the question is whether some values for them fit."""
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
        """No commitment is broken on its own: those that the answer makes impossible together."""
        found = mus(self.engine, ledger.soft, self.budget.until(deadline), fixed=answer.values)
        return found.ids if isinstance(found, Mus | Core) else ()

    def _background(self, answer: Assignment) -> tuple[str, ...]:
        """The domain's own laws that the answer breaks, in words."""
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
        """Return whether the values settle the formula, and it is false."""
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
        # Out of time before the first step: all commitments together are a core all the same.
        return Satisfiability.UNSAT, found if isinstance(found, Mus | Core) else Core(tuple(ledger.soft)), None


def _triggers(ledger: Satisfiability, finding: Finding, nothing_read: bool) -> tuple[Trigger, ...]:
    triggers = [Trigger.CONSTRAINT_EXTRACTION_FAILED] if nothing_read else []
    if ledger is Satisfiability.UNSAT:
        triggers.append(Trigger.UNSAT_LEDGER)
    else:  # also where nobody knows whether the ledger can be kept: what is wrong with the answer is wrong all the same
        # By identity: each look-up of a member in a table costs a call of Python's own, and this is in every verdict.
        if finding.status is AnswerStatus.UNPARSED:
            triggers.append(Trigger.ANSWER_PARSE_FAILED)
        if finding.status is AnswerStatus.REFUSED:
            triggers.append(Trigger.ANSWER_REFUSED)
        if finding.status is AnswerStatus.INCOMPLETE:
            triggers.append(Trigger.INCOMPLETE_ASSIGNMENT)
        if finding.conflict:
            triggers.append(Trigger.ANSWER_LEDGER_CONFLICT)
    return tuple(triggers)
