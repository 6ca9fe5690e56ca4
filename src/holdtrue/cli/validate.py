"""`holdtrue validate`: is a benchmark what it says?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from holdtrue.cli.exits import ExitCode


def validate(
    folder: Annotated[Path, typer.Argument(help="The folder of a benchmark (see: generate).")],
    timeout_s: Annotated[float, typer.Option(min=0.001, help="Seconds per question about a label.")] = 5.0,
) -> None:
    """Prove every label of a benchmark again.

    Cross-query cases (benchmark_full_v2.json and its splits): from the SMT-LIB texts, by z3, and counts, shares,
    splits and dependencies are checked. Search problems (problems.jsonl and its variants): each by two provers.

    Exit code: 2 a benchmark that cannot be read, 1 something is wrong, 0 all is well.
    """
    from holdtrue.errors import SettingsError
    from holdtrue.lab.kit.registry import find_suite, suite_names

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
