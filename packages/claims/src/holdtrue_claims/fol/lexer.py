"""Split text into tokens. Synonymous operators become one kind: `->`, `⇒` and `implies` are all `→`.

Unbalanced brackets are repaired in the most likely places. Formulas by people and by models sometimes have one bracket
too many or too few, mostly at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from holdtrue.logic.value_sorts import CALENDAR_PATTERN
from holdtrue_claims.fol.alert import AlertKind
from holdtrue_claims.fol.naming import (
    DECIMAL,
    PERCENT,
    PLAIN,
    QUOTED,
    WORDS,
    is_free_shaped,
    is_number,
    is_operator,
    unquoted,
)


class Token(NamedTuple):
    """The `kind` of a `Token` is an operator, a sign, or `name`, `quoted`, `number`, `percent` or `instant` (date or
    time).

    `count` and `sum` begin a count or a sum over things. `bound` is a variable right after its quantifier.
    """

    kind: str
    text: str
    at: int


class Fault(Exception):
    """A `Fault` says why and at which offset a text cannot be read. It never leaves the reader."""

    def __init__(self, at: int, message: str, kind: AlertKind = "unparsed") -> None:
        super().__init__(message)
        self.at, self.message, self.kind = at, message, kind


QUANTIFIERS = ("∀", "∃")
BINDERS = (*QUANTIFIERS, "count", "sum")
NAMES = ("name", "quoted")
"""The kinds that can have a list of arguments after them."""
_ALIKE = (
    "¬ ~ ∼ !",
    "∧ && & ^ ⋀ /\\",
    "∨ || | ⋁ \\/",
    "⊕ ⊻",
    "→ -> => ⇒ ⟶",
    "↔ <-> <=> ⇔ ⟷ ≡",
    "= ==",
    "≠ !=",
    "≤ <=",
    "≥ >=",
    "( [ {",
    ") ] }",
    "- −",
    "* · ×",
    *"∀∃<>+/⊤⊥,∈:.",
)
STEPS = {"(": 1, ")": -1}
"""The change of bracket depth after each sign."""
_CONNECTIVES = ("∧", "∨", "⊕", "→", "↔")
SIGNS: dict[str, str] = {sign: alike.split()[0] for alike in _ALIKE for sign in alike.split()}
_SIGN = "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"(?P<space>\s++)|(?P<instant>(?:{CALENDAR_PATTERN})(?!\w))|(?P<name>{PLAIN})|(?P<quoted>{QUOTED})|(?P<sign>{_SIGN})"
)
_DECIMAL, _PERCENT = re.compile(DECIMAL), re.compile(PERCENT)
# A variable must follow; before brackets these words are names.
_COUNTING = re.compile(r"\s+(?!(?:and|or|xor|implies|iff)\b)\w", re.IGNORECASE)
# A variable has no joining signs: in ∀x.P(x) the point ends it.
_VARIABLE = re.compile(r"\s*+(?P<bound>\w++)")


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens in order, without space. Raises `Fault` at a character that begins no token."""
    at, kind = 0, ""
    while at < len(text):
        match = (_VARIABLE.match(text, at) if kind in BINDERS else None) or _TOKEN.match(text, at)
        if match is None:
            raise Fault(at, f"the character {text[at]!r} cannot stand here")
        at = match.end()
        if (group := match.lastgroup or "") != "space":
            word, kind = match[group], _kind(match)
            yield Token(kind, unquoted(word) if kind == "quoted" else word, match.start(group))


def _kind(match: re.Match[str]) -> str:
    group, word = match.lastgroup or "", match[0]
    if group != "name":
        return SIGNS[word] if group == "sign" else group
    if is_operator(word):
        return WORDS[word.lower()]
    if word in ("count", "sum") and _COUNTING.match(match.string, match.end()):
        return word
    if is_number(word) or _DECIMAL.fullmatch(word):
        return "number"
    return "percent" if _PERCENT.fullmatch(word) else "name"


def padded(tokens: Iterable[Token], end: int = 0) -> list[Token]:
    """Return the tokens with padding of empty kind for lookahead; `end` is the offset of the end of the text.

    The last padding also precedes the first token, at index -1.
    """
    return [*tokens, *[Token("", "", end)] * 3]


def sort_follows(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a sort follows at a place: after ∈, or after the word `in` before a name."""
    token = tokens[place]
    return token.kind == "∈" or (token[:2] == ("name", "in") and tokens[place + 1].kind in NAMES)


MOST_CHANGES = 8
"""The largest number of repairs. More make the meaning uncertain."""


def balance(tokens: Sequence[Token], end: int) -> tuple[list[Token], list[tuple[str, int]]]:
    """Return the tokens with balanced brackets, and each change with its offset.

    `end` is the text's length. A superfluous closing bracket closes a group that begins with the text, after its
    leading quantifiers. At the end of the text it is removed. A missing bracket is added before a connective in a list
    of arguments, or else at the end. Raises `Fault` for more than `MOST_CHANGES` changes.
    """
    last = max((place for place, token in enumerate(tokens) if token.kind not in (")", ".")), default=-1)
    missing = 0  # the number of brackets that are never closed
    for token in tokens:
        missing = max(missing + STEPS.get(token.kind, 0), 0)
    kept: list[Token] = []
    changes: list[tuple[str, int]] = []
    lists: list[bool] = []  # for each open bracket, whether it holds arguments
    for place, token in enumerate(tokens):
        if len(changes) > MOST_CHANGES:
            raise Fault(token.at, "too many brackets that do not match")
        if token.kind == "(":
            lists.append(bool(kept) and kept[-1].kind in NAMES)
        elif token.kind == ")" and lists:
            lists.pop()
        elif token.kind == ")" and place < last:
            begins = (at for at, own in enumerate(kept) if own.kind not in (*QUANTIFIERS, "bound"))
            kept.insert(next(begins, len(kept)), Token("(", "(", kept[0].at if kept else 0))
            changes.append(("an opening parenthesis added for this one, where the text begins", token.at))
        elif token.kind == ")":
            changes.append(("a closing parenthesis too many left out", token.at))
            continue
        elif token.kind in _CONNECTIVES and missing and lists and lists[-1]:
            missing -= 1
            lists.pop()
            kept.append(Token(")", ")", token.at))
            changes.append(("a closing parenthesis added before the connective", token.at))
        kept.append(token)
    if lists:
        full_stop = len(kept) - (kept[-1].kind == ".")
        kept[full_stop:full_stop] = [Token(")", ")", end)] * len(lists)
        changes.append((f"closing parentheses added at the end: {len(lists)}", end))
    return kept, changes


# The functions below find the variables of each quantifier: `∀x,y`, `∀x y`, `forall x y.` and `(∀x)` are lists. The
# first name after a quantifier is a variable. Another word right after it is a variable if a colon, a point, a sort or
# a closing bracket ends the row. It is also one if its next use in the same brackets is as a thing. So `∀x y P(x, y)`
# and `∀x y (P(x, y))` have two variables, and `∀x P(x)`, `∀x Rain` and `∀x Rain(Rain)` have one. A word before an
# operator is a statement, and a word before brackets with arguments is a predicate.

_BEGINNINGS = (*BINDERS, *NAMES, "(", "¬", "⊤", "⊥", "number", "percent", "instant")
"""The kinds of tokens that begin a statement."""


def mark_variables(tokens: Iterable[Token]) -> list[Token]:
    """Return the tokens with all variables as `bound`, without the commas, ends and brackets of their lists."""
    found, place = padded(tokens), 0
    while found[place].kind:
        place += 1
        if found[place - 1].kind in BINDERS and found[place].kind == "bound":
            place = _mark(found, place)
    return found[:place]


def stands_next(tokens: Sequence[Token], word: str, place: int) -> int:
    """Return the next place of a word from `place` on, within the same brackets or argument; -1 if there is none."""
    own = (at for at in _inside(tokens, place) if tokens[at].text == word and tokens[at].kind in ("name", "bound"))
    return next(own, -1)


def _inside(tokens: Sequence[Token], place: int) -> Iterator[int]:
    """Yield the places from `place` on, up to the end of the brackets or the argument around it."""
    depth = 0
    while (kind := tokens[place].kind) and (kind != "," or depth):
        depth += STEPS.get(kind, 0)
        if depth < 0:
            return
        yield place
        place += 1


def _mark(tokens: list[Token], start: int) -> int:
    """Mark the list of variables that begins at a place, and return the place after it."""
    opened = tokens[start - 2].kind == "("
    end, listed = start + 1, [start]
    commas = True  # A comma after words that stand in a row ends an argument.
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
    """Split `y.P` at its point, if y is a variable."""
    _, text, at = tokens[place]
    word, point, rest = text.partition(".")
    if point and (is_free_shaped(word) or _used(tokens, word, place)):
        parts = ("name", word), (".", "."), ("name", rest)
        ats = at, at + len(word), at + len(word) + 1
        tokens[place : place + 1] = [Token(*part, own) for part, own in zip(parts, ats, strict=True)]


def _is_variable(tokens: Sequence[Token], place: int, end: int) -> bool:
    """Return whether a word is another variable of a list of words that ends at `end`."""
    if place + 1 == end:
        close = max(_inside(tokens, end + 1), default=end) + 1
        arguments = tokens[end].kind == "(" and (close < end + 3 or tokens[close].kind == ",")
        if arguments or tokens[end].kind not in _BEGINNINGS:
            return False
    return _used(tokens, tokens[place].text, end)


def _used(tokens: Sequence[Token], word: str, place: int) -> bool:
    """Return whether the next use of a word, in the brackets or the argument around a place, is as a thing."""
    at = stands_next(tokens, word, place)
    return tokens[at].kind == "name" and tokens[at + 1].kind != "("


def _closes(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a bracket closes here and a statement begins after it."""
    return tokens[place].kind == ")" and tokens[place + 1].kind in _BEGINNINGS


def _ends(tokens: Sequence[Token], place: int, signs: str = ":.") -> bool:
    """Return whether a sign ends the list here. A full stop at the end of the text does not."""
    return tokens[place].kind in [*signs] and tokens[place + 1].kind != ""
