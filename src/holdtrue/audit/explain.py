"""A choice of what an audit explains, beyond naming what is broken."""

from __future__ import annotations

from typing import Literal

Explain = Literal["none", "first", "all"]
"""Nothing, the first broken turn or stopped call of each conversation, or all of them."""
