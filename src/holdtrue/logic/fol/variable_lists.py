"""Find the variables of each quantifier in the tokens of a text: `∀x,y`, `∀x y`, `forall x y.` and `(∀x)` are lists.

The first name behind a quantifier is a variable. A further word in a row with it is one more in two cases: if a colon,
a point, a sort or the list's own bracket ends the row; or if the word stands next, in the same brackets, as a thing.
So `∀x y P(x, y)` and `∀x y (P(x, y))` have two variables, and `∀x P(x)`, `∀x Rain` and `∀x Rain(Rain)` have one: a
word before an operator is a statement, and one before brackets that can only hold arguments is a predicate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from holdtrue.logic.fol.lexer import BINDERS, NAMES, Token, is_sort_sign
from holdtrue.logic.fol.naming import is_free_shaped

_ENDS = (":", ".")
_BEGINNINGS = (*BINDERS, *NAMES, "(", "¬", "⊤", "⊥", "number", "percent", "instant")
"""The tokens that a statement begins with."""


def mark_variables(tokens: Iterable[Token]) -> list[Token]:
    """Return the tokens with all variables as `bound`, without commas, ends and brackets around a list of them."""
    return _VariableLists(tokens).marked()


def inside(tokens: Sequence[Token], place: int) -> Iterator[int]:
    """Yield the places from one on, up to the end of the brackets or the argument that it is in."""
    depth = 0
    for at in range(place, len(tokens)):
        kind = tokens[at].kind
        depth += (kind == "(") - (kind == ")")
        if depth < 0 or (kind == "," and not depth):
            return
        yield at


def stands_next(tokens: Sequence[Token], word: str, place: int) -> int | None:
    """Return the next place of a word in the brackets or the argument that a place is in."""
    own = (at for at in inside(tokens, place) if tokens[at].text == word and tokens[at].kind in ("name", "bound"))
    return next(own, None)


class _VariableLists:
    def __init__(self, tokens: Iterable[Token]) -> None:
        self._tokens = list(tokens)
        self._next = 0

    def marked(self) -> list[Token]:
        found: list[Token] = []
        while self._next < len(self._tokens):
            token = self._tokens[self._next]
            found.append(token)
            self._next += 1
            if token.kind not in BINDERS or self._kind(self._next) != "bound":
                continue
            opening = len(found) - 2 if len(found) > 1 and found[-2].kind == "(" else None
            found += self._variables(in_brackets=opening is not None)
            if self._sort_follows(self._next):
                found += self._tokens[self._next : self._next + 2]
                self._next += 2
            if opening is not None and self._closes(self._next):
                del found[opening]
                self._next += 1
            # A full stop at the end of the text ends the text.
            if self._kind(self._next) in (*_ENDS, ",") and self._next + 1 < len(self._tokens):
                self._next += 1
        return found

    def _variables(self, *, in_brackets: bool) -> list[Token]:
        found = [self._tokens[self._next]]
        self._next = end = self._next + 1
        words: list[int] = []
        commas = True  # Behind words in a row a comma ends an argument.
        while not self._sort_follows(end):
            commas = commas and self._kind(end) == ","
            if self._kind(end + commas) != "name":
                break
            words.append(end + commas)
            end += commas + 1
        if words:
            self._part(end - 1)
        ended = self._sort_follows(end) or (in_brackets and self._closes(end))
        ended = ended or (self._kind(end) in _ENDS and end + 1 < len(self._tokens))
        for place in words:
            if not ended and not self._is_variable(place, end):
                break
            found.append(self._tokens[place]._replace(kind="bound"))
            self._next = place + 1
        return found

    def _part(self, place: int) -> None:
        """Take `y.P` apart at its point, if y is a variable."""
        token = self._tokens[place]
        word, point, rest = token.text.partition(".")
        if point and (is_free_shaped(word) or self._used(word, place)):
            at = token.at + len(word)
            parts = Token("name", word, token.at), Token(".", ".", at), Token("name", rest, at + 1)
            self._tokens[place : place + 1] = parts

    def _is_variable(self, place: int, end: int) -> bool:
        if place + 1 == end:
            close = max(inside(self._tokens, end + 1), default=end) + 1
            arguments = self._kind(end) == "(" and (close < end + 3 or self._kind(close) == ",")
            if arguments or self._kind(end) not in _BEGINNINGS:
                return False
        return self._used(self._tokens[place].text, end)

    def _used(self, word: str, place: int) -> bool:
        """Return whether the word stands next as a thing, in the brackets or the argument that the place is in."""
        at = stands_next(self._tokens, word, place)
        return at is not None and self._kind(at) == "name" and self._kind(at + 1) != "("

    def _sort_follows(self, place: int) -> bool:
        return self._kind(place) == "∈" or is_sort_sign(self._tokens, place)

    def _closes(self, place: int) -> bool:
        """Return whether a bracket closes here, and a statement begins behind it."""
        return self._kind(place) == ")" and self._kind(place + 1) in _BEGINNINGS

    def _kind(self, place: int) -> str:
        return self._tokens[place].kind if place < len(self._tokens) else ""
