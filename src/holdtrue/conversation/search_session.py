"""A `SearchSession` lets a model search for values that satisfy constraints. Every candidate is certified."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holdtrue.budget import Budget, SearchBudget, check_number
from holdtrue.conversation.arguments import check_kind, check_text, value_or_default
from holdtrue.conversation.conversation import Conversation
from holdtrue.conversation.saved_file import choose_again, read_formula, read_saved, same_world
from holdtrue.errors import InputError, RecordError, SettingsError
from holdtrue.kinds.search.certifier import Certifier
from holdtrue.kinds.search.loop import play_search
from holdtrue.kinds.search.method import SearchMethod, find_search_method
from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.kinds.search.prompts import problem_lines
from holdtrue.kinds.search.reader import read_candidate
from holdtrue.kinds.search.record import SearchDetail, SearchRecord
from holdtrue.kinds.search.turn import SearchPlayed, SearchTurn
from holdtrue.kinds.search.verdict_words import Lines, describe_candidate, describe_failed
from holdtrue.language.retries import check_retries
from holdtrue.ledger.entries import EventKind, Source, Statement
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue.record import EventRecord, TurnRecord, VerdictRecord
from holdtrue.solving.engine import SolverUse, solver_use
from holdtrue.solving.route import reason_for
from holdtrue.verification.ledger_theory import Theory

SEED_STRIDE = 1000
"""The difference between the first seeds of two consecutive trials. The draws of a trial use the seeds in between."""


class SearchSession(Conversation):
    """A conversation that searches for solutions of one problem. Every turn is an independent trial.

    `problem` gives variables and constraints; its gold and metadata are never used. `method` is a `SearchMethod` or the
    name of a preset. `limits` are for each trial, and `budget` is for each question to the solver, by default 1.5 s. By
    default the temperature is 0.2, and a reply has at most 256 tokens.

    A session does one thing at a time. While one trial runs, another raises `SessionBusy`. Raises `SettingsError` for
    settings that do not fit.

    >>> from holdtrue import IntSort, Requirement, ScriptModel, SearchBudget, SearchProblem, SearchSession, Variable
    >>> x, y = Variable("x", IntSort(0, 9)), Variable("y", IntSort(0, 9))
    >>> wanted = (Requirement("c1", "x + y = 12", (x + y).eq(12)), Requirement("c2", "x - y >= 5", x - y >= 5))
    >>> problem = SearchProblem.of((x, y), wanted)
    >>> model = ScriptModel(['{"status": "sat", "assignment": {"x": 8, "y": 4}}',
    ...                      '{"status": "sat", "assignment": {"x": 9, "y": 3}}'])
    >>> with SearchSession(problem, model=model, limits=SearchBudget(k=1, rounds=2)) as session:
    ...     record = session.ask()
    >>> record.attempts[0].verdict.violated
    ('c2',)
    >>> record.delivered
    '{"status": "sat", "assignment": {"x": 9, "y": 3}}'
    """

    answers = "candidates"

    def __init__(
        self,
        problem: SearchProblem,
        *,
        model: ChatModel | str,
        method: SearchMethod | str = "cd_vgs",
        limits: SearchBudget | None = None,
        sampling: Sampling | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.limits = check_limits(value_or_default("limits", limits, SearchBudget()))
        self.problem = check_kind("problem", problem, SearchProblem)
        self._given = problem
        self.method = (
            find_search_method(method) if isinstance(method, str) else check_kind("method", method, SearchMethod)
        )
        self.sampling = value_or_default("sampling", sampling, Sampling(temperature=0.2, max_tokens=256))
        check_retries(self.method, self.sampling)
        self.budget = value_or_default("budget", budget, Budget(timeout_s=1.5))
        self._turns = 0
        self._certifier: Certifier | None = None
        self._pending: tuple[EventRecord, ...] = ()
        super().__init__(model)

    async def turn(self) -> SearchRecord:
        """Play one trial with a different seed: ask for candidates until one is certified or a limit is reached.

        Raises `ModelError` if the model fails, and `SessionBusy` while another trial runs. After an error or a
        cancellation the session is as it was before.
        """
        with self._alone("a trial"):
            started, number = time.perf_counter(), self._turns + 1
            turn = self._as_turn(number)
            with solver_use() as use:
                played = await play_search(self.method, turn)
            record = self._record(number, turn, played, use, started)
            self._turns, self._certifier, self._pending = number, turn.certifier, ()
            return record

    def ask(self) -> SearchRecord:
        """Play `turn` for code that is not asynchronous. In a running event loop, an error says how to write it."""
        return self._run("ask()", "await session.turn()", self.turn)

    def check(self, answer: str) -> VerdictRecord:
        """Return the verdict on a candidate that is given as text. No model is asked, and nothing is recorded."""
        with self._alone("check", also_closed=True):
            names = [variable.name for variable in self.problem.variables]
            return self._certify().certify(read_candidate(names, check_text("answer", answer)))

    def add(self, requirement: Requirement) -> tuple[EventRecord, ...]:
        """Add a requirement for the next trials. Raises `DomainError` if its id is in use."""
        with self._alone("add"):
            added = check_kind("requirement", requirement, Requirement)
            return self._demand((*self.problem.constraints, added), (EventKind.ADDED, added))

    def amend(self, id: str, requirement: Requirement) -> tuple[EventRecord, ...]:
        """Replace the requirement with this id by another one for the next trials."""
        with self._alone("amend"):
            old, new = self._find(id), check_kind("requirement", requirement, Requirement)
            demanded = tuple(new if each is old else each for each in self.problem.constraints)
            return self._demand(demanded, (EventKind.AMENDED, old), (EventKind.ADDED, new))

    def withdraw(self, id: str) -> tuple[EventRecord, ...]:
        """Withdraw the requirement with this id for the next trials. The last one left cannot be withdrawn."""
        with self._alone("withdraw"):
            old = self._find(id)
            demanded = tuple(each for each in self.problem.constraints if each is not old)
            return self._demand(demanded, (EventKind.WITHDRAWN, old))

    def explain(self, record: SearchRecord) -> list[str]:
        """Return the verdict on a trial's last candidate in sentences, the most important first.

        The last sentence counts the candidates that failed before the delivered one.
        """
        if not record.attempts:
            return [f"There was no candidate: {record.detail.exhausted or 'nothing was asked'}."]
        told = Lines(record.user_message.split("\n"))
        return describe_candidate(record.final, told) + describe_failed(record, told)

    def _to_save(self) -> SavedSearch:
        return SavedSearch(
            problem=identity_of(self._given),
            method=self.method.name,
            limits=self.limits,
            sampling=self.sampling,
            turns=self._turns,
            constraints=tuple(SavedRequirement(each.id, each.text, each.formula) for each in self.problem.constraints),
            pending=self._pending,
        )

    @classmethod
    def load(
        cls,
        path: str | Path,
        problem: SearchProblem,
        *,
        model: ChatModel | str,
        method: SearchMethod | str | None = None,
        budget: Budget | None = None,
        allow_changes: bool = False,
    ) -> SearchSession:
        """Return the conversation in a file. It continues as if it had never ended.

        `problem` is the original one, since the file has the changes. A method that is no preset must be given again.
        Raises `SettingsError` if another one is given without `allow_changes`. Raises `RecordError` with the place for
        a damaged or foreign file.
        """
        check_kind("problem", problem, SearchProblem)
        with read_saved(Path(path), cls.answers, SavedSearch) as saved:
            changed, limits = saved.restored(problem), check_limits(saved.limits)
            chosen: SearchMethod | str = choose_again("method", saved.method, method, find_search_method, allow_changes)
        session = cls(problem, model=model, method=chosen, limits=limits, sampling=saved.sampling, budget=budget)
        session.problem, session._turns, session._pending = changed, saved.turns, saved.pending
        return session

    def _find(self, id: str) -> Requirement:
        for each in self.problem.constraints:
            if each.id == check_text("id of a requirement", id):
                return each
        known = ", ".join(each.id for each in self.problem.constraints)
        raise InputError(f"no requirement {id!r:.60}; there are {known}")

    def _demand(
        self, demanded: tuple[Requirement, ...], *changes: tuple[EventKind, Requirement]
    ) -> tuple[EventRecord, ...]:
        """Search for solutions of these requirements from now on. The next record has the events."""
        # Proofs about the earlier problem do not apply to this one.
        self.problem = replace(self.problem, constraints=demanded, gold=None, difficulty=None)
        self._certifier = None
        events = tuple(
            EventRecord(kind.value, each.id, self._turns, sentence=each.text, source=Source.USER.value)
            for kind, each in changes
        )
        self._pending = (*self._pending, *events)
        return events

    def _theory(self) -> Theory:
        entries = {each.id: Statement(each.id, each.text, 0, Source.USER) for each in self.problem.constraints}
        return Theory(self.problem.variables, (), self.problem.formulas, entries)

    @property
    def engine(self) -> str:
        """Return in words which solver decides about claims, and why, or '' before the first trial."""
        return reason_for(self._certifier.engine) if self._certifier is not None else ""

    def _as_turn(self, number: int) -> SearchTurn:
        """Return the method's input. It has nothing of other trials, so that every trial is like the first."""
        problem = self.problem
        return SearchTurn(
            model=self.model,
            setting=problem.setting,
            variables=problem.variables,
            constraint_texts=tuple((constraint.id, constraint.text) for constraint in problem.constraints),
            certifier=self._certify(),
            limits=self.limits,
            sampling=replace(self.sampling, seed=self.sampling.seed + SEED_STRIDE * (number - 1)),
        )

    def _certify(self) -> Certifier:
        return Certifier(self.problem.variables, self.problem.formulas, self.budget)

    def _record(
        self, number: int, turn: SearchTurn, played: SearchPlayed, use: SolverUse, started: float
    ) -> SearchRecord:
        return TurnRecord(
            turn=number,
            user_message="\n".join(problem_lines(turn.setting, turn.bounds, turn.constraint_texts)),
            method=self.method.name,
            model=self.model.name,
            variant=f"{self.limits.k}x{self.limits.rounds}",
            reader="none",
            attempts=played.attempts,
            delivered=played.delivered,
            events=self._pending,
            elapsed_s=time.perf_counter() - started,
            solver_calls=use.asked,
            solver_s=use.took_s,
            detail=SearchDetail(played.exhausted),
        )


def check_limits(limits: SearchBudget) -> SearchBudget:
    """Return the limits. Raises `SettingsError` if no search can have them."""
    for what in ("k", "rounds"):
        check_number(what, getattr(limits, what), least=-math.inf, whole=True)
    if limits.tokens is not None:
        check_number("tokens (or None for no limit)", limits.tokens, least=1, whole=True)
    if limits.seconds is not None:
        check_number("seconds (or None for no limit)", limits.seconds)
    if min(limits.k, limits.rounds) < 1 or limits.calls > SEED_STRIDE:
        given = f"{limits.k} times {limits.rounds}"
        raise SettingsError(f"k and rounds are at least 1, and k times rounds at most {SEED_STRIDE}, got {given}")
    return limits


_CHANGES = (EventKind.ADDED, EventKind.AMENDED, EventKind.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class SavedRequirement:
    """A requirement with its formula in the JSON of `logic.codec`."""

    id: str
    text: str
    formula: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSearch:
    """The state of a `SearchSession`.

    `problem` comes from `identity_of` the original problem, and `constraints` are the current ones. `method` is a name,
    `turns` counts the trials, and `pending` has the events for the next record.
    """

    problem: Mapping[str, Any]
    method: str
    limits: SearchBudget
    sampling: Sampling
    turns: int
    constraints: tuple[SavedRequirement, ...]
    pending: tuple[EventRecord, ...]

    def restored(self, problem: SearchProblem) -> SearchProblem:
        """Return the problem with its changes. Raises `RecordError` with the place if something does not fit."""
        same_world("problem", self.problem, identity_of(problem))
        if self.turns < 0:
            raise RecordError(f"turns: {self.turns} trials")
        texts = {each.id: each.text for each in self.constraints}
        last = {event.id: event for event in self.pending}
        for number, event in enumerate(self.pending):
            held = event.sentence if event.kind == EventKind.ADDED else None
            fits = event.kind in _CHANGES and (event is not last[event.id] or texts.get(event.id) == held)
            if not fits or (event.turn, event.source) != (self.turns, Source.USER):
                raise RecordError(f"pending.{number}: this change did not lead to these constraints")
        demanded = tuple(
            Requirement(each.id, each.text, read_formula(f"constraints.{number}", each.formula, problem.variables))
            for number, each in enumerate(self.constraints)
        )
        return replace(problem, constraints=demanded, gold=None, difficulty=None)


def identity_of(problem: SearchProblem) -> dict[str, Any]:
    """Return the parts of a problem that identify it. Its gold is no part of that."""
    return {name: getattr(problem, name) for name in ("id", "setting", "variables", "constraints")}
