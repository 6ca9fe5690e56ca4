"""Encode statements as CNF with a legend: the meaning of each literal, and the clauses of each statement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import EnumSort
from holdtrue.solving.arithmetic import shortages
from holdtrue.solving.clauses import TRUE
from holdtrue.solving.encoder import Encoder
from holdtrue.solving.encoding import FormulaTooLarge, finite_size
from holdtrue.solving.route import LARGEST_DOMAIN

Kind = Literal["sort", "law", "given", "commitment"]


@dataclass(frozen=True, slots=True)
class Statement:
    """A formula with words for people. The kind `given` is for values that count as fixed."""

    kind: Kind
    id: str
    words: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Meaning:
    """A `Meaning` gives the meaning of a literal for a variable. The negated literal means the opposite."""

    literal: int
    variable: str
    op: Literal[">=", "=="]
    value: int
    words: str


@dataclass(frozen=True, slots=True)
class Part:
    """The clauses for one statement, or for the range of one variable.

    `helpers` are auxiliary literals that occur in these clauses only. `counted` lists facts that were found by counting
    and do not show in the clauses, such as '12 terms share 11 values'.
    """

    kind: Kind
    id: str
    words: str
    clauses: tuple[tuple[int, ...], ...]
    helpers: tuple[int, ...] = ()
    counted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cnf:
    """A CNF formula. `parts` have the order of their clauses. The first clause makes literal 1 true.

    The value of a variable is the lowest of its sort plus the number of its `>=` literals that are true.
    """

    variables: tuple[Variable, ...]
    meanings: tuple[Meaning, ...]
    parts: tuple[Part, ...]

    @property
    def clauses(self) -> list[tuple[int, ...]]:
        return [(TRUE,), *chain.from_iterable(part.clauses for part in self.parts)]

    def dimacs(self) -> str:
        """Return the DIMACS text. All comments precede the first clause, since every reader accepts them there."""
        clauses = self.clauses
        top = max(abs(literal) for clause in clauses for literal in clause)
        lines = [f"c {line}" for line in self._comments()]
        lines.append(f"p cnf {top} {len(clauses)}")
        lines += [" ".join(map(str, (*clause, 0))) for clause in clauses]
        return "\n".join(lines) + "\n"

    def to_json(self) -> dict[str, Any]:
        """Return the legend as JSON. `lines` are the first and last line in the DIMACS text, counted from 1."""
        before = len(self._comments()) + 1
        return {
            "variables": [
                {"name": variable.name, "low": variable.sort.low, "high": variable.sort.high, "is": str(variable.sort)}
                for variable in self.variables
            ],
            "literals": [
                {"literal": m.literal, "means": m.words, "variable": m.variable, "op": m.op, "value": m.value}
                for m in self.meanings
            ],
            "parts": [
                {
                    "kind": part.kind,
                    "id": part.id,
                    "says": part.words,
                    "clauses": place,
                    "lines": place and [before + number for number in place],
                    "helpers": list(part.helpers),
                    "counted": list(part.counted),
                }
                for part, place in zip(self.parts, self._places(), strict=True)
            ],
        }

    def _places(self) -> list[list[int] | None]:
        """Return the first and last clause of each part, counted from 1. A part without clauses has None."""
        places: list[list[int] | None] = []
        count = 1
        for part in self.parts:
            places.append([count + 1, count + len(part.clauses)] if part.clauses else None)
            count += len(part.clauses)
        return places

    def _comments(self) -> list[str]:
        lines = ["literal 1: true", *(f"literal {meaning.literal}: {meaning.words}" for meaning in self.meanings)]
        for part in self.parts:
            lines += [f"literal {helper}: a helper of {part.kind} {part.id}" for helper in part.helpers]
        for part, place in zip(self.parts, self._places(), strict=True):
            where = _spanned(place) if place else "no clauses"
            counted = f" (counted: {'; '.join(part.counted)})" if part.counted else ""
            lines.append(f"{where}: {part.kind} {part.id}: {part.words}{counted}")
        # A line break in somebody's words must not begin a clause.
        return [" ".join(line.split()) for line in lines]


def encode(variables: Iterable[Variable], statements: Sequence[Statement]) -> Cnf:
    """Encode the statements as CNF over those of the variables that occur in them.

    Raises `NotEncodable`, or `FormulaError` for a variable that is not among `variables`.
    """
    occurring = frozenset(chain.from_iterable(statement.formula.variables for statement in statements))
    own = tuple(variable for variable in variables if variable in occurring)
    for variable in own:
        size = finite_size(variable)
        if size > LARGEST_DOMAIN:
            raise FormulaTooLarge(f"{variable.name} has {size} values, over {LARGEST_DOMAIN}")
    encoder = Encoder(own)
    meanings = [meaning for variable in own for meaning in _meanings(encoder, variable)]
    definitions = encoder.pool.take()[1:]  # the first says that literal 1 is true
    parts = []
    for statement in statements:
        above = encoder.pool.top + 1
        encoder.hold(statement.formula)
        # Some readers of DIMACS refuse a literal that occurs twice in a clause.
        clauses = tuple(tuple(dict.fromkeys(clause)) for clause in encoder.pool.take())
        helpers = tuple(range(above, encoder.pool.top + 1))
        counted = shortages(statement.formula)
        parts.append(Part(statement.kind, statement.id, statement.words, clauses, helpers, counted))
    # Single values that occur in no clause need no literal.
    spoken = {abs(literal) for part in parts for clause in part.clauses for literal in clause}
    meanings = [meaning for meaning in meanings if meaning.op == ">=" or meaning.literal in spoken]
    about = {meaning.literal: meaning.variable for meaning in meanings}
    sorts: dict[str, list[tuple[int, ...]]] = {variable.name: [] for variable in own}
    for clause in definitions:
        if all(abs(literal) in about for literal in clause):
            sorts[about[abs(clause[0])]].append(tuple(clause))
    ranges = [Part("sort", v.name, f"{v.name} is one of {v.sort}", tuple(sorts[v.name])) for v in own]
    return Cnf(own, tuple(meanings), (*ranges, *parts))


def _spanned(place: Sequence[int]) -> str:
    first, last = place
    return f"clause {first}" if first == last else f"clauses {first} to {last}"


def _meanings(encoder: Encoder, variable: Variable) -> Iterable[Meaning]:
    literals, sort = encoder.literals[variable.name], variable.sort
    for value in sort.values[1:]:
        some = "{" + ", ".join(sort.labels[value:]) + "}" if isinstance(sort, EnumSort) else None
        words = f"{variable.name} in {some}" if some else f"{variable.name} >= {value}"
        yield Meaning(literals.at_least(value), variable.name, ">=", value, words)
    # The literals above cover the two end values.
    for value in sort.values[1:-1]:
        words = f"{variable.name} == {sort.show(value)}"
        yield Meaning(literals.equal(value), variable.name, "==", value, words)
