"""Keys of a server. A file has only their hashes, each with the tenant that its key speaks for."""

from __future__ import annotations

import hashlib
import hmac
import re
from pathlib import Path

from holdtrue.errors import SettingsError

_LINE = re.compile(r"sha256:([0-9a-f]{64})[ \t]+(\S.*)")


Keys = tuple[tuple[str, str], ...]
"""Pairs of a key's SHA-256 hash and its tenant. The tenant `*` means each tenant."""


SHORTEST = 20
"""The least number of characters of a key. The hash of a shorter one could be turned around by trying."""


def tenant_of(keys: Keys, key: str) -> str | None:
    """Return the tenant of a key, or None for an unknown or weak key. The time tells nothing about the known keys."""
    if len(key) < SHORTEST or len(set(key)) < SHORTEST // 2:
        return None
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    found = [tenant for known, tenant in keys if hmac.compare_digest(digest, known)]
    return found[0] if found else None


def read_keys(path: Path) -> Keys:
    """Return the keys in a file. Raises `SettingsError` for a line of another form, or if there is no key."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: the keys cannot be read: {error}") from error
    found: list[tuple[str, str]] = []
    for number, line in enumerate(map(str.strip, lines), start=1):
        if line and not line.startswith("#"):
            own = _LINE.fullmatch(line)
            if own is None:
                raise SettingsError(f"{path}:{number}: a line is sha256:HASH TENANT")
            if own[1] in dict(found):
                raise SettingsError(f"{path}:{number}: the key stands twice, so its tenant is not clear")
            found.append((own[1], own[2]))
    if not found:
        raise SettingsError(f"{path}: there is no key in it")
    return tuple(found)
