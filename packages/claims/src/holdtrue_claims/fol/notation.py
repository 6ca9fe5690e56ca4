"""Read and write first-order sentences as text, in the notation of FOLIO and of language models.

>>> read_fol("∀x (Dog(x) → ∃y Owns(y, x))").sentence == read_fol("forall x. Dog(x) -> (exists y. Owns(y, x))").sentence
True
>>> read_fol("Dog(rex) ∧ Cat(tom))").alerts[0].position
19
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import Instant, Value, number_text, show_number
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.lexer import Fault, Token, balance, mark_variables, tokens
from holdtrue_claims.fol.naming import name_text, thing_text
from holdtrue_claims.fol.parser import COMPARISONS, PAIRED, Grammar

LONGEST = 20_000
"""The largest number of characters of a sentence."""

_COMPARED = {op: sign for sign, op in COMPARISONS.items()}
_SIGNS: dict[type, str] = {fol.And: "∧", fol.Or: "∨", **{kind: sign for sign, kind in PAIRED.items()}}


@dataclass(frozen=True, slots=True)
class Read:
    """A `Read` has the `sentence` of a text, or None with an alert that says why it is unreadable."""

    sentence: fol.Sentence | None
    alerts: tuple[Alert, ...] = ()


def read_fol(text: str) -> Read:
    """Read the sentence in a text with ∀ ∃ ¬ ∧ ∨ ⊕ → ↔, ASCII signs or words. Never raises.

    A name is a variable if a quantifier binds it. Otherwise it is a thing, except that x, y1 and the like (u to z) are
    free variables. A name in quotes is always a thing. Unbalanced brackets are repaired. `lexer` describes which names
    after a quantifier are its variables.
    """
    return read_text(text, lambda whole: mark_variables(tokens(whole)), Grammar)


def read_text(
    text: str, tokens: Callable[[str], Iterable[Token]], grammar: Callable[[Sequence[Token], str], Grammar]
) -> Read:
    """Read the sentence in a text of any notation, given by its tokens and its grammar. Never raises."""
    alerts: list[Alert] = []
    try:
        if len(text) > LONGEST:
            raise Fault(LONGEST, f"longer than {LONGEST} characters")
        found, changes = balance(list(tokens(text)), len(text))
        alerts += [Alert("brackets_repaired", message, text, at) for message, at in changes]
        reading = grammar(found, text)
        sentence = reading.sentence()
        alerts += reading.alerts
        fol.check_depth(sentence)
    except Fault as fault:
        return Read(None, (*alerts, Alert(fault.kind, fault.message, text, fault.at)))
    except FormulaError as error:
        return Read(None, (*alerts, Alert("unsupported", str(error), text, 0)))
    return Read(sentence, tuple(alerts))


def write_fol(sentence: fol.Sentence) -> str:
    """Write the sentence as a text that `read_fol` reads as the same sentence.

    There are exceptions without such a text. A conjunction or disjunction of one operand becomes that operand, and an
    empty sum becomes 0. Free variables need a name like x or y1. Raises `FormulaError` for deep nesting.
    """
    fol.check_depth(sentence)
    return _written(sentence, frozenset())


def _written(node: fol.Sentence | fol.Term, bound: frozenset[str]) -> str:
    match node:
        case fol.Holds(name, args) | fol.Apply(name, args):
            listed = f"({', '.join(_written(arg, bound) for arg in args)})"
            return thing_text(name, bound) + (listed if args or isinstance(node, fol.Apply) else "")
        case fol.Constant(name):
            return thing_text(name, bound)
        case fol.Bound(name):
            return name
        case fol.Number(value, unit):
            return number_text(value, unit)
        case Instant(value, sort):
            return sort.show(value)
        case fol.Plus(summed):
            return _sum(summed, bound)
        case fol.Times(left, right):
            return f"{_factor(left, bound)} * {_factor(right, bound)}"
        case fol.Operation(op, args):
            return f"{op}({', '.join(_written(arg, bound) for arg in args)})"
        case fol.Choice(condition, then, otherwise):
            return f"if({', '.join(_written(part, bound) for part in (condition, then, otherwise))})"
        case fol.Count(variable, body, sort):
            return f"count {_ranged(variable, sort)} ({_written(body, bound | {variable})})"
        case fol.Total(variable, summed_term, body, sort):
            inner = bound | {variable}
            where = "" if body == fol.And(()) else f" where {_written(body, inner)}"
            return f"sum {_ranged(variable, sort)} ({_written(summed_term, inner)}{where})"
        case fol.Compare(op, left, right):
            return f"{_written(left, bound)} {_COMPARED[op]} {_written(right, bound)}"
        case fol.And((only,)) | fol.Or((only,)):
            return _written(only, bound)
        case fol.And(()):
            return "⊤"
        case fol.Or(()):
            return "⊥"
        case fol.Not(operand):
            return f"¬{_operand(operand, bound, compared=False)}"
        case fol.Quantified(quantifier, variable, body, sort):
            inner = bound | {variable}
            if isinstance(body, fol.Holds) and fol.Constant(body.predicate) in fol.walk(body):
                inner |= {body.predicate}  # quotes keep it from becoming a second variable
            head = ("∀" if quantifier == "forall" else "∃") + _ranged(variable, sort)
            # Nested quantifiers need no brackets, because both reach equally far.
            text = _written(body, inner) if isinstance(body, fol.Quantified) else _operand(body, inner, compared=False)
            return f"{head} {text}"
    return f" {_SIGNS[type(node)]} ".join(_operand(part, bound) for part in fol.parts(node))


def write_term(term: fol.Term) -> str:
    """Write a term as it occurs in a sentence; bound variables keep their names."""
    return _written(term, frozenset())


def _ranged(variable: str, sort: str | None) -> str:
    return variable if sort is None else f"{variable} ∈ {name_text(sort)}"


def _factor(node: fol.Term, bound: frozenset[str]) -> str:
    text = _written(node, bound)
    tight = not isinstance(node, fol.Plus | fol.Times) and " / " not in text
    return text if tight else f"({text})"


def _operand(node: fol.Sentence | fol.Term, bound: frozenset[str], *, compared: bool = True) -> str:
    """Return an operand of a connective, in brackets unless it is an atom."""
    text = _written(node, bound)
    return text if _tight(node) and (compared or not isinstance(node, fol.Compare)) else f"({text})"


def _tight(node: fol.Sentence | fol.Term) -> bool:
    match node:
        case fol.And((only,)) | fol.Or((only,)):
            return _tight(only)
    return isinstance(node, fol.Holds | fol.Compare | fol.Not) or node in (fol.And(()), fol.Or(()))


def _sum(summed: tuple[tuple[Value, fol.Term], ...], bound: frozenset[str]) -> str:
    """Return a sum with its factors. A single part always shows its factor, which makes it a sum."""
    text = ""
    for factor, term in summed:
        inner = f"({_written(term, bound)})" if isinstance(term, fol.Plus | fol.Times) else _written(term, bound)
        if not text:
            text = inner if factor == 1 and len(summed) > 1 else f"{show_number(factor)}*{inner}"
        else:
            size = abs(Fraction(factor))
            text += f" {'+' if factor >= 0 else '-'} {inner if size == 1 else f'{show_number(size)}*{inner}'}"
    return text or "0"
