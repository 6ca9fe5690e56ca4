"""`holdtrue validate`: is a cross-query benchmark what it says?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from holdtrue.cli.exits import ExitCode


def validate(
    folder: Annotated[Path, typer.Argument(help="The folder with benchmark_full_v2.json and its splits.")],
    timeout_s: Annotated[float, typer.Option(min=0.001, help="Seconds of solver time per question.")] = 5.0,
) -> None:
    """Prove every label again from the SMT-LIB texts by z3, and check counts, shares, splits and dependencies.

    Exit code: 2 a benchmark that cannot be read, 1 something is wrong, 0 all is well.
    """
    from holdtrue.budget import Budget
    from holdtrue.errors import SettingsError
    from holdtrue.suites.cross_query.validate import validate as validate_benchmark

    if not folder.is_dir():
        raise SettingsError(f"{folder}: no folder; give the one with the whole benchmark (see: generate cross_query)")
    found = validate_benchmark(folder, Budget(timeout_s=timeout_s))
    for problem in found.problems:
        print(problem)
    count = len(found.problems)
    verdict = f"{count} {'problem' if count == 1 else 'problems'}" if count else "nothing is wrong"
    print(f"{found.cases} cases, {found.proved} of {found.queries} labels proved again by z3: {verdict}")
    raise typer.Exit(ExitCode.WRONG if count else ExitCode.OK)
