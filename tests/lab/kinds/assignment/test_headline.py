from __future__ import annotations

from pathlib import Path

from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.reporting import REPORTING
from holdtrue_lab.kit.journal import Journal
from tests.lab.conftest import MODELS, read_report
from tests.lab.kinds.assignment.test_report import write
from tests.lab.kit.entries import DRIFTING, RESPECTING, settings, turn


def test_the_best_baseline_and_the_best_other_method_of_each_model(report: Report) -> None:
    found = REPORTING.headlines(report)
    assert [each.model for each in found] == list(MODELS)
    for each in found:
        assert each.figures[0].method == "direct"
        assert each.figures[1].method in ("mus_repair", "drift_repair_project"), "never a control"
        assert "paired over 6 problems" in each.gain


def test_drift_has_ledger_gap_and_coverage_beside_it(tmp_path: Path) -> None:
    [headline] = REPORTING.headlines(read_report([write(tmp_path)]))
    [figure] = headline.figures
    assert (figure.method, figure.accuracy, figure.wrong) == ("direct", "50.0", "1 wrong: drift 1, ledger gap 0")
    assert figure.scored == "2/2 turns scored, 2/2 decided"
    assert headline.gain == ""


def test_a_gain_is_told_with_its_interval(tmp_path: Path) -> None:
    with Journal(tmp_path, settings(methods=("direct", "project"))) as journal:
        for problem in ("p", "q"):
            journal.append(turn(problem, 1, DRIFTING, correct=False, turns=1))
            journal.append(turn(problem, 1, DRIFTING, RESPECTING, method="project", turns=1, projected=True))
    [headline] = REPORTING.headlines(read_report([tmp_path]))
    assert [figure.accuracy for figure in headline.figures] == ["0.0", "100.0"]
    assert headline.gain.startswith("+100.0 pp, paired over 2 problems [")


def test_one_problem_is_one_problem(tmp_path: Path) -> None:
    with Journal(tmp_path, settings(problems=1, methods=("direct", "project"))) as journal:
        journal.append(turn("p", 1, DRIFTING, correct=False, turns=1))
        journal.append(turn("p", 1, DRIFTING, RESPECTING, method="project", turns=1, projected=True))
    [headline] = REPORTING.headlines(read_report([tmp_path]))
    assert "paired over 1 problem [" in headline.gain
