"""Cut logs into shards, and read the rows of a shard.

A shard is a part of a file of JSON lines, a JSON document, or a row group of a Parquet file.
"""

from __future__ import annotations

import glob
import json
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, repeat
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq

from holdtrue.audit.log_row import UNSET, LogRow, as_raw, text_as_raw
from holdtrue.errors import RecordError, SettingsError
from holdtrue.guard.log_formats.log_reading import conversations_in, format_of
from holdtrue.guard.log_formats.message_rows import MESSAGES
from holdtrue.guard.recorded_words import load_once

BLOCK = 8 * 2**20
"""The approximate size of a shard of JSON lines, in bytes."""
_LINES, _TABLES = (".jsonl", ".ndjson"), (".parquet", ".pq")
_DOCUMENTS = (".json", ".traj", ".eval")
"""The endings of files that are one shard. In a folder, such files are not taken for logs."""
_PACKED = (".gz", ".bz2", ".xz")
"""The endings of compressed files. Each is one shard, and is decompressed while it is read."""
TO_THE_END = -1
COLUMNS = LogRow.__struct_fields__
"""The columns of a Parquet file of turns or conversations. Lists and objects may also be JSON texts."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A `Shard` is a part of a log that is audited alone and has its own file of results.

    Attributes:
        number: Its place among all shards of an audit, from 0.
        source: The URL or the path of the file.
        start: The first byte of JSON lines, or the number of the row group.
        stop: The byte after the last one, or the number of the row group; `TO_THE_END` for a compressed file.
        first_row: The first row in the file, counted from 1.
        format: The name of the format of a file that is read as a whole, or an empty text.
    """

    number: int
    source: str
    start: int
    stop: int
    first_row: int
    format: str = ""


@dataclass(frozen=True, slots=True)
class BadRow:
    """A `BadRow` is a row that cannot be read from its file: the reason, and the beginning of its text."""

    reason: str
    text: bytes = b""


def find_sources(inputs: Sequence[str], out: str = "") -> list[str]:
    """Return the files that inputs name: files, folders, patterns, and URLs of any file system of fsspec.

    Files in the folder `out` of the results are left out. Raises `SettingsError` if an input has no log.
    """
    found: list[str] = []
    apart = _file_system(out)[1].rstrip("/") + "/" if out else None
    for own in inputs:
        system, path = _file_system(own)
        root = _root(own, path)
        if "::" in own:
            found.append(_named(own))
            continue
        if system.isdir(path):
            names = sorted(own for own in map(str, system.find(path)) if is_log(own) and not _is_document(own))
        elif system.exists(path):
            names = [_named(str(path))]
        else:
            names = sorted(map(_named, map(str, system.glob(path)))) if glob.has_magic(path) else []
        names = [name for name in names if apart is None or not name.startswith(apart)]
        if not names:
            raise SettingsError(f"{own}: no log is there; name folders of {', '.join(_LINES + _TABLES)}, or files")
        found += [f"{root}{name.removeprefix(root)}" for name in names]
    return list(dict.fromkeys(found))


def _root(url: str, path: str) -> str:
    """Return the part of a URL before the path in its file system: the protocol, and the host if there is one."""
    if "://" not in url:
        return ""
    plain, path = url.rstrip("/"), path.rstrip("/")
    return plain.removesuffix(path) if plain.endswith(path) else url.split("://", 1)[0] + "://"


def is_log(name: str) -> bool:
    """Return whether a file name has the ending of a log."""
    return _unpacked(name).endswith(_LINES + _DOCUMENTS) or name.lower().endswith(_TABLES)


def _unpacked(name: str) -> str:
    """Return a file name in small letters, without the ending of a compressed file."""
    low = name.lower()
    return next((low.removesuffix(end) for end in _PACKED if low.endswith(end)), low)


def _named(name: str) -> str:
    """Return the name of a log. Raises `SettingsError` if its ending is unknown."""
    if not is_log(name):
        ends, packed = ", ".join(_LINES + _DOCUMENTS + _TABLES), ", ".join(_PACKED)
        raise SettingsError(
            f"{name}: a log ends in {ends}; it may be packed ({packed}). Write any other as JSON lines, an object with "
            "its messages on each"
        )
    return name


def state_of(source: str) -> str:
    """Return a text that changes with a file: its size, and the time or the tag of its last version."""
    system, path = _file_system(source)
    info = system.info(path)
    written = next(
        (str(info[name]) for name in ("ETag", "etag", "mtime", "LastModified", "created") if name in info), ""
    )
    return f"{info.get('size')} bytes, {written}"


def _file_system(url: str) -> tuple[Any, str]:
    try:
        system, path = fsspec.core.url_to_fs(url)
    except (ValueError, ImportError) as error:
        raise SettingsError(f"{url}: {error}") from error
    return system, path


def _is_document(source: str) -> bool:
    return _unpacked(source).endswith(_DOCUMENTS)


def _is_table(source: str) -> bool:
    return source.lower().endswith(_TABLES)


def open_source(source: str) -> Any:
    """Open a file of a log for reading bytes. Raises `RecordError` if that fails."""
    try:
        packed = not _is_table(source) and source.lower().endswith(_PACKED)
        return fsspec.open(source, "rb", compression="infer" if packed else None).open()
    except (OSError, ValueError) as error:
        raise RecordError(f"{source} cannot be read: {error}") from error


def cut_sources(sources: Sequence[str], block: int = BLOCK, format: str | None = None) -> Iterator[Shard]:
    """Yield the shards of files, in order. Raises `RecordError` for a file that cannot be read.

    A file of JSON lines in a `format` with conversations over several lines is one shard. Without a name, the first
    line says the format.
    """
    number = 0
    for source in sources:
        parts, name = _parts(source, block), ""
        if not _is_table(source):
            name = format or ("" if _is_document(source) else _first_format(source))
            parts = [(0, TO_THE_END, 1)] if name not in ("", MESSAGES.name) else parts
        for start, stop, first_row in parts:
            yield Shard(number, source, start, stop, first_row, name)
            number += 1


def _first_format(source: str) -> str:
    """Return the name of the format of the first line, or an empty text if its rows are read one by one."""
    with open_source(source) as stream:
        try:
            first = next((own for own in iter(lambda: stream.readline(_LONGEST), b"") if own.strip()), b"")
            name = format_of(json.loads(first.removeprefix(b"\xef\xbb\xbf"))).name
        except _BROKEN:
            return ""
    return "" if name == MESSAGES.name else name


_LONGEST = 2**28
_BROKEN = (OSError, EOFError, ValueError, RecursionError, zlib.error, lzma.LZMAError)
"""Errors for a file that cannot be unpacked, or a line that is no JSON. Reading the rows reports them."""


def _parts(source: str, block: int) -> Iterable[tuple[int, int, int]]:
    if _is_table(source):
        return _row_groups(source)
    whole = _is_document(source) or source.lower().endswith(_PACKED)
    return [(0, TO_THE_END, 1)] if whole else _blocks(source, block)


def _row_groups(source: str) -> Iterator[tuple[int, int, int]]:
    with open_source(source) as stream:
        try:
            metadata = pq.ParquetFile(stream).metadata
        except (OSError, ValueError):
            yield 0, 0, 1  # Reading this shard reports the fault as a bad row, so that other files are audited.
            return
        row = 1
        for group in range(metadata.num_row_groups):
            yield group, group, row
            row += metadata.row_group(group).num_rows


def _blocks(source: str, block: int) -> Iterator[tuple[int, int, int]]:
    """Yield blocks of whole lines, each with the number of its first line. This reads the file once."""
    start, first_row, row, at = 0, 1, 1, 0
    with open_source(source) as stream:
        while chunk := stream.read(block):
            end = chunk.rfind(b"\n") + 1
            if end:
                row += chunk.count(b"\n")
                yield start, at + end, first_row
                start, first_row = at + end, row
            at += len(chunk)
    if at > start:
        yield start, at, first_row


def read_rows(shard: Shard, *, whole: bool = False) -> Iterator[tuple[int, bytes | LogRow | BadRow]]:
    """Yield the rows of a shard that are not empty, each with its number in the file, counted from 1.

    If `whole` is true, the rows of a table come as JSON lines with all columns. Raises `RecordError` if the file cannot
    be read.
    """
    if _is_table(shard.source):
        try:
            yield from _whole_rows(shard) if whole else _read_group(shard)
        except (OSError, ValueError, KeyError) as error:
            yield shard.first_row, BadRow(f"{shard.source}, row group {shard.start}, cannot be read: {error}")
        return
    if _is_document(shard.source) or shard.format not in ("", MESSAGES.name):
        yield from enumerate(_rows_as_found(shard), 1)
        return
    lines: Iterable[bytes | BadRow] = _packed_lines(shard.source) if shard.stop == TO_THE_END else _lines(shard)
    for row, line in enumerate(lines, shard.first_row):
        if isinstance(line, BadRow):
            yield row, line
            return
        own = line.removeprefix(b"\xef\xbb\xbf") if row == 1 else line
        if own.strip():
            yield row, own


def _lines(shard: Shard) -> list[bytes]:
    with open_source(shard.source) as stream:
        stream.seek(shard.start)
        text: bytes = stream.read(shard.stop - shard.start)
    return text.split(b"\n")


def _packed_lines(source: str) -> Iterator[bytes | BadRow]:
    """Yield the lines of a compressed file. One bad row stands for everything after a damaged place."""
    with open_source(source) as stream:
        try:
            for line in stream:
                yield line.removesuffix(b"\n")
        except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
            yield BadRow(f"from here on the file cannot be unpacked: {error}")


def _rows_as_found(shard: Shard) -> Iterator[bytes | BadRow]:
    """Yield the conversations or other rows of a file that is read as a whole."""
    with open_source(shard.source) as stream:
        try:
            data: bytes = stream.read()
        except _BROKEN as error:
            yield BadRow(f"{shard.source} cannot be read: {error}")
            return
    for own in conversations_in(data, shard.source, shard.format or None):
        yield BadRow(str(own)) if isinstance(own, RecordError) else json.dumps(own).encode()


def _group_of(shard: Shard, wanted: Callable[[str], bool]) -> pa.Table:
    with open_source(shard.source) as stream:
        table = pq.ParquetFile(stream)
        group = table.read_row_group(shard.start, columns=list(filter(wanted, table.schema_arrow.names)))
    if len(set(group.column_names)) < len(group.column_names):
        raise ValueError(f"two columns have one name: {', '.join(group.column_names)}")
    return group


def _whole_rows(shard: Shard) -> Iterator[tuple[int, bytes | BadRow]]:
    group = _group_of(shard, lambda _: True)
    for place in range(group.num_rows):
        row: bytes | BadRow
        try:
            [own] = group.slice(place, 1).to_pylist()
            row = json.dumps({name: _cell(name, cell) for name, cell in _said(own).items()}, default=str).encode()
        except _ODD as error:
            row = BadRow(f"a cell cannot be read: {error}")
        yield shard.first_row + place, row


def _cell(name: str, value: Any) -> Any:
    """Return a cell, or its parsed value if it is a JSON text."""
    if name in ("id", "conversation", "now") or not isinstance(value, str) or value[:1] not in ("[", "{"):
        return value
    try:
        return load_once(value, name)
    except (ValueError, RecursionError, RecordError):
        return value  # Reading the row reports a repeated key.


def _read_group(shard: Shard) -> Iterator[tuple[int, LogRow | BadRow]]:
    group = _group_of(shard, COLUMNS.__contains__)
    columns = group.column_names
    try:
        turns: Iterable[LogRow | BadRow] = _turns(group, columns)
    except _ODD:
        turns = map(partial(_turn_at, group, columns), range(group.num_rows))
    yield from enumerate(turns, shard.first_row)


_ODD = (ValueError, TypeError, OverflowError, RecursionError, pa.ArrowException)
"""Errors for cells without a value in Python or in JSON."""


def _turns(group: pa.Table, columns: Sequence[str]) -> Iterable[LogRow]:
    given = {name: _as_fields(name, group.column(name)) for name in columns}
    nothing = LogRow()
    fields = (given.get(name, repeat(getattr(nothing, name), group.num_rows)) for name in LogRow.__struct_fields__)
    return map(LogRow, *fields)


def _turn_at(group: pa.Table, columns: Sequence[str], place: int) -> LogRow | BadRow:
    """Return one row of a group in which some cell cannot be read. This is slow."""
    try:
        [turn] = _turns(group.slice(place, 1), columns)
    except _ODD as error:
        return BadRow(f"a cell cannot be read: {error}")
    return turn


def _as_fields(name: str, column: Any) -> list[Any]:
    """Return the values of a column as fields of log rows: raw JSON, except for ids and text answers."""
    has_lists = pa.types.is_list(column.type) and pa.types.is_string(column.type.value_type)
    values: list[Any] = _texts_of_lists(column) if has_lists else column.to_pylist()
    if name == "id":
        return ["" if own is None else own for own in values]
    if name in ("conversation", "answer", "now"):
        return values
    if name == "domain":
        return [UNSET if own is None else own for own in values]
    found: list[Any] = []
    last, raw = None, as_raw(None)
    for own in values:
        # Consecutive turns mostly have the same entities and context.
        if own != last or own is None:
            last, raw = own, text_as_raw(own) if isinstance(own, str) else as_raw(_said(own))
        found.append(raw)
    return found


def _said(value: Any) -> Any:
    """Return nested values without null members, because a table adds null for members that the log left out."""
    match value:
        case dict():
            return {name: _said(own) for name, own in value.items() if own is not None}
        case list():
            return [_said(own) for own in value]
    return value


def _texts_of_lists(column: Any) -> list[list[str] | None]:
    """Return a column of lists of texts. This takes a tenth of the time of `to_pylist`."""
    found: list[list[str] | None] = []
    for chunk in column.chunks:
        offsets, texts = chunk.offsets.to_pylist(), chunk.values.to_pylist()
        lists = [texts[start:stop] for start, stop in pairwise(offsets)]
        found += [own if there else None for own, there in zip(lists, chunk.is_valid().to_pylist(), strict=True)]
    return found
