"""Find out with which settings a run about claims played its methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.errors import RecordError, SettingsError
from holdtrue.kinds.claims.method import CLAIM_PRESETS, ClaimMethod
from holdtrue.kinds.claims.score import Weights
from holdtrue.kinds.claims.settings import CheckSettings, FormalSettings
from holdtrue.lab.kinds.claims.settings import read_claims


def played_methods(settings: Mapping[str, Any]) -> dict[str, ClaimMethod]:
    """Return presets and the run's own methods by name, each as the run played it; `measure_claims` takes them.

    `settings` are those in the folder of a run. Raises `RecordError` for settings that no run has written.
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
