"""The options that every `holdtrue run` command has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Out = Annotated[Path | None, typer.Option(help="Folder of the run (default: runs/, named by settings).")]
Connections = Annotated[int, typer.Option(min=1, help="Calls under way at a time.")]
TokenLimit = Annotated[int | None, typer.Option(min=1, help="Begin no call beyond so many paid tokens.")]
BaseUrl = Annotated[str | None, typer.Option(help="Where an openai/... model is served.")]
ShowTurns = Annotated[bool, typer.Option("--show-turns", help="Tell every turn in words, as it comes.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only the last line.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Tell which solver, and why, on standard error.")]
