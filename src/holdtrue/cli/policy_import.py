"""The command `holdtrue policy import`: make a policy of one in Cedar, Dogwood or Rego."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.logged_input import input_name, open_input, print_any_text
from holdtrue.errors import InputError

_File = Annotated[str, typer.Argument(metavar="FILE", help="Policies in Cedar, Dogwood or Rego; - is standard input.")]
_Tools = Annotated[str, typer.Option("--tools", metavar="FILE", help="The definitions of the tools, as JSON.")]
_Schema = Annotated[str, typer.Option("--schema", metavar="FILE", help="A schema of Cedar, for groups of actions.")]
_From = Annotated[
    Literal["cedar", "dogwood", "rego"] | None,
    typer.Option("--from", help="The language, if the text does not tell it."),
]
_Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Where to write the policy; else it is printed.")
]


def import_file(file: _File, tools: _Tools, schema: _Schema = "", language: _From = None, out: _Out = None) -> None:
    """Make a policy of one in Cedar, Dogwood or Rego, and list each part that no rule carries.

    Such a part is in `not_checked`, with its line and the reason. Where a forbid is not carried, a person is asked. A
    permit that is not carried permits nothing.

    Exit code: 2 for an unusable file, 3 if a part is not carried, and 0 otherwise.
    """
    from holdtrue.guard.imported.imported_policy import import_policy

    print_any_text()
    try:
        given = json.loads(_text(tools))
    except ValueError as error:
        raise InputError(f"{input_name(tools)} is no JSON: {error}") from error
    name = "imported" if file == "-" else Path(file).stem
    own = given if isinstance(given, list) else [given]
    found = import_policy(_text(file), own, language=language, schema=schema and _text(schema), name=name)
    if out is None:
        print(found.text, end="")
    else:
        out.write_text(found.text, encoding="utf-8")
    for omission in found.omissions:
        print(f"{input_name(file)}: {omission}", file=sys.stderr)
    raise typer.Exit(ExitCode.UNDECIDED if found.omissions else ExitCode.OK)


def _text(file: str) -> str:
    with open_input(file) as stream:
        return stream.read()
