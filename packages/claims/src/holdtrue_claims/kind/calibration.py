"""Calibrations record how often judges are right: the share of supported claims that really follow, by model and claim
type.

The verdicts of a model without calibration do not count, because a weak judge supports every claim. `holdtrue study
judges` measures a model and writes the file that this module reads.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import expect, naming
from holdtrue_claims.claim_record import ClaimType

Z95 = 1.959963984540054
"""The two-sided 95% quantile of the normal distribution."""
_KEY = "calibrations"
_PACKAGED = "judges.json"
_COUNTS = ("claims", "supported", "right", "judges")


@dataclass(frozen=True, slots=True)
class Calibration:
    """A `Calibration` is the measurement of one model as a judge, on claims of one type with known verdicts.

    At most `judges` judges saw each of `claims` claims. They supported `supported` claims, of which `right` follow.
    `source` names the data, and `date` is the day of the measurement as YYYY-MM-DD. Raises `RecordError` for impossible
    counts.
    """

    model: str
    type: ClaimType
    claims: int
    supported: int
    right: int
    judges: int
    source: str
    date: str

    def __post_init__(self) -> None:
        if not (0 <= self.right <= self.supported <= self.claims and self.judges >= 1):
            raise RecordError(
                f"of {self.claims} claims {self.supported} supported and {self.right} right by {self.judges} judges "
                "cannot be"
            )


@dataclass(frozen=True, slots=True)
class Calibrations:
    """`Calibrations` are all measurements. Those of the same model and type are added up."""

    entries: tuple[Calibration, ...] = ()

    def counted(self, model: str, type: ClaimType) -> tuple[int, int]:
        """Return how many claims of the type the model's judges supported, and how many of these follow."""
        own = [each for each in self.entries if (each.model, each.type) == (model, type)]
        return sum(each.supported for each in own), sum(each.right for each in own)

    def low(self, model: str, type: ClaimType) -> float | None:
        """Return the lower 95% bound of the share of supported claims that follow, or None if nothing was measured."""
        supported, right = self.counted(model, type)
        return wilson_low(right, supported) if supported else None


def wilson_low(hits: int, of: int) -> float:
    """Return the lower end of Wilson's 95% score interval (JASA 1927) for `hits` of `of` > 0 independent events."""
    share, z2 = hits / of, Z95 * Z95
    centre = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = Z95 / (1 + z2 / of) * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return max(0.0, min(share, centre - half))


def read_calibrations(path: Path) -> Calibrations:
    """Return the measurements in a file. Raises `RecordError` with the file and the place."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from error
    return _parse(text, str(path))


@cache
def packaged_calibrations() -> Calibrations:
    """Return the measurements that come with holdtrue."""
    return _parse(files("holdtrue_claims.kind").joinpath(_PACKAGED).read_text(encoding="utf-8"), _PACKAGED)


def calibrations_json(entries: Iterable[Calibration]) -> list[dict[str, Any]]:
    """Return the measurements as plain JSON values."""
    return [asdict(each) for each in entries]


def write_calibrations(path: Path, entries: Iterable[Calibration]) -> None:
    """Write a file that `read_calibrations` reads."""
    path.write_text(json.dumps({_KEY: calibrations_json(entries)}, indent=2) + "\n", encoding="utf-8")


def _parse(text: str, where: str) -> Calibrations:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise RecordError(f"{where}: {error}") from error
    rows = found.get(_KEY) if isinstance(found, Mapping) else None
    if not isinstance(rows, list):
        raise RecordError(f"{where}: an object with a list {_KEY!r} is needed")
    names, read = [each.name for each in fields(Calibration)], list[Calibration]()
    # The values are checked by hand, without loading `pydantic`.
    for number, row in enumerate(rows):
        place, values = f"{where}: {_KEY}.{number}", row if isinstance(row, Mapping) else {}
        if set(values) != set(names):
            raise RecordError(f"{place}: needed are just {', '.join(names)}")
        for name, value in values.items():
            expect(value, int if name in _COUNTS else str, f"{place}.{name}")
        if values["type"] not in frozenset(ClaimType):
            raise RecordError(f"{place}.type: unknown type {values['type']!r:.60}; there are {', '.join(ClaimType)}")
        with naming(place):
            read.append(Calibration(**{**values, "type": ClaimType(values["type"])}))
    return Calibrations(tuple(read))
