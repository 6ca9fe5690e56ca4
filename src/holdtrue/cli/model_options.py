"""Options about models that several commands have. Names are checked before anything is read or downloaded."""

from __future__ import annotations

from typing import Annotated

import typer

BaseUrl = Annotated[str | None, typer.Option(help="Where an openai/... model is served.")]
Connections = Annotated[int, typer.Option(min=1, help="Calls under way at a time.")]
TokenLimit = Annotated[int | None, typer.Option(min=1, help="Begin no call beyond so many paid tokens.")]


def known_model(name: str) -> str:
    """Return the name of a model that can be opened. This is an option's callback. Raises `SettingsError`."""
    from holdtrue.models.model_registry import check_model_name

    check_model_name(name)
    return name


def reading_model(name: str) -> str:
    """Return the name of a model that can read any text. This is an option's callback. Raises `SettingsError`."""
    from holdtrue.errors import SettingsError

    if name.partition("/")[0] == "sim":
        raise SettingsError(
            f"{name}: a simulated model knows what a run asks it about, and reads no other text; name one that reads,"
            " such as openai/NAME, local/NAME or script/FILE"
        )
    return known_model(name)
