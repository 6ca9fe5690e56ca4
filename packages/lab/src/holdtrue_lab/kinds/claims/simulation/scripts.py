"""Write the SMT-LIB script, about things and plain numbers, with which a simulated model answers.

Sorts of things are declared if every variable and every argument has a sort. Otherwise all things share the sort
`Thing`, and other sorts are predicates of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from holdtrue.errors import FormulaError
from holdtrue.logic.smtlib.symbols import quoted, symbol_of
from holdtrue.logic.value_sorts import WHOLE
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.laws import stated_laws
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.signature import is_numeric, thing_name
from holdtrue_claims.fol.term_sorts import TermSorts
from holdtrue_claims.fol.vocabulary import ANY, Function, Predicate, Vocabulary

_CONNECTIVES: Mapping[type, str] = {
    fol.Not: "not", fol.And: "and", fol.Or: "or", fol.Xor: "xor", fol.Implies: "=>", fol.Iff: "="
}  # fmt: skip
_THING = "Thing"


def write_script(
    vocabulary: Vocabulary, premises: Sequence[str], statements: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """Return a script that asserts the premises, and a term for each statement.

    An unreadable formula stays as its text. So does one with a unit, a date, a count, or an operation other than a sum.
    A reader of the script then finds that text faulty.
    """
    sentences: dict[str, fol.Sentence] = {}
    for text in (*premises, *statements.values()):
        with suppress(FormulaError):
            if (sentence := read_fol(text).sentence) is not None:
                sentences[text] = state(sentence, vocabulary).sentence
    laws = stated_laws(vocabulary)
    writer = _Writer(vocabulary, (*laws, *sentences.values()))

    def term(text: str) -> str:
        with suppress(FormulaError):
            return writer.sentence(sentences[text], {}) if text in sentences else text
        return text

    asserted = [*writer.facts(), *(writer.sentence(law, {}) for law in laws), *map(term, premises)]
    script = ["(set-logic ALL)", *writer.declarations(), *(f"(assert {text})" for text in asserted)]
    return " ".join(script), {name: term(text) for name, text in statements.items()}


class _Writer:
    """A `_Writer` writes declarations and sentences of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary, sentences: Sequence[fol.Sentence]) -> None:
        self._vocabulary, self._types = vocabulary, TermSorts(vocabulary)
        words: list[Predicate | Function] = [*vocabulary.predicates, *vocabulary.functions]
        used = {sort or ANY for own in words for sort in own.sorts}
        used |= {n.sort or ANY for own in sentences for n in fol.walk(own) if isinstance(n, fol.Binder)}
        used |= {entity.sort for entity in vocabulary.entities}
        self._sorts = sorted(sort for sort in vocabulary.thing_sorts if sort != ANY)
        self._is_sorted = ANY not in used
        results = [self._types.result(own.name) for own in vocabulary.functions]
        numbers = [node.value for own in sentences for node in fol.walk(own) if isinstance(node, fol.Number)]
        fractions = any(Fraction(value).denominator > 1 for value in numbers)
        self._is_real = fractions or any(not isinstance(own, str) and own != WHOLE for own in results)

    def _sort(self, sort: str) -> str:
        return _symbol(sort) if self._is_sorted else _THING

    def declarations(self) -> list[str]:
        """Return the commands that declare sorts, things, predicates and functions."""
        found = [f"(declare-sort {sort} 0)" for sort in (map(_symbol, self._sorts) if self._is_sorted else [_THING])]
        declared: list[tuple[str, tuple[str, ...], str]] = [
            (entity.name, (), self._sort(entity.sort)) for entity in self._vocabulary.entities
        ]
        if not self._is_sorted:
            declared += [(_is_a(sort), (_THING,), "Bool") for sort in self._sorts]
        declared += [(own.name, tuple(map(self._sort, own.sorts)), "Bool") for own in self._vocabulary.predicates]
        for own in self._vocabulary.functions:
            result = self._types.result(own.name)
            kind = self._sort(result) if isinstance(result, str) else "Int" if result == WHOLE else "Real"
            declared.append((own.name, tuple(map(self._sort, own.sorts)), kind))
        return found + [f"(declare-fun {_symbol(name)} ({' '.join(args)}) {kind})" for name, args, kind in declared]

    def facts(self) -> list[str]:
        """Return which things differ, which sort each has, and the members of closed sorts."""
        found, entities = [], self._vocabulary.entities
        for sort in self._sorts if self._is_sorted else [None]:
            named = [_symbol(own.name) for own in entities if sort in (None, own.sort)]
            found += [f"(distinct {' '.join(named)})"] if len(named) > 1 else []
        if not self._is_sorted:
            for entity in entities:
                for sort in self._sorts:
                    if sort == entity.sort or entity.sort != ANY:
                        member = f"({_symbol(_is_a(sort))} {_symbol(entity.name)})"
                        found.append(member if sort == entity.sort else f"(not {member})")
        for sort in self._vocabulary.closed:
            equal = [f"(= any {_symbol(own.name)})" for own in self._vocabulary.named(sort)]
            found.append(self._bound("forall", "any", sort, f"(or false false {' '.join(equal)})"))
        return found

    def _bound(self, quantifier: str, symbol: str, sort: str | None, body: str) -> str:
        if not self._is_sorted and sort not in (None, ANY):
            body = f"({'=>' if quantifier == 'forall' else 'and'} ({_symbol(_is_a(sort))} {symbol}) {body})"
        return f"({quantifier} (({symbol} {self._sort(sort or ANY)})) {body})"

    def sentence(self, node: fol.Sentence, names: Mapping[str, str]) -> str:
        """Return a sentence as a term; `names` has the symbol of each bound variable."""
        match node:
            case fol.Holds(predicate, args):
                return _call(_symbol(predicate), [self._thing(arg, names) for arg in args])
            case fol.Compare(op, left, right):
                write = self._number if self._is_numeric(node) else self._thing
                return _call("distinct" if op == "!=" else op, [write(left, names), write(right, names)])
            case fol.Quantified(quantifier, variable, body, sort):
                taken = {own.name for own in self._vocabulary.entities}
                symbol = _symbol(f"{variable} bound" if variable in taken else variable)
                return self._bound(quantifier, symbol, sort, self.sentence(body, {**names, variable: symbol}))
            case fol.And(()) | fol.Or(()):
                return "true" if isinstance(node, fol.And) else "false"
        parts: list[fol.Sentence] = [*fol.parts(node)]  # type: ignore[list-item]
        return _call(_CONNECTIVES[type(node)], [self.sentence(part, names) for part in parts])

    def _is_numeric(self, compared: fol.Compare) -> bool:
        applied = [side for side in (compared.left, compared.right) if isinstance(side, fol.Apply)]
        return is_numeric(compared) and not any(isinstance(self._types.result(own.function), str) for own in applied)

    def _thing(self, term: fol.Term, names: Mapping[str, str]) -> str:
        if isinstance(term, fol.Bound):
            return names[term.name]
        if isinstance(term, fol.Apply):
            return _call(_symbol(term.function), [self._thing(arg, names) for arg in term.args])
        if (name := thing_name(term)) is None:
            raise FormulaError("a script has no text for this term")
        return _symbol(name)

    def _number(self, term: fol.Term, names: Mapping[str, str]) -> str:
        match term:
            case fol.Number(value, unit) if unit.factor == 1:
                return self._written(Fraction(value))
            case fol.Apply(function):
                applied = self._thing(term, names)
                return f"(to_real {applied})" if self._is_real and self._types.result(function) == WHOLE else applied
            case fol.Plus(parts):
                return _call("+", [self._multiple(Fraction(factor), part, names) for factor, part in parts])
        raise FormulaError("a script has no text for this number")

    def _multiple(self, factor: Fraction, term: fol.Term, names: Mapping[str, str]) -> str:
        number = self._number(term, names)
        return number if factor == 1 else f"(* {self._written(factor)} {number})"

    def _written(self, value: Fraction) -> str:
        text = str(abs(value.numerator)) + (".0" if self._is_real else "")
        text = text if value.denominator == 1 else f"(/ {text} {value.denominator}.0)"
        return text if value >= 0 else f"(- {text})"


def _call(operator: str, operands: Sequence[str]) -> str:
    # If an associative operator has one operand, the result is that operand alone.
    if len(operands) == 1 and operator in ("and", "or", "+"):
        return operands[0]
    return f"({operator} {' '.join(operands)})" if operands else operator


def _is_a(sort: str) -> str:
    return f"is a {sort}"


def _symbol(name: str) -> str:
    return quoted(symbol_of(name))
