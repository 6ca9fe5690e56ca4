"""This module defines `holdtrue generate`, which makes problems, and `holdtrue validate`, which proves their labels
again.
"""

from __future__ import annotations

from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.cli.declared_options import make_command, parameter, parameters_of, take
from holdtrue.cli.exits import ExitCode
from holdtrue.errors import SettingsError
from holdtrue_lab.cli.suite_options import suite_app

if TYPE_CHECKING:
    from holdtrue_lab.kit.suite import Suite


def _make(suite: Suite) -> Any:
    out = Annotated[Path, typer.Option(help="The folder to write to; it must not hold problems.")]
    parameters = [parameter("out", out), *parameters_of(suite.recipe)]
    return make_command(suite.name, lambda given: _generate(suite, given), parameters, getdoc(suite.make) or "")


generate_app = suite_app(_make, "Make benchmark problems.", lambda suite: suite.make is not None)


def _generate(suite: Suite, options: dict[str, Any]) -> None:
    if suite.make is None:
        raise SettingsError(f"the problems of {suite.name} are not made by a program")
    for line in suite.make(take(suite.recipe, options), options["out"]):
        typer.echo(line)


def validate(
    folder: Annotated[Path, typer.Argument(help="The folder of a benchmark (see: generate).")],
    timeout_s: Annotated[float, typer.Option(min=0.001, help="Seconds per question about a label.")] = 5.0,
) -> None:
    """Prove every label of a benchmark again.

    In cross-query cases (benchmark_full_v2.json and its splits), z3 proves the labels from the SMT-LIB texts. Counts,
    shares, splits and dependencies are checked too. Two provers decide each search problem (problems.jsonl and its
    variants).

    Exit code: 2 if the benchmark cannot be read, 1 if something is wrong, 0 if all is well.
    """
    from holdtrue.errors import SettingsError
    from holdtrue_lab.kit.registry import find_suite, suite_names

    if not folder.is_dir():
        raise SettingsError(f"{folder}: no folder; give the one with the whole benchmark (see: generate)")
    provable = [suite for suite in map(find_suite, suite_names()) if suite.validate is not None]
    for suite in provable:
        found = suite.validate(folder, timeout_s) if suite.validate is not None else None
        if found is not None:
            break
    else:
        names = " and ".join(suite.name for suite in provable)
        raise SettingsError(f"{folder}: no benchmark lies here whose labels can be proved again ({names})")
    for line in found.wrong:
        print(line)
    count = len(found.wrong)
    verdict = f"{count} {'problem' if count == 1 else 'problems'}" if count else "nothing is wrong"
    print(f"{found.checked}: {verdict}")
    raise typer.Exit(ExitCode.WRONG if count else ExitCode.OK)
