from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import InfrastructureError
from holdtrue_lab.figures import cells
from holdtrue_lab.figures.cells import MISSING, in_interval, percent
from holdtrue_lab.figures.report_files import write_text
from holdtrue_lab.figures.significance import Paired, paired
from holdtrue_lab.figures.statistics import Estimate, clustered, wilson
from holdtrue_lab.figures.table import (
    Column,
    aligned,
    interval_places,
    make_table,
    split_interval,
)

NUMBERS = st.none() | st.floats(-1, 1, allow_nan=False)
ESTIMATES = st.tuples(NUMBERS, NUMBERS, NUMBERS).map(
    lambda found: Estimate(3, found[0], *((None, None) if None in found else found[1:]))
)


def test_a_table_without_its_interval_columns_names_no_method() -> None:
    table = make_table("t", "T", "N", [Column("a"), Column("b")], [("1", "1.5 [1.0, 2.0]")])
    assert table.intervals and not table.keep([0]).intervals


@settings(deadline=None, max_examples=200)
@given(st.lists(ESTIMATES, min_size=1))
def test_a_figure_and_its_interval_share_a_cell_and_stand_below_each_other(found: list[Estimate]) -> None:
    cells = [in_interval(each, percent) for each in found]
    for each, cell in zip(found, cells, strict=True):
        figure, interval = split_interval(cell)
        assert figure == percent(each.value)
        assert interval == ("" if each.low is None else f"[{percent(each.low)}, {percent(each.high)}]")
    table = make_table(
        "t", "T", "", [Column("name", words=True), Column("figure")], [("a [b]", cell) for cell in cells]
    )
    known = any(each.low is not None for each in found)
    assert interval_places(table) == ({1} if known else set())
    drawn = aligned(table)
    assert [[cell.split() for cell in line] for line in drawn.lines] == [
        [cell.split() for cell in line] for line in table.lines
    ]
    if known:
        ends = {len(line[1].split("[")[0].rstrip()) for line in drawn.lines if "[" in line[1]}
        assert len(ends) == 1, "figures end at the same place"
        assert len({len(line[1]) for line in drawn.lines}) == 1


def test_nothing_known_is_a_dash_without_an_interval() -> None:
    assert in_interval(Estimate(0), percent) == MISSING


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


def test_any_text_can_be_written_and_folders_are_made(tmp_path: Path) -> None:
    path = write_text(tmp_path / "new" / "page.html", "naïve \ud800")
    assert path.read_bytes() == "naïve \\ud800".encode()


def test_the_error_names_the_place(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "file" / "page.html"):
        with pytest.raises(InfrastructureError, match=f"^{place} cannot be written: "):
            write_text(place, "text")
