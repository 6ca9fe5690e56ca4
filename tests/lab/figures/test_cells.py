from __future__ import annotations

from holdtrue_lab.figures import cells
from holdtrue_lab.figures.significance import Paired, paired
from holdtrue_lab.figures.statistics import clustered, wilson


def test_what_is_known() -> None:
    assert cells.percent(0.6333) == "63.3"
    assert cells.rate_interval(wilson(5, 10)) == "23.7-76.3W"
    [varied] = clustered([([1, 0, 1], [1, 1, 1])])
    assert cells.rate_interval(varied) == cells.interval(varied.low, varied.high)
    assert cells.paired_interval(paired([1.0] * 3, [1.0] * 3)) == "[-56.1, +56.1]W"
    assert cells.paired_interval(Paired(2, 0.1, -0.25, 0.5, 1.0), "{:.2f}".format) == "[-0.25, 0.50]"
    assert cells.points(0.0203) == "+2.0"
    assert (cells.points(-0.0001), cells.percent(-0.0001)) == ("+0.0", "0.0")
    assert cells.points_interval(-0.0914, 0.0163) == "[-9.1, +1.6]"
    assert cells.p_value(0.01866) == "0.0187"
    assert cells.p_value(0.0) == "<0.0001"
    assert cells.fraction(0.7258) == "0.726"
    assert cells.mean(3, 4) == "0.75"
    assert cells.coverage(220, 221) == "220/221"


def test_what_is_not_known_is_a_dash_and_never_a_zero() -> None:
    nothing = wilson(0, 0)
    written = [cells.percent(None), cells.rate_interval(nothing), cells.points(None), cells.points_interval(None, 0.1)]
    written += [cells.p_value(None), cells.fraction(None), cells.decimal(None), cells.mean(3, 0)]
    assert set(written) == {cells.MISSING}
