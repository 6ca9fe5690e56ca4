"""Stream rows into a Parquet file, so that at most one batch of them is in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdtrue.extras import need
from holdtrue.figures.files import writing

if TYPE_CHECKING:
    from polars import DataFrame, Expr

BATCH = 5000  # rows


def stream_rows(rows: Callable[[], Iterable[tuple[Any, ...]]], columns: Mapping[str, type], path: Path) -> None:
    """Write `rows()`, each with one value for each of the `columns`, in their order.

    Raises `InfrastructureError` where the file cannot be written, `SettingsError` where polars is missing, and what
    `rows` raises.
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
        except ComputeError as error:  # a disk that is full while it writes is told so, in various words
            if not str(error).startswith("parquet: "):
                raise
            raise OSError(str(error)) from error
