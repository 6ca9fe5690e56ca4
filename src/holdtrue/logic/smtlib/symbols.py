"""Names as SMT-LIB symbols, and back.

`abc` and `|abc|` are the same symbol. A name of a theory may hold what no symbol can (`|`, a backslash, control
characters) or be a word that SMT-LIB needs for itself; such characters are written `%7C;`, their code point in
hexadecimal, and so is every `%`, so that no two names get the same symbol.
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

# The words of the grammar, and every command that the standard has: none of them can name anything.
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
    """The symbol as it is written: between bars where it has to be."""
    return symbol if _SIMPLE.fullmatch(symbol) and symbol not in RESERVED else f"|{symbol}|"


def symbol_fault(text: str) -> str | None:
    """Return what keeps `text` from being a symbol of ours, or None if nothing does.

    Narrower than the standard: letters look the same in several Unicode forms and controls do not show at all,
    so only NFC and printable characters will do.
    """
    for character in text:
        if character in "|\\" or not character.isprintable():
            return f"the character U+{ord(character):04X} cannot stand in a symbol"
    return None if unicodedata.is_normalized("NFC", text) else "a symbol must be in the Unicode normal form NFC"


def symbol_of(name: str) -> str:
    """The symbol that stands for a name; different names have different symbols."""
    if name in TAKEN:
        return _escape(name[0]) + name[1:]
    # A combining mark may change its neighbour when normalised: then everything beyond ASCII is written out.
    plain = unicodedata.is_normalized("NFC", name)
    return "".join(c if c not in "%|\\" and c.isprintable() and (plain or c.isascii()) else _escape(c) for c in name)


def name_of(symbol: str) -> str:
    """The name that a symbol stands for."""
    return _ESCAPE.sub(_unescape, symbol)


def _escape(character: str) -> str:
    return f"%{ord(character):X};"


def _unescape(match: re.Match[str]) -> str:
    # What no name was escaped to stays as it is.
    code = int(match[1], 16) if len(match[1]) <= 6 else -1
    return chr(code) if 0 <= code <= 0x10FFFF else match[0]
