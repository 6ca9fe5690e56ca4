"""This module writes the files of a report. Its errors name the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InfrastructureError
from holdtrue.extras import need

if TYPE_CHECKING:
    from polars import DataFrame, Expr


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Make the folder of `path`, and turn system errors inside of the `with` block into an `InfrastructureError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InfrastructureError(f"{path} cannot be written: {error.strerror or error}") from error


def write_text(path: Path, text: str) -> Path:
    """Write a text, and return its path; lone surrogates are written as escapes."""
    with writing(path):
        path.write_bytes(text.encode("utf-8", errors="backslashreplace"))
    return path


BATCH = 5000  # the rows that are written at a time


def stream_rows(rows: Callable[[], Iterable[tuple[Any, ...]]], columns: Mapping[str, type], path: Path) -> None:
    """Write `rows()` to a Parquet file. Each row has one value for each of the `columns`, in their order.

    Raises `InfrastructureError` if the file cannot be written, `SettingsError` if polars is missing, and the errors of
    `rows`.
    """
    need("a Parquet file", "polars")
    import polars as pl
    from polars.exceptions import ComputeError
    from polars.io.plugins import register_io_source

    def batches(
        with_columns: list[str] | None, predicate: Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[DataFrame]:
        left = iter(rows())
        while batch := list(islice(left, BATCH)):
            yield pl.DataFrame(batch, schema=dict(columns), orient="row")

    with writing(path):
        try:
            source = register_io_source(batches, schema=pl.Schema(columns))
            source.sink_parquet(path, compression="zstd", maintain_order=True)
        except ComputeError as error:  # polars reports a full disk by various messages with this prefix
            if not str(error).startswith("parquet: "):
                raise
            raise OSError(str(error)) from error
