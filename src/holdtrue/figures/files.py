"""Write the files of a report; errors name the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from holdtrue.errors import InfrastructureError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Make the folder of `path`, and turn system errors inside of the `with` block into an `InfrastructureError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InfrastructureError(f"{path} cannot be written: {error.strerror or error}") from error


def write_text(path: Path, text: str) -> Path:
    """Write a text, and return its path; lone surrogates, which a model may say, are written as escapes."""
    with writing(path):
        path.write_bytes(text.encode("utf-8", errors="backslashreplace"))
    return path
