from __future__ import annotations

from pathlib import Path

import pytest

from holdtrue.errors import InfrastructureError
from holdtrue_lab.figures.report_files import write_text


def test_any_text_can_be_written_and_folders_are_made(tmp_path: Path) -> None:
    path = write_text(tmp_path / "new" / "page.html", "naïve \ud800")
    assert path.read_bytes() == "naïve \\ud800".encode()


def test_the_error_names_the_place(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "file" / "page.html"):
        with pytest.raises(InfrastructureError, match=f"^{place} cannot be written: "):
            write_text(place, "text")
