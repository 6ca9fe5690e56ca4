"""SMT-LIB text by a model, as a sentence over a pinned vocabulary.

The declarations are the vocabulary's, so all that a text may hold is `(assert ...)`: any other command is an alert.
The text is read by our own reader and becomes a value; nothing of it is ever given to a solver as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise

from holdtrue.errors import FormulaError, SmtLibError
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.alert import Alert, AlertKind
from holdtrue.logic.fol.notation import Read
from holdtrue.logic.fol.syntax import DEEPEST, check_depth
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.smtlib.sexpr import Group, ReadLimits, SExpr, Source, excerpt, read_sexprs
from holdtrue.logic.smtlib.symbols import symbol_of
from holdtrue.logic.smtlib.term_reader import TermReader
from holdtrue.logic.smtlib.typed_terms import (
    BOOL,
    INT,
    Call,
    Function,
    Literal,
    Local,
    Operation,
    Quantified,
    SmtSort,
    SmtTerm,
)

THING = SmtSort("Thing")
"""The one sort of things here: what sorts the vocabulary has is checked on the sentence."""
LIMITS = ReadLimits(max_bytes=20_000, max_depth=DEEPEST, max_nodes=1_000, max_commands=20, max_digits=9)
_COMPARISONS: dict[str, fol.Comparison] = {"=": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def read_smtlib(text: str, vocabulary: Vocabulary) -> Read:
    """The sentence that the assertions of a text make together. Never raises.

    Alerts have the offset of what is at fault: `undeclared` for an unknown name, `unsupported` for what is SMT-LIB and
    cannot be said here (other commands, `let`, `ite`, reals, quantifiers over numbers), `unparsed` for the rest.
    """
    unknown: list[str] = []
    try:
        return Read(_read(text, vocabulary, unknown))
    except SmtLibError as error:
        at = _offset(text, error)
        kind: AlertKind = "undeclared" if unknown else "unparsed"
        return Read(None, (Alert(kind, str(error), text, at),))
    except _Unsupported as error:
        return Read(None, (Alert("unsupported", str(error), text, error.at),))
    except FormulaError as error:
        return Read(None, (Alert("unsupported", str(error), text),))


class _Unsupported(FormulaError):
    """A text can be read but not be said as a sentence; `at` is the offset of the command that it is in."""

    def __init__(self, message: str, at: int | None = None) -> None:
        super().__init__(message)
        self.at = at


def _read(text: str, vocabulary: Vocabulary, unknown: list[str]) -> fol.Sentence:
    source = Source(text)
    commands = read_sexprs(source, LIMITS)
    if len(commands) > LIMITS.max_commands:
        raise source.fault(commands[LIMITS.max_commands].at, f"more than {LIMITS.max_commands} commands")
    functions = _functions(vocabulary)

    def find(name: str) -> Function | None:
        if name not in functions:
            unknown.append(name)
        return functions.get(name)

    reader = TermReader(source, {sort.name: sort for sort in (BOOL, INT, THING)}.get, find)
    translation = _Translation(vocabulary)
    found: list[fol.Sentence] = []
    for command in commands:
        body = _asserted(source, command)
        try:
            found.append(translation.sentence(reader.term(body, BOOL)))
            check_depth(found[-1])
        except _Unsupported as error:
            raise _Unsupported(str(error), command.at) from None
    if not found:
        raise source.fault(0, "there is no assertion")
    return found[0] if len(found) == 1 else fol.And(tuple(found))


def _asserted(source: Source, command: SExpr) -> SExpr:
    """The formula of an `assert`, the only command that is let in."""
    head = command.items[0] if isinstance(command, Group) and command.items else None
    if not isinstance(command, Group) or head is None or isinstance(head, Group):
        raise source.fault(command.at, "a command is needed: (assert ...)")
    if head.text != "assert" or head.kind != "symbol":
        raise _Unsupported(f"the command {excerpt(head.text)} is not let in, only (assert ...)", command.at)
    if len(command.items) != 2:
        raise source.fault(command.at, "assert takes one formula")
    return command.items[1]


def _functions(vocabulary: Vocabulary) -> dict[str, Function]:
    found = [Function(symbol_of(entity.name), (), THING) for entity in vocabulary.entities]
    for named, result in ((vocabulary.predicates, BOOL), (vocabulary.functions, INT)):
        found += [Function(symbol_of(own.name), (THING,) * len(own.sorts), result) for own in named]
    # A thing that is called like a predicate cannot be told from it here: the predicate stays.
    return {function.name: function for function in found}


def _offset(text: str, error: SmtLibError) -> int:
    before = text.split("\n")[: error.line - 1]
    return min(sum(len(line) + 1 for line in before) + error.column - 1, len(text))


class _Translation:
    """Typed terms to sentences and to terms of sentences."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        names = [
            own.name for group in (vocabulary.entities, vocabulary.predicates, vocabulary.functions) for own in group
        ]
        self._names = {symbol_of(name): name for name in names}

    def sentence(self, term: SmtTerm) -> fol.Sentence:
        match term:
            case Literal(bool() as value):
                return fol.And(()) if value else fol.Or(())
            case Call(function, operands):
                return fol.Holds(self._names[function.name], tuple(map(self._term, operands)))
            case Quantified(every, variables, body):
                return self._quantified(every, variables, self.sentence(body))
            case Operation(op, operands):
                return self._operation(op, operands)
        raise _no_counterpart(term)

    def _quantified(self, every: bool, variables: Sequence[Local], body: fol.Sentence) -> fol.Sentence:
        for variable in reversed(variables):
            if variable.sort != THING:
                raise _Unsupported(f"only things can be quantified over, not {variable.sort.name}")
            body = fol.Quantified("forall" if every else "exists", variable.name, body)
        return body

    def _operation(self, op: str, operands: Sequence[SmtTerm]) -> fol.Sentence:
        match op:
            case "not":
                return fol.Not(self.sentence(operands[0]))
            case "and" | "or":
                parts = tuple(map(self.sentence, operands))
                return fol.And(parts) if op == "and" else fol.Or(parts)
            case "xor":
                first, *others = map(self.sentence, operands)
                for other in others:
                    first = fol.Xor(first, other)
                return first
            case "=>":
                *conditions, last = map(self.sentence, operands)
                for condition in reversed(conditions):
                    last = fol.Implies(condition, last)
                return last
            case "distinct":
                return _all([self._differ(one, other) for one, other in combinations(operands, 2)])
            case "=" if operands[0].sort == BOOL:
                return _all([fol.Iff(self.sentence(one), self.sentence(other)) for one, other in pairwise(operands)])
        if op not in _COMPARISONS:
            raise _Unsupported(f"{op} has no counterpart in sentences")
        return _all([self._compare(_COMPARISONS[op], one, other) for one, other in pairwise(operands)])

    def _differ(self, one: SmtTerm, other: SmtTerm) -> fol.Sentence:
        if one.sort == BOOL:
            return fol.Xor(self.sentence(one), self.sentence(other))
        return self._compare("!=", one, other)

    def _compare(self, sign: fol.Comparison, one: SmtTerm, other: SmtTerm) -> fol.Sentence:
        left, right = self._term(one), self._term(other)
        # Two bare numbers would be read as things that are called by them.
        bare = isinstance(left, fol.Number) and isinstance(right, fol.Number)
        return fol.Compare(sign, fol.Plus(((1, left),)) if bare else left, right)

    def _term(self, term: SmtTerm) -> fol.Term:
        match term:
            case Local(name):
                return fol.Bound(name)
            case Literal(int() as value, sort) if sort == INT:
                return fol.Number(value)
            case Call(function, operands) if function.result == THING:
                return fol.Constant(self._names[function.name])
            case Call(function, operands):
                return fol.Apply(self._names[function.name], tuple(map(self._term, operands)))
            case Operation(op, operands):
                return self._arithmetic(op, operands)
        raise _no_counterpart(term)

    def _arithmetic(self, op: str, operands: Sequence[SmtTerm]) -> fol.Term:
        terms = list(map(self._term, operands))
        match op:
            case "+":
                return fol.Plus(tuple((1, term) for term in terms))
            case "-" if len(terms) > 1:
                return fol.Plus(((1, terms[0]), *((-1, term) for term in terms[1:])))
            case "-":
                return fol.Number(-terms[0].value) if isinstance(terms[0], fol.Number) else fol.Plus(((-1, terms[0]),))
            case "*":
                factor: int | Fraction = 1
                others = [term for term in terms if not isinstance(term, fol.Number)]
                for term in terms:
                    factor *= term.value if isinstance(term, fol.Number) else 1
                if not others:
                    return fol.Number(factor)
                if len(others) == 1:
                    return fol.Plus(((factor, others[0]),))
                raise _Unsupported("only a number can be multiplied with something")
        raise _Unsupported(f"{op} has no counterpart in sentences")


def _all(parts: Sequence[fol.Sentence]) -> fol.Sentence:
    return parts[0] if len(parts) == 1 else fol.And(tuple(parts))


def _no_counterpart(term: SmtTerm) -> _Unsupported:
    return _Unsupported(f"{type(term).__name__.lower()} has no counterpart in sentences")
