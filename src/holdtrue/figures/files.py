"""Writing what a report makes; errors name the place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from holdtrue.errors import InfrastructureError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Write `path` inside: its folder is there, and what the system says against it is an `InfrastructureError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InfrastructureError(f"{path} cannot be written: {error.strerror or error}") from error


def write_text(path: Path, text: str) -> Path:
    """Write the text; what no encoding can hold (a model may say lone surrogates) is written as escapes."""
    with writing(path):
        path.write_bytes(text.encode("utf-8", errors="backslashreplace"))
    return path
