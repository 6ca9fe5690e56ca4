"""This module writes tables for papers, one `.tex` file each, for documents that load booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from holdtrue_lab.figures.cells import MISSING
from holdtrue_lab.figures.report_files import write_text
from holdtrue_lab.figures.table import Column, Table, folded_titles

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}
_NEGATIVE = re.compile(r"(?<![\w.])-(?=\d)")
_INTERVAL = re.compile(r"(?<=\d)-(?=\d)")


def write_latex(tables: list[Table], folder: Path) -> list[Path]:
    """Write each table to `folder`/NAME.tex, and return the files. Raises `InfrastructureError`."""
    return [write_text(folder / f"{table.name}.tex", as_latex(table)) for table in tables]


def as_latex(table: Table) -> str:
    """Return the table as the LaTeX text of a float with a caption and the label `tab:NAME`."""
    more = " ".join(filter(None, (table.more, table.intervals)))
    layout = "".join("l" if column.words else "r" for column in table.columns)
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering\small\setlength{\tabcolsep}{4pt}",
        rf"\caption{{{escape(' '.join(filter(None, (table.title + '.', table.note))))}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{layout}}}",
        r"\toprule",
        " & ".join(map(_title, folded_titles(table), layout)) + r" \\",
        r"\midrule",
        *_rows(table),
        r"\bottomrule",
        r"\end{tabular}",
        *([rf"\par\medskip\parbox{{\linewidth}}{{\footnotesize {escape(more)}}}"] if more else []),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _rows(table: Table) -> Iterator[str]:
    before = table.lines[0][0]
    for line in table.lines:
        if line[0] != before:
            yield r"\addlinespace"
        before = line[0]
        yield " & ".join(map(_cell, line, table.columns)) + r" \\"


def _title(title: str, side: str) -> str:
    lines = r" \\ ".join(escape(line) for line in title.splitlines())
    return rf"\shortstack[{side}]{{{lines}}}" if "\n" in title else lines


def escape(text: str) -> str:
    """Return a text with LaTeX's special characters escaped."""
    return "".join(_SPECIAL.get(character, character) for character in text)


def _cell(text: str, column: Column) -> str:
    """Return a cell with minus signs for negative numbers, and a longer dash in intervals and for missing values."""
    if column.words:
        return escape(text)
    return "--" if text == MISSING else _INTERVAL.sub("--", _NEGATIVE.sub("$-$", escape(text)))
