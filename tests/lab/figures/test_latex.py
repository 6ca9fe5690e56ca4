from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import InfrastructureError
from holdtrue_lab.figures.latex import as_latex, escape, write_latex
from holdtrue_lab.figures.table import Column, make_table
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kit.report import all_tables

TABLE = make_table(
    "some",
    "50% & more",
    "See a_b.",
    [Column("model", words=True), Column("accu\u00adracy %"), Column("p")],
    [("sim/x_1-2", "-3.1 [-9.1, +1.6]", "<0.0001"), ("m", "-", "1")],
)


def test_a_table_as_latex() -> None:
    assert as_latex(TABLE) == (
        "% needs \\usepackage{booktabs}\n"
        "\\begin{table}\n"
        "\\centering\\small\\setlength{\\tabcolsep}{4pt}\n"
        "\\caption{50\\% \\& more. See a\\_b.}\n"
        "\\label{tab:some}\n"
        "\\begin{tabular}{lrr}\n"
        "\\toprule\n"
        "model & accuracy \\% & p \\\\\n"
        "\\midrule\n"
        "sim/x\\_1-2 & $-$3.1 [$-$9.1, +1.6] & \\textless{}0.0001 \\\\\n"
        "\\addlinespace\n"
        "m & -- & 1 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\par\\medskip\\parbox{\\linewidth}{\\footnotesize "
        "95\\% intervals are expanded percentiles of the bootstrap over problems.}\n"
        "\\end{table}\n"
    )


def test_what_else_is_to_be_known_stands_below_in_small_print() -> None:
    text = as_latex(replace(TABLE, more="All of_it."))
    assert "\\caption{50\\% \\& more. See a\\_b.}" in text
    below = "\\par\\medskip\\parbox{\\linewidth}{\\footnotesize All of\\_it. 95"
    assert f"\\end{{tabular}}\n{below}" in text


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


def test_every_table_is_a_file_and_the_same_every_time(report: Report, tmp_path: Path) -> None:
    tables = all_tables(report)
    written = [write_latex(tables, tmp_path / name) for name in ("first", "second")]
    assert [path.stem for path in written[0]] == [table.name for table in tables]
    for one, other, table in zip(*written, tables, strict=True):
        text = one.read_text(encoding="utf-8")
        assert text == other.read_text(encoding="utf-8")
        body = text.partition("\\midrule\n")[2].partition("\\bottomrule")[0]
        rows = [row for row in body.splitlines() if row != "\\addlinespace"]
        assert len(rows) == len(table.lines)
        assert all(len(re.findall(r"(?<!\\)&", row)) == len(table.columns) - 1 for row in rows)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InfrastructureError, match=str(tmp_path / "file" / "some.tex")):
        write_latex([TABLE], tmp_path / "file")
