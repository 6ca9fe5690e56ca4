"""The `holdtrue` command. Verbs are loaded when they are called, so that `--help` stays quick."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer
from typer.core import TyperGroup

from holdtrue.cli.audit import audit
from holdtrue.cli.benchmarks import generate_app, validate
from holdtrue.cli.check import check
from holdtrue.cli.exits import ExitCode, fail
from holdtrue.cli.explain import explain
from holdtrue.cli.export import export_app
from holdtrue.cli.ledger import ledger_app
from holdtrue.cli.models import models_app
from holdtrue.cli.policy import policy_app
from holdtrue.cli.report import report
from holdtrue.cli.run import run_app
from holdtrue.cli.study_reading import study_app
from holdtrue.cli.suite_options import as_command
from holdtrue.errors import HoldtrueError, InfrastructureError


def _verify() -> Any:
    from holdtrue.cli.claims import verify

    return as_command(verify, "Verify an answer, claim by claim, against a context.")


def _formalize() -> Any:
    from holdtrue.cli.claims import formalize

    return as_command(formalize, "Show a text as logic, and what is wrong with that.")


class _Verbs(TyperGroup):
    """The verbs of claims are loaded when they are asked for, since their options are those of a kind of answer."""

    of_claims: ClassVar[Mapping[str, Callable[[], Any]]] = {"verify": _verify, "formalize": _formalize}

    def list_commands(self, ctx: Any) -> list[str]:
        logged, explained, *others = super().list_commands(ctx)
        return [logged, explained, *self.of_claims, *others]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return self.of_claims[cmd_name]() if cmd_name in self.of_claims else super().get_command(ctx, cmd_name)


app = typer.Typer(
    name="holdtrue",
    cls=_Verbs,
    help="Conversations with language models that hold true to what was agreed in them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # drawing the help with rich would take longer than all the rest of it
)
app.command(short_help="Verify logged turns offline.")(check)
app.command(short_help="Explain ledgers: why not, what instead, what is left.")(explain)
app.command(short_help="Check millions of logged turns.")(audit)
app.command(short_help="Show what runs came to.")(report)
app.command(short_help="Prove the labels of a benchmark again.")(validate)
app.add_typer(policy_app, name="policy")
app.add_typer(ledger_app, name="ledger")
app.add_typer(run_app, name="run")
app.add_typer(generate_app, name="generate")
app.add_typer(study_app, name="study")
app.add_typer(export_app, name="export")
app.add_typer(models_app, name="models")


def _tell_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version as installed

        typer.echo(installed("holdtrue"))
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and leave.", is_eager=True, callback=_tell_version),
    ] = False,
) -> None:
    """Take the options that come before any command."""


def main() -> None:
    """Run the command; an error of holdtrue's own tree becomes one clear line and its exit code."""
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # here, where it can still be said that it fails
    except HoldtrueError as error:
        sys.exit(fail(error))
    except BrokenPipeError:
        # The reader of our output went away (as `| head` does): nothing is wrong, and nobody is listening.
        sys.stderr.close()
        sys.exit(ExitCode.OK)
    except OSError as error:
        if error.filename is not None:  # a file of ours, whose errors are to be told by whoever opened it
            raise
        _let_go_of_stdout()
        sys.exit(fail(InfrastructureError(f"the output cannot be written: {error.strerror}")))


def _let_go_of_stdout() -> None:
    """Send what is still to be written nowhere: at its end the interpreter would write it again, and complain."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
