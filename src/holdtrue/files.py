"""Write files atomically."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Replace the content of a file; whoever reads it meanwhile, or after a crash, finds the old or the new one whole.

    Raises what the system raises; the file is then as it was, and no other file is left beside it.
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
