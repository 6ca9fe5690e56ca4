"""Read and write paths, which name parts of types in messages and policies, and suggest names for unknown ones.

call.passengers[].dob         a field of each item of a list
profile.payment_methods{}     each value of a map
user['first name']            a field whose name is no identifier
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice

from holdtrue.rules.syntax import DEEPEST, RuleError

ITEM, VALUE = "[]", "{}"
"""The steps to the items of a list and to the values of a map. The step to a field is a dot and its name."""

_LONGEST = 60
_STEP = re.compile(
    r"""(?P<dot>\.?)(?P<name>[^\s.\[\]{}'"]+)|(?P<inner>\[\]|\{\})|\[(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\]""",
    re.DOTALL,
)


def below(path: str, name: str) -> str:
    """Return the path of a field, given the path of its record, which is "" for the whole type."""
    if name.isascii() and name.isidentifier() and len(name) <= _LONGEST:
        return f"{path}.{name}" if path else name
    return f"{path}[{shortened(name)}]"


def written(steps: Iterable[str]) -> str:
    """Return the path with these steps; the inverse of `read_path`, unless a long name is cut."""
    path = ""
    for step in steps:
        path = below(path, step[1:]) if step.startswith(".") else path + step
    return path


def read_path(text: str) -> tuple[str, ...]:
    """Return the steps of a path: `.` and a name for a field, `[]` or `{}`. Raises `RuleError` for a wrong path."""
    steps: list[str] = []
    place = 0
    while place < len(text):
        match = _STEP.match(text, place)
        if match is None or (match["name"] is not None and bool(match["dot"]) is (place == 0)):
            raise RuleError(
                f"{shortened(text)} is no path, from {shortened(text[place:])} on; "
                "write payment_methods[].amount, prices{}.total or user['first name']"
            )
        name = match["name"] if match["quoted"] is None else _unquoted(match["quoted"], text)
        steps.append(match["inner"] or f".{name}")
        place = match.end()
    if len(steps) > DEEPEST:
        raise RuleError(f"{shortened(text)} is a path of over {DEEPEST} steps")
    return tuple(steps)


def _unquoted(quoted: str, text: str) -> str:
    try:
        return str(literal_eval(quoted))
    except (ValueError, SyntaxError) as error:
        raise RuleError(f"{shortened(text)} is no path: {shortened(quoted)} is no text") from error


def check_text(text: str, where: str) -> None:
    """Raise `RuleError` for a text with a lone surrogate, which no file can hold."""
    if not text.isascii() and re.search("[\ud800-\udfff]", text):
        raise RuleError(f"{where}: there is half a character in {shortened(text)}")


def printable(text: str) -> str:
    """Return a text on one line, with line ends, control characters and direction marks escaped."""
    if text.isprintable():
        return text
    return "".join(own if own.isprintable() else own.encode("unicode_escape").decode() for own in text)


def shortened(value: object) -> str:
    """Return a value for messages: a text in quotes and cut, and a list or mapping only by its type."""
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST else value[: _LONGEST - 3] + "...")
    if isinstance(value, int) and value.bit_length() > 200:
        return "a huge number"
    return repr(value) if value is None or isinstance(value, bool | int | float) else f"a {type(value).__name__}"


def nearest_name(name: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """Return the known name that is most similar, or None; only the first 1,000 names are compared."""
    if len(name) > 2 * _LONGEST:
        return None
    folded = {own.casefold(): own for own in islice(known, 1000) if len(own) <= 2 * _LONGEST}
    found = get_close_matches(name.casefold(), folded, 1, likeness)
    return folded[found[0]] if found else None


def instead(name: str, known: Iterable[str], have: str = "there is") -> str:
    """Return a hint for an unknown name: the most similar known name, or a list of the known names."""
    names = tuple(known)
    near = nearest_name(name, names)
    if near is not None:
        return f"did you mean {shortened(near)}?"
    listed = [own if own.isidentifier() and len(own) <= _LONGEST else shortened(own) for own in names[:10]]
    return f"{have} {some_of(listed, 10, len(names)) or 'nothing'}"


def some_of(names: Sequence[str], most: int, count: int | None = None) -> str:
    """Return a list of names, cut to `most`: `a, b and 3 more`. `count` is the full number, if names are missing."""
    more = (len(names) if count is None else count) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
