"""The benchmark of the solver core runs, judges answers, and does not count wrong ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bench.solver.__main__ import main
from bench.solver.limits import doubt, judge
from bench.solver.measure import Samples
from bench.solver.schedules import SLOTS, make_schedule
from bench.solver.table import line, row_as_json
from bench.solver.task import Disagreement, Row, run
from bench.solver.tasks import TASKS
from bench.solver.twin import Twin
from bench.solver.workload import Workload, clash, converse, dispute, holds, load
from holdtrue.world.instance import Constraint
from holdtrue_lab.suites.drift.generate import generate
from tests.slow import first_of

TASK = {task.key: task for task in TASKS}


@pytest.fixture(scope="module")
def workload() -> Workload:
    problems = generate(5, 3, turns=3)
    return Workload(tuple(map(converse, problems)), tuple(dispute(clash(problem)) for problem in problems), None)


@pytest.mark.parametrize("key", first_of(list(TASK), 1))
def test_every_row_is_measured_on_both_sides(key: str, workload: Workload) -> None:
    task = TASK[key]
    conversations = workload.clashes if task.clashes else workload.conversations
    row = run(task, conversations, 1.0)
    expected = sum(task.asked(each, step) for each in conversations for step in each.steps)
    assert len(row.own) == expected > 0
    assert len(row.twin) == (expected if task.twin else 0)
    assert min(row.own.spent) > 0
    half = run(task, conversations[:2], 0.5)
    assert len(half.twin) == (sum(task.asked(conversations[1], s) for s in conversations[1].steps) if task.twin else 0)


@pytest.mark.parametrize("key", ["sat", "complete", "mus", "nearest", "classify", "turn"])
def test_a_wrong_verdict_stops_the_run(key: str, workload: Workload) -> None:
    task = TASK[key]
    wrong = {
        "sat": lambda result, kept: not task.read(result, kept),
        "complete": lambda result, kept: (*task.read(result, kept), 99),
        "mus": lambda result, kept: task.read(result, kept)[1:],
        "nearest": lambda result, kept: task.read(result, kept) + 1,
        "classify": lambda result, kept: "undecided",
        "turn": lambda result, kept: task.read(result, kept)[::-1],
    }
    with pytest.raises(Disagreement, match=key):
        run(replace(task, read=wrong[key]), workload.clashes if task.clashes else workload.conversations, 1.0)


def test_a_quick_run_writes_what_it_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "figures.json"
    main(["--quick", "--rows", "sat,partial,more_sat,more_turn,queries", "--json", str(path)])
    written = json.loads(path.read_text())
    printed = capsys.readouterr().out
    assert [row["key"] for row in written["rows"]] == ["sat", "partial", "more_sat_50", "more_turn_50", "queries"]
    assert all(row["title"] in printed and row["own"]["n"] > 0 for row in written["rows"])
    assert {"MB more", "last part to first"} <= written["rows"][-1]["figures"].keys()
    assert {"python", "versions", "load_average", "clock_cost_us"} <= written.keys()


def test_an_unknown_row_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"no row 'speed'.*sat"):
        main(["--quick", "--rows", "speed"])


def test_without_the_data_generated_problems_stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("bench.solver.workload.DRIFT", tmp_path / "absent")
    found = load(2)
    assert found.note is not None and "generated" in found.note
    assert len(found.conversations) == len(found.clashes) == 2
    for conversation in found.clashes:
        said = [constraint for step in conversation.steps for constraint in step.said]
        assert not Twin(conversation.make_instance()).satisfiable(said)


def test_schedules_can_be_met_and_repeat() -> None:
    schedule = make_schedule(50, 3)
    assert schedule == make_schedule(50, 3)
    assert (len(schedule.agreed), len(schedule.entities), len(schedule.turns)) == (50, 5, 3)
    instance = schedule.make_instance()
    said = [*schedule.agreed, *(one for turn in schedule.turns for one in turn)]
    assert len(set(said)) == 56
    assert max(variable.sort.values[-1] for variable in instance.variables.values()) == SLOTS
    assert Twin(instance).satisfiable(said)


def test_the_answer_of_a_turn_is_the_right_one_of_the_turn_before(workload: Workload) -> None:
    for conversation in workload.conversations:
        instance = conversation.make_instance()
        said: list[Constraint] = []
        for step in conversation.steps:
            assert all(holds(instance, constraint, step.stale) for constraint in said)
            said += step.said
            assert step.broken == any(not holds(instance, constraint, step.stale) for constraint in step.said)


def test_p99_is_not_exceeded_by_99_of_100() -> None:
    assert Samples([*range(1000, 101_000, 1000)]).p99_us == 99
    assert Samples([7000]).p99_us == 7
    assert Samples([1000, 3000]).median_us == 2


def test_limits_are_judged() -> None:
    good = Row("nearest", "nearest", Samples([100_000] * 10), Samples([9_000_000] * 3))
    assert [check.name for check in judge(good)] == ["ratio"] and judge(good)[0].met
    assert line(good).endswith("met") and row_as_json(good)["met"] is True
    late = replace(good, own=Samples([300_000] * 10))
    assert [check.name for check in judge(late) if not check.met] == ["ratio"]
    assert line(late).endswith("missed: ratio 30.0, limit 60")
    slow = Row("more_turn_5000", "one more turn", Samples([9_000_000]), figures={"times the first": 4.9})
    assert [check.met for check in judge(slow)] == [True], "a time by itself is judged nowhere"
    grown = Row("queries", "queries", Samples([1000]), figures={"MB more": 11.0, "last part to first": 1.0})
    assert [check.met for check in judge(grown)] == [False, True]
    assert judge(Row("open", "opening", Samples([1]))) == [] and row_as_json(grown)["met"] is False


def test_a_slow_twin_is_told() -> None:
    row = Row("sat", "sat", Samples([10_000]), Samples([2_873_000 * 2]))
    warning = doubt(row)
    assert warning is not None and "100% more" in warning and "ratio is 287" in warning and warning in line(row)
    assert doubt(replace(row, twin=Samples([2_873_000]))) is None
