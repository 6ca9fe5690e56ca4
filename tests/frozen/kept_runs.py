"""Folders of the runs that were kept, for tests that report on runs without playing them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tests.frozen.playing import write_lines
from tests.frozen.record import read

kept = cache(read)


def write_run(name: str, folder: Path, change: Callable[[list[Any]], list[Any]] = list) -> Path:
    """Write the settings and the journal of a kept run into a new folder; `change` returns other lines of a journal."""
    suites = kept("suites")
    folder.mkdir()
    (folder / "settings.json").write_text(json.dumps(suites[f"settings/{name}"]), encoding="utf-8")
    entries = [entry for key, entry in suites.items() if key.startswith(f"journal/{name}/")]
    write_lines(folder / "journal.jsonl", change(entries))
    return folder
