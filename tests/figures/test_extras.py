from __future__ import annotations

import sys
from pathlib import Path

import pytest

from holdtrue.errors import SettingsError
from holdtrue.lab.kinds.assignment.flat import write_parquet
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kit.page import as_page


@pytest.mark.parametrize("library", ["jinja2", "matplotlib"])
def test_a_page_without_its_libraries_says_how_to_get_them(
    report: Report, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(SettingsError, match=rf"{library}; get it by: pip install 'holdtrue\[report\]'"):
        as_page(report, 1)


def test_parquet_without_polars_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(SettingsError, match=r"polars; get it by: pip install 'holdtrue\[report\]'"):
        write_parquet([tmp_path], tmp_path / "turns.parquet")
