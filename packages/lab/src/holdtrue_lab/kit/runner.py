"""This module plays a plan. It plays many conversations at a time, and writes each turn to the journal when it ends.

The result of a conversation depends only on its own calls, so the order of conversations does not matter. Resuming a
run plays its unfinished conversations again from their first turn. The call log answers every call that was answered
before, at no cost. Turns that the journal already holds are compared with the journal, and not written again.
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
from holdtrue.record import ReplyKind, TurnRecord
from holdtrue_lab.kit.entry import FailureEntry, PlayedEntry
from holdtrue_lab.kit.journal import Journal
from holdtrue_lab.kit.plan import Job, Plan
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.kit.settings import CALLS_FILE


@dataclass(slots=True)
class Standing:
    """A `Standing` counts how far a run is.

    `planned` counts all turns, and `turns` those played so far, also before a resume. Of `scored` answers, `correct`
    are right. `tokens` counts the paid tokens, and `stopped_by_limit` says that the token limit was reached. `failures`
    are the conversations that ended in an error since the resume. `latest` is the last counted turn. `engine` says
    which solver decided that turn, and why. Both are None if unknown. Of the `sentences` that templates or a model had
    to read, `read` could be read. `beside` counts turns in the folder that do not belong to this plan, because it has a
    smaller limit or fewer methods. `cut` counts replies that a limit of tokens cut, and `thought` those of a model that
    thinks.
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
    cut: int = 0
    thought: int = 0

    def count(self, entry: PlayedEntry[Any]) -> None:
        self.turns += 1
        self.latest = entry
        record = entry.record
        for call in (*record.extraction, *record.measuring, *(own for each in record.attempts for own in each.calls)):
            self.cut += call.kind is ReplyKind.CUT
            self.thought += call.usage.thinking_tokens > 0
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
    """Play the part of `plan` that `folder` does not hold yet, and return how far it is.

    `progress` is called after every turn, also for turns that the folder already holds. `formalizers` are the plan's
    other models. An error in one conversation becomes a failure, and the others go on; resuming tries it again. The run
    can be resumed after every error, and after a cancellation.

    Raises `InfrastructureError` for errors that concern all conversations (no server, a refusal, a full disk). Raises
    `SettingsError` if the folder holds another run.
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
        """Read from the journal which turns were played already."""
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
        """Play all jobs, with at most `max_connections` conversations at a time."""
        self.progress(self.standing)
        played = self.recovered
        jobs = (job for job in self.plan.jobs if len(played.get((job.problem.id, job.method.name), ())) < job.turns)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.plan.settings.max_connections):
                    group.create_task(self._work(jobs))
        except ExceptionGroup as errors:
            # The first such error cancelled all workers, so the other errors only repeat it.
            raise errors.exceptions[0] from None
        self.standing.tokens = self.gate.tokens  # including calls of turns that the token limit cut off
        return self.standing

    async def _work(self, jobs: Iterator[Job]) -> None:
        for job in jobs:
            try:
                await self._play(job)
            except TokenLimitReached:
                self.standing.stopped_by_limit = True
                return
            # A model that answers immediately never yields to the event loop, so a cancellation takes effect here.
            await asyncio.sleep(0)

    async def _play(self, job: Job) -> None:
        """Play a conversation to its end. An error in it becomes a failure entry, and ends this conversation alone."""
        entries, turn = self._entries(job), 1
        while True:
            try:
                played = await anext(entries, None)
            except (InfrastructureError, TokenLimitReached):
                raise
            except Exception as error:  # noqa: BLE001
                # An error of one conversation is a result: it is recorded, and the same command tries it again.
                return self._fail(job, turn, error)
            if played is None:
                return None
            entry, self.standing.engine = played
            # This line is outside of the `try`, because an unwritable journal is no fault of this turn.
            self._commit(entry)
            turn = entry.turn + 1

    async def _entries(self, job: Job) -> AsyncIterator[tuple[PlayedEntry[Any], str]]:
        """Yield all turns of the conversation, also recorded ones, each with the solver that decided it."""
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
    """Return the parts of a turn that later turns depend on: its calls, and the delivered text."""
    return (record.delivered, *(call.key for attempt in record.attempts for call in attempt.calls))
