"""Keys of a server. A file has only their hashes, each with the tenant that its key speaks for."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from pathlib import Path

from holdtrue.errors import SettingsError

HASH = r"sha256:([0-9a-f]{64})[ \t]+"
_LINE = re.compile(HASH + r"(\S.*)")


Keys = tuple[tuple[str, str], ...]
"""Pairs of a key's SHA-256 hash and its tenant. The tenant `*` means each tenant."""


SHORTEST = 20
"""The least number of characters of a key. The hash of a shorter one could be turned around by trying."""


def tenant_of(keys: Keys, key: str) -> str | None:
    """Return the tenant of a key, or None for an unknown or weak key. The time tells nothing about the known keys."""
    place = place_of([known for known, _ in keys], key)
    return None if place is None else keys[place][1]


def place_of(hashes: Sequence[str], key: str) -> int | None:
    """Return the place of a key's hash, or None for an unknown or weak key. The time tells nothing about the hashes."""
    if len(key) < SHORTEST or len(set(key)) < SHORTEST // 2:
        return None
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    found = [place for place, known in enumerate(hashes) if hmac.compare_digest(digest, known)]
    return found[0] if found else None


def read_keys(path: Path) -> Keys:
    """Return the keys in a file. Raises `SettingsError` for a line of another form, or if there is no key."""
    return tuple((own[1], own[2]) for own in read_hashes(path, _LINE, "sha256:HASH TENANT"))


def read_hashes(path: Path, line: re.Pattern[str], form: str) -> list[re.Match[str]]:
    """Return the match of each line of a file, whose first group is a hash. Empty lines and those with # are left out.

    Raises `SettingsError` for a line of another form, a hash that stands twice, or if there is no key.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: the keys cannot be read: {error}") from error
    found: dict[str, re.Match[str]] = {}
    for number, text in enumerate(map(str.strip, lines), start=1):
        if text and not text.startswith("#"):
            own = line.fullmatch(text)
            if own is None:
                raise SettingsError(f"{path}:{number}: a line is {form}")
            if own[1] in found:
                raise SettingsError(f"{path}:{number}: the key stands twice, so its owner is not clear")
            found[own[1]] = own
    if not found:
        raise SettingsError(f"{path}: there is no key in it")
    return list(found.values())
