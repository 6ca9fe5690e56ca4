from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from holdtrue.errors import RecordError
from holdtrue_lab.kinds.assignment.measured import measure_run
from holdtrue_lab.kinds.assignment.report import Overlap, Report, overlaps
from holdtrue_lab.kit.folder import read_run
from holdtrue_lab.kit.journal import Journal
from holdtrue_lab.kit.report import all_tables, open_report
from holdtrue_lab.kit.settings import JOURNAL_FILE
from holdtrue_lab.kit.shown import find_sides
from tests.lab.conftest import read_report
from tests.lab.kit.arms import arm
from tests.lab.kit.entries import DRIFTING, failure, settings, turn


def test_wrong_turns_are_counted_where_both_have_a_score() -> None:
    first = arm("direct", {"p": [0, 0, 0, 1], "q": [0, -1], "r": [0]})
    second = arm("direct", {"p": [0, 0, 1, 0], "q": [-1, 0], "s": [0]}, model="n")
    [found] = overlaps([[first], [second]])
    assert found == Overlap(first.arm, second.arm, 1, 4, 3, 3, 2, 0.5, 2 / 3, 2 / 3)


def test_nothing_wrong_has_no_shares() -> None:
    [found] = overlaps([[arm("direct", {"p": [1]}), arm("cot", {"p": [0]})]])
    assert (found.both_wrong, found.jaccard, found.first_share, found.second_share) == (0, 0.0, None, 0.0)
    [found] = overlaps([[arm("direct", {"p": [1]}), arm("cot", {"p": [1]})]])
    assert (found.jaccard, found.second_share) == (None, None)


def test_arms_differ_in_the_model_or_in_the_method_and_in_nothing_else() -> None:
    right = {"p": [0]}
    arms = [arm("direct", right), arm("cot", right), arm("direct", right, model="n"), arm("cot", right, model="n")]
    strangers = [arm("direct", right, protocol="upstream"), arm("self_refine", right, said=1)]
    pairs = [(each.first, each.second) for each in overlaps([arms[:2], [*arms[2:], *strangers]])]
    names = [(one.model + one.method, two.model + two.method) for one, two in pairs]
    assert names == [("mdirect", "mcot"), ("mdirect", "ndirect"), ("mcot", "ncot"), ("ndirect", "ncot")]


def test_overlaps_agree_with_sets() -> None:
    rng = random.Random(2)
    one = {f"p{n}": [rng.randint(-1, 1) for _ in range(6)] for n in range(20)}
    two = {f"p{n}": [rng.randint(-1, 1) for _ in range(6)] for n in range(20)}
    turns = {(p, n) for p in one for n in range(6) if one[p][n] >= 0 and two[p][n] >= 0}
    a, b = {(p, n) for p, n in turns if not one[p][n]}, {(p, n) for p, n in turns if not two[p][n]}
    [found] = overlaps([[arm("direct", one), arm("cot", two)]])
    assert (found.turns, found.first_wrong, found.second_wrong) == (len(turns), len(a), len(b))
    assert found.jaccard == len(a & b) / len(a | b)
    assert (found.first_share, found.second_share) == (len(a & b) / len(a), len(a & b) / len(b))


def write(folder: Path, *, problem: str = "p", method: str = "direct") -> Path:
    """A finished run of one problem."""
    with Journal(folder, settings(problems=1, methods=(method,))) as journal:
        journal.append(turn(problem, 1, method=method))
        journal.append(turn(problem, 2, DRIFTING, method=method, correct=False))
    return folder


def test_an_unfinished_run_is_known(tmp_path: Path) -> None:
    with Journal(tmp_path, settings(problems=3, methods=("direct", "cot"))) as journal:
        journal.append(turn("p", 1))
        journal.append(turn("p", 2))
        journal.append(turn("q", 1))
        journal.append(failure("r"))
        # It can be read while the run goes on.
        run = read_run(tmp_path, measure_run)
    assert (run.planned, run.finished, run.failed, run.complete) == (6, 1, 1, False)


def test_methods_stand_in_the_order_of_the_plan_whichever_was_ready_first(tmp_path: Path) -> None:
    plan, ready = ("direct", "mine", "cot"), ("zeal", "cot", "mine", "before", "direct")
    with Journal(tmp_path, settings(methods=plan)) as journal:
        for place, method in enumerate(ready):
            journal.append(turn("p", 1, method=method, turns=1, correct=bool(place % 2)))
    order = [*plan, "before", "zeal"]  # what an earlier command played comes last, by name
    report = open_report([tmp_path])
    assert [row.arm.method for row in report.rows] == order
    assert [arm.arm.method for arm in report.plays[0]] == order
    assert [side.method for side in find_sides(report).values()] == order
    methods = [row["arm"]["method"] for row in report.to_json()["runs"][0]["rows"] if row["domain"] is None]
    assert methods == order
    for table in all_tables(report):
        titles = [column.title for column in table.columns]
        if "method" in titles:
            shown = list(dict.fromkeys(line[titles.index("method")] for line in table.lines))
            assert shown == [method for method in order if method in shown], table.name


def test_a_limit_makes_the_run_smaller(tmp_path: Path) -> None:
    with Journal(tmp_path, settings(problems=3, limit=1)) as journal:
        journal.append(turn("p", 1))
        journal.append(turn("p", 2))
    assert read_run(tmp_path, measure_run).complete


def test_a_torn_last_line_is_left_alone(tmp_path: Path) -> None:
    path = write(tmp_path) / JOURNAL_FILE
    path.write_bytes(path.read_bytes() + b'{"kind":')
    before = path.read_bytes()
    assert read_run(tmp_path, measure_run).rows[0].turns == 2
    assert path.read_bytes() == before


def test_a_run_without_settings_can_be_read_but_is_not_complete(tmp_path: Path) -> None:
    (write(tmp_path) / "settings.json").unlink()
    run = read_run(tmp_path, measure_run)
    assert (run.planned, run.complete) == (None, False)


def test_a_method_that_only_failed_is_named_by_the_settings(tmp_path: Path) -> None:
    with Journal(tmp_path, settings()) as journal:
        journal.append(failure("p"))
    [whole, _] = read_run(tmp_path, measure_run).rows
    assert (whole.arm.model, whole.arm.protocol, whole.arm.extractor) == ("sim/test", "stated", "templates")


def test_everything_is_in_the_json(tmp_path: Path) -> None:
    with Journal(tmp_path, settings()) as journal:
        journal.append(turn("p", 1, DRIFTING, correct=False, method="project", extractor="gold"))
    found = json.loads(json.dumps(read_run(tmp_path, measure_run).to_json()))
    row = found["rows"][0]
    assert row["oracle"] is True
    assert row["arm"]["model"] == "sim/test"
    assert row["triggers"]["answer_ledger_conflict"] == {"first": 1, "final": 1, "events": 1}
    assert set(row) >= {"accuracy", "channels", "alarm", "repair", "ledger", "depth", "cost", "measuring", "projected"}
    assert found["settings"]["seed"] == 42


def test_runs_are_held_against_each_other(report: Report) -> None:
    found = json.loads(json.dumps(report.to_json()))
    assert len(found["runs"]) == 2
    pairs = {(each["arm"]["method"], each["other"]["method"]) for each in found["comparisons"]}
    assert ("mus_repair", "direct") in pairs
    assert any(each["first"]["model"] != each["second"]["model"] for each in found["overlaps"])
    assert {each["domain"] for each in found["structures"]} == {"logic_grid", "scheduling", "seating"}


def test_controls_are_the_methods_that_never_ask_a_model(tmp_path: Path) -> None:
    own = {"chance": {"answerer": "random_legal"}, "mine": {"answerer": "model"}}
    with Journal(tmp_path, settings(own_methods=own)) as journal:
        journal.append(turn("p", 1))
    assert read_report([tmp_path]).controls == {"random_legal", "solver_only", "chance"}


def test_a_folder_that_is_named_twice_is_read_once(folders: list[Path], report: Report) -> None:
    again = read_report([folders[0], folders[1], folders[0]])
    assert again.to_json() == report.to_json()


@pytest.mark.parametrize("made", [False, True])
def test_folders_that_are_no_runs_are_refused(tmp_path: Path, made: bool) -> None:
    folder = tmp_path / "run"
    if made:
        folder.mkdir()
    with pytest.raises(RecordError, match="no run lies here" if made else "there is no such folder"):
        read_run(folder, measure_run)
