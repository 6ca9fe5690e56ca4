"""`holdtrue generate`: make the problems of a suite."""

from __future__ import annotations

from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.cli.suite_options import SuiteGroup, make_command, parameter, parameters_of, take
from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue.lab.kit.suite import Suite


class _Recipes(SuiteGroup):
    def list_commands(self, ctx: Any) -> list[str]:
        from holdtrue.lab.kit.registry import find_suite

        return [name for name in super().list_commands(ctx) if find_suite(name).make is not None]

    @staticmethod
    def make(name: str) -> Any:
        from holdtrue.lab.kit.registry import find_suite

        suite = find_suite(name)
        out = Annotated[Path, typer.Option(help="The folder to write to; it may not hold problems yet.")]
        parameters = [parameter("out", out), *parameters_of(suite.recipe)]
        return make_command(suite.name, lambda given: _generate(suite, given), parameters, getdoc(suite.make) or "")


generate_app = typer.Typer(cls=_Recipes, help="Make benchmark problems.", no_args_is_help=True)


@generate_app.callback()
def root() -> None:
    """Make benchmark problems."""


def _generate(suite: Suite, options: dict[str, Any]) -> None:
    if suite.make is None:
        raise SettingsError(f"the problems of {suite.name} are not made by a program")
    for line in suite.make(take(suite.recipe, options), options["out"]):
        typer.echo(line)
