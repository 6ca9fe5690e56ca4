"""Patterns of texts, as CEL's `matches` has them: RE2 finds one in a time that grows only with the text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from holdtrue.extras import need
from holdtrue.rules.paths import shortened
from holdtrue.rules.syntax import Place, RuleError

LONGEST_PATTERN = 1_000


@lru_cache(maxsize=1_000)
def pattern_of(text: str) -> Any:
    """Return the compiled pattern that `text` writes. Raises `re2.error` for none."""
    need("matches()", "re2")
    import re2

    options = re2.Options()
    options.log_errors = False
    return re2.compile(text, options)


def check_pattern(text: str, place: Place) -> None:
    """Raise `RuleError` for a text that is no pattern of RE2, or too long a one."""
    if len(text) > LONGEST_PATTERN:
        raise RuleError(f"a pattern has {LONGEST_PATTERN:,} characters at most, not {len(text):,}", place)
    need("matches()", "re2")
    import re2

    try:
        pattern_of(text)
    except re2.error as error:
        why = error.args[0] if error.args else "it cannot be read"
        why = why.decode(errors="replace") if isinstance(why, bytes) else why
        raise RuleError(f"{shortened(text)} is no pattern of RE2, which matches() takes: {why}", place) from error
