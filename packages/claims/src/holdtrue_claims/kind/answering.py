"""One turn about a question: its inputs, and the steps that all strategies share.

The steps ask for an answer, read it, check it and record it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace

from holdtrue.budget import Budget
from holdtrue.language.asking import Asking, ModelReply, Prompt, Schema
from holdtrue.language.retries import Retries
from holdtrue.record import AnswerStatus, CallRecord, Satisfiability, Trigger, VerdictRecord
from holdtrue.solving.engine import solver_use
from holdtrue.world.answer import Unparsed
from holdtrue_claims.claim_record import CheckRecord, ClaimVerdict, ContextRecord, JointVerdict
from holdtrue_claims.kind.acceptance import claim_score, open_claims, read_verdict
from holdtrue_claims.kind.calibration import Calibrations
from holdtrue_claims.kind.checking import check_answer
from holdtrue_claims.kind.method import ClaimMethod
from holdtrue_claims.kind.premises import Premises
from holdtrue_claims.kind.prompts.questions import Answer, ClaimSignal, QuestionPrompt, read_answer
from holdtrue_claims.kind.record import ClaimAttempt, ProgramRecord
from holdtrue_claims.kind.settings import CheckSettings


class Answering:
    """An `Answering` runs the steps of one turn. Each answer adds to `attempts`, and the last attempt is delivered."""

    def __init__(self, method: ClaimMethod, turn: ClaimTurn) -> None:
        self.method = method
        self.turn = turn
        self.retries = Retries.of(method, turn.asking.sampling)
        self.premises = turn.premises
        """The premises of the turn, with the names that checked answers added."""
        self.attempts: list[ClaimAttempt] = []
        self.answers: list[Answer] = []
        """The answer of each attempt."""
        self.measuring: list[CallRecord] = []

    def prompt(self, signal: ClaimSignal | None = None) -> QuestionPrompt:
        """Return the prompt that asks the question; after a failed check it contains the feedback of `signal`."""
        turn = self.turn
        return QuestionPrompt(
            self.method.frame,
            turn.context,
            turn.question,
            turn.options,
            turn.history,
            turn.taken_back,
            self.answers[-1].text if signal is not None else "",
            signal,
        )

    def again(self, *, quoted: bool) -> str:
        """Return the text about earlier attempts for the next prompt. If `quoted`, the prompt shows the last answer."""
        return self.retries.after(self.attempts, self.attempts[-1] if quoted else None)

    async def send(
        self, purpose: str, messages: Prompt, schema: Schema, sample: int, temperature: float | None = None
    ) -> ModelReply:
        """Ask the model and return its reply. The method and the run set the sampling; `temperature` overrides it."""
        own = self.method.temperature if temperature is None else temperature
        return await self.turn.asking.send(purpose, messages, schema, temperature=own, sample=sample)

    async def answer(self, kind: str, messages: Prompt | None = None, sample: int = 0) -> None:
        """Ask for an answer, and record it as an attempt with all calls since the last attempt."""
        prompt = self.prompt()
        asked = await self.send("answer", messages or prompt.messages(), prompt.schema(), sample)
        if isinstance(asked.text, Unparsed):
            self.take(kind, asked.reply.text, Answer("", none=asked.text))
        else:
            self.take(kind, asked.text, read_answer(asked.text, self.turn.options, self.turn.statement))

    def take(self, kind: str, text: str, answer: Answer, program: ProgramRecord | None = None) -> None:
        """Record an unchecked answer as an attempt, with the calls since the last attempt."""
        self.answers.append(answer)
        with self._aside() if self.method.answerer == "model" else nullcontext():
            context = self.context
        self.attempts.append(
            ClaimAttempt(
                attempt=len(self.attempts) + 1,
                kind=kind,
                text=text,
                answer={"option": answer.option} if answer.option is not None else None,
                verdict=claim_verdict(None, context, self.method.check, answer.none),
                calls=self._taken(),
                program=program,
            )
        )

    async def check(self) -> CheckRecord | None:
        """Check the claims of the last answer and return the result, or None if there is nothing to test.

        Under the strategy `verge` the calls of the check belong to the attempt, otherwise to the measurement.
        """
        turn, answer, last = self.turn, self.answers[-1], self.attempts[-1]
        if self.premises is None or answer.none is not None:
            return None
        with self._aside():
            checked = await check_answer(
                turn.asking,
                self.premises,
                self.method.check,
                answer.text,
                question=turn.question,
                option=answer.option,
                formalizers=turn.formalizers,
                judge=turn.judge,
                calibrations=turn.calibrations,
                author=turn.asking.model.name if self.method.answerer == "model" else None,
            )
        found, self.premises = checked.record, checked.premises
        calls = self._taken()
        if self.method.strategy != "verge":
            self.measuring += calls
            calls = ()
        verdict = claim_verdict(found, self.context, self.method.check)
        self.attempts[-1] = replace(last, verdict=verdict, check=found, calls=(*last.calls, *calls))
        return found

    @property
    def may_ask(self) -> bool:
        """Return whether the token limit of the turn allows another answer. The first answer is always allowed."""
        most = self.method.turn_tokens
        return most is None or sum(call.usage.tokens for own in self.attempts for call in own.calls) < most

    def keep_calls(self) -> None:
        """Add the calls since the last attempt to that attempt."""
        last = self.attempts[-1]
        self.attempts[-1] = replace(last, calls=(*last.calls, *self._taken()))

    def give_again(self, place: int) -> None:
        """Deliver the attempt with this index. If it is not the last one, it is recorded again at the end."""
        if place < len(self.attempts) - 1:
            again = replace(self.attempts[place], attempt=len(self.attempts) + 1, kind="best", calls=())
            self.attempts.append(again)
            self.answers.append(self.answers[place])

    def finish(self) -> ClaimPlayed:
        # A reply that is no answer is delivered verbatim, so that the reader sees it.
        delivered = self.attempts[-1].text if self.answers[-1].none is not None else self.answers[-1].text
        return ClaimPlayed(tuple(self.attempts), delivered, tuple(self.measuring), self.premises)

    @property
    def context(self) -> ContextRecord | None:
        """Return the record of the premises."""
        return None if self.premises is None else self.premises.record

    def _aside(self) -> AbstractContextManager[object]:
        """Return a separate solver count for a check that only measures, because the method does not pay for it."""
        return nullcontext() if self.method.strategy == "verge" else solver_use()

    def _taken(self) -> tuple[CallRecord, ...]:
        """Return the calls of all models since the last call of this function."""
        judge = self.turn.judge or self.turn.asking
        askings = {id(each): each for each in (self.turn.asking, *self.turn.formalizers, judge)}
        return tuple(record for each in askings.values() for record in each.take_calls())


NOT_CHECKED = "the answer was not checked"
_BASIS = {"consistent": Satisfiability.SAT, "inconsistent": Satisfiability.UNSAT, "unknown": Satisfiability.UNKNOWN}
_TRIGGERS = {
    AnswerStatus.UNPARSED: Trigger.ANSWER_PARSE_FAILED,
    AnswerStatus.REFUSED: Trigger.ANSWER_REFUSED,
    AnswerStatus.VIOLATING: Trigger.ANSWER_LEDGER_CONFLICT,
}


def claim_verdict(
    check: CheckRecord | None, context: ContextRecord | None, settings: CheckSettings, none: Unparsed | None = None
) -> VerdictRecord:
    """Return the verdict on an answer: undecided if it was not checked, or the status of `none` if there is no answer.

    `refuted` names claims that are contradictory by themselves. `mus` names premises and claims that clash together, or
    premises alone if these are inconsistent.
    """
    ledger = _BASIS[context.status] if context is not None else Satisfiability.UNKNOWN
    refuted: tuple[str, ...] = ()
    mus: tuple[str, ...] | None = None
    reason: str | None
    minimal = True
    if none is not None:
        answer, reason = none.status, none.reason
    elif check is None or context is None:
        answer, reason = AnswerStatus.UNDECIDED, NOT_CHECKED
    else:
        refuted = tuple(claim.id for claim in check.claims if claim.verdict == ClaimVerdict.CONTRADICTORY)
        answer, reason = _status(check, ledger, refuted, settings)
        if ledger is Satisfiability.UNSAT:
            refuted, mus, minimal = (), context.conflict, context.minimal
        elif check.joint.verdict == JointVerdict.CONFLICT:
            mus, minimal = check.joint.conflict, check.joint.minimal
    codes = [Trigger.UNSAT_LEDGER] if ledger is Satisfiability.UNSAT else []
    codes += [_TRIGGERS[answer]] if answer in _TRIGGERS else []
    return VerdictRecord(ledger, answer, tuple(codes), refuted=refuted, mus=mus, mus_minimal=minimal, reason=reason)


def _status(
    check: CheckRecord, ledger: Satisfiability, refuted: tuple[str, ...], settings: CheckSettings
) -> tuple[AnswerStatus, str | None]:
    """Return the status of the answer, and the reason if it is undecided."""
    if not check.claims:
        return AnswerStatus.UNPARSED, None
    if ledger is not Satisfiability.SAT:
        return AnswerStatus.UNDECIDED, "what was said cannot all hold, or nothing could be found out about it in time"
    # A clash of bridging axioms with premises, or with each other, is no fault of a claim.
    to_blame = {claim.id for claim in check.claims} & set(check.joint.conflict)
    if refuted or (check.joint.verdict == JointVerdict.CONFLICT and to_blame):
        return AnswerStatus.VIOLATING, None
    if check.joint.verdict != JointVerdict.CONSISTENT:
        return AnswerStatus.UNDECIDED, check.joint.reason or "whether the claims can all hold is not known"
    still_open = open_claims(check, possible=False)
    if still_open:
        return AnswerStatus.UNDECIDED, "; ".join(still_open)
    known = [verdict for claim in check.claims if (verdict := read_verdict(claim.verdict)) != ClaimVerdict.UNKNOWN]
    # If the score would suffice without the undecided claims, the answer is undecided.
    enough = not known or claim_score(known, settings.weights).score >= settings.least_score
    if check.score < settings.least_score and enough and len(known) < len(check.claims):
        return AnswerStatus.UNDECIDED, "some claims could not be decided in time"
    if check.clipped and check.accept == "judged":
        return AnswerStatus.UNDECIDED, "the answer states more than was tested"
    return AnswerStatus.RESPECTING, None


@dataclass(frozen=True, slots=True)
class ClaimTurn:
    """A `ClaimTurn` is one question as a claim method sees it.

    Attributes:
        asking: Asks the model.
        context: The sentences that the prompt shows.
        question: The question.
        options: The options by letter; empty for an open question.
        premises: The premises that claims are tested against; None if nothing is tested or measured.
        statement: The statement that the options judge, if they are true, false and unknown.
        history: Earlier messages, with the answers that were delivered.
        taken_back: Sentences of these messages that the user has withdrawn.
        given_answer: The existing answer that the answerer `given` delivers.
        measure: Also check the answer of a method that checks nothing itself.
        formalizers: Models that take turns to write sample formulas. By default the answering model writes them.
        judge: Asks the model that judges; if it is None, the answering model judges.
        budget: The limit of each question to a solver about a program that the model writes as its answer.
        calibrations: How often judges are right.
    """

    asking: Asking
    context: tuple[str, ...]
    question: str
    options: Mapping[str, str]
    premises: Premises | None
    statement: str | None = None
    history: tuple[tuple[str, str], ...] = ()
    taken_back: tuple[str, ...] = ()
    given_answer: Answer | None = None
    measure: bool = True
    formalizers: tuple[Asking, ...] = ()
    judge: Asking | None = None
    budget: Budget = field(default_factory=Budget)
    calibrations: Calibrations = field(default_factory=Calibrations)


@dataclass(frozen=True, slots=True)
class ClaimPlayed:
    """`ClaimPlayed` is the result of a turn: its attempts, of which the last is delivered, and the calls that only
    measured.

    `premises` are those of the turn, with the names that checked answers added.
    """

    attempts: tuple[ClaimAttempt, ...]
    delivered: str
    measuring: tuple[CallRecord, ...] = ()
    premises: Premises | None = None
