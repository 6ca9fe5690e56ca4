"""`holdtrue validate`: is a benchmark what it says?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from holdtrue.cli.exits import ExitCode


def validate(
    folder: Annotated[Path, typer.Argument(help="The folder of cross-query cases, or of search problems.")],
    timeout_s: Annotated[float, typer.Option(min=0.001, help="Seconds per question about cross-query cases.")] = 5.0,
) -> None:
    """Prove every label of a benchmark again.

    Cross-query cases (benchmark_full_v2.json and its splits): from the SMT-LIB texts, by z3, and counts, shares,
    splits and dependencies are checked. Search problems (problems.jsonl and its variants): each by two provers.

    Exit code: 2 a benchmark that cannot be read, 1 something is wrong, 0 all is well.
    """
    from holdtrue.errors import SettingsError
    from holdtrue.lab.suites.cegvr.load import search_files

    if not folder.is_dir():
        raise SettingsError(f"{folder}: no folder; give the one with the whole benchmark (see: generate)")
    wrong, checked = _searches(folder) if search_files(folder, variants=True) else _cases(folder, timeout_s)
    for line in wrong:
        print(line)
    count = len(wrong)
    verdict = f"{count} {'problem' if count == 1 else 'problems'}" if count else "nothing is wrong"
    print(f"{checked}: {verdict}")
    raise typer.Exit(ExitCode.WRONG if count else ExitCode.OK)


def _cases(folder: Path, timeout_s: float) -> tuple[Sequence[str], str]:
    """What is wrong with a cross-query benchmark, and what was checked."""
    from holdtrue.budget import Budget
    from holdtrue.lab.suites.cross_query.validate import validate as validate_benchmark

    found = validate_benchmark(folder, Budget(timeout_s=timeout_s))
    return found.problems, f"{found.cases} cases, {found.proved} of {found.queries} labels proved again by z3"


def _searches(folder: Path) -> tuple[Sequence[str], str]:
    """The same for search problems."""
    from holdtrue.lab.suites.cegvr.load import load_search_problems
    from holdtrue.lab.suites.cegvr.validate import faults

    problems = load_search_problems(folder, variants=True)
    return list(faults(problems)), f"{len(problems)} search problems, each label proved again by two provers"
