"""Read files of JSON lines in which each answer of a model was kept at once, to go on with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from holdtrue.errors import RecordError
from holdtrue.lab.kit.json_file import read_lines

K = TypeVar("K")
V = TypeVar("V")


def read_kept(path: Path, read: Callable[[Any], tuple[K, V]], fault: str) -> dict[K, V]:
    """Return what a file has kept, by the keys that `read` gives with the value of a line; {} where there is no file.

    Raises `RecordError` with the line and the `fault` for a line that `read` cannot take. A last line that was cut when
    the process was killed is taken off the file.
    """
    if not path.exists():
        return {}
    _drop_cut_line(path)
    found: dict[K, V] = {}
    for where, line in read_lines(path):
        try:
            key, value = read(line)
        except (KeyError, TypeError, ValueError) as error:
            raise RecordError(f"{where}: {fault}: {error!r:.100}") from error
        found[key] = value
    return found


def _drop_cut_line(path: Path) -> None:
    whole = path.read_bytes()
    if not whole.endswith(b"\n"):
        path.write_bytes(whole[: whole.rfind(b"\n") + 1])
