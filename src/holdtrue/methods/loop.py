"""The one loop that every method is a configuration of: answer, check, feed back, fall back.

Source: DRIFT-Bench, algorithm 1, with the failed answer, the broken commitments and the projection added as
settings.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

from holdtrue.domains.answer import Answer, Assignment, render_answer
from holdtrue.domains.reader import read_answer
from holdtrue.domains.schema import answer_schema
from holdtrue.language.frames import AnswerPrompt, RepairSignal, format_retry, truncation_retry
from holdtrue.language.reading import Extraction
from holdtrue.ledger.commitment import Proposal
from holdtrue.ledger.ledger import Ledger
from holdtrue.methods.controls import random_legal
from holdtrue.methods.feedback import repair_signal
from holdtrue.methods.method import Method
from holdtrue.methods.projection import project
from holdtrue.methods.turn import Played, Turn
from holdtrue.models.chat import Message, Request, call
from holdtrue.record import AttemptRecord, CallRecord, ReadingRecord, VerdictRecord
from holdtrue.verification.words import quote

CHARS_PER_TOKEN = 4  # a rough measure, good enough to bound a prompt


async def play(method: Method, turn: Turn) -> Played:
    """Play one turn by `method`; raises what the model raises."""
    game = _Game(method, turn)
    if method.answerer == "model":
        await game.ask_until_satisfied()
    else:
        await game.answer_without_model()
    return game.finish()


class _Game:
    """The attempts of one turn so far, and what the last one came to."""

    def __init__(self, method: Method, turn: Turn) -> None:
        self.method = method
        self.turn = turn
        self.attempts: list[AttemptRecord] = []
        self.ledger = turn.ledger
        self.answer: Answer
        self.readings: tuple[ReadingRecord, ...] = ()
        self.nothing_read = turn.nothing_read
        self.extraction: list[CallRecord] = []
        self.measuring: list[CallRecord] = []
        self.projected = False
        self.set_aside: tuple[str, ...] = ()

    @property
    def last(self) -> AttemptRecord:
        return self.attempts[-1]

    async def ask_until_satisfied(self) -> None:
        """First attempt, then repairs while a trigger that counts has fired."""
        await self._answer(None)
        for _ in range(self.method.repairs):
            if not self._failing():
                break
            last, feedback = self.last, self.method.feedback
            signal = repair_signal(feedback, self.turn, self.ledger, self.answer, last.text, last.verdict)
            await self._answer(signal)

    async def answer_without_model(self) -> None:
        """The controls: a random legal answer, or the first witness of the ledger."""
        turn = self.turn
        if self.method.answerer == "solver_only":
            if turn.protocol == "upstream":
                await self._read("")  # there is no answer yet that could be read beside the message
            projection = project(turn, self.ledger, None)
            values = projection.values if projection else None
            self.set_aside = projection.set_aside if projection else ()
        else:
            rng = random.Random(f"{turn.sampling.seed}/{turn.number}/{turn.message}")
            values = random_legal(turn.instance, turn.verifier.engine, turn.budget, rng)
        text = json.dumps({"solution": render_answer(turn.instance, values)} if values else {}, ensure_ascii=False)
        await self._record("answer", text, ())

    def finish(self) -> Played:
        """Fall back where the method says so, and hand over."""
        failing = self.method.answerer == "model" and self._failing()
        if failing and self.method.fallback == "project":
            self._project()
        abstains = failing and self.method.fallback == "abstain"
        return Played(
            attempts=tuple(self.attempts),
            delivered=None if abstains else self.last.text,
            instead=self._abstention() if abstains else "",
            values=self.answer.values if isinstance(self.answer, Assignment) and not abstains else None,
            ledger=self.ledger,
            extraction=tuple(self.extraction),
            measuring=tuple(self.measuring),
            projected=self.projected,
            set_aside=self.set_aside,
        )

    def _failing(self) -> bool:
        return any(code in self.method.triggers for code in self.last.verdict.triggers)

    async def _answer(self, signal: RepairSignal | None) -> None:
        """Ask once, and again within the retry policy where the text was clipped or could not be read."""
        turn, method = self.turn, self.method
        prompt = AnswerPrompt(
            turn.instance,
            method.frame,
            turn.protocol,
            turn.history,
            turn.message,
            self._shown_ledger() if method.ledger else None,
            signal,
        ).messages()
        finish = await self._ask("repair" if signal else "answer", prompt)
        for _ in range(method.truncation_retries):
            if finish != "length":
                break
            finish = await self._ask("truncation", truncation_retry(prompt))
        for _ in range(method.format_retries):
            if isinstance(self.answer, Assignment):
                break
            await self._ask("format", format_retry(self.last.text))

    async def _ask(self, kind: str, messages: Sequence[Message]) -> str:
        turn, sampling = self.turn, self.turn.sampling
        structured = sampling.structured and self.method.frame != "cot"
        request = Request(
            tuple(messages),
            purpose=kind,
            schema=answer_schema(turn.instance) if structured else None,
            temperature=sampling.temperature,
            seed=sampling.seed,
            max_tokens=sampling.max_tokens,
        )
        reply, record = await call(turn.model, request)
        await self._record(kind, reply.text, (record,))
        return reply.finish_reason

    async def _record(self, kind: str, text: str, calls: tuple[CallRecord, ...]) -> None:
        turn = self.turn
        self.answer = read_answer(turn.instance, text)
        if turn.protocol == "upstream" and self.method.answerer != "solver_only":
            await self._read(text)
        verdict = turn.verifier.verify(self.ledger, self.answer, nothing_read=self.nothing_read)
        self._append(kind, text, verdict, calls, self.readings)

    async def _read(self, answer: str) -> None:
        """The published way: every attempt is read together with the message, and makes its own ledger."""
        turn = self.turn
        extraction = await turn.extractor.read(turn.instance, turn.message, turn=turn.number, answer=answer)
        (self.extraction if self.method.uses_ledger else self.measuring).extend(extraction.calls)
        self.ledger = _committed(turn, extraction)
        self.readings = tuple(reading.record() for reading in extraction.readings)
        self.nothing_read = not extraction.stated

    def _append(
        self,
        kind: str,
        text: str,
        verdict: VerdictRecord,
        calls: tuple[CallRecord, ...] = (),
        readings: tuple[ReadingRecord, ...] = (),
    ) -> None:
        shown = self.answer.shown(self.turn.instance) if isinstance(self.answer, Assignment) else None
        self.attempts.append(AttemptRecord(len(self.attempts) + 1, kind, text, shown, verdict, calls, readings))

    def _project(self) -> None:
        """Deliver the nearest valid answer; where the solver finds none in time, the last attempt stands."""
        turn = self.turn
        target = self.answer.values if isinstance(self.answer, Assignment) and self.answer.values else turn.last
        projection = project(turn, self.ledger, target)
        if projection is None:
            return
        self.answer = Assignment(projection.values)
        self.projected, self.set_aside = True, projection.set_aside
        text = json.dumps({"solution": render_answer(turn.instance, projection.values)}, ensure_ascii=False)
        verdict = turn.verifier.verify(self.ledger, self.answer, nothing_read=self.nothing_read)
        self._append("fallback", text, verdict, readings=self.readings)

    def _abstention(self) -> str:
        """What the history says instead of an answer: which commitments stand against each other."""
        verdict = self.last.verdict
        told = quote(self.ledger.active, verdict.mus or verdict.violated or verdict.blame)
        return "No answer was given. " + (f"It would have to keep: {'; '.join(told)}." if told else "")

    def _shown_ledger(self) -> tuple[str, ...]:
        """The ledger before this turn as quoted lines; beyond the token budget the oldest are dropped."""
        before = self.turn.before
        lines = quote(before.active, before.active)
        room = self.method.ledger_tokens * CHARS_PER_TOKEN
        kept: list[str] = []
        for line in reversed(lines):
            room -= len(line) + 1
            if room < 0:
                break
            kept.append(line)
        return tuple(reversed(kept))


def _committed(turn: Turn, extraction: Extraction) -> Ledger:
    """The published update: the ledger before the turn, joined with what this attempt's extraction gave."""
    ledger = turn.before.fork()
    for constraint, reading in extraction.stated:
        proposal = Proposal(constraint, confidence=reading.confidence)
        ledger.enter(ledger.draft(proposal, turn.number), turn.number)
    return ledger
