from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from holdtrue.errors import InfrastructureError, RecordError
from holdtrue_lab.figures import report_files as rows_file
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.flat import TURNS
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.settings import JOURNAL_FILE
from tests.lab.kinds.written import write_run
from tests.lab.kit.entries import RESPECTING, failure, turn


def test_what_only_gold_can_tell_is_null_without_it(tmp_path: Path) -> None:
    write_run(tmp_path, [turn("p", 1, scored=False, delivered=None), failure("q")])
    TURNS.write([tmp_path], tmp_path / "turns.parquet")
    [row] = pl.read_parquet(tmp_path / "turns.parquet").to_dicts()
    unknown = {"correct", "upstream_correct", "first_correct", "upstream_ledger", "phantoms", "gaps", "churn"}
    assert {name for name, value in row.items() if value is None} == unknown | {"churn_of", "channel"}
    assert row["abstained"] is True


def test_rows_are_in_order_whatever_the_batches_and_bytes_are_the_same(
    folders: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows_file, "BATCH", 7)
    paths = [tmp_path / name for name in ("first.parquet", "new/second.parquet")]
    for path in paths:
        TURNS.write([*folders, folders[0]], path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    naive = [
        next(TURNS.cells(folder, [entry]))
        for folder in folders
        for entry in read_entries(folder)
        if isinstance(entry, AssignmentEntry)
    ]
    found = pl.read_parquet(paths[0])
    assert found.rows() == naive
    assert len(naive) == 2 * 4 * 6 * 4
    kinds = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}
    assert found.schema == {name: kinds[kind] for name, (kind, _) in TURNS.columns.items()}


def test_lone_surrogates_do_not_stop_it(tmp_path: Path) -> None:
    entry = turn("p", 1, RESPECTING)
    said = replace(entry.record.attempts[0], text="\ud800")
    write_run(tmp_path, [replace(entry, record=replace(entry.record, attempts=(said,), user_message="\ud800"))])
    TURNS.write([tmp_path], tmp_path / "turns.parquet")
    assert len(pl.read_parquet(tmp_path / "turns.parquet")) == 1


def test_errors_name_the_place(folders: list[Path], tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match=f"^{tmp_path} cannot be written: "):
        TURNS.write(folders, tmp_path)
    (tmp_path / JOURNAL_FILE).write_text("{}\n")
    with pytest.raises(RecordError, match=f"{tmp_path / JOURNAL_FILE}, line 1"):
        TURNS.write([tmp_path], tmp_path / "turns.parquet")
