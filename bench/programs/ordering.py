"""Programs about things in an order: whole-number variables, comparisons, all-different.

Domain:        1: oldest                                        (words only)
Variables:     tractor [IN] [1, 2, 3]
Constraints:   tractor > sedan ::: The tractor is newer than the sedan.
               AllDifferentConstraint([tractor, sedan, bus])
Query:         A) tractor == 2 ::: The tractor is the second-newest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.programs.arithmetic import Fault, read_constraint
from bench.programs.formalization import Formalization, Statement
from bench.programs.sections import Line, split_sections
from holdtrue.logic.formula import Formula, Or, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue_claims.fol.alert import Alert, AlertKind

WIDEST = 1_000
"""Values of a variable, and variables of a program; real ones have seven."""

_TITLES = {"domain": "declarations", "variables": "declarations", "constraints": "constraints", "query": "queries"}
_DECLARED = re.compile(r"(\w+)\s*\[IN\]\s*\[([-0-9,\s]*)\]", re.IGNORECASE)
_OPTION = re.compile(r"([A-Z])\s*[).]\s*(.*)")
_NUMBER = re.compile(r"-?[0-9]{1,6}")


@dataclass(slots=True)
class _Declarations:
    variables: dict[str, Variable]
    laws: list[Formula]
    alerts: list[Alert]

    def alert(self, kind: AlertKind, message: str, line: Line, position: int | None = None) -> None:
        self.alerts.append(Alert(kind, message, line.text, position))


def read_ordering(program: str) -> Formalization:
    """The program as formulas; raises nothing, and alerts tell what was not read.

    A variable may be declared under Domain as well. A query without a letter gets Q and its number.
    """
    sections = split_sections(program, _TITLES, ("declarations", "constraints", "queries"))
    made = _Declarations({}, [], list(sections.alerts))
    for line in sections.lines.get("declarations", ()):
        _declare(line, made)
    premises = [
        Statement(f"P{number}", line.text, line.words, _formula(line.text, line, made))
        for number, line in enumerate(sections.lines.get("constraints", ()), start=1)
    ]
    queries = _queries(sections.lines.get("queries", ()), made)
    return Formalization(
        tuple(made.variables.values()), tuple(made.laws), tuple(premises), tuple(queries), tuple(made.alerts)
    )


def _declare(line: Line, made: _Declarations) -> None:
    match = _DECLARED.fullmatch(line.text)
    if match is None:
        # Under Domain, lines such as `1: oldest` are words.
        if "[IN]" in line.text.upper():
            made.alert("unparsed", "a name, [IN] and a list of whole numbers are needed", line)
        return
    name, listed = match[1], [part.strip() for part in match[2].split(",")]
    if not all(_NUMBER.fullmatch(part) for part in listed):
        made.alert("unparsed", "the values must be whole numbers of six digits at most", line)
        return
    values = sorted({int(part) for part in listed})
    if name in made.variables:
        made.alert("name_clash", f"{name} is declared twice; the first declaration counts", line)
    elif values[-1] - values[0] >= WIDEST or len(made.variables) >= WIDEST:
        made.alert("unsupported", f"more than {WIDEST} values or variables", line)
    else:
        made.variables[name] = variable = Variable(name, IntSort(values[0], values[-1]))
        if len(values) < len(variable.sort.values):
            made.laws.append(Or(tuple(variable.eq(value) for value in values)))


def _queries(lines: Sequence[Line], made: _Declarations) -> Iterable[Statement]:
    queries: dict[str, Statement] = {}
    for number, line in enumerate(lines, start=1):
        option = _OPTION.fullmatch(line.text)
        id, text = (option[1], option[2]) if option else (f"Q{number}", line.text)
        if id in queries:
            made.alert("name_clash", f"the option {id} is there twice; the first one counts", line)
        else:
            queries[id] = Statement(id, text, line.words, _formula(text, line, made))
    return queries.values()


def _formula(text: str, line: Line, made: _Declarations) -> Formula | None:
    try:
        return read_constraint(text, made.variables)
    except Fault as fault:
        made.alert(fault.kind, str(fault), line, line.text.index(text) + fault.position)
        return None
