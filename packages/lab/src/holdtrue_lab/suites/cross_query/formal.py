"""This module reads the SMT-LIB texts of a case, and the queries of published cases, which have no formula.

The texts are the `formal_representation` of a case and the `formal` of each statement. Either holdtrue wrote the texts,
or they were published. A published query is read by its type. 'Can Charlie sit at position 3?' is about the statement
that Charlie sits there. A query in unknown words gets no formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.errors import FormulaError
from holdtrue.kinds.labels.case import Case, Query
from holdtrue.logic.formula import Formula, Term, Variable
from holdtrue.logic.smtlib.formula_reader import read_formula
from holdtrue.logic.smtlib.script import Script, read_script, term_text
from holdtrue.logic.smtlib.symbols import name_of
from holdtrue.logic.smtlib.typed_terms import BOOL, INT, Call, Function, Let, Literal, Operation, SmtTerm, number
from holdtrue.logic.sorts import IntSort

# Commands that say nothing about the case, and that the SMT-LIB reader refuses.
_NEEDLESS = re.compile(r"\(\s*(?:set-logic|set-info|set-option|check-sat|get-model|exit)\b[^()]*\)")
_COMMENT_RANGE = re.compile(r"(\w+)_X in \[\s*(-?\d+)\s*,\s*(-?\d+)\s*\]")
# For each operator of `symbol op number`: the end of the symbol's range that it bounds, and the offset from the number.
_BOUNDS = {"<=": ("high", 0), "<": ("high", -1), ">=": ("low", 0), ">": ("low", 1)}
_TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}


@dataclass(frozen=True, slots=True)
class FormalTheory:
    """A `FormalTheory` has variables by name, and the formulas that a text asserts about them.

    A Boolean symbol is a variable that is 0 or 1.
    """

    variables: Mapping[str, Variable]
    formulas: tuple[Formula, ...]


def read_theory(text: str) -> FormalTheory:
    """Return the theory that a text asserts.

    Each integer needs a least and a greatest value, in an assertion or in a comment such as `pos_X in [0, 4]`. Raises
    `FormulaError` (`SmtLibError` if the line is known) for unreadable text, and if nothing is asserted.
    """
    script = read_script(_NEEDLESS.sub(" ", text))
    if not script.assertions:
        raise FormulaError("nothing is asserted")
    if script.sorts or script.definitions:
        raise FormulaError("only integers and Booleans are read, and no definitions")
    variables = _variables(script, text)
    formulas = tuple(read_formula(term_text(_numeric(own.formula)), variables.__getitem__) for own in script.assertions)
    return FormalTheory(variables, formulas)


def read_statement(text: str, theory: FormalTheory) -> Formula:
    """Return the formula of a statement over the symbols of the theory; raises `FormulaError` with the place."""
    return read_formula(text, theory.variables.__getitem__)


def _variables(script: Script, text: str) -> dict[str, Variable]:
    bounds: dict[tuple[str, str], int] = {}
    for stem, low, high in _COMMENT_RANGE.findall(text):
        for function in script.functions:
            if function.name.startswith(f"{stem}_"):
                bounds[function.name, "low"], bounds[function.name, "high"] = int(low), int(high)
    for assertion in script.assertions:
        for symbol, end, value in _asserted_bounds(assertion.formula):
            tighter = max if end == "low" else min
            bounds[symbol, end] = tighter(value, bounds.get((symbol, end), value))
    variables: dict[str, Variable] = {}
    for function in script.functions:
        name = name_of(function.name)
        low, high = bounds.get((function.name, "low")), bounds.get((function.name, "high"))
        if function.result == BOOL and not function.arguments:
            variables[name] = Variable(name, IntSort(0, 1))
        elif function.result == INT and not function.arguments and low is not None and high is not None and low <= high:
            variables[name] = Variable(name, IntSort(low, high))
        else:
            raise FormulaError(f"{name} is no constant with a least and a greatest value")
    return variables


def _asserted_bounds(term: SmtTerm) -> Iterator[tuple[str, str, int]]:
    """Yield the bounds of symbols that a formula asserts directly."""
    if not isinstance(term, Operation):
        return
    if term.op == "and":
        for operand in term.operands:
            yield from _asserted_bounds(operand)
    elif term.op in _BOUNDS:
        for left, right in zip(term.operands, term.operands[1:], strict=False):
            below, above = _value(left), _value(right)
            if isinstance(left, Call) and above is not None:
                yield _bound(left, term.op, above)
            elif isinstance(right, Call) and below is not None:
                yield _bound(right, _TURNED[term.op], below)


def _bound(symbol: Call, op: str, value: int) -> tuple[str, str, int]:
    end, offset = _BOUNDS[op]
    return symbol.function.name, end, value + offset


def _value(term: SmtTerm) -> int | None:
    match term:
        case Literal(value=int() as value):
            return value
        case Operation(op="-", operands=(Literal(value=int() as value),)):
            return -value
    return None


def _numeric(term: SmtTerm) -> SmtTerm:
    """Return the term with each Boolean constant replaced by the equation that an integer is 1."""
    match term:
        case Call() if term.sort == BOOL:
            return Operation("=", (Call(Function(term.function.name, (), INT)), number(1)), BOOL)
        case Operation():
            return Operation(term.op, tuple(map(_numeric, term.operands)), term.sort)
        case Let():
            bindings = tuple((own, _numeric(bound)) for own, bound in term.bindings)
            return Let(bindings, _numeric(term.body))
    return term


# Words by which a question denies something, or asks about several things.
_REFUSED = re.compile(
    r"\b(?:not|never|avoid|without|except|neither|nor|unless|apart|if|non|false|untrue|impossible|but|only"
    r"|or|either|both|who|which)\b|n't\b",
    re.IGNORECASE,
)
# Words by which a question asks for a distance or a range. The first group counts near names, and the second anywhere.
_MEASURED = re.compile(
    r"\b(?:directly|immediately|right|just|exactly|least|most|more|fewer|less|than|within|between"
    r"|first|last|earliest|latest|places?|positions?)\b",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\b(?:least|most|more|fewer|less|than|within|between|first|last|earliest|latest|before|after|later|earlier|until"
    r"|from|below|above|beyond|past|under|over|up|away)\b|\bby (?:\w+ )?\d",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\b(?:before|precedes?|earlier than|ahead of|prior to)\b", re.IGNORECASE)
_AFTER = re.compile(r"\b(?:after|follows?|later than)\b", re.IGNORECASE)
_ADJACENT = re.compile(r"\b(?:next to|adjacent|besides?|neighbou?rs?)\b", re.IGNORECASE)
_STARTS = re.compile(r"\b(?:start|begin)(?:s|ning|ting|ing)?\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:ends?|ending|finish\w*|over)\b", re.IGNORECASE)
_CIRCULAR = re.compile(r"\b(?:circular|round)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\b\d+\b")


@dataclass(frozen=True, slots=True)
class _Question:
    """A `_Question` is a query's text with the entities that it names, in the order in which they first occur.

    `between` is the text between the first two entities.
    """

    text: str
    named: tuple[str, ...]
    between: str
    variables: Mapping[str, Variable]
    circular: bool

    def of(self, entity: str, *stems: str) -> Variable | None:
        """Return the entity's variable whose name begins with one of the stems, such as `pos` in `pos_Alice`."""
        tail = re.sub(r"\W+", "_", entity)
        found = (self.variables.get(f"{stem}_{tail}") for stem in stems)
        return next((variable for variable in found if variable is not None), None)


def read_published(case: Case, record: Mapping[str, Any]) -> Case:
    """Return the case with its laws, and with formulas for the queries that can be read.

    The laws are everything that the text asserts, including the premises, so the premises are marked as adding nothing.
    If the theory cannot be read, no query gets a formula, because labels would then mean nothing.
    """
    text = record.get("formal_representation")
    try:
        theory = read_theory(text if isinstance(text, str) else "")
    except FormulaError:
        return case
    circular = any(_CIRCULAR.search(sentence) for sentence in (str(text), *(premise.text for premise in case.premises)))
    queries = tuple(
        replace(query, formula=_read(query, case.entities, theory.variables, circular)) for query in case.queries
    )
    return replace(
        case,
        variables=tuple(theory.variables.values()),
        laws=theory.formulas,
        premises=tuple(replace(premise, setting=True) for premise in case.premises),
        queries=queries,
    )


def _read(query: Query, entities: tuple[str, ...], variables: Mapping[str, Variable], circular: bool) -> Formula | None:
    reader = _READERS.get(query.type)
    if reader is None or _REFUSED.search(query.text):
        return None
    places = {name: re.search(rf"(?<!\w){re.escape(name)}(?!\w)", query.text) for name in entities}
    found = sorted((place.span(), name) for name, place in places.items() if place is not None)
    between = query.text[found[0][0][1] : found[1][0][0]] if len(found) > 1 else ""
    return reader(_Question(query.text, tuple(name for _, name in found), between, variables, circular))


def _adjacent(question: _Question) -> Formula | None:
    if len(question.named) != 2 or not _ADJACENT.search(question.text):
        return None
    a, b = (question.of(name, "pos", "position", "seat") for name in question.named)
    if a is None or b is None:
        return None
    distance = abs(a - b)
    beside = distance.eq(1)
    return beside | distance.eq(len(a.sort.values) - 1) if question.circular else beside


def _position(question: _Question) -> Formula | None:
    numbers = _NUMBER.findall(question.text)
    if len(question.named) != 1 or len(numbers) != 1 or _RANGE.search(question.text):
        return None
    place = question.of(question.named[0], "pos", "position", "seat", "start")
    return None if place is None else place.eq(int(numbers[0]))


def _overlap(question: _Question) -> Formula | None:
    if len(question.named) != 2:
        return None
    (a, a_end), (b, b_end) = (_span(question, name) for name in question.named)
    if a is None or b is None or a_end is None or b_end is None:
        return None
    return (a < b_end) & (b < a_end)


def _order(question: _Question) -> Formula | None:
    # A word of order is read only between two names, because before both names it would mean the opposite.
    before, after = _BEFORE.search(question.between), _AFTER.search(question.between)
    if len(question.named) != 2 or (before is None) == (after is None) or _MEASURED.search(question.between):
        return None
    first, second = question.named if before else question.named[::-1]
    _, end = _span(question, first)
    start, _ = _span(question, second)
    if end is not None and start is not None:
        # An event that is 'before' another one is over when the other starts. To start or end before it is weaker.
        of_ends = _STARTS.search(question.between) or _ENDS.search(question.text.partition(question.between)[2])
        return None if of_ends else end <= start
    a, b = (question.of(name, "pos", "position", "order", "time", "start") for name in (first, second))
    return None if a is None or b is None else a < b


def _span(question: _Question, name: str) -> tuple[Variable | None, Term | None]:
    """Return the start and the end of an event; each is None if it is not known."""
    start, end = question.of(name, "start", "s"), question.of(name, "end", "e")
    length = question.of(name, "duration", "dur", "d")
    if start is not None and end is None and length is not None:
        return start, start + length
    return start, end


def _fact(stem: str) -> Callable[[_Question], Formula | None]:
    """Return a function that reads questions about a Boolean symbol.

    All words of the symbol, such as those of `eligible_Ann_Loan`, must occur in the question.
    """

    def read(question: _Question) -> Formula | None:
        asked = set(re.findall(r"\w+", question.text.casefold()))
        found = []
        for name, variable in question.variables.items():
            words = [word for word in name.casefold().split("_") if word != "is"]
            if any(word.startswith(stem) for word in words):
                rest = [word for word in words if not word.startswith(stem)]
                if rest and asked.issuperset(rest):
                    found.append(variable)
        return found[0].eq(1) if len(found) == 1 and found[0].sort.size == 2 else None

    return read


_READERS: Mapping[str, Callable[[_Question], Formula | None]] = {
    "adj": _adjacent,
    "adj_forced": _adjacent,
    "pos": _position,
    "overlap": _overlap,
    "order": _order,
    "eligible": _fact("eligible"),
    "is_guilty": _fact("guilt"),
}
