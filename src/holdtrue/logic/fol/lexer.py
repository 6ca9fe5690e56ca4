"""Text to tokens. What stands for the same operator becomes one kind of token: `->`, `⇒` and `implies` are all `→`."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
_SIGNS: dict[str, str] = {
    sign: kind
    for kind, signs in {
        "∀": "∀",
        "∃": "∃",
        "¬": "¬ ~ ∼ !",
        "∧": "∧ && & ^ ⋀ /\\",
        "∨": "∨ || | ⋁ \\/",
        "⊕": "⊕ ⊻",
        "→": "→ -> => ⇒ ⟶",
        "↔": "↔ <-> <=> ⇔ ⟷ ≡",
        "=": "= ==",
        "≠": "≠ !=",
        "<": "<",
        "≤": "≤ <=",
        ">": ">",
        "≥": "≥ >=",
        "(": "( [ {",
        ")": ") ] }",
        "+": "+",
        "-": "- −",
        "*": "* · ×",
        "/": "/",
        "⊤": "⊤",
        "⊥": "⊥",
        ",": ",",
        "∈": "∈",
        ":": ":",
        ".": ".",
    }.items()
    for sign in signs.split()
}
_SIGN = "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True))
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
    at, binding, listing = 0, False, False
    while at < len(text):
        match = (_VARIABLE.match(text, at) if binding else None) or _TOKEN.match(text, at)
        if match is None:
            raise Fault(at, f"the character {text[at]!r} cannot stand here")
        start, at = match.start(match.lastgroup or 0), match.end()
        if match.lastgroup == "space":
            continue
        token = Token("bound", match["name"], start) if match.re is _VARIABLE else _token(match, start)
        yield token
        binding = token.kind in BINDERS or (listing and token.kind == ",")
        listing = token.kind == "bound"


def _token(match: re.Match[str], at: int) -> Token:
    text = match[0]
    match match.lastgroup:
        case "sign":
            return Token(_SIGNS[text], text, at)
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
