"""The rows as a table for people, and as JSON for programs."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from bench.solver.limits import Check, doubt, judge
from bench.solver.task import Row

WIDTH = 42
LIBRARIES = ("z3-solver", "python-sat", "holdtrue")
HEADING = (
    f"{'':{WIDTH}} {'own n':>6} {'median us':>10} {'p99 us':>10} {'twin n':>6} {'median us':>12} {'ratio':>8}  verdict"
)


def line(row: Row) -> str:
    """One row, and indented under it what a reader must know of it."""
    text = f"{row.title:{WIDTH}} {len(row.own):6} {row.own.median_us:10,.1f} {row.own.p99_us:10,.1f}"
    if row.ratio is None:
        text += f" {'':6} {'':12} {'':8}"
    else:
        text += f" {len(row.twin):6} {row.twin.median_us:12,.1f} {row.ratio:8,.1f}"
    below = [", ".join(f"{name} {value:,.2f}" for name, value in row.figures.items()), doubt(row) or ""]
    return "\n".join([f"{text}  {verdict(judge(row))}".rstrip(), *(f"    {note}" for note in below if note)])


def verdict(checks: Sequence[Check]) -> str:
    """`met`, or what is missed and by how much."""
    missed = [f"{one.name} {one.value:,.1f}, limit {one.limit:,.6g}" for one in checks if not one.met]
    return f"missed: {'; '.join(missed)}" if missed else "met" if checks else ""


def as_json(rows: Sequence[Row], setting: Mapping[str, object]) -> dict[str, Any]:
    """Everything that was measured, with what it was measured on."""
    return {
        **setting,
        "python": platform.python_version(),
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "versions": {name: version(name) for name in LIBRARIES},
        "rows": [row_as_json(row) for row in rows],
    }


def row_as_json(row: Row) -> dict[str, Any]:
    checks = judge(row)
    return {
        "key": row.key,
        "title": row.title,
        "own": side(row, "own"),
        "twin": side(row, "twin"),
        "ratio": row.ratio,
        "figures": dict(row.figures),
        "checks": [asdict(check) for check in checks],
        "met": all(check.met for check in checks) if checks else None,
        "doubt": doubt(row),
    }


def side(row: Row, name: str) -> dict[str, float] | None:
    samples = getattr(row, name)
    if not samples.spent:
        return None
    return {"n": len(samples), "median_us": samples.median_us, "p99_us": samples.p99_us}
