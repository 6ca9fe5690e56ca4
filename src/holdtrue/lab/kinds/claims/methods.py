"""The methods of a run about claims, as its settings say that they were played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.errors import RecordError, SettingsError
from holdtrue.kinds.claims.method import CLAIM_PRESETS, ClaimMethod
from holdtrue.kinds.claims.score import Weights
from holdtrue.kinds.claims.settings import CheckSettings, FormalSettings
from holdtrue.lab.kinds.claims.settings import read_claims


def played_methods(settings: Mapping[str, Any]) -> dict[str, ClaimMethod]:
    """Presets and the run's own methods by name, with what the run lays over them; for `measure_claims`.

    `settings` are those of a run's folder. Raises `RecordError` for settings that no run has written.
    """
    try:
        own = {name: _read(told) for name, told in (settings.get("own_methods") or {}).items()}
        claims = read_claims(settings.get("play"))
        return {name: claims.over(method) for name, method in {**CLAIM_PRESETS, **own}.items()}
    except (SettingsError, TypeError, KeyError, AttributeError) as error:
        raise RecordError(f"the run's settings do not fit: {error}") from error


def _read(told: Mapping[str, Any]) -> ClaimMethod:
    """A method that was written down by `dataclasses.asdict`."""
    check = told["check"]
    formal, weights = FormalSettings(**check["formal"]), Weights(**check["weights"])
    return ClaimMethod(**{**told, "check": CheckSettings(**{**check, "formal": formal, "weights": weights})})
