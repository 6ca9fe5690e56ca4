"""Find the variables of each quantifier in the tokens of a text: `∀x,y`, `∀x y`, `forall x y.` and `(∀x)` are lists.

The first name behind a quantifier is a variable. A further word in a row with it is one more in two cases: if a colon,
a point, a sort or the list's own bracket ends the row; or if the word stands next, in the same brackets, as a thing.
So `∀x y P(x, y)` and `∀x y (P(x, y))` have two variables, and `∀x P(x)`, `∀x Rain` and `∀x Rain(Rain)` have one: a
word before an operator is a statement, and one before brackets that can only hold arguments is a predicate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from holdtrue_claims.fol.lexer import BINDERS, NAMES, STEPS, Token, padded, sort_follows
from holdtrue_claims.fol.naming import is_free_shaped

_BEGINNINGS = (*BINDERS, *NAMES, "(", "¬", "⊤", "⊥", "number", "percent", "instant")
"""The tokens that a statement begins with."""


def mark_variables(tokens: Iterable[Token]) -> list[Token]:
    """Return the tokens with all variables as `bound`, without commas, ends and brackets around a list of them."""
    found, place = padded(tokens), 0
    while found[place].kind:
        place += 1
        if found[place - 1].kind in BINDERS and found[place].kind == "bound":
            place = _mark(found, place)
    return found[:place]


def stands_next(tokens: Sequence[Token], word: str, place: int) -> int:
    """Return the next place of a word in the brackets or the argument that a place is in; -1 where there is none."""
    own = (at for at in _inside(tokens, place) if tokens[at].text == word and tokens[at].kind in ("name", "bound"))
    return next(own, -1)


def _inside(tokens: Sequence[Token], place: int) -> Iterator[int]:
    """Yield the places from one on, up to the end of the brackets or the argument that it is in."""
    depth = 0
    while (kind := tokens[place].kind) and (kind != "," or depth):
        depth += STEPS.get(kind, 0)
        if depth < 0:
            return
        yield place
        place += 1


def _mark(tokens: list[Token], start: int) -> int:
    """Mark the list of variables that begins at a place, and return the place behind it."""
    opened = tokens[start - 2].kind == "("
    end, listed = start + 1, [start]
    commas = True  # Behind words in a row a comma ends an argument.
    while not sort_follows(tokens, end):
        commas = commas and tokens[end].kind == ","
        if tokens[end + commas].kind != "name":
            break
        listed.append(end + commas)
        end += commas + 1
    if listed[1:]:
        _take_apart(tokens, listed[-1])
    if not (sort_follows(tokens, end) or _ends(tokens, end) or (opened and _closes(tokens, end))):
        no_more = (at for at in range(1, len(listed)) if not _is_variable(tokens, listed[at], end))
        listed = listed[: next(no_more, None)]
    tokens[start : listed[-1] + 1] = [tokens[at]._replace(kind="bound") for at in listed]
    place = start + len(listed)
    place += 2 * sort_follows(tokens, place)
    if opened and _closes(tokens, place):
        del tokens[place], tokens[start - 2]
        place -= 1
    if _ends(tokens, place, ":.,"):
        del tokens[place]
    return place


def _take_apart(tokens: list[Token], place: int) -> None:
    """Take `y.P` apart at its point, if y is a variable."""
    _, text, at = tokens[place]
    word, point, rest = text.partition(".")
    if point and (is_free_shaped(word) or _used(tokens, word, place)):
        parts = ("name", word), (".", "."), ("name", rest)
        ats = at, at + len(word), at + len(word) + 1
        tokens[place : place + 1] = [Token(*part, own) for part, own in zip(parts, ats, strict=True)]


def _is_variable(tokens: Sequence[Token], place: int, end: int) -> bool:
    """Return whether a word is one more variable of a list in which words stand in a row up to an end."""
    if place + 1 == end:
        close = max(_inside(tokens, end + 1), default=end) + 1
        arguments = tokens[end].kind == "(" and (close < end + 3 or tokens[close].kind == ",")
        if arguments or tokens[end].kind not in _BEGINNINGS:
            return False
    return _used(tokens, tokens[place].text, end)


def _used(tokens: Sequence[Token], word: str, place: int) -> bool:
    """Return whether the word stands next as a thing, in the brackets or the argument that the place is in."""
    at = stands_next(tokens, word, place)
    return tokens[at].kind == "name" and tokens[at + 1].kind != "("


def _closes(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a bracket closes here, and a statement begins behind it."""
    return tokens[place].kind == ")" and tokens[place + 1].kind in _BEGINNINGS


def _ends(tokens: Sequence[Token], place: int, signs: str = ":.") -> bool:
    """Return whether a sign ends the list here; a full stop at the end of the text ends the text."""
    return tokens[place].kind in [*signs] and tokens[place + 1].kind != ""
