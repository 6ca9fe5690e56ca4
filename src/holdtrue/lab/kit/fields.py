"""Fields of JSON that nobody vouches for: what is there, or an error that names the place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from holdtrue.errors import ConstraintError, RecordError
from holdtrue.lab.kit.plan import Posed
from holdtrue.record import Label
from holdtrue.world.instance import Constraint, Instance

Kind = TypeVar("Kind")
Word = TypeVar("Word", bound=str)
Problem = TypeVar("Problem", bound=Posed)
_WORDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


@contextmanager
def naming(where: str, error_type: type[Exception] = RecordError) -> Iterator[None]:
    """Inside of it an error of that type becomes a `RecordError` that begins with the place."""
    try:
        yield
    except error_type as error:
        raise RecordError(f"{where}: {error}") from error


def by_id(found: Iterable[tuple[str, Problem]], nothing: str | None = None) -> dict[str, Problem]:
    """The problems, each given with its place, by their ids.

    Raises `RecordError` that names the place of an id met before, and one that says `nothing` where there are none.
    """
    problems: dict[str, Problem] = {}
    for where, problem in found:
        if problem.id in problems:
            raise RecordError(f"{where}: id: {problem.id!r} is there twice")
        problems[problem.id] = problem
    if not problems and nothing is not None:
        raise RecordError(nothing)
    return problems


def expect(value: object, kind: type[Kind], where: str) -> Kind:
    """The value, which must be of that kind; raises `RecordError`."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RecordError(f"{where}: {_WORDS[kind]} is needed, got {value!r:.60}")
    return value


def field(record: Mapping[str, Any], name: str, kind: type[Kind], where: str) -> Kind:
    """The record's field of that name."""
    if name not in record:
        raise RecordError(f"{where}: {name} is missing")
    return expect(record[name], kind, f"{where}.{name}")


def field_or(record: Mapping[str, Any], name: str, kind: type[Kind], where: str, default: Kind) -> Kind:
    """The same, with something to stand for a field that is not there or null."""
    return default if record.get(name) is None else field(record, name, kind, where)


def texts(record: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    """A field that is a list of texts."""
    listed = field(record, name, list, where)
    return tuple(expect(item, str, f"{where}.{name}[{place}]") for place, item in enumerate(listed))


def numbers(record: Mapping[str, Any], name: str, where: str) -> tuple[int, ...]:
    """A field that is a list of whole numbers; empty where it is missing."""
    listed = field_or(record, name, list, where, [])
    return tuple(expect(item, int, f"{where}.{name}[{place}]") for place, item in enumerate(listed))


def choice(value: object, among: Sequence[Word], where: str) -> Word:
    """The value, which must be one of these words; raises `RecordError`."""
    for word in among:
        if value == word:
            return word
    raise RecordError(f"{where}: {value!r:.60} is none of {', '.join(among)}")


def read_label(record: Mapping[str, Any], where: str) -> Label:
    """The field `label`."""
    return choice(field(record, "label", str, where), tuple(Label), f"{where}.label")


def read_constraint(instance: Instance, value: object, where: str) -> Constraint:
    """The constraint that an object with `type` and `args` names, as `Constraint.to_json` makes it."""
    record = expect(value, dict, where)
    with naming(where, ConstraintError):
        return instance.constraint(field(record, "type", str, where), field(record, "args", list, where))
