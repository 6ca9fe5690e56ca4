"""Options that the commands of the laboratory share, and groups with a command for every suite."""

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
ShowTurns = Annotated[bool, typer.Option("--show-turns", help="Tell every turn in words, as it comes.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only the last line.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Tell which solver, and why, on standard error.")]


class SuiteGroup(TyperGroup):
    """A command for every suite, made when it is asked for, so that no other suite is loaded with it."""

    make: Callable[[Suite], Any]

    def list_commands(self, ctx: Any) -> list[str]:
        from holdtrue_lab.kit.registry import suite_names

        return list(suite_names())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        from holdtrue_lab.kit.registry import find_suite

        return type(self).make(find_suite(cmd_name))
