"""Files that are there whole, or as they were before."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Put the text in the place of the file; whoever reads it meanwhile, or after a crash, finds one or the other.

    Raises what the system raises; the file is then as it was, and nothing is left beside it.
    """
    # Two who write at the same time do not meet in one draft.
    draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
