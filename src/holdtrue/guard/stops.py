"""Mark the words that a model is given in place of the result of a stopped call, and find the mark again.

Apps hand these words back as if the tool had given them, and frameworks wrap, quote, escape or cut them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MARK = "[holdtrue: stopped "
_MOST_PARTS = 10_000
"""So many parts of a result are looked through."""


def stop_mark(kind: str) -> str:
    """Return the mark of a decision that stops a call; `kind` is the decision's. It has no sign that JSON escapes."""
    return f"{_MARK}{kind}]"


def stopped_note(tool: str) -> str:
    """Return the note on what came back for a stopped call of a tool."""
    return f"{tool}: the call was stopped, so what came back for it is no result"


def is_stop(result: Any, arguments: Any = None) -> bool:
    """Return whether a result carries the mark of a stopped call, at any depth and with any text around it.

    A mark that stands in the `arguments` of the call, too, may be an echo of them, and proves nothing.
    """
    return _has_mark(result) and not _has_mark(arguments)


def _has_mark(value: Any) -> bool:
    left = [value]
    for _ in range(_MOST_PARTS):
        if not left:
            return False
        own = left.pop()
        match own:
            case str() | bytes():
                text = own if isinstance(own, str) else own.decode(errors="replace")
                if _MARK in text:
                    return True
            case Mapping():
                left += own.values()
            case list() | tuple():
                left += own
            case BaseException():
                left += own.args
            case _ if hasattr(own, "model_dump"):
                left.append(getattr(own, "content", None))
    return False
