"""The loop that every method configures: answer, check, feed back, fall back.

Source: DRIFT-Bench, algorithm 1. Settings can add three things to it: the failed answer, the broken commitments and the
projection.
"""

from __future__ import annotations

import json
import random
from contextlib import nullcontext
from dataclasses import dataclass, replace

from holdtrue.kinds.assignment.feedback import repair_signal
from holdtrue.kinds.assignment.method import Method
from holdtrue.kinds.assignment.prompts import AnswerPrompt, RepairSignal
from holdtrue.kinds.assignment.solver_answers import NoProjection, Projection, project, random_legal
from holdtrue.kinds.assignment.turn import Played, Turn
from holdtrue.language.asking import Asking, Prompt, ask_within_retries, most_voted
from holdtrue.language.judgements import CRITIQUE_SCHEMA, critique_request, find_problems, refine_request
from holdtrue.language.reading import Extraction, MessageContext, read_message
from holdtrue.language.retries import Retries, say
from holdtrue.ledger.ledger import Ledger, Proposal
from holdtrue.models.chat import Message
from holdtrue.record import (
    RETRIED,
    AnswerStatus,
    AttemptRecord,
    CallRecord,
    ReadingRecord,
    ReplyKind,
    VerdictRecord,
)
from holdtrue.solving.engine import solver_use
from holdtrue.verification.words import quote
from holdtrue.world.answer import Answer, Assignment, Unparsed


async def play(method: Method, turn: Turn) -> Played:
    """Play one turn under `method`. Raises the errors of the model."""
    loop = _Loop(method, turn)
    if method.answerer == "model":
        await loop.ask_until_satisfied()
    else:
        await loop.answer_without_model()
    return loop.finish()


def ask_first(turn: Turn, question: str) -> Played:
    """Deliver a question to the user instead of an answer. No model is asked, and the commitments stay as they are."""
    answer = Unparsed("no answer is given before the user says what was meant", AnswerStatus.UNDECIDED)
    attempt = AttemptRecord(1, "question", question, None, turn.verifier.verify(turn.ledger, answer))
    return Played(attempts=(attempt,), delivered=question, values=None, ledger=turn.ledger)


@dataclass(frozen=True, slots=True)
class _State:
    """A sample, and the state of the turn after it."""

    attempt: AttemptRecord
    answer: Answer
    ledger: Ledger
    nothing_read: bool

    @property
    def vote(self) -> frozenset[tuple[str, str | int]] | None:
        """Return the values that this sample votes for, or None if nothing could be read."""
        return None if not self.attempt.answer else frozenset(self.attempt.answer.items())


class _Loop:
    """A turn in progress: its attempts so far, and the current answer and ledger."""

    def __init__(self, method: Method, turn: Turn) -> None:
        self.method = method
        self.turn = turn
        self.asking = Asking(turn.model, turn.sampling)
        self.retries = Retries.of(method, turn.sampling)
        self.attempts: list[AttemptRecord] = []
        self.ledger = turn.ledger
        self.answer: Answer
        self.readings: tuple[ReadingRecord, ...] = ()
        self.nothing_read = turn.nothing_read
        self.extraction: list[CallRecord] = []
        self.measuring: list[CallRecord] = []
        self.projected = False
        self.nearest: bool | None = None
        self.withheld: str | None = None
        self.set_aside: tuple[str, ...] = ()

    @property
    def last(self) -> AttemptRecord:
        return self.attempts[-1]

    async def ask_until_satisfied(self) -> None:
        """Ask for an answer or samples, let the model refine it, then repair it while a configured trigger fires."""
        if self.method.samples > 1:
            await self._sample()
        else:
            await self._answer(None)
        await self._refine()
        for _ in range(self.method.repairs):
            if not self._failing():
                break
            last, feedback = self.last, self.method.feedback
            signal = repair_signal(
                feedback,
                self.turn,
                self.ledger,
                self.answer,
                last.text,
                last.verdict,
                quotes=self.retries.quotes,
            )
            await self._answer(signal)

    async def answer_without_model(self) -> None:
        """Answer for a control: with a random legal answer, or with the first witness of the ledger."""
        turn = self.turn
        if self.method.answerer == "solver_only":
            if turn.protocol != "stated":
                await self._read("")  # there is no answer yet to read together with the message
            projection = project(turn, self.ledger, None)
            values = None
            if isinstance(projection, Projection):
                values, self.set_aside = projection.values, projection.set_aside
            else:
                self.withheld = projection.reason
        else:
            key = f"{turn.sampling.seed}/{turn.number}/{turn.message}"
            rng = random.Random(key.encode("utf-8", "surrogatepass"))
            values = random_legal(turn.instance, turn.verifier.engine, turn.budget, rng)
        text = json.dumps({"solution": turn.instance.render_answer(values)} if values else {}, ensure_ascii=False)
        await self._record("answer", text)

    def finish(self) -> Played:
        """Apply the fallback if the answer still fails, and return the result."""
        failing = self.method.answerer == "model" and self._failing()
        if failing and self.method.fallback == "project":
            self._project()
        elif failing and self.method.fallback == "abstain":
            self.withheld = "the answer could not be mended"
        abstains = self.withheld is not None
        return Played(
            attempts=tuple(self.attempts),
            delivered=None if abstains else self.last.text,
            instead=self._abstention() if abstains else "",
            withheld=self.withheld,
            values=self.answer.values if isinstance(self.answer, Assignment) and not abstains else None,
            ledger=self.ledger,
            extraction=tuple(self.extraction),
            measuring=tuple(self.measuring),
            projected=self.projected,
            nearest=self.nearest,
            set_aside=self.set_aside,
        )

    def _failing(self) -> bool:
        return any(code in self.method.triggers for code in self.last.verdict.triggers)

    async def _sample(self) -> None:
        """Draw answers and keep the most frequent one, or the earlier of equals (Wang et al. 2023, section 2)."""
        states: list[_State] = []
        for number in range(self.method.samples):
            await self._answer(None, sample=number)
            states.append(_State(self.last, self.answer, self.ledger, self.nothing_read))
        vote, given = most_voted(state.vote for state in states)
        winner = next(state for state in states if state.vote == vote) if given else states[0]
        self.answer, self.ledger = winner.answer, winner.ledger
        self.readings, self.nothing_read = winner.attempt.readings, winner.nothing_read
        self._append("vote", winner.attempt.text, winner.attempt.verdict)

    async def _refine(self) -> None:
        """Let the model criticize and mend its answer until it finds no fault (Madaan et al. 2023, section 2).

        A refusal cannot be criticized. If the model refuses to criticize, the answer counts as faultless.
        """
        for _ in range(self.method.refinements):
            prompt, before = self._prompt(), self.last
            if before.verdict.answer is AnswerStatus.REFUSED:
                return
            asked = critique_request(prompt, before.text)
            draw = self.retries.draw(len(self.attempts))
            found = find_problems(
                await self.asking.send(
                    "critique", asked, CRITIQUE_SCHEMA, temperature=self.method.temperature, sample=draw
                )
            )
            if not found:
                # The calls of the critique count for the answer that it was about.
                self.attempts[-1] = replace(before, calls=(*before.calls, *self.asking.take_calls()))
                return
            again = self._again(quoted=True)
            await self._answer_to("refine", say(refine_request(prompt, before.text, found), again))

    async def _answer(self, signal: RepairSignal | None, sample: int = 0) -> None:
        kind = "repair" if signal else "sample" if self.method.samples > 1 else "answer"
        again = self._again(quoted=signal.answer is not None) if signal else ""
        await self._answer_to(kind, say(self._prompt(signal), again), sample)

    async def _answer_to(self, kind: str, prompt: Prompt, sample: int = 0) -> None:
        """Ask once, and again within the limits of the method if the text was cut or could not be read."""
        method, instance = self.method, self.turn.instance
        # A frame that reasons in prose first cannot follow a schema.
        schema = None if method.frame == "cot" else instance.answer_schema()

        async def attempt(kind: str, messages: Prompt) -> ReplyKind:
            draw = self.retries.draw(len(self.attempts), sample) if kind in RETRIED else sample
            asked = await self.asking.send(kind, messages, schema, temperature=method.temperature, sample=draw)
            await self._record(kind, asked.reply.text, asked.text)
            return asked.reply.kind

        def format_again(replied: ReplyKind) -> Prompt | None:
            # A refusal is not requested again in another format, and a draft in a cut text is not an answer.
            cut = replied is ReplyKind.CUT and isinstance(instance.read_answer(self.last.text), Unparsed)
            garbled = isinstance(self.answer, Unparsed) and (replied is ReplyKind.ANSWER or cut)
            return self._asked().format_retry(self.last.text, self._again(quoted=True)) if garbled else None

        await ask_within_retries(
            attempt,
            kind,
            prompt,
            format_again,
            truncations=method.truncation_retries,
            formats=method.format_retries,
            again=lambda: self._again(quoted=False),
            truncated=self._asked().truncation_retry,
        )

    def _again(self, *, quoted: bool) -> str:
        """Return the sentence about earlier attempts. `quoted` says whether the next prompt shows the last answer."""
        return self.retries.after(self.attempts, self.last if quoted else None)

    def _prompt(self, signal: RepairSignal | None = None) -> tuple[Message, ...]:
        """Return the chat that asks for this turn's answer, with a repair signal after a failed check."""
        return self._asked(signal).messages()

    def _asked(self, signal: RepairSignal | None = None) -> AnswerPrompt:
        method, turn = self.method, self.turn
        shown = turn.quoted_ledger(method.ledger_tokens, method.ledger_part) if method.ledger else None
        return AnswerPrompt(turn.instance, method.frame, turn.protocol, turn.history, turn.message, shown, signal)

    async def _record(self, kind: str, text: str, said: str | Unparsed | None = None) -> None:
        """Record an attempt with this text. `said` is the readable part of it, by default all."""
        turn, said = self.turn, text if said is None else said
        self.answer = turn.instance.read_answer(said) if isinstance(said, str) else said
        if turn.protocol != "stated" and self.method.answerer != "solver_only":
            await self._read(said if isinstance(said, str) else "")
        self._append(kind, text, self._verify())

    def _verify(self) -> VerdictRecord:
        """Return the verdict on the answer. Solver work counts as a cost only if the method uses verdicts."""
        with nullcontext() if self.method.checks else solver_use():
            return self.turn.verifier.verify(self.ledger, self.answer, nothing_read=self.nothing_read)

    async def _read(self, answer: str) -> None:
        """Read the answer together with the message, as in DRIFT-Bench: every attempt then makes a new ledger."""
        turn = self.turn
        context = MessageContext(turn.number, answer=answer)
        extraction = await read_message(turn.extractor, turn.instance, turn.message, context)
        (self.extraction if self.method.uses_readings else self.measuring).extend(extraction.calls)
        self.ledger = _committed(turn, extraction)
        self.readings = tuple(reading.record() for reading in extraction.readings)
        self.nothing_read = not extraction.stated

    def _append(self, kind: str, text: str, verdict: VerdictRecord) -> None:
        """Record an attempt with the calls since the last one."""
        shown = self.answer.shown(self.turn.instance.variables) if isinstance(self.answer, Assignment) else None
        calls = self.asking.take_calls()
        self.attempts.append(AttemptRecord(len(self.attempts) + 1, kind, text, shown, verdict, calls, self.readings))

    def _project(self) -> None:
        """Replace the last answer, which is broken, by the nearest valid one, or deliver none."""
        turn = self.turn
        target = self.answer.values if isinstance(self.answer, Assignment) and self.answer.values else turn.last
        projection = project(turn, self.ledger, target, self.method.distance)
        if isinstance(projection, NoProjection):
            self.withheld = f"no valid answer was found: {projection.reason}"
            return
        self.answer = Assignment(projection.values)
        self.projected, self.nearest, self.set_aside = True, projection.optimal, projection.set_aside
        text = json.dumps({"solution": turn.instance.render_answer(projection.values)}, ensure_ascii=False)
        self._append("fallback", text, self._verify())

    def _abstention(self) -> str:
        """Return the text for the history if no answer is given: the commitments that an answer would have to keep."""
        verdict = self.last.verdict
        quoted = quote(self.ledger.active, verdict.mus or verdict.violated or verdict.blame)
        return "No answer was given. " + (f"It would have to keep: {'; '.join(quoted)}." if quoted else "")


def _committed(turn: Turn, extraction: Extraction) -> Ledger:
    """Return the ledger before the turn with the constraints of this attempt's extraction, as in DRIFT-Bench."""
    ledger = turn.before.fork()
    for constraint, reading in extraction.stated:
        proposal = Proposal(constraint, confidence=reading.confidence)
        ledger.enter(ledger.draft(proposal, turn.number), turn.number)
    return ledger
