"""Tokens to a sentence. Operators from the tightest: arithmetic, comparison, ¬ ∀ ∃, ∧, ∨, ⊕, →, ↔.

A number takes the word behind it as its unit, and units may be divided by each other: `70 kg`, `10 mg/kg`. A
product of known units is one word: `120 m*m`.

→ groups to the right. A quantifier holds for what follows it directly, as ¬ does, and if its variable is used later in
the same brackets, for all up to their end: people and models write `∀x P(x) → Q(x)`, and `∀x P(x) ∧ ∀x Q(x)`.
"""

from __future__ import annotations

from fractions import Fraction

from holdtrue.errors import FormulaError
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.lexer import NAMES, Fault, Token, is_sort_sign
from holdtrue.logic.fol.naming import is_free_shaped
from holdtrue.logic.fol.parsed_parts import Name, Part, Product, TokenCursor, quantified
from holdtrue.logic.fol.variable_lists import stands_next
from holdtrue.logic.units import ONE, known_unit, unit
from holdtrue.logic.value_sorts import Value, read_calendar

COMPARISONS: dict[str, fol.Comparison] = {"=": "=", "≠": "!=", "<": "<", "≤": "<=", ">": ">", "≥": ">="}
PAIRED: dict[str, type[fol.Implies | fol.Iff | fol.Xor]] = {"→": fol.Implies, "↔": fol.Iff, "⊕": fol.Xor}
_POWERS = {"↔": 1, "→": 2, "⊕": 3, "∨": 4, "∧": 5, **dict.fromkeys(COMPARISONS, 7), "+": 8, "-": 8, "*": 9, "/": 9}
_PREFIX = 7
"""What ¬ and quantifiers take in: anything that binds as tightly as a comparison."""


class Grammar(TokenCursor):
    """A `Grammar` reads the tokens of one text, whose brackets match."""

    # --- operators -------------------------------------------------------------------------------------------------

    def _read(self, power: int) -> Part:
        """Read what comes next, with all operators behind it that bind as tightly as `power`."""
        self._go_deeper()
        found = self._more(self._prefix(), power)
        self._level -= 1
        return found

    def _more(self, left: Part, power: int) -> Part:
        while (binds := _POWERS.get(self._peek.kind, -1)) >= power:
            match self._peek.kind:
                case "∧" | "∨" as kind:
                    left = Part(self._chain(left, kind, binds), left.at)
                case "+" | "-":
                    left = Part(self._sum(left, binds), left.at)
                case _:
                    left = Part(self._binary(self._take(), left, binds), left.at)
        return left

    def _sum(self, first: Part, power: int) -> fol.Term:
        summed = [self._summand(first)]
        while self._peek.kind in ("+", "-"):
            sign = 1 if self._take().kind == "+" else -1
            factor, term = self._summand(self._read(power + 1))
            summed.append((sign * factor, term))
        return fol.Plus(tuple(summed))

    def _binary(self, token: Token, left: Part, power: int) -> fol.Sentence | fol.Term | Product:
        right = self._read(power if token.kind == "→" else power + 1)
        if token.kind == "*":
            return self._product(left, right)
        if token.kind == "/":
            return self._quotient(left, right)
        if token.kind in COMPARISONS:
            return fol.Compare(COMPARISONS[token.kind], self._term(left), self._term(right))
        return PAIRED[token.kind](self._statement(left), self._statement(right))

    def _product(self, left: Part, right: Part) -> fol.Term | Product:
        for one, other in ((left, right), (right, left)):
            if isinstance(one.value, fol.Number) and one.value.unit == ONE:
                return Product(one.value.value, self._term(other))
        return fol.Times(self._term(left), self._term(right))

    def _quotient(self, left: Part, right: Part) -> fol.Term | Product:
        divisor = right.value
        if not isinstance(divisor, fol.Number):
            raise Fault(right.at, "only a number that is written out can divide something", "unsupported")
        if not divisor.value:
            raise Fault(right.at, "nothing can be divided by 0", "unsupported")
        factor, dividend = Fraction(1) / divisor.value, left.value
        if isinstance(dividend, fol.Number):
            return fol.Number(_plain(dividend.value * factor), dividend.unit / divisor.unit)
        if divisor.unit == ONE:
            if isinstance(dividend, Product):
                return Product(_plain(dividend.factor * factor), dividend.term)
            return Product(_plain(factor), self._term(left))
        return fol.Times(fol.Number(_plain(factor), ONE / divisor.unit), self._term(left))

    # --- what operators stand between -------------------------------------------------------------------------------

    def _prefix(self) -> Part:
        token = self._take()
        match token.kind:
            case "¬":
                return Part(fol.Not(self._statement(self._read(_PREFIX))), token.at)
            case "-":
                operand = self._read(_POWERS["*"] + 1)
                if isinstance(operand.value, fol.Number):
                    return Part(fol.Number(-operand.value.value, operand.value.unit), token.at)
                return Part(Product(-1, self._term(operand)), token.at)
            case "∀" | "∃":
                return Part(self._quantified(token), token.at)
            case "count" | "sum":
                return Part(self._counted(token), token.at)
            case "number":
                return Part(self._number(token), token.at)
            case "percent":
                return Part(fol.Number(_plain(Fraction(token.text[:-1])), unit("%")), token.at)
            case "instant":
                return Part(self._instant(token), token.at)
        return self._single(token)

    def _name(self, token: Token) -> Part:
        quoted = token.kind == "quoted"
        variable = not quoted and self._bound[token.text] > 0
        if self._peek.kind == "(":
            return self._applied(token, as_variable=variable or is_free_shaped(token.text))
        return Part(Name(token.text, None, variable, quoted), token.at)

    def _number(self, token: Token) -> fol.Number:
        """A number with its unit, if the word behind it is no operator and no variable, and has no brackets."""
        name = self._unit_name(self._next)
        if not name:
            return fol.Number(_plain(Fraction(token.text)))
        self._next += 1
        while more := self._unit_behind():
            name += self._take().kind + more
            self._next += 1
        try:
            return fol.Number(_plain(Fraction(token.text)), unit(name))
        except FormulaError as error:
            raise Fault(token.at, str(error)) from None

    def _unit_behind(self) -> str:
        """The unit behind the sign that is next, by which the unit before it is divided, or in one word with it: `m*m`.

        Apart from it, and as a name that is not in the table of units, it can as well be a term: `2 m * rate`.
        """
        sign, place = self._peek, self._next
        name = self._unit_name(place + 1) if sign.kind in ("/", "*") else ""
        if not name or sign.kind == "/":
            return name
        ends = [token.at + len(token.text) for token in self._tokens[place - 1 : place + 1]]
        return name if ends == [token.at for token in self._tokens[place : place + 2]] and known_unit(name) else ""

    def _unit_name(self, place: int) -> str:
        """The text of the token at a place if it can be a unit's name, else nothing."""
        if place >= len(self._tokens):
            return ""
        token = self._tokens[place]
        following = self._tokens[place + 1].kind if place + 1 < len(self._tokens) else ""
        usable = token.kind == "name" and token.text not in ("where", "in") and following != "("
        return token.text if usable and not self._bound[token.text] else ""

    def _instant(self, token: Token) -> fol.Term:
        try:
            return read_calendar(token.text)
        except FormulaError as error:
            raise Fault(token.at, str(error)) from None

    def _counted(self, token: Token) -> fol.Term:
        """`count x in guest (...)`, or `sum x in line (...)` of a term, with `where` and a statement behind it."""
        bound = self._take()
        if bound.kind != "bound":
            raise Fault(bound.at, f"a variable is needed behind {token.text!r}")
        sort = self._sort()
        if self._peek.kind != "(":
            raise Fault(self._peek.at, f"brackets are needed around what {token.text!r} is about")
        self._next += 1
        self._bound[bound.text] += 1
        inside = self._read(0)
        body: fol.Sentence = fol.And(())
        if token.kind == "sum" and self._peek.kind == "name" and self._peek.text == "where":
            self._next += 1
            body = self._statement(self._read(0))
        self._bound[bound.text] -= 1
        self._expect(")")
        if token.kind == "count":
            return fol.Count(bound.text, self._statement(inside), sort)
        return fol.Total(bound.text, self._term(inside), body, sort)

    def _quantified(self, quantifier: Token) -> fol.Sentence:
        if self._peek.kind != "bound":
            raise Fault(self._peek.at, f"a variable is needed behind {quantifier.text!r}")
        names = self._variables()
        sort = self._sort()
        self._bound.update(names)
        body = self._read(_PREFIX)
        if any(self._used_later(name) for name in names):
            if self._behind_group():
                self._alert(
                    "brackets_repaired", f"{names[0]} is used behind the brackets that it is bound in", self._peek
                )
            body = self._more(body, 0)
        found = self._statement(body)
        self._bound.subtract(names)
        for name in names[1:]:
            if fol.Bound(name) not in fol.walk(found):
                self._alert("doubtful", f"{name} is read as a variable, and never used", quantifier)
        return quantified(quantifier, names, found, sort)

    def _sort(self) -> str | None:
        """The sort behind a quantifier's variables."""
        if self._peek.kind == "∈" or is_sort_sign(self._tokens, self._next):
            self._next += 1
            token = self._take()
            if token.kind not in ("name", "quoted"):
                raise Fault(token.at, "the name of a sort is needed behind '∈'")
            scale = self._tokens[self._next : self._next + 3]
            if [own.kind for own in scale] != ["(", "number", ")"]:
                return token.text
            self._next += 3
            return f"{token.text}({scale[1].text})"  # as in EUR(2): no statement is a number
        return None

    def _used_later(self, name: str) -> bool:
        """Return whether the name is used next in this group or argument, and not bound by another quantifier."""
        at = stands_next(self._tokens, name, self._next)
        return at is not None and self._tokens[at].kind == "name"

    def _behind_group(self) -> bool:
        """Return whether brackets end before what is next, and they are no name's."""
        depth = 0
        for at in reversed(range(self._next)):
            depth += (self._tokens[at].kind == ")") - (self._tokens[at].kind == "(")
            if not depth:
                return self._tokens[at].kind == "(" and (at == 0 or self._tokens[at - 1].kind not in NAMES)
        return False


def _plain(value: Value) -> Value:
    """The number as an integer where it is one, so that equal numbers are written alike."""
    return int(value) if Fraction(value).denominator == 1 else value
