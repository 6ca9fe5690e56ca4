"""The `holdtrue` command. The module of a verb is imported only when the verb is called."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from holdtrue.cli.declared_options import as_command
from holdtrue.cli.exits import ExitCode, fail
from holdtrue.errors import HoldtrueError, InfrastructureError
from holdtrue.extras import need


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of the command: the module and the name of its function or group, and a line of help."""

    home: str
    about: str

    def load(self, verb: str) -> Any:
        """Return the verb as a command or a group. Raises `SettingsError` if its distribution is not installed."""
        module, _, name = self.home.partition(":")
        distribution = module.partition(".")[0]
        if distribution != "holdtrue":
            need(f"holdtrue {verb}", distribution)
        return as_command(getattr(import_module(module), name))


VERBS = {
    "check": Verb("holdtrue.cli.check:check", "Verify logged turns offline."),
    "explain": Verb("holdtrue.cli.explain:explain", "Explain ledgers: why not, what instead, what is left."),
    "verify": Verb("holdtrue_claims.cli:verify", "Verify an answer, claim by claim, against a context."),
    "formalize": Verb("holdtrue_claims.cli:formalize", "Show a text as logic, and what is wrong with that."),
    "audit": Verb("holdtrue.cli.audit:audit", "Check millions of logged turns."),
    "report": Verb("holdtrue_lab.cli.report:report", "Show what runs came to."),
    "validate": Verb("holdtrue_lab.cli.benchmarks:validate", "Prove the labels of a benchmark again."),
    "policy": Verb("holdtrue.cli.policy:policy_app", "Analyse, compare and test policies of the guard."),
    "ledger": Verb("holdtrue.cli.ledger:ledger_app", "Look at the conversations that a guard has kept."),
    "page": Verb("holdtrue.cli.page:page", "Show conversations in a browser, and change them by hand."),
    "serve": Verb("holdtrue.cli.serve:serve", "Stand between apps and their model, and let only allowed calls out."),
    "serve-guardrail": Verb("holdtrue.cli.serve:serve", "The same as serve, for gateways that ask about calls."),
    "mcp-gateway": Verb("holdtrue.cli.mcp_gateway:mcp_gateway", "Put the guard before any MCP server."),
    "mcp": Verb("holdtrue.cli.mcp:mcp", "Serve the ledger and decisions of a guard as MCP tools."),
    "run": Verb("holdtrue_lab.cli.run:run_app", "Play benchmark problems, and write down every turn."),
    "generate": Verb("holdtrue_lab.cli.benchmarks:generate_app", "Make benchmark problems."),
    "study": Verb("holdtrue_lab.cli.study_reading:study_app", "Make problems, play all methods, and write the report."),
    "export": Verb("holdtrue_lab.cli.export:export_app", "Write problems and runs for other programs."),
    "models": Verb("holdtrue.cli.models:models_app", "See and fetch models that run on this machine."),
}
"""The verbs, in the order of the help. Other distributions provide those of claims and of the laboratory."""


class _Verbs(TyperGroup):
    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands: dict[str, Any] = dict.fromkeys(VERBS)  # the names suffice to suggest one for a typing error

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return VERBS[cmd_name].load(cmd_name) if cmd_name in VERBS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.about) for name, verb in VERBS.items()])


app = typer.Typer(
    name="holdtrue",
    cls=_Verbs,
    help="Conversations with language models that hold true to what was agreed in them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich would need most of the time for the help
)


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
    """Run the command. An error of holdtrue becomes one line of text and its exit code."""
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # a failure can still be reported here
    except HoldtrueError as error:
        sys.exit(fail(error))
    except BrokenPipeError:
        # The reader of the output has ended, as `| head` does. That is no error.
        sys.stderr.close()
        sys.exit(ExitCode.OK)
    except OSError as error:
        if error.filename is not None:  # the code that opened the file has to report this
            raise
        _let_go_of_stdout()
        sys.exit(fail(InfrastructureError(f"the output cannot be written: {error.strerror}")))


def _let_go_of_stdout() -> None:
    """Discard buffered output. Otherwise the interpreter would write it again at its end and complain."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
