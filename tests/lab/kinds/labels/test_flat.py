from __future__ import annotations

from pathlib import Path

import polars as pl

from holdtrue_lab.kinds.labels.flat import QUERIES
from tests.lab.kinds.labels.labelled import C, U
from tests.lab.kinds.labels.runs import dialogue, queries, write


def read(tmp_path: Path, folder: Path) -> pl.DataFrame:
    QUERIES.write([folder, folder], tmp_path / "rows.parquet")
    return pl.read_parquet(tmp_path / "rows.parquet")


def test_every_query_is_one_row(tmp_path: Path) -> None:
    found = read(tmp_path, write(tmp_path / "run", queries()))
    assert found.columns == list(QUERIES.columns)
    assert found.height == 16
    [row] = found.filter(
        (pl.col("problem") == "p") & (pl.col("method") != "direct") & (pl.col("query") == "q2")
    ).to_dicts()
    assert (row["gold"], row["first"], row["final"], row["correct"], row["first_correct"]) == (U, C, U, True, False)
    assert (row["retractions"], row["revision_cost"], row["set_consistent"], row["solver_calls"]) == (1, 0, True, 7)
    assert (row["outcome"], row["attempts"], row["queries"]) == ("contradicts_beliefs", 1, 4)


def test_what_came_in_the_end_stands_on_the_row_of_the_turn_that_asked(tmp_path: Path) -> None:
    mixed = [each for pair in zip(dialogue(problem="a"), dialogue(problem="b"), strict=True) for each in pair]
    found = read(tmp_path, write(tmp_path / "run", [*mixed, *dialogue(problem="c")[:1]], suite="belief"))
    assert found.select("problem", "turn", "finished").rows() == [
        ("a", 1, True),
        ("a", 2, True),
        ("b", 1, True),
        ("b", 2, True),
        ("c", 1, False),
    ]
    assert found["set_consistent"].to_list() == [True] * 4 + [None]
