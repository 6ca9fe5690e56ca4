"""JSON files of suites, labels and constraints in them: read, and written so that equal content gives equal bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from holdtrue.errors import ConstraintError, RecordError
from holdtrue.fields import choice, expect, field, naming
from holdtrue.files import write_whole
from holdtrue.record import Label
from holdtrue.world.instance import Constraint, Instance


def read_json(path: Path) -> object:
    """Return the JSON value in a file; raises `RecordError`, naming the file."""
    try:
        value: object = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # no JSON, no text at all, or nested without end
        raise RecordError(f"{path}: cannot be read, it is no JSON: {error}") from error
    return value


def read_records(path: Path) -> list[tuple[str, object]]:
    """Return the values of a file, each with its place in words; the file is a JSON list, or has one value on each
    line.

    Raises `RecordError`, naming file and line.
    """
    text = _read_text(path)
    if text.lstrip().startswith("["):
        return [(f"{path}[{place}]", value) for place, value in enumerate(_parsed(text, str(path)))]
    return list(_each_line(path, text))


def read_lines(path: Path) -> Iterator[tuple[str, object]]:
    """Yield the values of a file that has one on each line, each with its place in words; the file is read lazily."""
    return _each_line(path, _read_text(path))


def read_objects(source: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a file that has one on each line, or of all such files of a folder, each with its place."""
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
    except (ValueError, RecursionError) as error:  # no JSON, or nested without end
        raise RecordError(f"{where}: no JSON: {error}") from error


def json_text(record: object) -> str:
    """Return a value as JSON text that people can read."""
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file, and make its folder where there is none; raises `RecordError`, naming the file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from error


def write_lines(path: Path, records: Iterable[object]) -> None:
    """Write a file with one value on each line; raises `RecordError`, naming the file."""
    write_text(path, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))


def read_label(record: Mapping[str, Any], where: str) -> Label:
    """Return the field `label`, which has to be one of the values of `Label`."""
    return choice(field(record, "label", str, where), tuple(Label), f"{where}.label")


def read_constraint(instance: Instance, value: object, where: str) -> Constraint:
    """Return the constraint of an object with `type` and `args`, the form that `Constraint.to_json` writes."""
    record = expect(value, dict, where)
    with naming(where, ConstraintError):
        return instance.constraint(field(record, "type", str, where), field(record, "args", list, where))
