from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import InfrastructureError
from holdtrue_lab.figures.latex import escape, write_latex
from holdtrue_lab.figures.table import Column, make_table

TABLE = make_table(
    "some",
    "50% & more",
    "See a_b.",
    [Column("model", words=True), Column("accu\u00adracy %"), Column("p")],
    [("sim/x_1-2", "-3.1 [-9.1, +1.6]", "<0.0001"), ("m", "-", "1")],
)


@settings(deadline=None, max_examples=100)
@given(st.text("ab\\{}$&#%_~^<>"))
def test_escaped_text_means_itself(text: str) -> None:
    meaning = escape(text)
    for shown, written in (("\\textbackslash{}", "\\"), ("\\textasciitilde{}", "~"), ("\\textasciicircum{}", "^")):
        meaning = meaning.replace(shown, f"\0{ord(written)}\0")
    meaning = meaning.replace("\\textless{}", "<").replace("\\textgreater{}", ">")
    assert not re.search(r"(?<!\\)[{}$&#%_]", meaning)
    meaning = re.sub(r"\\([{}$&#%_])", r"\1", meaning)
    assert re.sub("\0(\\d+)\0", lambda found: chr(int(found[1])), meaning) == text


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InfrastructureError, match=str(tmp_path / "file" / "some.tex")):
        write_latex([TABLE], tmp_path / "file")
