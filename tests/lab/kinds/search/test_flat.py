from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from holdtrue_lab.kinds.search.flat import CANDIDATES
from tests.lab.kinds.search.runs import failed, repaired, searches, trial, write


def read(tmp_path: Path, folder: Path) -> pl.DataFrame:
    CANDIDATES.write([folder, folder], tmp_path / "rows.parquet")
    return pl.read_parquet(tmp_path / "rows.parquet")


def test_every_candidate_is_one_row(tmp_path: Path) -> None:
    found = read(tmp_path, write(tmp_path / "run", searches()))
    assert found.columns == list(CANDIDATES.columns)
    assert found.height == 2 * (5 + 3 + 3) + 3
    mended = found.filter((pl.col("problem") == "p") & (pl.col("method") == "cd_vgs"))
    assert mended.select("candidate", "round", "mends", "outcome", "repeated", "last").rows() == [
        (1, 1, None, "failed_certification", False, False),
        (2, 2, 1, "failed_certification", True, False),
        (3, 2, 1, "certified_sat", False, True),
    ]
    assert mended.select("asked", "violated", "conflict", "revise", "values").rows()[1] == (
        "x1,x2",
        "c1,c2",
        "c2",
        "x1,x2",
        3,
    )
    last = mended.to_dicts()[-1]
    assert (last["gold"], last["correct"], last["verified_at"], last["trial_outcome"]) == (
        "sat",
        True,
        3,
        "certified_sat",
    )
    assert (last["calls"], last["trial_calls"], last["completion_tokens"], last["trial_completion_tokens"]) == (
        1,
        3,
        20,
        60,
    )


def test_trials_are_counted_by_their_last_rows_also_without_a_candidate(tmp_path: Path) -> None:
    none = trial("n", method="cd_vgs", exhausted="tokens", turns=2)
    unscored = replace(failed("p", "cd_vgs"), score=None)
    found = read(tmp_path, write(tmp_path / "run", [none, unscored, repaired("q")]))
    last = found.filter(pl.col("last"))
    assert last.select("problem", "trial", "trials", "candidate", "trial_outcome", "exhausted", "gold").rows() == [
        ("n", 1, 2, None, "budget_exceeded", "tokens", "sat"),
        ("p", 1, 1, 5, "verifier_unknown", None, None),
        ("q", 1, 1, 3, "certified_sat", None, "sat"),
    ]
