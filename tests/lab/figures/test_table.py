from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue_lab.figures.cells import MISSING, in_interval, percent
from holdtrue_lab.figures.statistics import Estimate
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


def test_a_table_names_the_methods_of_its_intervals() -> None:
    columns = [Column("a"), Column("b")]

    def named(*cells: str) -> str:
        return make_table("t", "T", "N", columns, [(cell, "0W") for cell in cells], over="cases").intervals

    bootstrap = "95% intervals are expanded percentiles of the bootstrap over cases"
    assert named("1.5 [1.0, 2.0]", "-") == f"{bootstrap}."
    assert (
        named("1.5 [1.0, 2.0]", "0.0 [0.0, 79.3]W")
        == f"{bootstrap}; those with W are Wilson's, because all cases agree."
    )
    assert named("-") == named() == ""


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
