"""`holdtrue report`: show the results of runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue.lab.kit.runs import Runs


def report(
    folders: Annotated[list[Path], typer.Argument(help="Folders of runs; several are compared.", metavar="DIR...")],
    turns: Annotated[bool, typer.Option("--turns", help="Tell every turn in words instead.")] = False,
    table: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Show this table; repeatable.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every table.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Everything as one JSON object, for programs.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write one HTML file: figures, tables, transcripts.")] = None,
    transcripts: Annotated[int, typer.Option(min=0, help="With --html: problems shown turn by turn.")] = 9,
    latex: Annotated[Path | None, typer.Option(help="Write each table as a .tex file into this folder.")] = None,
    parquet: Annotated[
        Path | None, typer.Option(help="Write one row per turn, query, candidate or claim into this Parquet file.")
    ] = None,
) -> None:
    """Show the headline of runs, the most important table, why answers fail, and what they cost.

    All other tables are shown by their names, which the last line has, or with --all. Pages, LaTeX and JSON hold all.
    Only reads what `holdtrue run` wrote; a run that is still going on can be looked at too.
    """
    if turns:
        if as_json or html or latex or parquet or table or every:
            raise SettingsError("--turns tells every turn on the screen; give it without other outputs")
        _tell_turns(folders)
        return
    if table and every:
        raise SettingsError("--all shows every table; give it without --table")
    if html is not None:
        from holdtrue.extras import HTML, need

        need("this report", *HTML)  # before the journals are read, which may take a while
    if parquet is not None:
        from holdtrue.lab.kit.report import write_rows

        write_rows(folders, parquet)
        _say_written(parquet)
        if html is None and latex is None and not as_json:
            return
    from holdtrue.lab.kit.report import open_report

    found = open_report(folders)
    if html is not None:
        from holdtrue.lab.kit.page import write_page

        _say_written(write_page(found, html, transcripts))
    if latex is not None:
        from holdtrue.figures.latex import write_latex
        from holdtrue.lab.kit.report import all_tables

        write_latex(all_tables(found), latex)
        _say_written(latex)
    if as_json:
        print(json.dumps(found.to_json(), indent=2))
    elif html is None and latex is None:
        _show(found, table or [], every)


def _show(report: Runs[Any], names: list[str], every: bool) -> None:
    from holdtrue.figures.terminal import open_console
    from holdtrue.lab.kit.report import all_tables, headlines, named_tables, short_tables
    from holdtrue.lab.kit.shown_report import show

    if names:
        # Whoever asks for a table gets all that is to be known to read it.
        asked = [replace(table, note=f"{table.note} {table.more}".strip()) for table in named_tables(report, names)]
        show(report, asked, open_console())
        return
    tables = all_tables(report) if every else short_tables(report)
    shown = {table.name for table in tables}
    others = [table for table in all_tables(report) if table.name not in shown]
    show(report, tables, open_console(), headlines(report), others)


def _say_written(path: Path) -> None:
    typer.echo(f"written: {path}", err=True)


def _tell_turns(folders: list[Path]) -> None:
    from holdtrue.lab.kit.entry import FailureEntry
    from holdtrue.lab.kit.journal import read_entries
    from holdtrue.lab.kit.transcript import Transcript

    for folder in folders:
        transcript = Transcript()
        for entry in read_entries(folder):
            if not isinstance(entry, FailureEntry):
                print(*transcript.tell(entry), "", sep="\n")
