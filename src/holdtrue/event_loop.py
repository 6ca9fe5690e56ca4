"""Tell whether code that waits would hold up an event loop."""

from __future__ import annotations

import asyncio


def in_running_loop() -> bool:
    """Return whether an event loop is running in this thread, which nothing may wait in."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
