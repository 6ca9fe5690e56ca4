"""Facts and rules in the notation of a rule engine: `Red($x, True) && !Big($x, True) >>> Likes($x, bald eagle)`.

A last argument `True` or `False` says whether it holds; `!`, `~`, `¬` and `Not(...)` deny as well. Names may be of
several words; `$x` is any thing.
"""

from __future__ import annotations

import re

from holdtrue_claims.fol.syntax import And, Bound, Constant, Holds, Implies, Not, Or, Sentence, Term

DEEPEST = 15
"""Parentheses and negations within each other."""

_TOKEN = re.compile(r"\s*(>>>|<<<|&&|\|\||[!~¬(),=]|\$\w+|[^\W_][\w'-]*(?:[ \t]+[\w'-]+)*)")
_TRUTHS = {"true": True, "false": False}
_DENIED = ("!", "~", "¬")


class NoRule(Exception):
    """Text that is no fact and no rule, from `position` on."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def read_rule(text: str) -> Sentence:
    """The sentence of a fact, a rule or a query, with its variables free; raises `NoRule`."""
    reader = _Reader(text)
    sentence = reader.disjunction(0)
    if reader.took(">>>"):
        sentence = Implies(sentence, reader.disjunction(0))
    elif reader.took("<<<"):
        sentence = Implies(reader.disjunction(0), sentence)
    reader.expect("")
    return sentence


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, int]] = []
        self.place = 0
        position, end = 0, len(text.rstrip())
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                raise NoRule(f"{text[position:].strip()[:20]!r} is no part of a rule", position)
            self.tokens.append((match[1], match.start(1)))
            position = match.end()
        self.tokens.append(("", end))

    @property
    def next(self) -> str:
        return self.tokens[self.place][0]

    def fault(self, message: str) -> NoRule:
        return NoRule(f"{message}, not {self.next!r}", self.tokens[self.place][1])

    def took(self, *texts: str) -> bool:
        found = self.next in texts
        self.place += found
        return found

    def expect(self, text: str) -> None:
        if self.next != text:
            raise self.fault(f"{text!r} is needed" if text else "it should end here")
        self.place += text != ""

    def disjunction(self, depth: int) -> Sentence:
        parts = [self.conjunction(depth)]
        while self.took("||"):
            parts.append(self.conjunction(depth))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def conjunction(self, depth: int) -> Sentence:
        parts = [self.literal(depth)]
        while self.took("&&"):
            parts.append(self.literal(depth))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def literal(self, depth: int) -> Sentence:
        if depth > DEEPEST:
            raise self.fault(f"nothing may be nested deeper than {DEEPEST}")
        if self.took(*_DENIED):
            return Not(self.literal(depth + 1))
        if self.took("("):
            inner = self.disjunction(depth + 1)
            self.expect(")")
            return inner
        name = self.name("the name of a predicate")
        self.expect("(")
        sentence = self.denied(depth) if name.lower() == "not" else self.fact(name)
        if self.took("="):
            return sentence if self.truth() else Not(sentence)
        return sentence

    def denied(self, depth: int) -> Sentence:
        """What is in `Not(...)`; its last argument may be a truth value, as if `Not` were a predicate."""
        inner = self.disjunction(depth + 1)
        truth = self.truth() if self.took(",") else True
        self.expect(")")
        return Not(inner) if truth else inner

    def fact(self, predicate: str) -> Sentence:
        args: list[Term] = []
        truth = True
        while True:
            if self.next.lower() in _TRUTHS:
                truth = self.truth()
                break
            args.append(Bound(self.variable()) if self.next.startswith("$") else Constant(self.name("a name")))
            if not self.took(","):
                break
        self.expect(")")
        fact = Holds(predicate, tuple(args))
        return fact if truth else Not(fact)

    def variable(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1][0][1:]

    def name(self, what: str) -> str:
        name = self.next
        # `bool` is how a declaration says that a truth value comes here; as a name it says nothing.
        if not name or not name[0].isalnum() or name.lower() in (*_TRUTHS, "bool", "unknown"):
            raise self.fault(f"{what} is needed")
        self.place += 1
        return " ".join(name.split())

    def truth(self) -> bool:
        truth = _TRUTHS.get(self.next.lower())
        if truth is None:
            raise self.fault("True or False is needed")
        self.place += 1
        return truth
