"""Open a store by the text that names it: a path of an SQLite file, or an address of PostgreSQL."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from holdtrue.errors import InputError

if TYPE_CHECKING:
    from holdtrue.guard.store.event import Store

_SCHEMES = ("postgresql://", "postgres://")


def open_store(where: str | Path, *, key: str | bytes | None = None, made: bool = True) -> Store:
    """Return the store at a path, or at an address such as `postgresql://user@host/name`.

    If `made` is false, a file that is not there is an `InputError`. Raises `StoreError` for an unusable store, and
    `SettingsError` if the library of PostgreSQL is missing.
    """
    if isinstance(where, str) and where.startswith(_SCHEMES):
        from holdtrue.guard.store.postgres import PostgresStore

        return PostgresStore(where, key=key)
    from holdtrue.guard.store.sqlite import SqliteStore

    if re.search(r"://|password\s*=", str(where)):  # An error that names the file would show the password.
        raise InputError("a store is a path of an SQLite file, or an address such as postgresql://user@host/name")
    if not made and not Path(where).is_file():
        raise InputError(f"there is no store {where}")
    return SqliteStore(where, key=key)
