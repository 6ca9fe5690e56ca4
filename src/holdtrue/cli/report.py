"""`holdtrue report`: what runs came to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def report(
    folders: Annotated[list[Path], typer.Argument(help="Folders of runs; several are compared.", metavar="DIR...")],
    turns: Annotated[bool, typer.Option("--turns", help="Tell every turn in words instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Everything as one JSON object, for programs.")] = False,
) -> None:
    """Show accuracy, channels of wrong turns, harm and help, depth, triggers and cost of runs.

    Only reads what `holdtrue run` wrote; a run that is still going on can be looked at too.
    """
    if turns:
        _tell_turns(folders)
        return
    from holdtrue.report.read import read_run

    runs = [read_run(folder) for folder in folders]
    if as_json:
        print(json.dumps({"schema": 1, "runs": [run.to_json() for run in runs]}, indent=2))
        return
    from holdtrue.report.tables import open_console, show

    show(runs, open_console())


def _tell_turns(folders: list[Path]) -> None:
    from holdtrue.evaluation.entry import TurnEntry
    from holdtrue.evaluation.journal import read_entries
    from holdtrue.report.transcript import Transcript

    for folder in folders:
        transcript = Transcript()
        for entry in read_entries(folder):
            if isinstance(entry, TurnEntry):
                print(*transcript.tell(entry), "", sep="\n")
