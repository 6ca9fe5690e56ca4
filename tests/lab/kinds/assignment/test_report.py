from __future__ import annotations

import random
from pathlib import Path

from holdtrue_lab.kinds.assignment.metrics import MEASURE as measure_run
from holdtrue_lab.kinds.assignment.report import overlaps
from holdtrue_lab.kit.folder import read_run
from holdtrue_lab.kit.report import all_tables, open_report
from holdtrue_lab.kit.shown import find_sides
from tests.lab.conftest import read_report
from tests.lab.kinds.written import write_run
from tests.lab.kit.arms import arm
from tests.lab.kit.entries import DRIFTING, failure, turn


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
    return write_run(
        folder, [turn(problem, 1, method=method), turn(problem, 2, DRIFTING, method=method, correct=False)]
    )


def test_methods_stand_in_the_order_of_the_plan_whichever_was_ready_first(tmp_path: Path) -> None:
    plan, ready = ("direct", "mine", "cot"), ("zeal", "cot", "mine", "before", "direct")
    played = (turn("p", 1, method=method, turns=1, correct=bool(place % 2)) for place, method in enumerate(ready))
    write_run(tmp_path, played, methods=plan, problems=2)
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
    write_run(tmp_path, [turn("p", 1), turn("p", 2)], problems=3, limit=1)
    assert read_run(tmp_path, measure_run).complete


def test_a_run_without_settings_can_be_read_but_is_not_complete(tmp_path: Path) -> None:
    (write(tmp_path) / "settings.json").unlink()
    run = read_run(tmp_path, measure_run)
    assert (run.planned, run.complete) == (None, False)


def test_a_method_that_only_failed_is_named_by_the_settings(tmp_path: Path) -> None:
    write_run(tmp_path, [failure("p")], problems=2)
    [whole, _] = read_run(tmp_path, measure_run).rows
    assert (whole.arm.model, whole.arm.protocol, whole.arm.extractor) == ("sim/test", "stated", "templates")


def test_controls_are_the_methods_that_never_ask_a_model(tmp_path: Path) -> None:
    own = {"chance": {"answerer": "random_legal"}, "mine": {"answerer": "model"}}
    played = (turn("p", 1, turns=1, method=method) for method in ("direct", "chance", "solver_only"))
    write_run(tmp_path, played, own_methods=own, methods=("direct",), problems=2)
    assert read_report([tmp_path]).controls == {"chance", "solver_only"}
