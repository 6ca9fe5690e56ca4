"""Read the temporal conditions of Dogwood into nodes, which are names with their parts.

    ("and", ...), ("not", node), ("since", left, window, right), ("formerly", window, node), ("exists", name, node)
    ("event", action, kind, {path: term}), ("tp", name), ("==", term, term) and other comparisons
    ("count", summed name or "", names, node), ("constant", value), ("path", name, ...), ("any",)

Source: Dogwood guide, "A formal specification of Dogwood", 2.4, and its macros (github.com/dogwood-policy/dogwood).
"""

from __future__ import annotations

import re
from typing import Any

from holdtrue.guard.imported.foreign_statements import NotCarried

Node = tuple[Any, ...]
_TOKEN = re.compile(r'\s+|//[^\n]*|("(?:\\.|[^"\\])*"|\d+[smhd]\b|-?\d+|\w+|::|&&|[<>=!]=|.)', re.DOTALL)
COMPARED = ("==", "!=", "<=", ">=", "<", ">")


def read_temporal(text: str) -> Node:
    """Return the condition of a temporal block. Raises `NotCarried` for a form that is not read."""
    reader = _Reader(text)
    found = reader.condition()
    reader.take("")
    return found


def flat(node: Node) -> list[Node]:
    """Return the parts of a conjunction."""
    return [part for own in node[1:] for part in flat(own)] if node[0] == "and" else [node]


class _Reader:
    """A reader by recursive descent."""

    def __init__(self, text: str) -> None:
        self._tokens = [*(own[1] for own in _TOKEN.finditer(text) if own[1]), ""]

    def take(self, *wanted: str) -> str:
        """Return the next token, which has to be one of those that are wanted."""
        if wanted and self._tokens[0] not in wanted:
            raise NotCarried(
                f"a temporal condition has {self._tokens[0]!r} in place of {' or '.join(wanted) or 'its end'}"
            )
        return self._tokens.pop(0) if self._tokens[0] else ""

    def _skip(self, token: str) -> bool:
        return self._tokens[0] == token and bool(self.take())

    def condition(self) -> Node:
        found = [self._conjunct()]
        while self._skip("&&"):
            found.append(self._conjunct())
        return ("and", *found) if len(found) > 1 else found[0]

    def _conjunct(self) -> Node:
        denied = 0
        while self._skip("!"):
            denied += 1
        found = ("not", self._atom()) if denied % 2 else self._atom()
        return ("since", found, self._window(), self._atom()) if self._skip("since") else found

    def _window(self) -> str:
        self.take("within")
        return self._interval()

    def _interval(self) -> str:
        own = re.fullmatch(r"(\d+)([smhd])", self.take())
        if own is None:
            raise NotCarried("a temporal condition has no window of time where one is meant")
        return f"{24 * int(own[1])}h" if own[2] == "d" else own[0]

    def _atom(self) -> Node:
        if self._skip("formerly"):
            return ("formerly", self._window(), self._atom())
        if self._skip("exists"):
            return ("exists", self._binder(), self.condition() if self.take(".") else ())
        left = self._simple()
        return (self.take(), left, self._simple()) if self._tokens[0] in COMPARED else left

    def _simple(self) -> Node:
        if not self._skip("("):
            return self._term()
        found = self.condition()
        self.take(")")
        return found

    def _binder(self) -> str:
        self.take("(")
        name = self.take()
        while self.take() not in (")", ""):
            pass
        return name

    def _term(self) -> Node:
        token = self.take()
        if token in ("count", "sum"):
            return self._count(self.take() if token == "sum" else "")
        if token in ("_", "*"):
            return ("any",)
        if token[:1] == '"':
            return ("constant", re.sub(r"\\(.)", r"\1", token[1:-1]))
        if re.fullmatch(r"-?\d+|true|false", token):
            return ("constant", token == "true" if token in ("true", "false") else int(token))
        if self._skip("("):
            return self._macro(token)
        if self._skip("::"):
            return self._event()
        path = [token]
        while self._skip("."):
            path.append(self.take())
        return ("path", *path)

    def _count(self, summed: str) -> Node:
        self.take("for")
        names = [self._binder()]
        while self._skip(","):
            names.append(self._binder())
        self.take(".")
        self.take("where")
        return ("count", summed, frozenset(names), self.condition())

    def _event(self) -> Node:
        names, fields = [self.take()], dict[tuple[str, ...], Node]()
        while self._skip("::"):
            names.append(self.take())
        if len(names) < 2 or names[-2][:1] != '"':
            raise NotCarried("a temporal condition names an entity")
        while self._skip("{"):
            while not self._skip("}"):
                path = [self.take()]
                while self._skip("."):
                    path.append(self.take())
                self.take(":")
                fields[tuple(path)] = self._term()
                self._skip(",")
        return ("event", names[-2].strip('"'), names[-1], fields)

    def _macro(self, name: str) -> Node:
        """Read the call of `tp`, or of a macro that Dogwood defines itself, as the condition that it stands for."""
        if name not in ("tp", "bind", "count_within", "sum_within"):
            raise NotCarried(f"a temporal condition calls the macro {name}()")
        own = [] if name == "count_within" else [self.take()]
        found: Node = ("tp", *own)
        if name == "bind":
            self.take(",")
            value = self._simple()
            self.take(",")
            found = ("exists", own[0], ("and", ("==", value, ("path", own[0])), self.condition()))
        elif name != "tp":
            self._skip(",")
            window = self._interval()
            self.take(",")
            body = ("formerly", window, ("and", self.condition(), ("tp", "$t")))
            found = ("count", own[0] if own else "", frozenset(("$t", *own)), body)
        self.take(")")
        return found
