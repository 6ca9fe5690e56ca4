from __future__ import annotations

from pathlib import Path

import polars as pl

from holdtrue_lab.kinds.claims.flat import CLAIMS
from tests.lab.kinds.claims.runs import answers, changed, once, write


def read(tmp_path: Path, folder: Path) -> pl.DataFrame:
    CLAIMS.write([folder, folder], tmp_path / "rows.parquet")
    return pl.read_parquet(tmp_path / "rows.parquet")


def test_every_claim_of_every_attempt_is_one_row(tmp_path: Path) -> None:
    found = read(tmp_path, write(tmp_path / "run", answers()))
    assert found.columns == list(CLAIMS.columns)
    assert found.height == (2 + 2 + 1) + (4 + 4 + 2) + 3
    ours = found.filter((pl.col("item") == "p") & (pl.col("method") == "verge"))
    assert ours.select(
        "attempt", "kind", "claim", "verdict", "route", "option", "accepted", "last", "first"
    ).rows() == [
        (1, "answer", "C1", "contradictory", "hard", "B", False, False, True),
        (1, "answer", "C2", "possible", "hard", "B", False, False, False),
        (2, "repair", "C1", "entailed", "hard", "A", True, True, True),
        (2, "repair", "C2", "supported", "hybrid", "A", True, True, False),
    ]
    first, last = ours.to_dicts()[0], ours.to_dicts()[-1]
    assert (first["joint"], first["joint_conflict"], first["without_bridges"]) == ("conflict", "P1,B1,C1", "consistent")
    assert (first["change"], first["shown_by"], first["minimal"]) == ("C1", "P1,P2", False)
    assert (last["gold"], last["given"], last["correct"], last["supported"]) == ("A", "A", True, "A")
    assert (last["votes"], last["confidence"], last["refused"]) == ("supported 4, uncertain 1", 0.8, "consensus")
    assert (last["formula"], last["samples"], last["readable"], last["alerts"]) == (None, 3, 2, 1)
    assert (last["item_calls"], last["extraction_calls"], last["calls"], last["measuring_calls"]) == (5, 2, 1, 0)
    assert (last["context"], last["premises"], last["premises_read"], last["context_alerts"]) == ("consistent", 2, 2, 1)


def test_items_are_counted_by_first_rows_of_last_attempts_also_without_claims(tmp_path: Path) -> None:
    entries = [*answers(), *changed(), once("bare", None, None, premises=None, gold=None)]
    found = read(tmp_path, write(tmp_path / "run", entries))
    counted = found.filter(pl.col("first") & pl.col("last"))
    assert counted.height == len(entries)
    bare = counted.filter(pl.col("item") == "bare").to_dicts()[0]
    assert {bare[name] for name in ("claims", "claim", "score", "gold", "correct", "context", "option")} == {None}
    not_p = counted.filter(pl.col("perturbs") == "p")
    assert not_p["perturbation"].to_list() == ["logic_inversion"] * 2
