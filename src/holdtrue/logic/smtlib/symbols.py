"""Convert names to SMT-LIB symbols, and back.

`abc` and `|abc|` are the same symbol. A name may have characters that a symbol cannot have (`|`, a backslash, control
characters), or be a reserved word. Such a character is written with its code point in hexadecimal: `|` becomes `%7C;`.
Every `%` is also written this way, and therefore different names have different symbols.
"""

from __future__ import annotations

import re
import unicodedata

SIMPLE_CHARACTERS = r"0-9A-Za-z~!@$%^&*_\-+=<>.?/"
_SIMPLE = re.compile(rf"(?![0-9])[{SIMPLE_CHARACTERS}]+")
_ESCAPE = re.compile(r"%([0-9A-F]+);")

SORTS = frozenset({"Bool", "Int", "Real"})
_CORE = {"not", "and", "or", "xor", "=>", "=", "distinct", "ite"}
_NUMBERS = {"+", "-", "*", "/", "div", "mod", "abs", "<=", "<", ">=", ">", "to_real", "to_int", "is_int"}
OPERATORS = frozenset(_CORE | _NUMBERS)

# The words of the grammar, and all commands of the standard, which cannot be names.
_GRAMMAR = {"let", "forall", "exists", "match", "par", "as", "!", "_"}
_LITERALS = {"BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING"}
_DECLARING = {"declare-const", "declare-datatype", "declare-datatypes", "declare-fun", "declare-sort"}
_DEFINING = {"define-const", "define-fun", "define-fun-rec", "define-funs-rec", "define-sort"}
_ASKING = {"get-assertions", "get-assignment", "get-info", "get-model", "get-option", "get-proof", "get-value"}
_ASKING |= {"get-unsat-assumptions", "get-unsat-core", "check-sat", "check-sat-assuming", "echo"}
_STEERING = {"assert", "exit", "pop", "push", "reset", "reset-assertions", "set-info", "set-logic", "set-option"}
RESERVED = frozenset(_GRAMMAR | _LITERALS | _DECLARING | _DEFINING | _ASKING | _STEERING)

TAKEN = RESERVED | OPERATORS | SORTS | {"true", "false"}


def quoted(symbol: str) -> str:
    """Return the text of a symbol, between bars if this is necessary."""
    return symbol if _SIMPLE.fullmatch(symbol) and symbol not in RESERVED else f"|{symbol}|"


def symbol_fault(text: str) -> str | None:
    """Return the reason why a text is not a symbol here, or None if it is one.

    The standard allows more, but here only printable characters in the normal form NFC are accepted, so that different
    symbols look different.
    """
    for character in text:
        if character in "|\\" or not character.isprintable():
            return f"the character U+{ord(character):04X} cannot stand in a symbol"
    return None if unicodedata.is_normalized("NFC", text) else "a symbol must be in the Unicode normal form NFC"


def symbol_of(name: str) -> str:
    """Return the symbol of a name; different names have different symbols."""
    if name in TAKEN:
        return _escape(name[0]) + name[1:]
    # Normalisation may join a combining mark with its neighbour, so all characters beyond ASCII are escaped then.
    plain = unicodedata.is_normalized("NFC", name)
    return "".join(c if c not in "%|\\" and c.isprintable() and (plain or c.isascii()) else _escape(c) for c in name)


def name_of(symbol: str) -> str:
    """Return the name of a symbol."""
    return _ESCAPE.sub(_unescape, symbol)


def _escape(character: str) -> str:
    return f"%{ord(character):X};"


def _unescape(match: re.Match[str]) -> str:
    # An escape that `symbol_of` never writes stays unchanged.
    code = int(match[1], 16) if len(match[1]) <= 6 else -1
    return chr(code) if 0 <= code <= 0x10FFFF else match[0]
