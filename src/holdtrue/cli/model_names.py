"""Check names of models on the command line before anything is read, opened or downloaded."""

from __future__ import annotations


def known_model(name: str) -> str:
    """Return the name if a model can have it; raises `SettingsError`. This is the callback of an option."""
    from holdtrue.models.model_registry import check_model_name

    check_model_name(name)
    return name
