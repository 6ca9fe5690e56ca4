"""Settle `has(call.note)` in expressions on a tool that has no such argument, while other tools of the rule have it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TypeGuard

from holdtrue.rules.syntax import Constant, Entries, Expression, Ident, Index, Invoke, Items, Select, parts


def asked_for(expression: Expression, root: str) -> Iterator[str]:
    """Yield the names of which an expression asks whether `root` has them."""
    match expression:
        case Invoke("has", (Select(Ident(own), name),), None) if own == root:
            yield name
    for part in parts(expression):
        yield from asked_for(part, root)


def settled(expression: Expression, root: str, lacking: Collection[str]) -> Expression:
    """Return an expression in which `root` has none of the names `lacking`; what then is never reached is left out."""

    def own(part: Expression) -> Expression:
        return settled(part, root, lacking)

    match expression:
        case Invoke("has", (Select(Ident(name), field),), None, place) if name == root and field in lacking:
            return Constant(False, place)
        case Invoke("!", (operand,), None, place):
            inner = own(operand)
            return Constant(not inner.value, place) if _is_flag(inner) else Invoke("!", (inner,), None, place)
        case Invoke("&&" | "||" as sign, args, None, place):
            # In CEL's logic of errors what settles the matter does so on either side.
            found, settles = [own(part) for part in args], sign == "||"
            if any(_is_flag(part) and part.value is settles for part in found):
                return Constant(settles, place)
            left = tuple(part for part in found if not _is_flag(part))
            return left[0] if len(left) == 1 else Invoke(sign, left, None, place) if left else found[0]
        case Invoke("?:", (condition, then, otherwise), None, place):
            inner = own(condition)
            if _is_flag(inner):
                return own(then if inner.value else otherwise)
            return Invoke("?:", (inner, own(then), own(otherwise)), None, place)
        case Invoke(_, args, target):
            if target is not None and any(part == Ident(root) for part in args):
                return expression  # A macro has a variable of this name.
            return replace(expression, args=tuple(map(own, args)), target=None if target is None else own(target))
        case Select(of):
            return replace(expression, of=own(of))
        case Index(of, key):
            return replace(expression, of=own(of), key=own(key))
        case Items(items):
            return replace(expression, items=tuple(map(own, items)))
        case Entries(entries):
            return replace(expression, entries=tuple((own(key), own(value)) for key, value in entries))
    return expression


def _is_flag(expression: Expression) -> TypeGuard[Constant]:
    return isinstance(expression, Constant) and isinstance(expression.value, bool)
