"""Remove secrets from shown texts of servers: known ones, and texts that look like one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from urllib.parse import quote

from holdtrue.models.chat import well_formed

REDACTED = "[redacted]"
LONGEST_SHOWN = 300
"""The most characters of a server's text that are shown."""

# The most characters that are searched: far more than are shown, so that removals bring up no unsearched text.
_LOOKED_AT = 4096
# A shorter secret may be an ordinary word, so it is removed only as a whole word.
_SHORT = 4

_PATTERNS = (
    # The user and password of an address, and the values of its query.
    (re.compile(r"(?<=://)[^/?#\s@]*@"), ""),
    (re.compile(r"([?&][\w.~%\-]+=)[^&\s\"'<>]+"), rf"\1{REDACTED}"),
    (re.compile(r"\b(Bearer)\s+[^\s\"'<>,;]+", re.IGNORECASE), rf"\1 {REDACTED}"),
    (re.compile(r"\b(Basic|Digest|Token)\s+[A-Za-z0-9+/=_\-]{8,}", re.IGNORECASE), rf"\1 {REDACTED}"),
    # A named secret: "api_key": "...", password=..., token: ...
    (
        re.compile(
            r"((?:(?:api[-_ ]?key|secret|passw(?:or)?d|authorization|credential)s?|token)[\"']?\s*[:=]\s*[\"']?)"
            r"(?!\[redacted\]|Bearer\b|Basic\b)[^\s\"'<>,;}]+",
            re.IGNORECASE,
        ),
        rf"\1{REDACTED}",
    ),
    # Keys with the prefixes of their makers. Servers may replace the middle by stars.
    (re.compile(r"\b(?:sk|pk|rk|xai|gsk|hf|ghp|gho|glpat|api|key|AIza|AKIA)[-_*][\w\-*.]{4,}"), REDACTED),
    (re.compile(r"\b(?:AIza|AKIA|ASIA)\w{8,}"), REDACTED),
    (re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), REDACTED),
    # Long mixtures of letters and digits, also with the signs of Base64.
    (re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{16,}"), REDACTED),
    (
        re.compile(
            r"(?<![\w+=\-])(?=[\w+=\-]*[0-9])(?=[\w+=\-]*[a-z])(?=[\w+=\-]*[A-Z])[A-Za-z0-9_+=\-]{32,}", re.ASCII
        ),
        REDACTED,
    ),
)
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """Return `text` on one line without known secrets and texts that look like one, cut to `LONGEST_SHOWN`."""
    known = sorted({form for secret in secrets for form in _forms(secret.strip())}, key=len, reverse=True)
    looked_at = text[:_LOOKED_AT]
    if len(text) > _LOOKED_AT:
        looked_at = _without_begun(looked_at, known)
    for secret in known:
        looked_at = _without(looked_at, secret)
    line = " ".join(_UNPRINTABLE.sub(" ", well_formed(looked_at)).split())
    # Again, because unprintable characters may have split a secret.
    for secret in known:
        line = _without(line, secret)
    for pattern, instead in _PATTERNS:
        line = pattern.sub(instead, line)
    return line if len(line) <= LONGEST_SHOWN else f"{line[: LONGEST_SHOWN - 3]}..."


def _forms(secret: str) -> set[str]:
    """Return the spellings of a secret: plain, in JSON, in Python's notation, and in an address."""
    escaped = json.dumps(secret)[1:-1]
    forms = {secret, escaped, escaped.replace("/", "\\/"), repr(secret)[1:-1], quote(secret, safe="")}
    return forms - {""}


def _without(text: str, secret: str) -> str:
    if len(secret) >= _SHORT:
        return text.replace(secret, REDACTED)
    return re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", REDACTED, text)


def _without_begun(text: str, secrets: Iterable[str]) -> str:
    """Return the cut text without the beginning of a secret at its end."""
    for secret in secrets:
        for length in range(min(len(secret) - 1, len(text)), 0, -1):
            if text.endswith(secret[:length]):
                text = text[:-length]
                break
    return text
