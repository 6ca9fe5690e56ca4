"""This module reads plan files, which declare a run in TOML.

[run]                     # options of `holdtrue run SUITE`; the command line wins
generate = 30
model = "openai/your-model"

[[method]]                # the user's methods, see holdtrue_lab.kit.playing
name = "two_tries"
base = "drift_repair"
repairs = 2
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue_lab.kit.plan import AnyMethod
    from holdtrue_lab.kit.playing import Playing
    from holdtrue_lab.kit.suite import Suite


@dataclass(frozen=True, slots=True)
class PlanFile:
    """A `PlanFile` holds the options of a plan file by name, and its methods in their order."""

    path: Path
    options: dict[str, Any]
    methods: dict[str, AnyMethod]


def read_plan_file(path: Path, playing: Playing[Any, Any]) -> PlanFile:
    """Return the plan in a file; raises `SettingsError`, which names the file and the fault."""
    options, tables = _read(path)
    methods: dict[str, AnyMethod] = {}
    for table in tables:
        try:
            method = playing.declare_method(table)
        except SettingsError as error:
            raise SettingsError(f"{path}: {error}") from error
        if method.name in methods:
            raise SettingsError(f"{path}: method {method.name!r} is there twice")
        methods[method.name] = method
    return PlanFile(path, options, methods)


def take_options(context: typer.Context, path: Path | None) -> Path | None:
    """Make the plan's options the defaults of the command's options.

    This function is the callback of the option `--plan`. In a plan, a repeatable option has one value, or a list.
    """
    if path is not None:
        options, _ = _read(path)
        parameters = {str(parameter.name): parameter for parameter in context.command.params}
        known = parameters.keys() - {"plan_file", "help"}
        for name, value in options.items():
            if name not in known:
                raise SettingsError(f"{path}: [run] has no option {name!r}, only {', '.join(sorted(known))}")
            repeatable = bool(getattr(parameters[name], "multiple", False))
            if isinstance(value, dict) or (isinstance(value, list) and not repeatable):
                raise SettingsError(f"{path}: [run] {name} is one value, as on the command line, got {value!r:.60}")
            if repeatable and not isinstance(value, list):
                options[name] = [value]
        context.default_map = {**(context.default_map or {}), **options}
    return path


def choose_methods(names: str | None, plan: PlanFile | None, suite: Suite) -> list[AnyMethod]:
    """Return the methods with these names, which may be names of methods in the plan.

    Without names, return all methods of the plan, or the suite's default methods. Raises `SettingsError` for an unknown
    name, and if `[run] method` leaves out a method that the plan declares.
    """
    own = plan.methods if plan else {}
    if names is None and own:
        return list(own.values())
    chosen = [name.strip() for name in (names or suite.methods).split(",")]
    if plan and names is not None and names == plan.options.get("method"):
        _refuse_left_out(plan, chosen)
    return [own[name] if name in own else _find_preset(name, own, suite) for name in chosen]


def _refuse_left_out(plan: PlanFile, chosen: Sequence[str]) -> None:
    """Raise `SettingsError` if the plan's `method` option leaves out a method that the plan declares."""
    left_out = [name for name in plan.methods if name not in chosen]
    if left_out:
        whole = ",".join([*chosen, *left_out])
        raise SettingsError(
            f"{plan.path}: [[method]] {left_out[0]!r} would not be played, because [run] method does not name it: "
            f'write method = "{whole}", or take the table out'
        )


def _find_preset(name: str, own: Iterable[str], suite: Suite) -> AnyMethod:
    try:
        found: AnyMethod = suite.kind.playing().find_method(name)
        return found
    except SettingsError as error:
        raise SettingsError(", ".join([f"{error}", *own])) from None


def _read(path: Path) -> tuple[dict[str, Any], list[Any]]:
    try:
        plan = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path}: cannot be read: {error}") from error
    options, tables = plan.pop("run", {}), plan.pop("method", [])
    if plan or not isinstance(options, dict) or not isinstance(tables, list):
        raise SettingsError(f"{path}: a plan has one table [run] and tables [[method]], nothing else")
    return {key.replace("-", "_"): value for key, value in options.items()}, tables
