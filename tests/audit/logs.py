"""Logs of turns for tests, small and made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NAMES = ["Ann", "Bob", "Cy", "Dee"]


def row(at: int, *, broken: bool = False) -> dict[str, Any]:
    """Return a turn of a conversation about four guests whose names depend on its number."""
    names = [f"{name}{at // 3}" for name in NAMES]
    seats = (2, 1, 3, 4) if broken else (1, 2, 3, 4)
    return {
        "id": f"t{at}",
        "conversation": f"c{at // 3}",
        "domain": "seating",
        "entities": names,
        "constraints": [{"type": "at_position", "args": [names[0], 1]}, {"type": "adjacent", "args": names[:2]}][
            : 1 + at % 3
        ],
        "answer": json.dumps({"solution": dict(zip(names, seats, strict=True))}),
    }


def write_lines(path: Path, rows: list[object]) -> Path:
    """Write rows as JSON lines, texts as they are."""
    lines = [own if isinstance(own, str) else json.dumps(own, ensure_ascii=False) for own in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def log_of(count: int) -> list[object]:
    """Return rows of which every fifth is broken and every eleventh is no turn."""
    return [row(at, broken=at % 5 == 0) if at % 11 else "no turn" for at in range(1, count + 1)]
