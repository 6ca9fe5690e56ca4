"""Check the settings that every method has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from holdtrue.errors import SettingsError
from holdtrue.language.retries import RetryDifference, check_difference


class Configured(Protocol):
    """The settings that all methods have."""

    @property
    def name(self) -> str: ...

    @property
    def frame(self) -> str: ...

    @property
    def temperature(self) -> float | None: ...

    @property
    def retry_difference(self) -> RetryDifference: ...


def check_method(method: Configured, least: Mapping[str, int], frames: Iterable[str]) -> None:
    """Raise `SettingsError` for a number below its `least`, or a bad frame, temperature or retry setting."""
    for name, low in least.items():
        if getattr(method, name) < low:
            raise SettingsError(f"method {method.name!r}: {name} must be at least {low}, got {getattr(method, name)}")
    known = tuple(frames)
    if method.frame not in known:
        raise SettingsError(f"method {method.name!r}: there is no frame {method.frame!r}, only {', '.join(known)}")
    if method.temperature is not None and not 0 <= method.temperature <= 2:
        raise SettingsError(f"method {method.name!r}: a temperature is in 0..2, got {method.temperature}")
    check_difference(method)
