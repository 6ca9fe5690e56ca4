"""Read and write sentences over a known vocabulary as SMT-LIB assertions, with one sort of things.

The declarations are the vocabulary's, so all that a text may hold is `(assert ...)`: any other command is an alert. The
text is read by our own reader and becomes a value; nothing of it is ever given to a solver as text.
"""

from __future__ import annotations

from holdtrue.errors import FormulaError, SmtLibError
from holdtrue.logic.smtlib.sexpr import Group, ReadLimits, SExpr, Source, excerpt, read_sexprs
from holdtrue.logic.smtlib.symbols import quoted, symbol_of
from holdtrue.logic.smtlib.term_reader import TermReader
from holdtrue.logic.smtlib.typed_terms import BOOL, INT, Function, SmtSort
from holdtrue.logic.value_sorts import Value
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.alert import Alert, AlertKind
from holdtrue_claims.fol.notation import Read
from holdtrue_claims.fol.syntax import DEEPEST
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.smtlib.sentence_translation import SentenceTranslation

THING = SmtSort("Thing")
"""The one sort of things here: what sorts the vocabulary has is checked on the sentence."""
LIMITS = ReadLimits(max_bytes=20_000, max_depth=DEEPEST, max_nodes=1_000, max_commands=20, max_digits=9)


def read_smtlib(text: str, vocabulary: Vocabulary) -> Read:
    """The sentence that the assertions of a text make together. Never raises.

    Alerts have the offset of what is at fault: `undeclared` for an unknown name, `unsupported` for what is SMT-LIB and
    cannot be said here (other commands, quantifiers over numbers, unknown divisors), `unparsed` for the rest.
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


class _Unsupported(FormulaError):
    """A text can be read but not be said as a sentence; `at` is the offset of the command that it is in."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


def _read(text: str, vocabulary: Vocabulary, unknown: list[str]) -> fol.Sentence:
    source = Source(text)
    commands = read_sexprs(source, LIMITS)
    if len(commands) > LIMITS.max_commands:
        raise source.fault(commands[LIMITS.max_commands].at, f"more than {LIMITS.max_commands} commands")
    names = {symbol_of(own.name): own.name for own in (*vocabulary.entities, *vocabulary.applied)}
    functions = _functions(vocabulary)

    def find(name: str) -> Function | None:
        if name not in functions:
            unknown.append(name)
        return functions.get(name)

    reader = TermReader(source, {sort.name: sort for sort in (BOOL, INT, THING)}.get, find)
    things = [symbol for symbol, function in functions.items() if function.result == THING]
    translation = SentenceTranslation(names, things, {THING.name: None})
    found: list[fol.Sentence] = []
    for command in commands:
        term = reader.term(_asserted(source, command), BOOL)
        try:
            found.append(translation.stated(term))
        except FormulaError as error:
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


def write_smtlib(sentence: fol.Sentence) -> str:
    """The sentence as an assertion that `read_smtlib` reads as one that says the same.

    Sorts of quantifiers are left out: there is one sort of things. Raises `FormulaError` for what is nested too deep.
    """
    fol.check_depth(sentence)
    return f"(assert {_printed(sentence)})"


def _printed(node: fol.Sentence | fol.Term) -> str:
    match node:
        case fol.Constant(name) | fol.Bound(name):
            return symbol_text(name)
        case fol.Number(value):
            return str(value) if value >= 0 else f"(- {-value})"
        case fol.Holds(name, args) | fol.Apply(name, args):
            return _listed(symbol_text(name), *args) if args else symbol_text(name)
        case fol.Plus(parts):
            summed = [_printed(term) if factor == 1 else _product(factor, term) for factor, term in parts]
            return f"(+ {' '.join(summed)})" if len(summed) > 1 else "".join(summed) or "0"
        case fol.Compare("!=", left, right):
            return _listed("distinct", left, right)
        case fol.Compare(op, left, right):
            return _listed(op, left, right)
        case fol.Not(operand):
            return _listed("not", operand)
        case fol.And(operands):
            return _listed("and", *operands) if operands else "true"
        case fol.Or(operands):
            return _listed("or", *operands) if operands else "false"
        case fol.Xor(left, right):
            return _listed("xor", left, right)
        case fol.Implies(left, right):
            return _listed("=>", left, right)
        case fol.Iff(left, right):
            return _listed("=", left, right)
        case fol.Quantified(quantifier, variable, body):
            return f"({quantifier} (({symbol_text(variable)} Thing)) {_printed(body)})"
    raise FormulaError(f"this has no text in SMT-LIB here: {node!r:.60}")


def _product(factor: Value, term: fol.Term) -> str:
    return f"(* {_printed(fol.Number(factor))} {_printed(term)})"


def _listed(head: str, *parts: fol.Sentence | fol.Term) -> str:
    return f"({' '.join([head, *map(_printed, parts)])})"


def symbol_text(name: str) -> str:
    """Return a name as a symbol, between bars where it is no plain one."""
    return quoted(symbol_of(name))
