"""Write files atomically."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Replace the content of a file atomically: a reader, or a crash, sees the whole old text or the whole new one.

    Raises the error of the system. The file is then unchanged, and no temporary file remains.
    """
    # Each process and thread writes to a separate temporary file.
    draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
