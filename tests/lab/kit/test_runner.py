from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from holdtrue.errors import (
    InfrastructureError,
    JournalError,
    ModelRefused,
    ModelUnreachable,
    RequestRefused,
    SettingsError,
)
from holdtrue.models.chat import Request
from holdtrue.record import TurnOutcome
from holdtrue_lab.kinds.assignment.metrics import MEASURE as measure_run
from holdtrue_lab.kit.entry import FailureEntry
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.runner import Standing, run
from holdtrue_lab.kit.settings import CALLS_FILE, JOURNAL_FILE
from tests.lab.kit.runs import Wrapped, contents, make, problems_of
from tests.lab.kit.told import told

PLAN = make()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an uninterrupted run."""
    folder = tmp_path_factory.mktemp("whole")
    asyncio.run(run(PLAN, Wrapped(), folder))
    return folder


def test_every_turn_of_every_job_is_written_once(whole: Path) -> None:
    turns = {key for key in contents(whole) if key[3] == 0}
    assert turns == {
        (job.problem.id, job.method.name, number, 0) for job in PLAN.jobs for number in range(1, job.turns + 1)
    }
    assert len(turns) == PLAN.turns


async def test_a_finished_run_asks_nothing_more(whole: Path) -> None:
    before, model = (whole / JOURNAL_FILE).read_bytes(), Wrapped()
    standing = await run(PLAN, model, whole)
    assert model.calls == 0
    assert (whole / JOURNAL_FILE).read_bytes() == before
    assert (standing.turns, standing.planned, standing.failures) == (PLAN.turns, PLAN.turns, [])


async def test_the_number_of_connections_changes_nothing_but_the_order(whole: Path, tmp_path: Path) -> None:
    one = make(max_connections=1)
    await run(one, Wrapped(), tmp_path)
    assert contents(tmp_path) == contents(whole)


async def test_connections_are_bounded(tmp_path: Path) -> None:
    model = Wrapped(delay_s=0.001)
    await run(make(max_connections=3), model, tmp_path)
    assert model.most == 3


async def test_progress_is_told_after_every_turn(tmp_path: Path) -> None:
    seen: list[int] = []

    def watch(standing: Standing) -> None:
        seen.append(standing.turns)
        assert standing.correct <= standing.scored <= standing.turns
        assert standing.planned == PLAN.turns

    await run(PLAN, Wrapped(), tmp_path, progress=watch)
    assert seen == list(range(PLAN.turns + 1))


KILLED = """
import asyncio, sys
from pathlib import Path
from holdtrue_lab.kit.runner import run
from tests.lab.kit.runs import Wrapped, dying, make
from tests.lab.kit.told import told
folder = Path(sys.argv[1])
asyncio.run(run(make(), Wrapped(dying(folder, int(sys.argv[2])), delay_s=0.04), folder))
"""


def play_and_kill(folder: Path, calls: int) -> None:
    """Let another process resume the run, and kill it so many calls after it has written a turn."""
    command = [sys.executable, "-c", KILLED, str(folder), str(calls)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL


def test_kill_9_loses_nothing_and_pays_nothing_twice(whole: Path, tmp_path: Path) -> None:
    kept, paid, journal, calls = b"", b"", tmp_path / JOURNAL_FILE, tmp_path / CALLS_FILE
    for later in (0, 2, 1):
        play_and_kill(tmp_path, later)
        assert journal.read_bytes().startswith(kept)
        assert calls.read_bytes().startswith(paid)
        kept, paid = committed(journal), committed(calls)
    assert 3 <= kept.count(b"\n") < PLAN.turns
    model = Wrapped()
    asyncio.run(run(PLAN, model, tmp_path))
    assert contents(tmp_path) == contents(whole)
    keys = [json.loads(line)["key"] for line in calls.read_text().splitlines()]
    assert len(keys) == len(set(keys)) == paid.count(b"\n") + model.calls


def committed(path: Path) -> bytes:
    """Return the file up to its last complete line."""
    content = path.read_bytes()
    return content[: content.rfind(b"\n") + 1]


async def test_a_failing_problem_does_not_stop_the_others(whole: Path, tmp_path: Path) -> None:
    victim = problems_of(PLAN)[1]

    def trip(request: Request) -> None:
        if victim.turns[1].message in request.messages[-1].content:
            raise ValueError("it broke")

    standing = await run(PLAN, Wrapped(trip), tmp_path)
    failed = [entry for entry in read_entries(tmp_path) if isinstance(entry, FailureEntry)]
    assert {(entry.problem, entry.method, entry.turn) for entry in failed} == {
        (victim.id, "direct", 2),
        (victim.id, "drift_repair", 2),
    }
    assert {(entry.error, entry.message) for entry in failed} == {("ValueError", "it broke")}
    assert sorted(standing.failures, key=str) == sorted(failed, key=str)
    assert standing.turns == PLAN.turns - 4
    again = await run(PLAN, Wrapped(), tmp_path)
    assert (again.turns, again.failures) == (PLAN.turns, [])
    assert {key: text for key, text in contents(tmp_path).items() if key[3] != "failure"} == contents(whole)


@pytest.mark.parametrize("fault", [ModelUnreachable("no server"), ModelRefused("bad key"), JournalError("disk full")])
async def test_a_failing_world_stops_the_run_and_it_can_go_on(
    whole: Path, tmp_path: Path, fault: InfrastructureError
) -> None:
    def trip(request: Request) -> None:
        if model.calls == 12:
            raise fault

    model = Wrapped(trip, delay_s=0.001)
    with pytest.raises(type(fault), match=str(fault)):
        await run(PLAN, model, tmp_path)
    assert model.calls < 20
    await run(PLAN, Wrapped(), tmp_path)
    assert contents(tmp_path) == contents(whole)


async def test_a_token_limit_stops_cleanly_and_counts_earlier_calls(whole: Path, tmp_path: Path) -> None:
    limited = make(token_limit=3000)
    first = await run(limited, Wrapped(), tmp_path)
    assert first.stopped_by_limit
    assert first.tokens >= 3000
    assert 0 < first.turns < PLAN.turns
    assert first.failures == []
    model = Wrapped()
    second = await run(limited, model, tmp_path)
    assert (model.calls, second.stopped_by_limit, second.turns) == (0, True, first.turns)
    assert second.tokens == first.tokens
    last = await run(make(token_limit=10**9), Wrapped(), tmp_path)
    assert not last.stopped_by_limit
    assert contents(tmp_path) == contents(whole)


async def test_a_cancelled_run_can_go_on(whole: Path, tmp_path: Path) -> None:
    def cancel(request: Request) -> None:
        if model.calls == 20:
            task.cancel()

    model = Wrapped(cancel, delay_s=0.01)
    task = asyncio.create_task(run(PLAN, model, tmp_path))
    with pytest.raises(asyncio.CancelledError):
        await task
    await run(PLAN, Wrapped(), tmp_path)
    assert contents(tmp_path) == contents(whole)


async def test_methods_and_problems_may_be_added_on_resuming(whole: Path, tmp_path: Path) -> None:
    await run(make(methods=("direct",), limit=2), Wrapped(), tmp_path)
    assert len([key for key in contents(tmp_path) if key[3] == 0]) == 2 * 3
    await run(PLAN, Wrapped(), tmp_path)
    assert contents(tmp_path) == contents(whole)


async def test_other_settings_are_refused(whole: Path) -> None:
    before = contents(whole)
    with pytest.raises(SettingsError, match='extractor: was "templates", now "gold"'):
        await run(make(extractor="gold"), Wrapped(), whole)
    assert contents(whole) == before


async def test_a_conversation_that_comes_out_otherwise_is_not_mixed_in(tmp_path: Path) -> None:
    def trip(request: Request) -> None:
        if model.calls >= 20 and len(request.messages) > 2:  # in the middle of a conversation
            raise ModelUnreachable("gone")

    model = Wrapped(trip)
    one = make(max_connections=1)
    with pytest.raises(ModelUnreachable):
        await run(one, model, tmp_path)
    # Without the call log the unfinished conversation is played anew; let it have gone otherwise the first time.
    (tmp_path / CALLS_FILE).unlink()
    journal = tmp_path / JOURNAL_FILE
    journal.write_bytes(journal.read_bytes().replace(b'"delivered":"', b'"delivered":"other '))
    before = contents(tmp_path)
    standing = await run(one, Wrapped(), tmp_path)
    assert [failure.error for failure in standing.failures] == ["RecordError"]
    assert "did not come out as it is in the journal" in standing.failures[0].message
    broken, after = standing.failures[0], contents(tmp_path)
    assert {key: after[key] for key in before} == before
    mixed_in = {key for key in after.keys() - before.keys() if key[:2] == (broken.problem, broken.method)}
    assert mixed_in == {(broken.problem, broken.method, 1, "failure")}


async def test_a_request_that_the_server_refuses_fails_the_conversation_and_is_never_scored(tmp_path: Path) -> None:
    victim = problems_of(PLAN)[1]

    def trip(request: Request) -> None:
        if victim.turns[1].message in request.messages[-1].content:
            raise RequestRefused("the server: 400, the prompt is too long")

    standing = await run(PLAN, Wrapped(trip), tmp_path)
    assert {(each.problem, each.turn, each.error) for each in standing.failures} == {(victim.id, 2, "RequestRefused")}
    rows = [told(row) for row in measure_run(read_entries(tmp_path)).rows if row.domain is None]
    for row in rows:
        # The failed turn and those after it are in no rate.
        assert (row.failed, row.turns, row.accuracy.of) == (1, PLAN.turns // 2 - 2, PLAN.turns // 2 - 2)
        assert not row.outcomes[TurnOutcome.REFUSED] and sum(row.outcomes.values()) == row.turns


async def test_a_server_that_is_gone_stops_the_run_and_leaves_no_turn_of_it(tmp_path: Path) -> None:
    calls = 0

    def trip(request: Request) -> None:
        nonlocal calls
        calls += 1
        if calls > 5:
            raise ModelUnreachable("nobody is there")

    with pytest.raises(ModelUnreachable):
        await run(PLAN, Wrapped(trip), tmp_path)
    entries = list(read_entries(tmp_path))
    assert len(entries) < 6 and not any(isinstance(entry, FailureEntry) for entry in entries)
