"""Replies in examples, written as small models write them when a grammar binds them."""

from __future__ import annotations

import json
from typing import Any


def example_json(value: Any) -> str:
    """The value as JSON without spaces: after examples with spaces, a model bound to a schema gives empty lists."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
