"""Text to tokens. What stands for the same operator becomes one kind of token: `->`, `⇒` and `implies` are all `→`.

Brackets that do not match are repaired, by putting them where they most likely belong, so that the text can be read.
Gold formulas and formulas by models alike have one too many or one too few now and then, mostly at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from holdtrue.logic.fol.alert import AlertKind
from holdtrue.logic.fol.naming import DECIMAL, PERCENT, PLAIN, QUOTED, WORDS, is_number, is_operator, unquoted
from holdtrue.logic.value_sorts import CALENDAR_PATTERN


class Token(NamedTuple):
    """`kind` is the operator or sign itself, or a word: `name`, `quoted`, `number`, `percent`, `instant` (date, time).

    `count` and `sum` begin a number of things, and `bound` is a variable that was just quantified.
    """

    kind: str
    text: str
    at: int


class Fault(Exception):
    """Text that cannot be read: why, and the offset of what is at fault. It never leaves the reader."""

    def __init__(self, at: int, message: str, kind: AlertKind = "unparsed") -> None:
        super().__init__(message)
        self.at, self.message, self.kind = at, message, kind


QUANTIFIERS = ("∀", "∃")
BINDERS = (*QUANTIFIERS, "count", "sum")
NAMES = ("name", "quoted")
"""What can have a list of arguments behind it."""
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
"""How much deeper the brackets are behind each sign."""
_CONNECTIVES = ("∧", "∨", "⊕", "→", "↔")
SIGNS: dict[str, str] = {sign: alike.split()[0] for alike in _ALIKE for sign in alike.split()}
_SIGN = "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"(?P<space>\s++)|(?P<instant>(?:{CALENDAR_PATTERN})(?!\w))|(?P<name>{PLAIN})|(?P<quoted>{QUOTED})|(?P<sign>{_SIGN})"
)
_DECIMAL, _PERCENT = re.compile(DECIMAL), re.compile(PERCENT)
# A variable stands behind: the same words with brackets are names.
_COUNTING = re.compile(r"\s+(?!(?:and|or|xor|implies|iff)\b)\w", re.IGNORECASE)
# A variable takes no joining signs: in ∀x.P(x) the point ends it.
_VARIABLE = re.compile(r"\s*+(?P<name>\w++)")


def tokens(text: str) -> Iterator[Token]:
    """The tokens in order, without space. Raises `Fault` at what is none."""
    at, binding = 0, False
    while at < len(text):
        match = (_VARIABLE.match(text, at) if binding else None) or _TOKEN.match(text, at)
        if match is None:
            raise Fault(at, f"the character {text[at]!r} cannot stand here")
        start, at = match.start(match.lastgroup or 0), match.end()
        if match.lastgroup == "space":
            continue
        token = Token("bound", match["name"], start) if match.re is _VARIABLE else _token(match, start)
        yield token
        binding = token.kind in BINDERS


def _token(match: re.Match[str], at: int) -> Token:
    text = match[0]
    match match.lastgroup:
        case "sign":
            return Token(SIGNS[text], text, at)
        case "quoted":
            return Token("quoted", unquoted(text), at)
        case "instant":
            return Token("instant", text, at)
    if is_operator(text):
        return Token(WORDS[text.lower()], text, at)
    if text in ("count", "sum") and _COUNTING.match(match.string, match.end()):
        return Token(text, text, at)
    if is_number(text) or _DECIMAL.fullmatch(text):
        return Token("number", text, at)
    return Token("percent" if _PERCENT.fullmatch(text) else "name", text, at)


def padded(tokens: Iterable[Token], end: int = 0) -> list[Token]:
    """Return the tokens with as many of no kind behind them as readers look ahead; `end` is where the text ends."""
    return [*tokens, *[Token("", "", end)] * 3]


def sort_follows(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a place has the sign before the name of a sort: ∈, or the word `in` before a name."""
    token = tokens[place]
    return token.kind == "∈" or (token[:2] == ("name", "in") and tokens[place + 1].kind in NAMES)


MOST_CHANGES = 8
"""With more of them there is no telling what was meant."""


def balance(tokens: Sequence[Token], end: int) -> tuple[list[Token], list[tuple[int, str]]]:
    """Return the tokens with brackets that match, and each change as (offset, what was done).

    `end` is the text's length. A closing one too many closes a group that begins with the text, behind the quantifiers
    that it begins with; or nothing, where it is the last. One that is missing is added where a connective stands in a
    list of arguments, else at the end. Raises `Fault` where more than `MOST_CHANGES` would be needed.
    """
    last = max((place for place, token in enumerate(tokens) if token.kind not in (")", ".")), default=-1)
    missing = 0  # how many are never closed
    for token in tokens:
        missing = max(missing + STEPS.get(token.kind, 0), 0)
    kept: list[Token] = []
    changes: list[tuple[int, str]] = []
    lists: list[bool] = []  # for each open bracket, whether it holds arguments
    for place, token in enumerate(tokens):
        if len(changes) > MOST_CHANGES:
            raise Fault(token.at, "too many brackets that do not match")
        if token.kind == "(":
            lists.append(bool(kept) and kept[-1].kind in NAMES)
        elif token.kind in _CONNECTIVES and missing and lists and lists[-1]:
            missing -= 1
            lists.pop()
            kept.append(Token(")", ")", token.at))
            changes.append((token.at, "a closing parenthesis added before the connective"))
        elif token.kind == ")" and lists:
            lists.pop()
        elif token.kind == ")" and place < last:
            begins = (at for at, own in enumerate(kept) if own.kind not in (*QUANTIFIERS, "bound"))
            kept.insert(next(begins, len(kept)), Token("(", "(", kept[0].at if kept else 0))
            changes.append((token.at, "an opening parenthesis added for this one, where the text begins"))
        elif token.kind == ")":
            changes.append((token.at, "a closing parenthesis too many left out"))
            continue
        kept.append(token)
    if lists:
        full_stop = len(kept) - (kept[-1].kind == ".")
        kept[full_stop:full_stop] = [Token(")", ")", end)] * len(lists)
        changes.append((end, f"closing parentheses added at the end: {len(lists)}"))
    return kept, changes
