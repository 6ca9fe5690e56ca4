"""Options of the verbs that serve a guard, and the guard that they describe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from holdtrue.cli.ledger import store_key
from holdtrue.cli.model_options import BaseUrl, reading_model

if TYPE_CHECKING:
    from holdtrue.guard import Guard

PolicyFile = Annotated[Path, typer.Option("--policy", metavar="FILE", help="The operator's policy, as YAML.")]
StoreFile = Annotated[
    Path | None, typer.Option("--store", metavar="FILE", help="Where conversations are kept; otherwise in memory.")
]
Mode = Annotated[
    Literal["enforce", "observe"],
    typer.Option("--mode", help="observe decides and records the same, and stops nothing."),
]
Reader = Annotated[
    str | None, typer.Option("--model", help="The model that reads users' messages, such as openai/NAME.")
]


def open_guard(policy: Path, store: Path | None, mode: Mode, reader: str | None, base_url: BaseUrl = None) -> Guard:
    """Return the guard that the options describe. Raises `SettingsError` and `PolicyError`."""
    from holdtrue.guard import Guard, SqliteStore, load_policy
    from holdtrue.models.model_registry import open_model

    model = None if reader is None else open_model(reading_model(reader), base_url=base_url)
    rules = load_policy(policy)
    kept = None if store is None else SqliteStore(store, key=store_key())
    return Guard(rules, model=model, store=kept, mode=mode)
