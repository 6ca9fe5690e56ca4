"""Names of models on the command line: an unknown one is refused before anything is read, opened or downloaded."""

from __future__ import annotations


def known_model(name: str) -> str:
    """The name, if a model can have it; raises `SettingsError`. For the option of a command."""
    from holdtrue.models.model_registry import check_model_name

    check_model_name(name)
    return name
