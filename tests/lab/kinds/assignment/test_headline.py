from __future__ import annotations

from pathlib import Path

from holdtrue_lab.kinds.assignment.reporting import REPORTING
from holdtrue_lab.kit.journal import Journal
from tests.lab.conftest import read_report
from tests.lab.kit.entries import DRIFTING, RESPECTING, settings, turn


def test_a_gain_is_told_with_its_interval(tmp_path: Path) -> None:
    with Journal(tmp_path, settings(methods=("direct", "project"))) as journal:
        for problem in ("p", "q"):
            journal.append(turn(problem, 1, DRIFTING, correct=False, turns=1))
            journal.append(turn(problem, 1, DRIFTING, RESPECTING, method="project", turns=1, projected=True))
    [headline] = REPORTING.headlines(read_report([tmp_path]))
    assert [figure.accuracy for figure in headline.figures] == ["0.0", "100.0"]
    assert headline.gain.startswith("+100.0 pp, paired over 2 problems [")
