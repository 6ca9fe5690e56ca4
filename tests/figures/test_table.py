from __future__ import annotations

from holdtrue.figures.table import SOFT_HYPHEN, Column, fold, make_table


def test_optional_columns_that_say_nothing_are_left_out() -> None:
    columns = [Column("a", words=True), Column("b", optional=True), Column("c", optional=True), Column("d")]
    table = make_table("t", "T", "", columns, [("x", "-", "-", "0"), ("y", "0.0", "1.0", "0")])
    assert [column.title for column in table.columns] == ["a", "c", "d"]
    assert table.lines == (("x", "-", "0"), ("y", "1.0", "0"))


def test_columns_can_be_kept_by_place() -> None:
    table = make_table("t", "T", "N", [Column("a"), Column("b"), Column("c")], [("1", "2", "3")])
    kept = table.keep([2, 0])
    assert (kept.name, kept.title, kept.note) == ("t", "T", "N")
    assert ([column.title for column in kept.columns], kept.lines) == (["c", "a"], (("3", "1"),))


def test_titles_are_folded_at_spaces_and_soft_hyphens() -> None:
    title = f"accu{SOFT_HYPHEN}racy of turns %"
    assert fold(title, 40) == "accuracy of turns %"
    assert fold(title, 8) == "accuracy\nof turns\n%"
    assert fold(title, 6) == "accu-\nracy\nof\nturns\n%"
    assert fold("do not fold-me", 3) == "do\nnot\nfold-me"


def test_a_table_names_the_methods_of_its_intervals() -> None:
    columns = [Column("a"), Column("95% of a", wide=True), Column("b")]

    def named(*cells: str) -> str:
        return make_table("t", "T", "N", columns, [("1", cell, "0W") for cell in cells], over="cases").intervals

    bootstrap = "95% intervals are expanded percentiles of the bootstrap over cases"
    assert named("1.0-2.0", "-") == f"{bootstrap}."
    assert named("1.0-2.0", "0.0-79.3W") == f"{bootstrap}; those with W are Wilson's, because all cases agree."
    assert named("-") == named() == ""


def test_a_table_without_its_interval_columns_names_no_method() -> None:
    table = make_table("t", "T", "N", [Column("a"), Column("95% interval")], [("1", "1.0-2.0")])
    assert table.intervals and not table.keep([0]).intervals
