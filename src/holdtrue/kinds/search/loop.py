"""Play one trial under a search method: ask for candidates, certify each, and tell the model how they failed.

Controls never ask the model. They show the results of giving up, of chance, and of the solver alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from holdtrue.kinds.search.method import SearchAnswerer, SearchMethod
from holdtrue.kinds.search.prompts import SearchPrompt
from holdtrue.kinds.search.reader import Candidate, Infeasible, read_candidate
from holdtrue.kinds.search.record import SearchAttempt, SearchStep, candidate_outcome
from holdtrue.kinds.search.rounds import PlannedCall, plan_round, with_conflicts
from holdtrue.kinds.search.turn import SearchPlayed, SearchTurn
from holdtrue.language.asking import Asking, ModelReply
from holdtrue.language.retries import Retries, say
from holdtrue.logic.sorts import IntSort, drawn_from
from holdtrue.record import AnswerStatus, CallRecord, VerdictRecord
from holdtrue.solving.result import Satisfiable
from holdtrue.world.answer import Assignment, Unparsed


async def play_search(method: SearchMethod, turn: SearchTurn) -> SearchPlayed:
    """Play one trial. Raises `ModelError` if the model fails."""
    if method.answerer != "model":
        return play_control(method.answerer, turn)
    search = _Search(method, turn)
    await search.run()
    return search.finish()


class _Search:
    def __init__(self, method: SearchMethod, turn: SearchTurn) -> None:
        self.method = method
        self.turn = turn
        self.asking = Asking(turn.model, turn.sampling)
        self.retries = Retries.of(method, turn.sampling)
        self.limits = replace(turn.limits, k=1, rounds=1) if method.single else turn.limits
        self.allowance = self.limits.open()
        self.attempts: list[SearchAttempt] = []

    async def run(self) -> None:
        """Play rounds until a candidate is certified or the budget is spent."""
        for number in range(1, self.limits.rounds + 1):
            if self.allowance.exhausted is not None:
                return
            for plan in self._planned():
                asked = await self._ask(number, plan)
                if asked is None:
                    return
                self._take(number, plan, asked)
                if delivered_text(self.attempts[-1]) is not None:
                    return

    def finish(self) -> SearchPlayed:
        delivered = delivered_text(self.attempts[-1]) if self.attempts else None
        limit = self.allowance.exhausted if delivered is None else None
        return SearchPlayed(tuple(self.attempts), delivered, None if limit == "calls" else limit)

    def _planned(self) -> tuple[PlannedCall, ...]:
        """Return the plans of the next round's calls, after recording the conflicts of the last round's failures."""
        k = self.limits.k
        if not self.attempts:
            return (PlannedCall(),) * k
        self.attempts[-k:] = with_conflicts(self.method, self.turn, self.attempts[-k:])
        return plan_round(self.method, self.turn, self.attempts)

    async def _ask(self, number: int, plan: PlannedCall) -> ModelReply | None:
        """Ask the model for a candidate, or return None if the budget is spent. All calls pass through here."""
        turn, allowance = self.turn, self.allowance
        if allowance.exhausted is not None:
            return None
        prompt = SearchPrompt(
            self.method.frame, turn.setting, turn.bounds, turn.constraint_texts, plan.signal, plan.asked, plan.kept
        )
        asked = await self.asking.send(
            "candidate",
            say(prompt.messages(), self._again(plan) if number > 1 else ""),
            prompt.schema(),
            temperature=self.method.temperature,
            sample=allowance.calls,  # calls of a round share a prompt, so each needs another draw
            max_tokens=allowance.longest(turn.sampling.max_tokens),
        )
        allowance.spend(asked.reply.usage.completion_tokens, asked.reply.usage.latency_s)
        return asked

    def _again(self, plan: PlannedCall) -> str:
        """Return the sentence about earlier attempts for a prompt of a later round.

        A candidate is quoted by its values, and a claim by its name. A candidate that could not be decided is never
        quoted.
        """
        if self.retries.quotes and plan.signal is None:
            return ""
        quoted, signal = None, plan.signal
        if plan.mends and signal is not None and (signal.given is not None or signal.kind == "false_unsat_claim"):
            quoted = self.attempts[plan.mends - 1]
        return self.retries.after(self.attempts, quoted)

    def _take(self, number: int, plan: PlannedCall, answered: ModelReply) -> None:
        """Record the candidate with its verdict."""
        candidate = self._read(plan, answered.text)
        step = SearchStep(number, plan.mends, plan.asked)
        before = self._failed_before(candidate) if self.method.feedback == "conflict" else None
        if before is not None:
            step = replace(step, repeated=True)
        verdict = self.turn.certifier.certify(candidate) if before is None else before.verdict
        calls = self.asking.take_calls()
        self.attempts.append(make_attempt(len(self.attempts) + 1, candidate, verdict, step, answered.reply.text, calls))

    def _read(self, plan: PlannedCall, text: str | Unparsed) -> Candidate:
        """Return the whole candidate. Values that a reply gives for kept variables replace the kept ones."""
        if isinstance(text, Unparsed):
            return text
        names = self.turn.names
        candidate = read_candidate(names, text)
        if not plan.kept or not isinstance(candidate, Assignment):
            return candidate
        merged = {**plan.kept, **candidate.values}
        return Assignment({name: merged[name] for name in names if name in merged})

    def _failed_before(self, candidate: Candidate) -> SearchAttempt | None:
        """Return the attempt that gave the same candidate before and failed, or None."""
        values = given_values(candidate)
        if values is None:
            return None
        same = (attempt for attempt in self.attempts if attempt.answer == values)
        return next((attempt for attempt in same if attempt.verdict.answer is AnswerStatus.VIOLATING), None)


def make_attempt(
    number: int,
    candidate: Candidate,
    verdict: VerdictRecord,
    step: SearchStep,
    text: str | None = None,
    calls: tuple[CallRecord, ...] = (),
) -> SearchAttempt:
    """Return the record of attempt `number`. `text` is the model's reply, by default the candidate as JSON."""
    answer = given_values(candidate)
    shown = text if text is not None else written(answer or {})
    return SearchAttempt(number, "candidate", shown, answer, verdict, calls, step=step)


def given_values(candidate: Candidate) -> Mapping[str, int] | None:
    """Return a candidate's values, an empty mapping for a claim, or None if it is neither."""
    if isinstance(candidate, Assignment):
        return candidate.values or None
    return {} if isinstance(candidate, Infeasible) else None


def delivered_text(attempt: SearchAttempt) -> str | None:
    """Return a certified candidate as JSON in the shape that prompts ask for, or None if it is not certified."""
    return written(attempt.answer or {}) if candidate_outcome(attempt).certified else None


def written(values: Mapping[str, str | int]) -> str:
    """Return a candidate as JSON. Without values, it is the claim that there is no solution."""
    candidate = {"status": "sat", "assignment": dict(values)} if values else {"status": "unsat"}
    return json.dumps(candidate, ensure_ascii=False)


def play_control(answerer: SearchAnswerer, turn: SearchTurn) -> SearchPlayed:
    """Play one trial of a control. Its candidates are certified like a model's, up to the first that holds.

    `always_unsat` claims that there is no solution. `random_in_domain` draws as many assignments as a model would get
    calls, within the bounds, from the trial's seed. `solver_only` gives the solver's solution. If the solver found no
    verdict, this control claims that there is no solution.
    """
    attempts: list[SearchAttempt] = []
    for candidate in _candidates(answerer, turn):
        step = SearchStep(round=len(attempts) // turn.limits.k + 1)
        attempts.append(make_attempt(len(attempts) + 1, candidate, turn.certifier.certify(candidate), step))
        delivered = delivered_text(attempts[-1])
        if delivered is not None:
            return SearchPlayed(tuple(attempts), delivered)
    return SearchPlayed(tuple(attempts), None)


def _candidates(answerer: SearchAnswerer, turn: SearchTurn) -> Iterator[Candidate]:
    match answerer:
        case "random_in_domain":
            rng = Random(turn.sampling.seed)
            for _ in range(turn.limits.calls):
                yield Assignment({name: rng.choice(drawn_from(IntSort(low, high))) for name, low, high in turn.bounds})
        case "solver_only":
            found = turn.certifier.solution
            yield Assignment(found.witness) if isinstance(found, Satisfiable) else Infeasible()
        case _:
            yield Infeasible()
