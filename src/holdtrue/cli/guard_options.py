"""Options of the verbs that serve a guard, and the guard that they describe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from holdtrue.cli.ledger import store_key
from holdtrue.cli.model_options import BaseUrl, reading_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdtrue.guard import Guard
    from holdtrue.guard.policy import Policy
    from holdtrue.models.chat import ChatModel

PolicyFile = Annotated[Path, typer.Option("--policy", metavar="FILE", help="The operator's policy, as YAML.")]
StoreName = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="STORE",
        help="An SQLite file, or an address postgresql://USER@HOST/NAME; otherwise in memory.",
    ),
]
Mode = Annotated[
    Literal["enforce", "observe"],
    typer.Option("--mode", help="observe decides and records the same, and stops nothing."),
]
Reader = Annotated[
    str | None, typer.Option("--model", help="The model that reads users' messages, such as openai/NAME.")
]


def opened_model(reader: str | None, base_url: BaseUrl) -> ChatModel | None:
    """Return the model that reads messages, or None if none is named. Raises `SettingsError`."""
    from holdtrue.models.model_registry import open_model

    return None if reader is None else open_model(reading_model(reader), base_url=base_url)


def guard_maker(
    store: str | None, mode: Mode, reader: str | None, base_url: BaseUrl = None
) -> Callable[[Policy], Guard]:
    """Return a function that makes the guard of a policy. All its guards share one store and one model.

    Raises `SettingsError` and `StoreError`.
    """
    from holdtrue.guard import Guard, MemoryStore, open_store

    model = opened_model(reader, base_url)
    kept = MemoryStore() if store is None else open_store(store, key=store_key())
    return lambda policy: Guard(policy, model=model, store=kept, mode=mode)


def open_guard(policy: Path, store: str | None, mode: Mode, reader: str | None, base_url: BaseUrl = None) -> Guard:
    """Return the guard that the options describe. Raises `SettingsError`, `StoreError` and `PolicyError`."""
    from holdtrue.guard import load_policy

    rules = load_policy(policy)
    return guard_maker(store, mode, reader, base_url)(rules)
