"""Detect a running event loop, which blocking code would stop."""

from __future__ import annotations

import asyncio


def in_running_loop() -> bool:
    """Return whether an event loop is running in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
