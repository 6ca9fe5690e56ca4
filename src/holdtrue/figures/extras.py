"""Libraries that only some reports need, and that may not be there."""

from __future__ import annotations

from importlib.util import find_spec

from holdtrue.errors import SettingsError

HTML = ("jinja2", "matplotlib")
PARQUET = ("polars",)


def need(*libraries: str) -> None:
    """Raise a `SettingsError` that says how to get the first of these libraries that is not there."""
    for library in libraries:
        if find_spec(library) is None:
            raise SettingsError(f"this report needs {library}; get it by: pip install 'holdtrue[report]'")
