"""JSON files of suites: read, and written so that the same content gives the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.files import write_whole


def read_json(path: Path) -> object:
    """What a file holds; raises `RecordError`, naming it."""
    try:
        value: object = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # no JSON, no text at all, or nested without end
        raise RecordError(f"{path}: cannot be read, it is no JSON: {error}") from error
    return value


def read_records(path: Path) -> list[tuple[str, object]]:
    """The values in a file, each with its place in words: those of a JSON list, or one a line.

    Raises `RecordError`, naming file and line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise RecordError(f"{path}: cannot be read, it is no text: {error}") from error
    if text.lstrip().startswith("["):
        return [(f"{path}[{place}]", value) for place, value in enumerate(_parsed(text, str(path)))]
    lines = enumerate(text.split("\n"), start=1)
    wheres = ((f"{path}, line {number}", line) for number, line in lines if line.strip())
    return [(where, _parsed(line, where)) for where, line in wheres]


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # no JSON, or nested without end
        raise RecordError(f"{where}: no JSON: {error}") from error


def json_text(record: object) -> str:
    """A file's text, for people to read as well."""
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file, and make its folder where there is none; raises `RecordError`, naming the file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
