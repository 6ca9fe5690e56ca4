"""The SMT-LIB text of an `Opaque` formula: one term about variables of ours, which are integers with ranges.

The least and the greatest value that a term can have follow from what is known of its symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdtrue.errors import FormulaError
from holdtrue.logic import intervals
from holdtrue.logic.intervals import Range
from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.script import term_text
from holdtrue.logic.smtlib.sexpr import ReadLimits, Source, excerpt, read_sexprs
from holdtrue.logic.smtlib.symbols import name_of, symbol_of
from holdtrue.logic.smtlib.term_reader import TermReader
from holdtrue.logic.smtlib.typed_terms import Call, Function, Let, Literal, Local, Operation, SmtTerm
from holdtrue.logic.terms import Constant, Term, Variable

LIMITS = ReadLimits(max_bytes=100_000, max_nodes=10_000)
_SORTS = {"Bool": smt.BOOL, "Int": smt.INT}


def read_integer_text(
    text: str, resolve: Callable[[str], Term | int], limits: ReadLimits = LIMITS
) -> tuple[str, tuple[Variable, ...], smt.SmtTerm]:
    """The text in its canonical form, the variables in it, and the term that it is. See `opaque`."""
    source = Source(text)
    expressions = read_sexprs(source, limits)
    if len(expressions) != 1:
        place = expressions[1].at if expressions else 0
        raise source.fault(place, f"an opaque formula is one term, such as (< a b), not {len(expressions)}")
    meanings: dict[str, Variable | int] = {}

    def find(symbol: str) -> smt.Function | None:
        if symbol not in meanings:
            meanings[symbol] = _meaning(name_of(symbol), resolve)
        return smt.Function(symbol, (), smt.INT)

    term = TermReader(source, _SORTS.get, find).term(expressions[0], smt.BOOL)
    canonical = _Canonical(meanings)
    named = canonical.term(term, {})
    sorts = {symbol_of(variable.name): variable.sort for variable in canonical.reads}
    integer_range(named, lambda function: (sorts[function.name].low, sorts[function.name].high))
    written = term_text(named)
    if written != text:
        read_sexprs(Source(written), limits)  # what was written in a shorter way must be able to come back
    return written, tuple(canonical.reads), named


def _meaning(name: str, resolve: Callable[[str], Term | int]) -> Variable | int:
    try:
        found = resolve(name)
    except KeyError:
        raise FormulaError(f"unknown variable {excerpt(name)}") from None
    match found:
        case Variable() | int():
            return found
        case Constant():
            return found.value
    raise FormulaError(f"{excerpt(name)} stands for {found}; SMT-LIB text can name variables and integers only")


class _Canonical:
    """Rewrites terms so that equal meanings have equal texts: variables by their symbols, bound names by number.

    Bound names `%1`, `%2`... are no variable's symbol, so that nothing is captured when they stand beside each other.
    """

    def __init__(self, meanings: Mapping[str, Variable | int]) -> None:
        self._meanings = meanings
        self._bound = 0
        self.reads: dict[Variable, None] = {}

    def term(self, term: smt.SmtTerm, locals: Mapping[str, smt.Local]) -> smt.SmtTerm:
        if term.sort == smt.REAL:
            raise FormulaError(f"an opaque formula is about integers only, not {excerpt(term_text(term))}")
        match term:
            case smt.Literal():
                return term
            case smt.Local():
                return locals[term.name]
            case smt.Operation():
                operands: list[smt.SmtTerm] = []
                for operand in term.operands:
                    operands.append(self.term(operand, locals))  # noqa: PERF401 - one frame fewer a level
                return smt.Operation(term.op, tuple(operands), term.sort)
            case smt.Call():
                return self._value(self._meanings[term.function.name])
            case smt.Let():
                inner, bindings = dict(locals), []
                for own, bound in term.bindings:
                    value = self.term(bound, locals)
                    self._bound += 1
                    inner[own.name] = smt.Local(f"%{self._bound}", own.sort)
                    bindings.append((inner[own.name], value))
                return smt.Let(tuple(bindings), self.term(term.body, inner))
            case smt.Quantified():
                raise FormulaError(f"an opaque formula has no quantifiers: {excerpt(term_text(term))}")

    def _value(self, meaning: Variable | int) -> smt.SmtTerm:
        if isinstance(meaning, int):
            return smt.number(meaning)
        self.reads[meaning] = None
        return smt.Call(smt.Function(symbol_of(meaning.name), (), smt.INT))


LARGEST = 10**100
"""Beyond this no number can be meant, and repeated squaring is about to fill the memory."""


def integer_range(term: SmtTerm, range_of: Callable[[Function], Range]) -> Range:
    """The range of an integer term without quantifiers, each symbol and each operation taken by itself.

    For a formula, 0..1; None for an open end. Raises `FormulaError` where something inside cannot be computed for all
    values: a divisor that may be zero, an end beyond `LARGEST`.
    """
    return _range(term, {}, range_of)


def _range(term: SmtTerm, locals: Mapping[str, Range], range_of: Callable[[Function], Range]) -> Range:
    match term:
        case Literal():
            return int(term.value), int(term.value)
        case Local():
            return locals[term.name]
        case Call():
            return range_of(term.function)
        case Let():
            inner = dict(locals)
            for own, bound in term.bindings:
                inner[own.name] = _range(bound, locals, range_of)
            return _range(term.body, inner, range_of)
        case Operation():
            found = _operation(term, [_range(operand, locals, range_of) for operand in term.operands])
            if _is_huge(found):
                raise FormulaError(f"{excerpt(term_text(term))} may have more than 100 digits")
            return found
    raise FormulaError(f"{excerpt(term_text(term))}: quantifiers have no place in a formula over bounded integers")


def _operation(term: Operation, operands: Sequence[Range]) -> Range:
    first = operands[0]
    match term.op:
        case "-" if len(operands) == 1:
            return intervals.scaled(-1, first)
        case "+" | "-":
            for own in operands[1:]:
                first = intervals.added(first, own if term.op == "+" else intervals.scaled(-1, own))
            return first
        case "*":
            for own in operands[1:]:
                first = intervals.multiplied(first, own)
                if _is_huge(first):
                    break  # refused by the caller, before it becomes larger still
            return first
        case "abs":
            return intervals.absolute(first)
        case "ite":
            return intervals.joined(operands[1:])
        case "div" | "mod":
            for low, high in operands[1:]:
                if (low is None or low <= 0) and (high is None or high >= 0):
                    raise FormulaError(f"the divisor in {excerpt(term_text(term))} may be zero")
            if term.op == "mod":
                return intervals.remaining(first, operands[1])
            for own in operands[1:]:
                first = intervals.divided(first, own)
            return first
    return 0, 1


def _is_huge(own: Range) -> bool:
    return any(end is not None and abs(end) > LARGEST for end in own)
