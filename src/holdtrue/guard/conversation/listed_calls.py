"""Tell by code whether a text lists just a call: which of its items are about the call, and what they say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from holdtrue.guard.conversation.mentions import is_choice, is_chosen, leaves, left_out, names_another
from holdtrue.guard.conversation.said import Said, clauses
from holdtrue.guard.policy_parts import Tool
from holdtrue.language.requests.word_values import word_tokens
from holdtrue.language.yes_words import denies, leaves_out
from holdtrue.rules.types import Flag, Name

_ITEM = re.compile(r"(?:(?<=[^\d\s][.!?])|(?<=\d{3}[.!?]))\s+|\n+|;\s")
"""What stands between two items: a day with a dot ends none, as in `8. Dezember`."""
_BLOCK = re.compile(r"\n\s*\n")
_FIELD = re.compile(r"\s*[^\W\d][\w .-]{0,40}:\s")
_LISTED = re.compile(r"\s*(?:[-*\u2022]|\(?[\da-zA-Z][.)])\s")
_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}(?:[./-](?:\d{4}|\d\d))?|\d{4}-\d\d-\d\d")
_ID = re.compile(r"(?=\S*\d)(?=\S*[A-Z#_/-])\S+")


def lists_just(said: Said, tool: Tool, call: Mapping[str, Any], known: frozenset[str]) -> bool:
    """Return whether code finds a call in a text, and nothing else in the place of any of it, and no denial.

    That is what a model's reading of a text as the listing of a call has to stand. Of several items of a list those
    that are about other things are left aside. Ids that are `known` need not stand there again.
    """
    if said.is_cut:
        return False
    parts = (said.part(own) for own in _parts(said.text, tool, call))
    return any(_is_just(own, tool, call, known) and not _is_crossed(said, own, tool, call) for own in parts)


def _is_crossed(said: Said, part: Said, tool: Tool, call: Mapping[str, Any]) -> bool:
    """Return whether a choice of a call stands in a text in its own letters, and only with what is about other things.

    A choice in other words is the reader's to find, but not where the words for it are said of another call.
    """
    choices = [own for own in leaves(call, tool.arguments, "") if is_choice(own[3])]
    return any(
        said.mentions(name, value, type) and not part.mentions(name, value, type) for _, name, value, type in choices
    )


def _is_just(said: Said, tool: Tool, call: Mapping[str, Any], known: frozenset[str]) -> bool:
    if left_out(said, tool, call, known):
        return False
    said = _from_first_value(said, tool, call)
    values = [(value, type) for _, _, value, type in leaves(call, tool.arguments, "")]
    rest = said.text.casefold()
    for value, type in values:
        # A reason such as 'no longer needed' denies nothing, and a street's name is no choice.
        rest = rest.replace(value.casefold(), " ") if isinstance(type, Name) and value else rest
    # A flag that is false and a choice such as 'none' are told by a denial, and what is left out by one for without.
    false = sum(value is False or (is_chosen(type) and denies(str(value))) for value, type in values)
    denied = [own for own in clauses(rest) if denies(own)]
    parts, left = sum(map(leaves_out, denied)), len(tool.arguments.fields) - len(call)
    is_denied = len(denied) - parts > false or len(denied) > false + left
    return not is_denied and not names_another(said, rest, tool, call)


def _from_first_value(said: Said, tool: Tool, call: Mapping[str, Any]) -> Said:
    """Return a text from its first item that has a value of a call, with its heading.

    What stands before it is about other things.
    """
    values = [own for own in leaves(call, tool.arguments, "") if not isinstance(own[3], Flag)]
    items = list(_items(said.text))
    about = (
        place
        for place, own in enumerate(items)
        if any(said.part(own).mentions(name, value, type) for _, name, value, type in values)
    )
    first = next(about, 0)
    while first and items[first - 1].rstrip().endswith(":"):
        first -= 1
    return said.part("\n".join(items[first:]))


def _parts(text: str, tool: Tool, call: Mapping[str, Any]) -> Iterator[str]:
    """Yield the parts of a text that may list a call: each of its items with the call's ids by itself, and all of them.

    Items that name other ids alone are about other things; those without ids are of each part.
    """
    texts = [str(own) for _, _, own, type in leaves(call, tool.arguments, "") if isinstance(type, Name)]
    called = {token for own in texts for token in word_tokens(own)}
    items = [(own, _ids(own)) for own in _items(text)]
    kept = [(own, bool(ids & called)) for own, ids in items if ids <= called or ids & called]
    yield "\n".join(own for own, _ in kept)
    if sum(is_own for _, is_own in kept) > 1:
        for place, (_, is_own) in enumerate(kept):
            if is_own:
                yield "\n".join(own for at, (own, other) in enumerate(kept) if at == place or not other)


def _items(text: str) -> Iterator[str]:
    """Yield the items of a text: those of a list, and blocks of fields, as they are, and the sentences of all else."""
    for block in _BLOCK.split(text):
        lines = block.splitlines()
        if sum(_FIELD.match(own) is not None for own in lines) > 1:
            yield block
            continue
        for line in lines:
            yield from (line,) if _LISTED.match(line) else _ITEM.split(line)


def _ids(text: str) -> set[str]:
    return {own for own in word_tokens(text) if _ID.fullmatch(own) and not _DATE.fullmatch(own)}
