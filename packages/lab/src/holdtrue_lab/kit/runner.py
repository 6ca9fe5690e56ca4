"""Play a plan: many conversations at a time, and every turn is written to the journal as it ends.

The result of a conversation depends only on its own calls, so the order in which conversations run does not matter. A
run that ended early is resumed by playing its unfinished conversations again from their first turn. Every call that was
answered before is answered from the call log, so this costs no money, and turns that the journal already holds are
compared with it and not written again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holdtrue.errors import InfrastructureError, RecordError
from holdtrue.language.readers import EXTRACTORS
from holdtrue.models.cache import CallLog, LoggedModel
from holdtrue.models.chat import ChatModel
from holdtrue.models.gate import Gate, TokenLimitReached
from holdtrue.record import TurnRecord
from holdtrue_lab.kit.entry import FailureEntry, PlayedEntry
from holdtrue_lab.kit.journal import Journal
from holdtrue_lab.kit.plan import Job, Plan
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.kit.settings import CALLS_FILE


@dataclass(slots=True)
class Standing:
    """A `Standing` says how far a run is.

    `planned` and `turns` count all turns and those played so far, also before the run was resumed, and `tokens` counts
    paid tokens. Of `scored` turns (or queries), `correct` are right. `failures` are conversations that ended in an
    error since the run was resumed. If `stopped_by_limit`, the token limit was reached before the end. `latest` is the
    turn that was counted last, and `engine` says which solver decided it and why; both are None for turns of earlier
    runs. Of `sentences` that templates or a model should read, `read` were, with doubt or without. `beside` counts the
    turns in the folder that this plan does not ask for: a smaller limit, or fewer methods.
    """

    planned: int
    turns: int = 0
    scored: int = 0
    correct: int = 0
    tokens: int = 0
    stopped_by_limit: bool = False
    failures: list[FailureEntry] = field(default_factory=list)
    latest: PlayedEntry[Any] | None = None
    engine: str | None = None
    sentences: int = 0
    read: int = 0
    beside: int = 0

    def count(self, entry: PlayedEntry[Any]) -> None:
        self.turns += 1
        self.latest = entry
        if entry.record.reader.partition("+")[0] in EXTRACTORS:
            readings = entry.record.readings
            self.sentences += len({one.sentence for one in readings})
            self.read += len({one.sentence for one in readings if one.status != "rejected"})
        if (tally := entry.tally) is not None:
            right, of = tally
            self.scored += of
            self.correct += right


Progress = Callable[[Standing], None]


async def run(
    plan: Plan,
    model: ChatModel,
    folder: Path,
    *,
    formalizers: Sequence[ChatModel] = (),
    progress: Progress | None = None,
) -> Standing:
    """Play what `plan` asks for and `folder` does not hold yet; `progress` is told after every turn,
    those that the folder holds already included. `formalizers` are the other models that the plan names.

    An error in one conversation is written down as a failure, and the others go on; failed conversations are
    tried again when the run is resumed. Raises `InfrastructureError` where going on makes no sense (no server,
    a refusal, a full disk), and `SettingsError` where the folder holds another run; in all cases, also when
    cancelled, the run can be resumed.
    """
    with Journal(folder, plan.settings) as journal:
        log = CallLog(folder / CALLS_FILE)
        try:
            runner = _Runner(plan, (model, *formalizers), journal, log, progress or (lambda standing: None))
            runner.recover()
            return await runner.play_all()
        finally:
            log.close()


class _Runner:
    def __init__(
        self, plan: Plan, models: Sequence[ChatModel], journal: Journal, log: CallLog, progress: Progress
    ) -> None:
        settings = plan.settings
        self.plan = plan
        self.journal = journal
        model, *others = models
        self.gate = Gate(model, settings.max_connections, tokens=log.usage.tokens, token_limit=settings.token_limit)
        self.model = LoggedModel(self.gate, log)
        self.progress = progress
        self.standing = Standing(plan.turns, tokens=self.gate.tokens)
        self.recovered: dict[tuple[str, str], dict[int, tuple[str | None, ...]]] = {}
        kind = find_suite(settings.suite).kind
        self.kind = kind
        self.player = kind.playing().player(plan, [LoggedModel(self.gate.beside(other), log) for other in others])

    def recover(self) -> None:
        """Learn from the journal which turns are there already."""
        asked = {(job.problem.id, job.method.name) for job in self.plan.jobs}
        for entry in self.journal.entries():
            pair = (entry.problem, entry.method)
            if isinstance(entry, FailureEntry):
                continue
            if pair not in asked:
                self.standing.beside += 1
            else:
                self.recovered.setdefault(pair, {})[entry.turn] = _conversation(entry.record)
                self.standing.count(entry)
                self._tell()

    async def play_all(self) -> Standing:
        """Play all jobs, with as many conversations open as calls may be under way."""
        self.progress(self.standing)
        jobs = self._open_jobs()
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.plan.settings.max_connections):
                    group.create_task(self._work(jobs))
        except ExceptionGroup as errors:
            # The first failure of the world around cancelled all workers; what else they met says no more.
            raise errors.exceptions[0] from None
        self.standing.tokens = self.gate.tokens  # also those of calls whose turns the limit cut off
        return self.standing

    def _open_jobs(self) -> Iterator[Job]:
        for job in self.plan.jobs:
            turns = self.recovered.get((job.problem.id, job.method.name), {})
            if len(turns) < job.turns:
                yield job

    async def _work(self, jobs: Iterator[Job]) -> None:
        for job in jobs:
            try:
                await self._play(job)
            except TokenLimitReached:
                self.standing.stopped_by_limit = True
                return
            # A model that answers at once never lets go of the loop: whoever wants the run to stop is heard here.
            await asyncio.sleep(0)

    async def _play(self, job: Job) -> None:
        """Play a conversation to its end; an error in it is written down, and ends this conversation alone."""
        entries, turn = self._entries(job), 1
        while True:
            try:
                played = await anext(entries, None)
            except (InfrastructureError, TokenLimitReached):
                raise
            except Exception as error:  # noqa: BLE001
                # A fault that one conversation meets, in a model, a plug-in or here, is a result: it is written down
                # and told, the others go on, and the same command tries again.
                return self._fail(job, turn, error)
            if played is None:
                return None
            entry, self.standing.engine = played
            # Outside the try: a journal that cannot be written, or a reader who left, is no fault of this turn.
            self._commit(entry)
            turn = entry.turn + 1

    async def _entries(self, job: Job) -> AsyncIterator[tuple[PlayedEntry[Any], str]]:
        """The conversation's turns, also those that the journal holds already, each with the solver that decided."""
        problem, method = job.problem, job.method
        recovered = self.recovered.get((problem.id, method.name), {})
        async for played in self.player.play(problem, method, self.model):
            record = played.record
            if recovered.get(record.turn, _conversation(record)) != _conversation(record):
                raise RecordError(
                    "the turn did not come out as it is in the journal; was the call log lost, or the program changed?"
                )
            yield (
                self.kind.entry(
                    self.plan.settings.suite,
                    problem.id,
                    problem.domain,
                    method.name,
                    record.turn,
                    job.turns,
                    record,
                    played.score,
                    played.problem_lines,
                    kind=self.kind.name,
                ),
                played.engine,
            )

    def _commit(self, entry: PlayedEntry[Any]) -> None:
        if entry.turn in self.recovered.get((entry.problem, entry.method), {}):
            return
        self.journal.append(entry)
        self.standing.count(entry)
        self._tell()

    def _fail(self, job: Job, turn: int, error: Exception) -> None:
        problem = job.problem
        name, message = type(error).__name__, str(error)
        entry = FailureEntry(self.plan.settings.suite, problem.id, problem.domain, job.method.name, turn, name, message)
        self.journal.append(entry)
        self.standing.failures.append(entry)
        self._tell()

    def _tell(self) -> None:
        self.standing.tokens = self.gate.tokens
        self.progress(self.standing)


def _conversation(record: TurnRecord[Any, Any]) -> tuple[str | None, ...]:
    """Return what the later turns of a conversation depend on: the calls that were made, and what was delivered."""
    return (record.delivered, *(call.key for attempt in record.attempts for call in attempt.calls))
