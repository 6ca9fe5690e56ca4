"""Parse tokens to a sentence. Operators from the tightest: arithmetic, comparison, ¬ ∀ ∃, ∧, ∨, ⊕, →, ↔.

A number takes the following word as its unit, and units may be divided by each other: `70 kg`, `10 mg/kg`. A product of
known units is one word: `120 m*m`.

→ groups to the right. A quantifier binds as tightly as ¬. If its variable is used later in the same brackets, it
extends to their end, because people and models write `∀x P(x) → Q(x)`, and `∀x P(x) ∧ ∀x Q(x)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple, get_args

from holdtrue.errors import FormulaError
from holdtrue.logic.units import ONE, known_unit, unit
from holdtrue.logic.value_sorts import Value, read_calendar
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.alert import Alert, AlertKind
from holdtrue_claims.fol.lexer import NAMES, Fault, Token, padded, sort_follows, stands_next
from holdtrue_claims.fol.naming import is_free_shaped

COMPARISONS: dict[str, fol.Comparison] = {"=": "=", "≠": "!=", "<": "<", "≤": "<=", ">": ">", "≥": ">="}
PAIRED: dict[str, type[fol.Implies | fol.Iff | fol.Xor]] = {"→": fol.Implies, "↔": fol.Iff, "⊕": fol.Xor}
PREFIX = 7
"""The binding power of the operand of ¬ and of quantifiers: that of a comparison."""
_PRODUCT = PREFIX + 2
_OPERATORS: dict[str, fol.Operator] = {name: name for name in get_args(fol.Operator)}


class Part(NamedTuple):
    """A `Part` is a parsed part with its offset. `grouped` means that it has brackets, so it is no part of a sum."""

    value: fol.Sentence | fol.Term
    at: int
    grouped: bool = False


class Grammar:
    """A `Grammar` parses the tokens of one text with balanced brackets.

    Attributes:
        alerts: Doubts about the parsed text.
        powers: The binding power of each operator.
        paired: The sentence class of each binary connective.
        rightward: The operators that group to the right.
    """

    powers: ClassVar[Mapping[str, int]] = {
        **dict(zip("↔→⊕∨∧", range(1, 6), strict=True)),
        **dict.fromkeys(COMPARISONS, PREFIX),
        **dict.fromkeys("+-", PREFIX + 1),
        **dict.fromkeys("*/", _PRODUCT),
    }
    paired: ClassVar[Mapping[str, Callable[[fol.Sentence, fol.Sentence], fol.Sentence]]] = PAIRED
    rightward: ClassVar[Collection[str]] = ("→",)

    def __init__(self, tokens: Sequence[Token], text: str) -> None:
        self.alerts: list[Alert] = []
        self._text = text
        self._tokens = padded(tokens, len(text))
        self._next = 0
        self._level = 0
        self._group_end = 0  # the end of the last brackets that do not follow a name
        self._bound: Counter[str] = Counter()
        self._free: set[str] = set()

    def sentence(self) -> fol.Sentence:
        """Return the sentence of the whole text. Raises `Fault`."""
        if not self._peek.kind:
            raise Fault(0, "there is nothing to read")
        found = self._statement(self._read(0))
        self._next += self._peek.kind == "."
        if self._peek.kind:
            raise Fault(self._peek.at, f"a connective is missing before {self._peek.text!r:.60}")
        return found

    # --- operators -------------------------------------------------------------------------------------------------

    def _read(self, power: int) -> Part:
        """Parse an operand, with all following operators that bind at least as tightly as `power`."""
        self._level += 1
        if self._level > fol.DEEPEST:
            raise Fault(self._peek.at, f"nested more than {fol.DEEPEST} deep", "unsupported")
        token = self._take()
        found = self._more(Part(self._operand(token), token.at, token.kind == "("), power)
        self._level -= 1
        return found

    def _more(self, left: Part, power: int) -> Part:
        while (binds := self.powers.get(self._peek.kind, -1)) >= power:
            left = Part(self._joined(left, binds), left.at)
        return left

    def _joined(self, left: Part, binds: int) -> fol.Sentence | fol.Term:
        """Parse the next operator and its right side; for ∧, ∨ and sums the whole chain."""
        kind = self._peek.kind
        if kind in ("∧", "∨"):
            operands = [self._statement(left)]
            while self._peek.kind == kind:
                self._next += 1
                operands.append(self._statement(self._read(binds + 1)))
            return fol.And(tuple(operands)) if kind == "∧" else fol.Or(tuple(operands))
        if kind in ("+", "-"):
            summed = [self._summand(left)]
            while self._peek.kind in ("+", "-"):
                sign = 1 if self._take().kind == "+" else -1
                factor, term = self._summand(self._read(binds + 1))
                summed.append((sign * factor, term))
            return fol.Plus(tuple(summed))
        self._next += 1
        right = self._read(binds + (kind not in self.rightward))
        match kind:
            case "*":
                for one, other in ((left, right), (right, left)):
                    if isinstance(one.value, fol.Number) and one.value.unit == ONE:
                        return fol.Plus(((one.value.value, self._term(other)),))
                return fol.Times(self._term(left), self._term(right))
            case "/":
                return self._quotient(left, right)
            case "=" | "≠" | "<" | "≤" | ">" | "≥":
                return fol.Compare(COMPARISONS[kind], self._term(left), self._term(right))
        return self.paired[kind](self._statement(left), self._statement(right))

    def _quotient(self, left: Part, right: Part) -> fol.Term:
        divisor, dividend = right.value, left.value
        if not isinstance(divisor, fol.Number):
            raise Fault(right.at, "only a number that is written out can divide something", "unsupported")
        if not divisor.value:
            raise Fault(right.at, "nothing can be divided by 0", "unsupported")
        factor = Fraction(1) / divisor.value
        if isinstance(dividend, fol.Number):
            return fol.Number(_plain(dividend.value * factor), dividend.unit / divisor.unit)
        if divisor.unit != ONE:
            return fol.Times(fol.Number(_plain(factor), ONE / divisor.unit), self._term(left))
        own, term = self._summand(left)
        return fol.Plus(((_plain(own * factor), term),))

    # --- operands ----------------------------------------------------------------------------------------------------

    def _operand(self, token: Token) -> fol.Sentence | fol.Term:
        """Parse the operand that begins with this token, which is consumed already. Raises `Fault`."""
        match token.kind:
            case "¬":
                return fol.Not(self._statement(self._read(PREFIX)))
            case "-":
                negated = self._read(_PRODUCT + 1)
                if isinstance(negated.value, fol.Number):
                    return fol.Number(-negated.value.value, negated.value.unit)
                return fol.Plus(((-1, self._term(negated)),))
            case "∀" | "∃":
                return self._quantified(token)
            case "count" | "sum":
                return self._counted(token)
            case "number" | "percent" | "instant":
                return self._amount(token)
            case "name" | "quoted":
                return self._named(token)
            case "(":
                inside = self._read(0).value
                self._expect(")")
                self._group_end = self._next
                return inside
            case "⊤" | "⊥" as kind:
                return fol.And(()) if kind == "⊤" else fol.Or(())
            case "":
                raise Fault(token.at, "the text ends where something has to follow")
        raise Fault(token.at, f"{token.text!r} cannot stand here")

    def _amount(self, token: Token) -> fol.Term:
        """Parse a number with its unit, or a date or time."""
        try:
            if token.kind == "instant":
                return read_calendar(token.text)
            if token.kind == "percent":
                return fol.Number(_plain(Fraction(token.text[:-1])), unit("%"))
            return fol.Number(_plain(Fraction(token.text)), unit(self._unit()))
        except FormulaError as error:
            raise Fault(token.at, str(error)) from None

    def _unit(self) -> str:
        """Consume the next unit, with its denominators and its factors in one word: `m*m`.

        After a space, or if it is no known unit, a factor is a term: `2 m * rate`.
        """
        name, end = self._unit_at(self._next), self._next + 1
        while name and self._tokens[end].kind in ("/", "*") and (more := self._unit_at(end + 1)):
            before, sign, own = self._tokens[end - 1 : end + 2]
            one_word = before.at + len(before.text) == sign.at and sign.at + len(sign.text) == own.at
            if sign.kind == "*" and not (one_word and known_unit(more)):
                break
            name += sign.kind + more
            end += 2
        self._next = end if name else self._next
        return name

    def _unit_at(self, place: int) -> str:
        """Return the text of a token that can be a unit, which is no variable and has no brackets; otherwise ""."""
        kind, text, _ = self._tokens[place]
        usable = kind == "name" and text not in ("where", "in") and not self._bound[text]
        return text if usable and self._tokens[place + 1].kind != "(" else ""

    def _named(self, token: Token) -> fol.Term:
        """Parse a name with its arguments as a term, which `_statement` can turn into a statement."""
        kind, name, at = token
        variable = kind == "name" and self._is_variable(name)
        if self._peek.kind != "(":
            return fol.Bound(name) if variable else fol.Constant(name)
        if variable:
            self._alert("doubtful", f"{name} looks like a variable, and has arguments", at)
        args: Iterable[Part] = self._arguments()
        if (kind, name) == ("name", "if"):
            args = tuple(args)
            if len(args) == 3:
                return fol.Choice(self._statement(args[0]), self._term(args[1]), self._term(args[2]))
        terms = tuple(map(self._term, args))
        operator = _OPERATORS.get(name) if terms and kind == "name" else None
        return fol.Operation(operator, terms) if operator else fol.Apply(name, terms)

    def _arguments(self) -> Iterator[Part]:
        """Yield each argument when it is parsed, up to the closing bracket; the opening one is next."""
        self._next += 1
        if self._peek.kind != ")":
            yield self._read(0)
            while self._peek.kind == ",":
                self._next += 1
                yield self._read(0)
        self._expect(")")

    def _is_variable(self, name: str) -> bool:
        return self._bound[name] > 0 or is_free_shaped(name)

    def _counted(self, token: Token) -> fol.Term:
        """Parse `count x in guest (...)`, or `sum x in line (...)` of a term, perhaps with `where` and a statement."""
        variable = self._expect("bound", f"a variable is needed behind {token.text!r}").text
        sort = self._sort()
        self._expect("(", f"brackets are needed around what {token.text!r} is about")
        self._bound[variable] += 1
        inside = self._read(0)
        found: fol.Term
        if token.kind == "count":
            found = fol.Count(variable, self._statement(inside), sort)
        else:
            term, where = self._term(inside), self._peek[:2] == ("name", "where")
            self._next += where
            found = fol.Total(variable, term, self._statement(self._read(0)) if where else fol.And(()), sort)
        self._bound[variable] -= 1
        self._expect(")")
        return found

    def _quantified(self, token: Token) -> fol.Sentence:
        names = self._variables(token)
        sort = self._sort()
        self._bound.update(names)
        body = self._read(PREFIX)
        if any(self._tokens[stands_next(self._tokens, name, self._next)].kind == "name" for name in names):
            if self._next == self._group_end:
                message = f"{names[0]} is used behind the brackets that it is bound in"
                self._alert("brackets_repaired", message, self._peek.at)
            body = self._more(body, 0)
        found = self._statement(body)
        self._bound.subtract(names)
        for name in names[1:]:
            if fol.Bound(name) not in fol.walk(found):
                self._alert("doubtful", f"{name} is read as a variable, and never used", token.at)
        return quantified(token, names, found, sort)

    def _variables(self, token: Token) -> list[str]:
        names = [self._expect("bound", f"a variable is needed behind {token.text!r}").text]
        while self._peek.kind == "bound":
            names.append(self._take().text)
        return names

    def _sort(self) -> str | None:
        """Parse the sort after a quantifier's variables."""
        if not sort_follows(self._tokens, self._next):
            return None
        self._next += 1
        token = self._take()
        if token.kind not in NAMES:
            raise Fault(token.at, "the name of a sort is needed behind '∈'")
        scale = self._tokens[self._next : self._next + 3]
        if [own.kind for own in scale] != ["(", "number", ")"]:
            return token.text
        self._next += 3
        return f"{token.text}({scale[1].text})"  # as in EUR(2): brackets with a number hold no statement

    # --- parts as statements and terms -------------------------------------------------------------------------------

    def _statement(self, part: Part) -> fol.Sentence:
        match part.value:
            case fol.Bound(name) if self._bound[name]:
                raise Fault(part.at, f"the variable {name} stands where a statement has to")
            case fol.Bound(name):
                message = f"{name} looks like a variable, and stands where a statement has to"
                self._alert("doubtful", message, part.at)
                return fol.Holds(name)
            case fol.Constant(name):
                return fol.Holds(name)
            case fol.Apply(name, args) | fol.Operation(name, args):
                return fol.Holds(name, args)
        if isinstance(part.value, fol.Term):
            raise Fault(part.at, "a number stands where a statement has to")
        return part.value

    def _term(self, part: Part) -> fol.Term:
        if not isinstance(part.value, fol.Term):
            raise Fault(part.at, "a statement stands where a thing has to")
        if isinstance(part.value, fol.Bound) and not self._bound[part.value.name]:
            self._left_free(part.value.name, part.at)
        return part.value

    def _summand(self, part: Part) -> tuple[Value, fol.Term]:
        """Return a factor and a term. A product with a number is a part of the surrounding sum."""
        match part:
            case Part(fol.Plus((only,)), grouped=False):
                return only
        return 1, self._term(part)

    # --- the place in the tokens -------------------------------------------------------------------------------------

    def _alert(self, kind: AlertKind, message: str, at: int) -> None:
        self.alerts.append(Alert(kind, message, self._text, at))

    def _left_free(self, name: str, at: int) -> None:
        if name not in self._free:
            self._free.add(name)
            self._alert("free_variable", f"no quantifier binds the variable {name}", at)

    @property
    def _peek(self) -> Token:
        return self._tokens[self._next]

    def _take(self) -> Token:
        self._next += 1
        return self._tokens[self._next - 1]

    def _expect(self, kind: str, message: str = "") -> Token:
        token = self._take()
        if token.kind != kind:
            before = f" before {token.text!r:.60}" if token.kind else ""
            raise Fault(token.at, message or f"{kind!r} is missing{before}")
        return token


def quantified(quantifier: Token, names: Sequence[str], body: fol.Sentence, sort: str | None = None) -> fol.Sentence:
    """Return the sentence of a quantifier with its variables, the last one innermost."""
    for name in reversed(names):
        body = fol.Quantified("forall" if quantifier.kind == "∀" else "exists", name, body, sort)
    return body


def _plain(value: Value) -> Value:
    """Return a whole number as an integer, so that equal numbers are written alike."""
    return int(value) if Fraction(value).denominator == 1 else value
