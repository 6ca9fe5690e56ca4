"""What is said between the asking process and its worker: a line of JSON for a question, one for its answer.

In a structure numbers are texts ("12", "1/3") and elements of declared sorts their indices; functions go by their
place in the script.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from holdtrue.budget import Budget
from holdtrue.logic.smtlib.printer import script_text
from holdtrue.logic.smtlib.script import Script, read_script
from holdtrue.logic.smtlib.sexpr import DEEPEST, ReadLimits
from holdtrue.logic.smtlib.structure import Element, Structure, Table, Value
from holdtrue.logic.smtlib.typed_terms import BOOL, INT, REAL, Function, SmtSort

READY = b'{"ready": true}\n'

# The text was within its limits when it was read; as it is printed it may be somewhat longer and deeper.
_LIMITS = ReadLimits(
    max_bytes=100_000_000, max_depth=DEEPEST, max_nodes=10_000_000, max_commands=1_000_000, max_digits=1_000
)


def write_question(script: Script, budget: Budget) -> bytes:
    """The question whether the assertions of a script can hold together."""
    question = {"script": script_text(script), "timeout_s": budget.timeout_s, "conflicts": budget.conflicts}
    return json.dumps(question).encode() + b"\n"


def read_question(line: bytes) -> tuple[Script, Budget]:
    question = json.loads(line)
    return read_script(question["script"], _LIMITS), Budget(question["timeout_s"], question["conflicts"])


def structure_to_json(structure: Structure, script: Script) -> dict[str, Any]:
    return {
        "universe": [len(structure.universe[sort.name]) for sort in script.sorts],
        "tables": [_table_to_json(structure.tables.get(function.name)) for function in script.functions],
    }


def structure_from_json(data: dict[str, Any], script: Script) -> Structure:
    universe = {
        sort.name: tuple(Element(sort.name, index) for index in range(size))
        for sort, size in zip(script.sorts, data["universe"], strict=True)
    }
    tables = {
        function.name: _table_from_json(table, function)
        for function, table in zip(script.functions, data["tables"], strict=True)
        if table is not None
    }
    return Structure(universe, tables)


def _table_to_json(table: Table | None) -> list[Any] | None:
    if table is None:
        return None
    entries = [
        [list(map(_value_to_json, operands)), _value_to_json(value)] for operands, value in table.entries.items()
    ]
    return [entries, None if table.otherwise is None else _value_to_json(table.otherwise)]


def _table_from_json(data: list[Any], function: Function) -> Table:
    entries, otherwise = data
    return Table(
        {
            _values(operands, function.arguments): _value_from_json(value, function.result)
            for operands, value in entries
        },
        None if otherwise is None else _value_from_json(otherwise, function.result),
    )


def _values(operands: Sequence[bool | int | str], sorts: Sequence[SmtSort]) -> tuple[Value, ...]:
    return tuple(_value_from_json(operand, sort) for operand, sort in zip(operands, sorts, strict=True))


def _value_to_json(value: Value) -> bool | int | str:
    match value:
        case bool():
            return value
        case Element():
            return value.index
    return str(value)


def _value_from_json(value: bool | int | str, sort: SmtSort) -> Value:
    if sort == BOOL:
        return bool(value)
    if sort == INT:
        return int(value)
    if sort == REAL:
        return Fraction(value)
    return Element(sort.name, int(value))
