"""Word typed sentences in English: each sentence always in the same words, and different sentences in different words.

Parts that could be read as parts of something else are in brackets. Variables keep letters where a pronoun would be
ambiguous. The words for names come from their meanings (`phrases`). Only a conjunction or disjunction of one operand
has the words of that operand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Literal

from holdtrue.logic.units import ONE, Unit
from holdtrue.logic.value_sorts import Amount, Calendar, Instant, Value, show_number
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.phrases import Phrase, Phrases, many
from holdtrue_claims.fol.term_sorts import SortError, TermSorts
from holdtrue_claims.fol.vocabulary import ANY, Vocabulary

_LETTERS = "xyzwuv"
_THINGS = {"=": "is", "!=": "is not"}
_COMPARED: Mapping[fol.Comparison, tuple[str, str, str]] = {
    "=": ("is exactly", "is the same as", "exactly"),
    "!=": ("is not exactly", "is not the same as", "any number but"),
    "<": ("is less than", "is before", "fewer than"),
    "<=": ("is at most", "is no later than", "at most"),
    ">": ("is more than", "is after", "more than"),
    ">=": ("is at least", "is no earlier than", "at least"),
}
"""The words of a comparison of amounts, of dates, and of a count with a number."""
_ORDERED: tuple[fol.Comparison, ...] = ("<", "<=", ">", ">=")
AMOUNTS_COMPARED: Mapping[str, fol.Comparison] = {
    words.removeprefix("is "): op for op in _ORDERED for words in (_COMPARED[op][0], _COMPARED[op][2])
}
DATES_COMPARED: Mapping[str, fol.Comparison] = {_COMPARED[op][1].removeprefix("is "): op for op in _ORDERED}
"""The words before an amount or a date in a comparison."""
_MONTHS = ("January February March April May June July August September October November December").split()


def say(sentence: fol.Sentence, vocabulary: Vocabulary) -> str:
    """Return the sentence in words, with a capital and a full stop. Raises `FormulaError` for deep nesting."""
    fol.check_depth(sentence)
    return Teller(vocabulary).say(sentence)


class Teller:
    """A `Teller` words sentences of one vocabulary. Build it once for many sentences."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.phrases = Phrases(vocabulary)
        self.sorts = TermSorts(vocabulary)

    def say(self, sentence: fol.Sentence) -> str:
        """Return the sentence in words, with a capital and a full stop."""
        text = _Saying(self, {}, {}, frozenset(fol.free_variables(sentence))).whole(sentence)
        return f"{text[:1].upper()}{text[1:]}."


@dataclass(frozen=True, slots=True)
class _Saying:
    """A `_Saying` words the parts below some quantifiers. `letters` are names of variables, `bound` their sorts."""

    teller: Teller
    letters: Mapping[str, str]
    bound: Mapping[str, str]
    free: frozenset[str]

    def whole(self, node: fol.Sentence) -> str:
        """Return the words of a sentence that stands alone or ends the surrounding one."""
        return self.said(node)[0]

    def part(self, node: fol.Sentence) -> str:
        """Return the words of a sentence as one of several parts, in brackets if they could be split."""
        text, tight = self.said(node)
        return text if tight else f"({text})"

    def said(self, node: fol.Sentence) -> tuple[str, bool]:
        """Return a sentence in words, and whether the words cannot be read as several parts."""
        match node:
            case fol.And((only,)) | fol.Or((only,)):
                return self.said(only)
            case fol.And(()):
                return "what is always true", True
            case fol.Or(()):
                return "what is never true", True
            case fol.And(operands):
                return " and ".join(map(self.part, operands)), False
            case fol.Or(operands):
                return " or ".join(map(self.part, operands)), False
            case fol.Xor(left, right):
                return f"either {self.part(left)} or {self.part(right)}, but not both", False
            case fol.Implies(left, right):
                return f"if {self.side(left)}, then {self.side(right)}", False
            case fol.Iff(left, right):
                return f"{self.part(left)} if and only if {self.part(right)}", False
            case fol.Not(fol.Holds(name, args)) if (denied := self.phrase(name, args).denied) is not None:
                return denied.filled([self.argument(arg) for arg in args]), True
            case fol.Not(operand):
                return f"it is not true that {self.part(operand)}", False
            case fol.Holds(name, args):
                return self.phrase(name, args).filled([self.argument(arg) for arg in args]), True
            case fol.Compare():
                counted = _counted(node)
                return (self.compared(node), True) if counted is None else self.counts(*counted)
            case fol.Quantified(quantifier, variable, body, sort):
                return self.quantified(quantifier, variable, body, sort)

    def side(self, node: fol.Sentence) -> str:
        """Return a side of "if ... then"; a conjunction or a negation needs no brackets there."""
        loose = isinstance(node, fol.And | fol.Or | fol.Not)
        return self.whole(node) if loose else self.part(node)

    # --- quantifiers and counts ------------------------------------------------------------------------------------

    def quantified(
        self, quantifier: fol.Quantifier, variable: str, body: fol.Sentence, sort: str | None
    ) -> tuple[str, bool]:
        """Return `every guest came`, `some guest came` or `no guest came`, or `for every guest x: ...`."""
        word = "every" if quantifier == "forall" else "some"
        if quantifier == "forall" and isinstance(body, fol.Not):
            word, body = "no", body.operand
        quick = self.idiom(word, fol.Count(variable, body, sort), plural=False)
        if quick is not None:
            return quick, True
        inner, letter = self.binding(variable, sort)
        return f"for {word} {self.named(sort, letter)}: {inner.whole(body)}", False

    def idiom(self, words: str, counted: fol.Count, *, plural: bool) -> str | None:
        """Return `at least 3 guests came`, an atom with words in place of the variable; None if that is impossible."""
        body, variable, sort = counted.body, counted.variable, counted.sort
        values = self.teller.sorts.ranged(sort)
        if sort is None or not isinstance(body, fol.Holds) or not _is_word(sort) or isinstance(values, Amount):
            return None
        places = [place for place, arg in enumerate(body.args) if fol.Bound(variable) in fol.walk(arg)]
        if len(places) != 1 or body.args[places[0]] != fol.Bound(variable):
            return None
        phrase, place = self.phrase(body.predicate, body.args), places[0]
        if not phrase.plain or phrase.times(place) != 1 or "(" in "".join(map(str, phrase.pieces)):
            return None
        if plural and phrase.begins_with(place):
            phrase = phrase.plural
        noun = many(sort) if plural else sort
        said = [f"{words} {noun}" if n == place else self.argument(arg) for n, arg in enumerate(body.args)]
        return phrase.filled(said)

    def counts(self, op: fol.Comparison, counted: fol.Count, number: Value) -> tuple[str, bool]:
        """Return `at least 3 guests came`, or `for at least 3 guests x: ...`."""
        words, plural = f"{_COMPARED[op][2]} {show_number(number)}", number != 1
        quick = self.idiom(words, counted, plural=plural)
        if quick is not None:
            return quick, True
        inner, letter = self.binding(counted.variable, counted.sort)
        named = self.named(counted.sort, letter, plural=plural, alone="different ")
        return f"for {words} {named}: {inner.whole(counted.body)}", False

    def named(self, sort: str | None, letter: str, *, plural: bool = False, alone: str = "") -> str:
        """Return a variable's letter with the noun of its sort: `guest x`, `whole number x`, `amounts x in kg`."""
        values = self.teller.sorts.ranged(sort)
        if sort is None or (isinstance(values, Calendar) and _is_word(sort)) or values is None:
            return f"{alone}{letter}" if sort is None else f"{_noun(sort, plural=plural)} {letter}"
        noun = {"whole": "whole number", "number": "number"}.get(sort)
        many_ = "s" if plural else ""
        return f"{noun}{many_} {letter}" if noun else f"amount{many_} {letter} in {_noun(sort)}"

    def binding(self, variable: str, sort: str | None) -> tuple[_Saying, str]:
        """Return a `_Saying` for the body of a quantifier, and the letter of its variable."""
        # The letter of an outer variable is never reused, even if that variable is hidden.
        used = self.free | set(self.letters.values())
        letter = next(own for own in (*_LETTERS, *(f"x{n}" for n in range(2, 999))) if own not in used)
        inner = replace(self, letters={**self.letters, variable: letter}, bound={**self.bound, variable: sort or ANY})
        return inner, letter

    # --- comparisons -----------------------------------------------------------------------------------------------

    def compared(self, node: fol.Compare) -> str:
        kind = self.kind(node)
        if kind == "things" and node.op in _THINGS:
            return f"{self.side_term(node.left)} {_THINGS[node.op]} {self.side_term(node.right)}"
        shifted = _shifted(node.right) if kind != "things" else None
        if shifted is not None:
            base, number = shifted
            words = _COMPARED[node.op][0]
            more = number.value > 0
            beyond = ("after" if more else "before") if kind == "dates" else "more than" if more else "less than"
            size = -number.value if number.value < 0 else number.value
            amount = _amount(size, number.unit)
            return f"{self.side_term(node.left)} {words} {amount} {beyond} {self.side_term(base)}"
        words = _COMPARED[node.op][kind == "dates"]
        return f"{self.side_term(node.left)} {words} {self.side_term(node.right)}"

    def kind(self, node: fol.Compare) -> Literal["things", "amounts", "dates"]:
        """Return the kind of compared values; amounts if it is unknown."""
        try:
            sorts = [self.teller.sorts.sort(side, self.bound) for side in (node.left, node.right)]
        except SortError:
            return "amounts"
        if any(isinstance(sort, Calendar) for sort in sorts):
            return "dates"
        return "things" if all(isinstance(sort, str) for sort in sorts) else "amounts"

    def side_term(self, term: fol.Term) -> str:
        """Return a side of a comparison, after which no words follow that could belong to it."""
        bare = isinstance(term, fol.Apply | fol.Plus | fol.Times) and not _holds_sentence(term)
        return self.term(term) if bare else self.argument(term)

    # --- terms -----------------------------------------------------------------------------------------------------

    def argument(self, term: fol.Term) -> str:
        """Return a term as a part of something, in brackets unless it is a name, a variable or a value."""
        text = self.term(term)
        return text if isinstance(term, fol.Constant | fol.Bound | fol.Number | Instant) else f"({text})"

    def term(self, term: fol.Term) -> str:
        match term:
            case fol.Constant(name):
                return self.teller.phrases.thing(name)
            case fol.Bound(name):
                return self.letters.get(name, name)
            case fol.Number(value, unit):
                return _amount(value, unit)
            case Instant():
                return _instant(term)
            case fol.Apply(name, args):
                return self.phrase(name, args).filled([self.argument(arg) for arg in args])
            case fol.Plus(summed):
                return self.sum(summed)
            case fol.Times(left, right):
                return f"{self.argument(left)} multiplied by {self.argument(right)}"
            case fol.Operation(op, args):
                return self.operation(op, args)
            case fol.Choice(condition, then, otherwise):
                cases = (self.argument(then), self.part(condition), self.argument(otherwise))
                return "{} in case that {}, otherwise {}".format(*cases)
            case fol.Count(variable, body, sort):
                inner, letter = self.binding(variable, sort)
                named = self.named(sort, letter, plural=True)
                return f"the number of {named} such that ({inner.whole(body)})"
            case fol.Total(variable, summed_term, body, sort):
                inner, letter = self.binding(variable, sort)
                named = self.named(sort, letter, plural=True)
                among = "" if body == fol.And(()) else f" such that ({inner.whole(body)})"
                return f"the sum of {inner.argument(summed_term)} over all {named}{among}"

    def sum(self, summed: tuple[tuple[Value, fol.Term], ...]) -> str:
        text = ""
        for factor, term in summed:
            size = abs(Fraction(factor))
            inner = self.argument(term)
            times = inner if size == 1 and len(summed) > 1 else f"{show_number(size)} times {inner}"
            sign = "minus " if factor < 0 else "plus "
            text = f"{text} {sign}{times}" if text else f"{sign if factor < 0 else ''}{times}"
        return text or "a sum of nothing"

    def operation(self, op: fol.Operator, args: tuple[fol.Term, ...]) -> str:
        match op, args:
            case "abs", (fol.Plus(parts=((1, one), (-1, other))),):
                return f"the difference between {self.argument(one)} and {self.argument(other)}"
        joint = " and " if op in ("min", "max") else " divided by "
        return OPERATIONS[op].format(joint.join(self.argument(arg) for arg in args))

    def phrase(self, name: str, args: tuple[fol.Term, ...]) -> Phrase:
        found = self.teller.phrases.of(name, len(args))
        places = [piece for piece in found.pieces if isinstance(piece, int)]
        return found if set(places) == set(range(len(args))) else Phrases(Vocabulary()).of(name, len(args))


OPERATIONS: Mapping[fol.Operator, str] = {
    "min": "the smallest of {}",
    "max": "the greatest of {}",
    "abs": "the absolute value of {}",
    "floor": "{} rounded down",
    "ceil": "{} rounded up",
    "div": "the whole part of {}",
    "mod": "the remainder of {}",
    "date_of": "the date of {}",
    "time_of": "the time of day of {}",
    "year_of": "the year of {}",
    "month_of": "the month of {}",
    "day_of": "the day of the month of {}",
    "weekday_of": "the day of the week of {}",
}
"""The words of each operator, no two of them the same."""


def _counted(node: fol.Compare) -> tuple[fol.Comparison, fol.Count, Value] | None:
    """Return the comparison, the count and the number if a count is compared with a written number."""
    match node:
        case fol.Compare(op, fol.Count() as count, fol.Number(value, unit)) if unit == ONE and value >= 0:
            return op, count, value
        case fol.Compare(op, fol.Number(value, unit), fol.Count() as count) if unit == ONE and value >= 0:
            return fol.TURNED[op], count, value
    return None


def _shifted(term: fol.Term) -> tuple[fol.Term, fol.Number] | None:
    """Return the base and the signed number of a sum of one term and one written number, such as B + 5 kg."""
    match term:
        case fol.Plus(parts=((1, base), (1 | -1 as sign, fol.Number(value, unit)))) if value > 0:
            if not isinstance(base, fol.Number):
                return base, fol.Number(sign * value, unit)
    return None


def _holds_sentence(term: fol.Term) -> bool:
    """Return whether a term contains a count, a sum over things or a condition, whose end is hard to see."""
    return any(isinstance(node, fol.Count | fol.Total | fol.Choice) for node in fol.walk(term))


def _is_word(sort: str) -> bool:
    return re.fullmatch(r"[A-Za-z]+", sort) is not None and sort not in _NOUNLESS


_NOUNLESS = ("and", "or", "x", "y", "z")


def _noun(sort: str, *, plural: bool = False) -> str:
    if not _is_word(sort):
        return f'"{sort}"'
    return many(sort) if plural else sort


def _amount(value: Value, unit: Unit) -> str:
    number, name = show_number(value), unit.name
    if name in ("", "%"):
        return f"{number}{name}"
    one, *per = name.split("/")
    if value != 1 and len(one) > 2 and one.isalpha() and one.islower():
        one = many(one)
    return f"{number} {' per '.join((one, *per))}"


def _instant(instant: Instant) -> str:
    written = instant.sort.show(instant.value)
    day, sign, clock = written.partition("T")
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", day)
    if found is None:
        return written
    own = date(*map(int, found.groups()))
    said = f"{own.day} {_MONTHS[own.month - 1]} {own.year}"
    return f"{said} at {clock}" if sign else said
