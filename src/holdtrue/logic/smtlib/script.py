"""Read and write scripts of SMT-LIB 2.6, which are checked declarations, definitions and assertions.

`read_script` is the inverse of `script_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from holdtrue.errors import SmtLibError
from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.sexpr import Group, ReadLimits, SExpr, Source, Token, excerpt, read_sexprs
from holdtrue.logic.smtlib.symbols import quoted
from holdtrue.logic.smtlib.term_reader import TermReader
from holdtrue.logic.smtlib.typed_terms import BOOL, INT, REAL, Definition, Depths, Function, SmtSort, SmtTerm
from holdtrue.logic.value_sorts import decimal_places, decimal_text

_NEEDLESS = "it can simply be left out"
_REASONS = {
    "set-logic": _NEEDLESS,
    "set-info": _NEEDLESS,
    "check-sat": f"{_NEEDLESS}: whoever reads the text asks the question",
    "get-model": _NEEDLESS,
    "exit": f"{_NEEDLESS}: the text ends where it ends",
    "set-option": "text does not steer the solver",
    "include": "text does not name files",
    "define-fun-rec": "definitions cannot be recursive; declare the function and assert what holds of it",
    "define-funs-rec": "definitions cannot be recursive; declare the functions and assert what holds of them",
    "declare-datatypes": "declare a sort with declare-sort, its values with declare-const, and assert distinct",
    "declare-datatype": "declare a sort with declare-sort, its values with declare-const, and assert distinct",
}


ASKING = frozenset(
    """
    set-logic set-info set-option check-sat echo get-assertions get-assignment get-info get-model get-option get-proof
    get-unsat-assumptions get-unsat-core get-value exit
    """.split()
)
"""The commands that declare and assert nothing, so that a reader may skip them."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """An `Assertion` is an asserted formula, with the place of its command, from 1, or 0 without a text."""

    formula: SmtTerm
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Script:
    """A `Script` has declared sorts and functions, definitions in order, and assertions.

    Each part uses only earlier parts. `places` has the line and column of each function that was read from a text.
    """

    sorts: tuple[SmtSort, ...] = ()
    functions: tuple[Function, ...] = ()
    definitions: tuple[Definition, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict, compare=False)


def read_script(text: str, limits: ReadLimits | None = None, *, passed_over: Collection[str] = frozenset()) -> Script:
    """Return the script of a text.

    The reader accepts `declare-sort` (without parameters), `declare-const`, `declare-fun`, `define-fun` and `assert`.
    It skips commands in `passed_over`; a skipped `exit` ends the script. Raises `SmtLibError`, with the place, for
    another command, an unknown or repeated name, a wrong sort or arity, or an exceeded limit.
    """
    limits = limits or ReadLimits()
    source = Source(text)
    commands = read_sexprs(source, limits)
    if len(commands) > limits.max_commands:
        raise source.fault(commands[limits.max_commands].at, f"more than {limits.max_commands} commands")
    reader = _ScriptReader(source, limits)
    for command in commands:
        name = _name_of(command)
        if name == "exit" and name in passed_over:
            break
        if name not in passed_over:
            reader.read(command)
    return reader.script()


def _name_of(command: SExpr) -> str | None:
    head = command.items[0] if isinstance(command, Group) and command.items else None
    return head.text if isinstance(head, Token) and head.kind == "symbol" else None


class _ScriptReader:
    def __init__(self, source: Source, limits: ReadLimits) -> None:
        self._source = source
        self._sorts = {sort.name: sort for sort in (BOOL, INT, REAL)}
        self._functions: dict[str, Function] = {}
        self._definitions: dict[str, Definition] = {}
        self._assertions: list[Assertion] = []
        self._places: dict[str, tuple[int, int]] = {}
        self._terms = TermReader(source, self._sorts.get, self._functions.get)
        self._depths = Depths()
        self._deepest = limits.max_depth
        self._commands: dict[str, Callable[[Group], None]] = {
            "declare-sort": self._declare_sort,
            "declare-const": self._declare_const,
            "declare-fun": self._declare_fun,
            "define-fun": self._define_fun,
            "assert": self._assert,
        }

    def read(self, command: SExpr) -> None:
        if not isinstance(command, Group):
            raise self._fault(command, f"a command such as (assert ...) is needed, not {excerpt(command.text)}")
        head = command.items[0] if command.items else command
        if isinstance(head, Group) or head.kind != "symbol":
            raise self._fault(command, "a list at the top level is a command, such as (assert ...)")
        read = self._commands.get(head.text)
        if read is None:
            reason = _REASONS.get(head.text, f"let in are only {', '.join(self._commands)}")
            raise self._fault(command, f"the command {excerpt(head.text)} is not let in; {reason}")
        read(command)

    def script(self) -> Script:
        built_in = (BOOL, INT, REAL)
        return Script(
            tuple(sort for sort in self._sorts.values() if sort not in built_in),
            tuple(own for own in self._functions.values() if own.name not in self._definitions),
            tuple(self._definitions.values()),
            tuple(self._assertions),
            self._places,
        )

    def _declare_sort(self, command: Group) -> None:
        if len(command.items) not in (2, 3):
            raise self._fault(command, "declare-sort takes a name, as in (declare-sort Person 0)")
        name = self._terms.symbol(command.items[1], "the name of a sort")
        arity = command.items[2] if len(command.items) == 3 else None
        if arity is not None and (isinstance(arity, Group) or arity.text != "0"):
            raise self._fault(arity, "sorts with parameters are not supported: the second operand is 0")
        if name in self._sorts:
            raise self._fault(command.items[1], f"the sort {excerpt(name)} is declared already")
        self._sorts[name] = SmtSort(name)

    def _declare_const(self, command: Group) -> None:
        self._count(command, 2, "(declare-const x Int)")
        name = self._new_function(command)
        self._functions[name] = Function(name, (), self._terms.sort(command.items[2]))

    def _declare_fun(self, command: Group) -> None:
        self._count(command, 3, "(declare-fun f (Int) Bool)")
        name, arguments = self._new_function(command), command.items[2]
        if not isinstance(arguments, Group):
            raise self._fault(arguments, "the sorts of the operands are a list, as in (Int Int) or ()")
        sorts = tuple(map(self._terms.sort, arguments.items))
        self._functions[name] = Function(name, sorts, self._terms.sort(command.items[3]))

    def _define_fun(self, command: Group) -> None:
        self._count(command, 4, "(define-fun f ((x Int)) Int (+ x 1))")
        name = self._new_function(command)
        parameters = self._terms.sorted_variables(command.items[2])
        result = self._terms.sort(command.items[3])
        # The body cannot use the name, so that there is no recursion.
        body = self._terms.term(command.items[4], result, {own.name: own for own in parameters})
        self._check_depth(command, body)
        self._depths.define(name, body)
        self._functions[name] = Function(name, tuple(own.sort for own in parameters), result)
        self._definitions[name] = Definition(self._functions[name], parameters, body)

    def _assert(self, command: Group) -> None:
        self._count(command, 1, "(assert (< x 3))")
        formula = self._terms.term(command.items[1], BOOL)
        self._check_depth(command, formula)
        self._assertions.append(Assertion(formula, *self._source.place(command.at)))

    def _new_function(self, command: Group) -> str:
        name = self._terms.symbol(command.items[1], "the name of a function")
        if name in self._functions:
            raise self._fault(command.items[1], f"{excerpt(name)} is declared already")
        self._places[name] = self._source.place(command.at)
        return name

    def _count(self, command: Group, wanted: int, example: str) -> None:
        if len(command.items) != wanted + 1:
            raise self._fault(command, f"the command has {wanted} operand(s), as in {example}")

    def _check_depth(self, command: Group, term: SmtTerm) -> None:
        # The depth of parentheses was checked before; definitions within definitions add to it.
        if self._depths.of(term) > self._deepest:
            raise self._fault(command, f"with its definitions expanded, nested more than {self._deepest} deep")

    def _fault(self, expr: SExpr, message: str) -> SmtLibError:
        return self._source.fault(expr.at, message)


def term_text(term: smt.SmtTerm) -> str:
    """Return a term on one line."""
    match term:
        case smt.Literal(bool(value)):
            return "true" if value else "false"
        case smt.Literal(value):
            # The denominator of a literal divides a power of ten.
            return str(value) if isinstance(value, int) else decimal_text(value, decimal_places(value) or 1)
        case smt.Local():
            return quoted(term.name)
        case smt.Operation():
            return _list(term.op, map(term_text, term.operands))
        case smt.Call():
            name = quoted(term.function.name)
            return _list(name, map(term_text, term.operands)) if term.operands else name
        case smt.Let():
            bindings = (f"({quoted(own.name)} {term_text(bound)})" for own, bound in term.bindings)
            return f"(let ({' '.join(bindings)}) {term_text(term.body)})"
        case smt.Quantified():
            return f"({'forall' if term.every else 'exists'} {_variables(term.variables)} {term_text(term.body)})"


def script_text(script: Script, comments: Iterable[str] = (), notes: Mapping[str, str] | None = None) -> str:
    """Return the text of a script, with a command on each line.

    `comments` are for the assertions, in order; "" is no comment. `notes` are comments for declarations, by the name of
    the function.
    """
    lines = [f"(declare-sort {quoted(sort.name)} 0)" for sort in script.sorts]
    for function in script.functions:
        lines += _comment((notes or {}).get(function.name, ""))
        lines.append(_declaration(function))
    lines += map(_definition, script.definitions)
    above = iter(comments)
    for assertion in script.assertions:
        lines += _comment(next(above, ""))
        lines.append(f"(assert {term_text(assertion.formula)})")
    return "".join(f"{line}\n" for line in lines)


def _comment(text: str) -> Iterator[str]:
    # A character that could end the line becomes a space.
    safe = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if safe:
        yield f"; {safe}"


def _declaration(function: smt.Function) -> str:
    sorts = " ".join(quoted(sort.name) for sort in function.arguments)
    return f"(declare-fun {quoted(function.name)} ({sorts}) {quoted(function.result.name)})"


def _definition(definition: smt.Definition) -> str:
    name, sort = quoted(definition.function.name), quoted(definition.function.result.name)
    return f"(define-fun {name} {_variables(definition.parameters)} {sort} {term_text(definition.body)})"


def _variables(variables: Iterable[smt.Local]) -> str:
    return "(" + " ".join(f"({quoted(own.name)} {quoted(own.sort.name)})" for own in variables) + ")"


def _list(head: str, rest: Iterable[str]) -> str:
    return f"({' '.join((head, *rest))})"
