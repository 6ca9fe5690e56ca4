"""Options of the verbs that serve a guard, and the guard that they describe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from holdtrue.cli.ledger import store_key
from holdtrue.cli.model_options import reading_model

if TYPE_CHECKING:
    from holdtrue.guard import Guard

PolicyFile = Annotated[Path | None, typer.Option("--policy", metavar="FILE", help="The operator's policy, as YAML.")]
StoreFile = Annotated[
    Path | None, typer.Option("--store", metavar="FILE", help="Where conversations are kept; otherwise in memory.")
]
Mode = Annotated[
    Literal["enforce", "observe"],
    typer.Option("--mode", help="observe decides and records the same, and stops nothing."),
]
Reader = Annotated[str | None, typer.Option("--reader", metavar="MODEL", help="A model that reads users' messages.")]


def open_guard(policy: Path | None, store: Path | None, mode: Mode, reader: str | None) -> Guard:
    """Return the guard that the options describe. Raises `SettingsError` and `PolicyError`."""
    from holdtrue.errors import SettingsError
    from holdtrue.guard import Guard, SqliteStore, load_policy

    if policy is None:
        raise SettingsError("--policy FILE is needed")
    model = None if reader is None else reading_model(reader)
    rules = load_policy(policy)
    kept = None if store is None else SqliteStore(store, key=store_key())
    return Guard(rules, model=model, store=kept, mode=mode)
