"""Random types, the schemas that say them, and values that are of a type or break it, as JSON has them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import DATE, MOMENT, NUMBER, TIME, WHOLE, Amount, Calendar
from holdtrue.rules.types import (
    DURATION,
    FLAG,
    NULL,
    TEXT,
    Field,
    Flag,
    ListOf,
    MapOf,
    Name,
    Null,
    Nullable,
    Number,
    Record,
    Type,
)

Draw = Callable[[st.SearchStrategy[Any]], Any]
ZONED = Calendar("moment", "Z")
CENT, FIVE, QUARTER = Fraction(1, 100), Fraction(5), Fraction(1, 4)
PLAIN = (NUMBER, WHOLE, *(Amount(step=step) for step in (CENT, FIVE, QUARTER)))
"""Numbers with a step that JSON Schema can express."""
WITH_UNITS = (
    *(Amount(unit("USD"), step) for step in (None, CENT, FIVE)),
    *(Amount(unit("kg")), Amount(unit("mg/kg"), CENT), Amount(unit("%")), Amount(unit("night"), Fraction(1))),
)
_NAMES = st.sampled_from(
    ("id", "amount", "first name", "ok?", "wow!", "list of", "up to", "année", "'", "x.y", "[]", "\U0001d4b3")
)


@st.composite
def numbers(draw: st.DrawFn, sorts: tuple[Amount, ...]) -> Number:
    sort = draw(st.sampled_from(sorts))
    ends = sorted(draw(st.tuples(st.integers(-40, 40), st.integers(-40, 40))))
    low, high = (draw(st.sampled_from((None, end * (sort.step or CENT)))) for end in ends)
    return Number(sort, low, high)


def types(*, schema: bool) -> st.SearchStrategy[Type]:
    """Draw types that JSON Schema can express, or else types of the notation of policies."""
    texts = st.lists(st.text(max_size=3), min_size=1, max_size=3, unique=True)
    scalars: st.SearchStrategy[Type] = st.one_of(
        st.sampled_from((FLAG, TEXT, DATE, TIME, ZONED, DURATION)),
        numbers(PLAIN if schema else PLAIN + WITH_UNITS),
        texts.map(lambda values: Name(values=tuple(values))),
    )
    if not schema:
        lows = st.integers(0, 9)
        durations: st.SearchStrategy[Type] = lows.map(lambda low: Number(DURATION.sort, Fraction(low, 4), QUARTER * 99))
        thirds = st.just(Number(DURATION.sort, Fraction(1, 3)))
        others = (NULL, MOMENT, Calendar("moment", "EST"), Name("user"), Name("größe"))
        scalars = st.one_of(scalars, st.sampled_from(others), durations, thirds)
    return st.recursive(scalars, _around, max_leaves=6)


def _around(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    fields = st.dictionaries(_NAMES, st.builds(Field, inner, st.booleans()), max_size=3)
    sizes = st.sampled_from(((None, 0), (3, 0), (3, 1), (None, 2)))
    return st.one_of(
        fields.map(Record),
        st.tuples(inner, sizes).map(lambda own: ListOf(own[0], *own[1])),
        inner.map(MapOf),
        inner.map(lambda own: own if isinstance(own, Null | Nullable) else Nullable(own)),
    )


def same(one: Type, other: Type) -> bool:
    """Return whether two types say the same; records are compared by their fields."""
    match one, other:
        case Record(), Record():
            return one.fields.keys() == other.fields.keys() and all(
                own.required is other.fields[name].required and same(own.type, other.fields[name].type)
                for name, own in one.fields.items()
            )
        case ListOf(), ListOf():
            return (one.most, one.least) == (other.most, other.least) and same(one.item, other.item)
        case (MapOf(inner), MapOf(second)) | (Nullable(inner), Nullable(second)):
            return same(inner, second)
    return one == other


def as_json(number: Fraction) -> int | float:
    return number.numerator if number.denominator == 1 else float(number)


def as_schema(type: Type, draw: Draw) -> dict[str, Any]:
    """Return a schema of the type, in one of the ways in which it can be said."""
    match type:
        case Nullable(inner):
            schema = as_schema(inner, draw)
            ways: list[dict[str, Any]] = [{"anyOf": [schema, {"type": "null"}]}, {"oneOf": [{"type": "null"}, schema]}]
            if "type" in schema:
                ways.append({**schema, "nullable": True})
                if "enum" not in schema:
                    ways.append({**schema, "type": [schema["type"], "null"]})
            return dict(draw(st.sampled_from(ways)))
        case Record(fields):
            properties = {name: as_schema(own.type, draw) for name, own in fields.items()}
            required = [name for name, own in fields.items() if own.required]
            return {"type": "object", "properties": properties, "required": required}
        case ListOf(item, most, least):
            sizes = ({} if most is None else {"maxItems": most}) | ({"minItems": least} if least else {})
            return {"type": "array", "items": as_schema(item, draw), **sizes}
        case MapOf(value):
            return {"type": "object", "additionalProperties": as_schema(value, draw)}
        case Name(values=None):
            return {"type": "string"}
        case Name(values=values):
            listed = list(values or ())
            ways = [{"type": "string", "enum": listed}, {"enum": listed}, {"oneOf": [{"const": own} for own in listed]}]
            return dict(draw(st.sampled_from(ways)))
        case Calendar(kind):
            return {"type": "string", "format": "date-time" if kind == "moment" else kind}
    if type == DURATION:
        return {"type": "string", "format": "duration"}
    return _number_schema(type, draw) if isinstance(type, Number) else {"type": "boolean"}


def _number_schema(type: Number, draw: Draw) -> dict[str, Any]:
    step, low, high = type.sort.step, type.low, type.high
    schema: dict[str, Any] = {"type": "integer" if step == 1 else "number"}
    if step is not None and step != 1:
        schema["multipleOf"] = as_json(step)
    strict = step is not None and draw(st.booleans())
    if low is not None:
        schema["exclusiveMinimum" if strict else "minimum"] = as_json(low - (step or 0) if strict else low)
    if high is not None:
        schema["exclusiveMaximum" if strict else "maximum"] = as_json(high + (step or 0) if strict else high)
    return schema


def valid(type: Type, draw: Draw) -> Any:
    """Draw a value of the type as JSON has it."""
    match type:
        case Nullable(inner):
            return None if draw(st.booleans()) else valid(inner, draw)
        case Record(fields):
            present = {name: own for name, own in fields.items() if own.required or draw(st.booleans())}
            return {"beyond": 1, **{name: valid(own.type, draw) for name, own in present.items()}}
        case ListOf(item, most, least):
            return [valid(item, draw) for _ in range(draw(st.integers(least, least + 2 if most is None else most)))]
        case MapOf(value):
            return {name: valid(value, draw) for name in draw(st.lists(_NAMES, max_size=2))}
        case Name(values=values):
            return draw(st.text(max_size=5) if values is None else st.sampled_from(values))
        case Calendar(kind):
            examples = {"date": "2024-02-29", "time": "14:30:00", "moment": "2024-05-20T06:00:00.25+02:00"}
            return examples[kind]
        case Flag():
            return draw(st.booleans())
    if type == DURATION:
        return draw(st.sampled_from(("PT1H30M", "P1DT2S", "90s", "P2W")))
    return _valid_number(type, draw) if isinstance(type, Number) else None


def _valid_number(type: Number, draw: Draw) -> int | float:
    step = type.sort.step or CENT
    low = -100 if type.low is None else int(type.low / step)
    high = max(low, 100) if type.high is None else int(type.high / step)
    return as_json(draw(st.integers(min(low, high), high)) * step)


def broken(type: Type, draw: Draw) -> Any:
    """Draw a value that is not of the type, because of one of its parts."""
    match type:
        case Nullable(inner):
            return broken(inner, draw)
        case Record(fields):
            value = valid(type, draw)
            if not fields:
                return draw(st.sampled_from(("text", 5, [])))
            name = draw(st.sampled_from(sorted(fields)))
            if fields[name].required and draw(st.booleans()):
                del value[name]
            else:
                value[name] = broken(fields[name].type, draw)
            return value
        case ListOf(item, most):
            if most is not None and draw(st.booleans()):
                return [valid(item, draw) for _ in range(most + 1)]
            return draw(st.sampled_from(([broken(item, draw)], "text", {}, 5, True)))
        case MapOf(value):
            return draw(st.sampled_from(({"key": broken(value, draw)}, [], "text", 0)))
        case Name(values=values):
            return draw(st.sampled_from((5, True, [], {}, *(("".join(values) + "!",) if values is not None else ()))))
        case Flag():
            return draw(st.sampled_from(("true", 1, 0, [], {})))
        case Calendar(kind):
            wrong = {"date": "2024-05-20T06:00:00Z", "time": "2024-05-20", "moment": "2024-05-20T06:00:00"}
            return draw(st.sampled_from((wrong[kind], "2023-02-29", "25:00", "soon", "", 5, True, [])))
    if type == DURATION:
        return draw(st.sampled_from(("soon", "1h30", "PT", True, [], {})))
    return _broken_number(type, draw) if isinstance(type, Number) else draw(st.sampled_from((0, "", [], False)))


def _broken_number(type: Number, draw: Draw) -> Any:
    step = type.sort.step or CENT
    ways: list[Any] = ["text", "5", True, [], {}, float("nan"), float("inf")]
    if type.low is not None:
        ways.append(as_json(type.low - step))
    if type.high is not None:
        ways.append(as_json(type.high + step))
    if type.sort.step is not None:
        ways.append(as_json((type.low or type.high or Fraction(0)) + type.sort.step / 2))
    return draw(st.sampled_from(ways))
