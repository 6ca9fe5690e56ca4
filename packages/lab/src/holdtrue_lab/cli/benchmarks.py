"""This module defines `holdtrue generate`, which makes problems, and `holdtrue validate`, which proves their labels
again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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


_MOST_KINDS, _MOST_PLACES = 25, 3
_VARYING = re.compile(r"\d+|'[^']*'|\"[^\"]*\"")


def told_once(faults: Sequence[str]) -> list[str]:
    """Return a line for each kind of fault, with the number of its cases and the first places.

    A fault has the form `PLACE: WORDS`. Faults are of one kind if their words differ in numbers and quoted names only.
    """
    kinds: dict[str, list[tuple[str, str]]] = {}
    for fault in faults:
        place, _, words = fault.rpartition(": ") if ": " in fault else ("", "", fault)
        kinds.setdefault(_VARYING.sub("_", words), []).append((place, words))
    found = []
    for own in list(kinds.values())[:_MOST_KINDS]:
        places = "; ".join(place for place, _ in own[:_MOST_PLACES] if place)
        more = f" and {len(own) - _MOST_PLACES} more" if len(own) > _MOST_PLACES else ""
        times = f" ({len(own)} times)" if len(own) > 1 else ""
        found.append(f"{places}{more}{': ' if places else ''}{own[0][1]}{times}")
    left = len(kinds) - len(found)
    return [*found, *([f"{left} further kinds of faults; --every prints all {len(faults)}"] if left else [])]


def validate(
    folder: Annotated[Path, typer.Argument(help="The folder of a benchmark (see: generate).")],
    timeout_s: Annotated[float, typer.Option(min=0.001, help="Seconds per question about a label.")] = 5.0,
    every: Annotated[bool, typer.Option("--every", help="Print every fault, and not each kind once.")] = False,
) -> None:
    """Prove every label of a benchmark again.

    In cross-query cases (benchmark_full_v2.json and its splits), z3 proves the labels from the SMT-LIB texts. Counts,
    shares, splits and dependencies are checked too. Two provers decide each search problem (problems.jsonl and its
    variants). In dialogues about belief all labels are proved, and in DRIFT-Bench problems the solution of every turn.

    Faults of one kind are told once, with their number and their first places.

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
    for line in found.wrong if every else told_once(found.wrong):
        print(line)
    count = len(found.wrong)
    verdict = f"{count} {'problem' if count == 1 else 'problems'}" if count else "nothing is wrong"
    print(f"{found.checked}: {verdict}")
    raise typer.Exit(ExitCode.WRONG if count else ExitCode.OK)
