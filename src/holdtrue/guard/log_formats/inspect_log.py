"""Read logs of Inspect, whose samples have the messages. In an .eval log, a zip file, each sample is a JSON file."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from holdtrue.errors import RecordError
from holdtrue.guard.log_formats.log_format import Conversations, LogFormat, Values, keys_of
from holdtrue.guard.recorded_words import OTHER_SPANS, load_once

MOST_BYTES = 2**30
"""The largest size of an unpacked .eval log."""
_ZSTD = 93
"""Inspect's method of compression. The zip module of older Pythons does not have it."""
_AT = "attachment://"


def samples_in(data: bytes, source: str) -> Iterator[tuple[str, Any]]:
    """Yield the samples of an .eval log with their places. Raises `RecordError` for a damaged or too large file."""
    try:
        with ZipFile(BytesIO(data)) as packed:
            found = [own for own in packed.infolist() if own.filename.startswith("samples/")]
            if sum(own.file_size for own in found) > MOST_BYTES:
                raise RecordError(
                    f"{source}: it is too large unpacked: 'inspect log convert --to json' writes it apart"
                )
            for own in found:
                yield f"{source}, {own.filename}", load_once(_unpacked(packed, own, data), own.filename)
    except (BadZipFile, OSError, ValueError, struct.error, zlib.error, NotImplementedError) as error:
        raise RecordError(f"{source}: no .eval log, or a damaged one: {error}") from error
    if not found:
        raise RecordError(
            f"{source}: samples is missing; there is {', '.join(packed.namelist()[:8]) or 'nothing':.200}"
        )


def _unpacked(packed: ZipFile, own: ZipInfo, data: bytes) -> bytes:
    if own.compress_type != _ZSTD:
        return packed.read(own)
    from holdtrue.extras import need

    need("an .eval log", "pyarrow")
    import pyarrow as pa

    name, extra = struct.unpack("<HH", data[own.header_offset + 26 : own.header_offset + 30])
    start = own.header_offset + 30 + name + extra
    stream = pa.CompressedInputStream(pa.BufferReader(data[start : start + own.compress_size]), "zstd")
    text: bytes = stream.read(own.file_size + 1)
    if len(text) != own.file_size or zlib.crc32(text) != own.CRC:
        raise ValueError(f"{own.filename} is damaged")
    return text


def _read(values: Values) -> Conversations:
    for where, value in values:
        if isinstance(value, dict) and "epoch" in value:
            yield _conversation(value, where)
            continue
        samples = value.get("samples") if isinstance(value, dict) else None
        if not samples or not isinstance(samples, list):
            yield RecordError(f"{where}: samples is missing; {keys_of(value)}")
        for place, own in enumerate(samples or ()):
            yield _conversation(own, f"{where}.samples[{place}]")


def _conversation(sample: Any, where: str) -> dict[str, Any] | RecordError:
    """Return a sample as a conversation. The events of tools are held to its messages."""
    if not isinstance(sample, dict) or not sample.get("messages") or not sample.get("id"):
        return RecordError(f"{where}: messages or id is missing; {keys_of(sample)}")
    kept = sample.get("attachments") or {}
    events = [own for own in sample.get("events") or () if isinstance(own, dict) and own.get("event") == "tool"]
    ran = [{"type": "tool_call", "name": own.get("function"), "arguments": own.get("arguments")} for own in events]
    id, epoch = str(sample["id"]), sample.get("epoch", 1)
    found = {"messages": sample["messages"], OTHER_SPANS: ran}
    return {"id": f"{id}/{epoch}", "task": id, "trial": epoch, **_resolved(found, kept)}


def _resolved(value: Any, kept: dict[str, Any]) -> Any:
    """Return a value with attachments in the places that refer to them."""
    match value:
        case str() if value.startswith(_AT):
            return kept.get(value.removeprefix(_AT), value)
        case list():
            return [_resolved(own, kept) for own in value]
        case dict():
            return {key: _resolved(own, kept) for key, own in value.items()}
    return value


def _knows(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return ("eval" in value and "status" in value) or ("epoch" in value and "messages" in value)


INSPECT = LogFormat("inspect", "logs of Inspect, .json or .eval", _knows, _read)
