"""This module defines `holdtrue report`, which shows the results of runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue_lab.kit.runs import Runs


def report(
    folders: Annotated[list[Path], typer.Argument(help="Folders of runs; several are compared.", metavar="DIR...")],
    turns: Annotated[bool, typer.Option("--turns", help="Print every turn as text instead.")] = False,
    table: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Show this table; repeatable.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every table.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole report as one JSON object.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write one HTML file: figures, tables, transcripts.")] = None,
    transcripts: Annotated[int, typer.Option(min=0, help="With --html: problems shown turn by turn.")] = 9,
    latex: Annotated[Path | None, typer.Option(help="Write each table as a .tex file into this folder.")] = None,
    compare: Annotated[bool, typer.Option("--compare", help="Compare run A with run B, turn by turn.")] = False,
    parquet: Annotated[
        Path | None, typer.Option(help="Write one row per turn, query, candidate or claim into this Parquet file.")
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="Write one method's answers as JSON lines for an external scorer.")
    ] = None,
    method: Annotated[str | None, typer.Option(help="With --predictions: the method.", metavar="NAME")] = None,
    prices: Annotated[
        Path | None, typer.Option(help="A TOML file with dollars per million tokens of each model.", metavar="FILE")
    ] = None,
) -> None:
    """Show the headline of runs, the most important table, the reasons for wrong answers, and costs.

    With --compare, two runs A and B of the same suite are compared. The report shows their settings, paired tests of
    common methods, costs, and every turn that differs.

    Other tables are shown by --table NAME or --all; the last line lists their names. Pages, LaTeX and JSON have all
    tables. The command never changes the files of `holdtrue run`, and the run may still be active.
    """
    if turns:
        if as_json or html or latex or parquet or predictions or compare or table or every:
            raise SettingsError("--turns tells every turn on the screen; give it without other outputs")
        _tell_turns(folders)
        return
    if table and every:
        raise SettingsError("--all shows every table; give it without --table")
    if (method is not None and predictions is None) or (compare and predictions is not None):
        raise SettingsError("--predictions are those of one --method of one run; give both, and no --compare")
    if html is not None:
        from holdtrue.extras import HTML, need

        need("this report", *HTML)  # this comes before the journals are read, which may take a while
    if compare:
        _compare(folders, as_json=as_json, html=html, transcripts=transcripts, latex=latex, parquet=parquet)
        return
    if parquet is not None or predictions is not None:
        _write_data(folders, parquet, predictions, method)
        if html is None and latex is None and not as_json:
            return
    from holdtrue_lab.kit.prices import NO_PRICES, read_prices
    from holdtrue_lab.kit.report import open_report

    known = NO_PRICES if prices is None else read_prices(prices)  # this comes before the journals are read
    found = open_report(folders, known)
    if found.unpriced:
        lacking = ", ".join(found.unpriced)
        typer.echo(f"{prices}: there is no price of {lacking}; dollars of methods that asked it stay empty", err=True)
    _give(found, as_json=as_json, html=html, transcripts=transcripts, latex=latex, names=table or [], every=every)


def _write_data(folders: list[Path], parquet: Path | None, predictions: Path | None, method: str | None) -> None:
    if parquet is not None:
        from holdtrue_lab.kit.report import write_rows

        write_rows(folders, parquet)
        _say_written(parquet)
    if predictions is not None:
        from holdtrue_lab.kit.report import write_predictions

        chosen = write_predictions(folders, predictions, method)
        typer.echo(f"written: {predictions}, of method {chosen}", err=True)


def _give(
    found: Runs[Any],
    *,
    as_json: bool,
    html: Path | None,
    transcripts: int,
    latex: Path | None,
    names: list[str],
    every: bool,
) -> None:
    if html is not None:
        from holdtrue_lab.kit.page import write_page

        _say_written(write_page(found, html, transcripts))
    if latex is not None:
        from holdtrue_lab.figures.latex import write_latex
        from holdtrue_lab.kit.report import all_tables

        write_latex(all_tables(found), latex)
        _say_written(latex)
    if as_json:
        print(json.dumps(found.to_json(), indent=2))
    elif html is None and latex is None:
        _show(found, names, every)


def _show(report: Runs[Any], names: list[str], every: bool) -> None:
    from holdtrue_lab.figures.terminal import open_console
    from holdtrue_lab.kit.report import all_tables, headlines, named_tables, short_tables
    from holdtrue_lab.kit.shown_report import show

    if names:
        # A requested table comes with its long explanation.
        asked = [replace(table, note=f"{table.note} {table.more}".strip()) for table in named_tables(report, names)]
        show(report, asked, open_console())
        return
    tables = all_tables(report) if every else short_tables(report)
    shown = {table.name for table in tables}
    others = [table for table in all_tables(report) if table.name not in shown]
    show(report, tables, open_console(), headlines(report), others)


def _compare(
    folders: list[Path], *, as_json: bool, html: Path | None, transcripts: int, latex: Path | None, parquet: Path | None
) -> None:
    import sys

    from holdtrue_lab.kit.two_runs import writing
    from holdtrue_lab.kit.two_runs.comparison import compare_runs

    two = compare_runs(folders)
    if parquet is not None:
        writing.write_turns(two, parquet)
        _say_written(parquet)
    if html is not None:
        _say_written(writing.write_comparison_page(two, html, transcripts))
    if latex is not None:
        from holdtrue_lab.figures.latex import write_latex
        from holdtrue_lab.kit.two_runs.writing import all_tables

        write_latex(all_tables(two), latex)
        _say_written(latex)
    if as_json:
        writing.write_json(two, sys.stdout.write)
    elif html is None and latex is None and parquet is None:
        from holdtrue_lab.figures.terminal import open_console

        writing.show_comparison(two, open_console())


def _say_written(path: Path) -> None:
    typer.echo(f"written: {path}", err=True)


def _tell_turns(folders: list[Path]) -> None:
    from holdtrue_lab.kit.entry import FailureEntry
    from holdtrue_lab.kit.journal import read_entries
    from holdtrue_lab.kit.transcript import Transcript

    for folder in folders:
        transcript = Transcript()
        for entry in read_entries(folder):
            if not isinstance(entry, FailureEntry):
                print(*transcript.tell(entry), "", sep="\n")
