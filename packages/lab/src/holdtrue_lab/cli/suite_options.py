"""This module holds options that the laboratory's commands share, and groups with a command for every suite."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from holdtrue_lab.kit.suite import Suite

EXIT_CODES = "Exit code: 0 done, 1 a conversation failed, 2 usage, 3 stopped at the token limit, 4 infrastructure."

Out = Annotated[Path | None, typer.Option(help="Folder of the run (default: runs/, named by settings).")]
ShowTurns = Annotated[bool, typer.Option("--show-turns", help="Print every turn as text when it ends.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the last line.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Print the deciding solver, and why, on standard error.")]


def suite_app(make: Callable[[Suite], Any], about: str, has: Callable[[Suite], bool] | None = None) -> typer.Typer:
    """Return a group with a command for every suite.

    `make` returns the command of a suite when the command is called, so that other suites are not imported. If `has` is
    given, only suites for which it returns true are listed.
    """

    class Group(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            from holdtrue_lab.kit.registry import find_suite, suite_names

            return [name for name in suite_names() if has is None or has(find_suite(name))]

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            from holdtrue_lab.kit.registry import find_suite

            return make(find_suite(cmd_name))

    app = typer.Typer(cls=Group, help=about, no_args_is_help=True)
    app.callback(help=about)(lambda: None)
    return app
