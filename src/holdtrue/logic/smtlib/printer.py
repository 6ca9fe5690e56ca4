"""Write terms and scripts as SMT-LIB 2.6 text, which `script.read_script` reads back as the same values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.script import Script
from holdtrue.logic.smtlib.symbols import quoted


def term_text(term: smt.SmtTerm) -> str:
    """Return a term on one line."""
    match term:
        case smt.Literal(bool(value)):
            return "true" if value else "false"
        case smt.Literal(value):
            return str(value) if isinstance(value, int) else _decimal(value)
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
    """Return a script with a command on each line.

    The first of `comments` stands above the first assertion, and so on; "" means that an assertion has none. `notes`
    stand above the declarations of the functions that they are about.
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
    # Whatever could end the line, or a text altogether, becomes a space: a comment stays a comment.
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


def _decimal(value: Fraction) -> str:
    """A decimal, exactly: literals come from decimals, so that their denominators divide a power of ten."""
    digits = 1
    while value * 10**digits % 1:
        digits += 1
    whole, rest = divmod(int(value * 10**digits), 10**digits)
    return f"{whole}.{rest:0{digits}d}"
