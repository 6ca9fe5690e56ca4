"""Repair brackets that do not match, by putting them where they most likely belong, so that the text can be read.

Gold formulas and formulas by models alike have one too many or one too few now and then, mostly at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.logic.fol.lexer import NAMES, QUANTIFIERS, Fault, Token

MOST_CHANGES = 8
"""With more of them there is no telling what was meant."""

_CONNECTIVES = ("∧", "∨", "⊕", "→", "↔")


def balance(tokens: Sequence[Token], end: int) -> tuple[list[Token], list[tuple[int, str]]]:
    """Return the tokens with brackets that match, and each change as (offset, what was done).

    `end` is the text's length. A closing one too many closes a group that begins with the text, behind the quantifiers
    that it begins with; or nothing, where it is the last. One that is missing is added where a connective stands in a
    list of arguments, else at the end. Raises `Fault` where more than `MOST_CHANGES` would be needed.
    """
    last = max((place for place, token in enumerate(tokens) if token.kind not in (")", ".")), default=-1)
    missing = _missing(tokens)
    kept: list[Token] = []
    changes: list[tuple[int, str]] = []
    lists: list[bool] = []  # for each open bracket, whether it holds arguments
    for place, token in enumerate(tokens):
        if len(changes) > MOST_CHANGES:
            raise Fault(token.at, "too many brackets that do not match")
        if token.kind == "(":
            lists.append(bool(kept) and kept[-1].kind in NAMES)
        elif token.kind in _CONNECTIVES and lists and lists[-1] and missing:
            missing -= 1
            lists.pop()
            kept.append(Token(")", ")", token.at))
            changes.append((token.at, "a closing parenthesis added before the connective"))
        elif token.kind == ")" and not lists:
            if place < last:
                kept.insert(_behind_quantifiers(kept), Token("(", "(", kept[0].at if kept else 0))
                changes.append((token.at, "an opening parenthesis added for this one, where the text begins"))
            else:
                changes.append((token.at, "a closing parenthesis too many left out"))
                continue
        elif token.kind == ")":
            lists.pop()
        kept.append(token)
    if lists:
        closing = [Token(")", ")", end)] * len(lists)
        full_stop = len(kept) - (kept[-1].kind == ".")
        kept[full_stop:full_stop] = closing
        changes.append((end, f"closing parentheses added at the end: {len(lists)}"))
    return kept, changes


def _missing(tokens: Sequence[Token]) -> int:
    """Return how many opening brackets are never closed."""
    depth = 0
    for token in tokens:
        depth += token.kind == "("
        depth -= token.kind == ")" and depth > 0
    return depth


def _behind_quantifiers(tokens: Sequence[Token]) -> int:
    kinds = (*QUANTIFIERS, "bound", ",")
    return next((place for place, token in enumerate(tokens) if token.kind not in kinds), len(tokens))
