"""Tokens to nested lists (S-expressions). Without recursion: text may be nested to any depth, and is refused."""

from __future__ import annotations

from typing import NamedTuple

from holdtrue.logic.smtlib.limits import ReadLimits
from holdtrue.logic.smtlib.source import Source
from holdtrue.logic.smtlib.tokens import Token, tokens


class Group(NamedTuple):
    """A list in parentheses; `at` is the offset of the opening one."""

    items: list[Token | Group]
    at: int


SExpr = Token | Group


def read_sexprs(source: Source, limits: ReadLimits) -> list[SExpr]:
    """Everything that stands at the top level. Raises `SmtLibError`, also where a limit is exceeded."""
    _check_size(source, limits)
    top: list[SExpr] = []
    groups: list[Group] = []
    items = top
    nodes = 0
    for token in tokens(source, limits):
        if token.kind == "close":
            if not groups:
                raise source.fault(token.at, "a closing parenthesis without an opening one")
            groups.pop()
            items = groups[-1].items if groups else top
            continue
        nodes += 1
        if nodes > limits.max_nodes:
            raise source.fault(token.at, f"more than {limits.max_nodes} atoms and lists")
        if token.kind != "open":
            items.append(token)
            continue
        if len(groups) == limits.max_depth:
            raise source.fault(token.at, f"parentheses nested more than {limits.max_depth} deep")
        group = Group([], token.at)
        items.append(group)
        groups.append(group)
        items = group.items
    if groups:
        raise source.fault(groups[0].at, "a parenthesis that is never closed")
    return top


def _check_size(source: Source, limits: ReadLimits) -> None:
    text, limit = source.text, limits.max_bytes
    # Characters are counted first: they are never more than bytes, and encoding a huge text costs its size again.
    if len(text) > limit or len(text.encode("utf-8", "surrogatepass")) > limit:
        raise source.fault(min(len(text), limit), f"the text is longer than {limit} bytes")
