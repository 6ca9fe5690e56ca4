from __future__ import annotations

from pathlib import Path

from holdtrue_lab.figures.report_files import write_text


def test_any_text_can_be_written_and_folders_are_made(tmp_path: Path) -> None:
    path = write_text(tmp_path / "new" / "page.html", "naïve \ud800")
    assert path.read_bytes() == "naïve \\ud800".encode()
