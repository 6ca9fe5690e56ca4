"""This module reads and writes the JSON files of suites; equal content gives equal bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from holdtrue.errors import ConstraintError, RecordError
from holdtrue.fields import choice, expect, field, naming
from holdtrue.files import write_whole
from holdtrue.record import Label
from holdtrue.wire import first_fault
from holdtrue.world.instance import Constraint, Instance

Kind = TypeVar("Kind")


def read_json(path: Path) -> object:
    """Return the JSON value in a file; raises `RecordError` with the file's name."""
    try:
        value: object = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # the file is no JSON, is no text at all, or is nested too deeply
        raise RecordError(f"{path}: cannot be read, it is no JSON: {error}") from error
    return value


def read_records(path: Path) -> list[tuple[str, object]]:
    """Return the values of a JSON list or of a file of JSON lines, each with its place for error messages.

    Raises `RecordError`, which names file and line.
    """
    text = _read_text(path)
    if text.lstrip().startswith("["):
        return [(f"{path}[{place}]", value) for place, value in enumerate(_parsed(text, str(path)))]
    return list(_each_line(path, text))


def read_lines(path: Path) -> Iterator[tuple[str, object]]:
    """Yield the values of a file of JSON lines, each with its place for error messages."""
    return _each_line(path, _read_text(path))


def read_objects(source: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects in a file of JSON lines, or in all such files of a folder, each with its place."""
    for path in sorted(source.glob("*.jsonl")) if source.is_dir() else [source]:
        for where, value in read_lines(path):
            yield where, expect(value, dict, where)


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise RecordError(f"{path}: cannot be read, it is no text: {error}") from error


def _each_line(path: Path, text: str) -> Iterator[tuple[str, object]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            yield where, _parsed(line, where)


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # the text is no JSON, or is nested too deeply
        raise RecordError(f"{where}: no JSON: {error}") from error


def read_as(kind: type[Kind], value: object, where: str) -> Kind:
    """Return a JSON value as an object of `kind`, such as a dataclass; raises `RecordError`, which names `where`."""
    from pydantic import ValidationError

    declared: Any = kind
    try:
        found: Kind = _adapter(declared).validate_json(
            json.dumps(value), strict=True
        )  # pydantic's strict mode for JSON accepts a list for a tuple
        return found
    except ValidationError as error:
        raise RecordError(f"{where}: {first_fault(error)}") from None


def written_as(value: Any) -> Any:
    """Return an object as plain JSON values, which `read_as` reads."""
    declared: Any = type(value)
    return _adapter(declared).dump_python(value, mode="json")


@cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def json_text(record: object) -> str:
    """Return a value as indented JSON text."""
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file and the folders above it; raises `RecordError` with the file's name."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from error


def write_lines(path: Path, records: Iterable[object]) -> None:
    """Write a file with one JSON value on each line; raises `RecordError` with the file's name."""
    write_text(path, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))


def read_label(record: Mapping[str, Any], where: str) -> Label:
    """Return the field `label` as a `Label`; raises `RecordError`."""
    return choice(field(record, "label", str, where), tuple(Label), f"{where}.label")


def read_constraint(instance: Instance, value: object, where: str) -> Constraint:
    """Return the constraint of an object with `type` and `args`, the form that `Constraint.to_json` writes."""
    record = expect(value, dict, where)
    with naming(where, ConstraintError):
        return instance.constraint(field(record, "type", str, where), field(record, "args", list, where))
