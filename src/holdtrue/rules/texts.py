"""This module defines the operations on texts, and the functions of CEL that apply these operations.

Source of the functions: CEL specification, "List of standard definitions", and its extension `strings`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from holdtrue.extras import need
from holdtrue.logic.formula import Constant
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.paths import shortened
from holdtrue.rules.signatures import Args, Checker, Maker, taking
from holdtrue.rules.symbolic_choice import Valued, text_term
from holdtrue.rules.symbolic_values import TRUE, NotSayable, compared, conj, disj, flag_of, neg
from holdtrue.rules.syntax import Place, RuleError
from holdtrue.rules.types import COUNT, FLAG, TEXT, Name, Type
from holdtrue.rules.unknowns import Unknowns
from holdtrue.rules.values import Fault

LONGEST_PATTERN = 1_000
LONGEST_TEXT = 1_000_000
"""The greatest number of characters of a text that is made from others."""


# Operations on known values


def _text(make: Callable[..., Any]) -> Callable[..., Any]:
    def operate(*args: Any) -> Any:
        if None in args:
            raise Fault("null is no text")
        return make(*args)

    return operate


def _join(left: str, right: str) -> str:
    if len(left) + len(right) > LONGEST_TEXT:
        raise Fault(f"a text has over {LONGEST_TEXT:,} characters")
    return left + right


_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_UPPER = {lower: upper for upper, lower in _LOWER.items()}
_SPACES = "".join(map(chr, (*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029)))
_SPACES += "\u202f\u205f\u3000"
"""The white space of Unicode; `str.strip` would also remove other characters."""


@lru_cache(maxsize=1_000)
def pattern_of(text: str) -> Any:
    """Return the compiled pattern. Raises `re2.error` for a text that is not a pattern."""
    need("matches()", "re2")
    import re2

    options = re2.Options()
    options.log_errors = False
    return re2.compile(text, options)


def check_pattern(text: str, place: Place) -> None:
    """Raise `RuleError` for a text that is too long or not a pattern of RE2."""
    if len(text) > LONGEST_PATTERN:
        raise RuleError(f"a pattern has {LONGEST_PATTERN:,} characters at most, not {len(text):,}", place)
    need("matches()", "re2")
    import re2

    try:
        pattern_of(text)
    except re2.error as error:
        why = error.args[0] if error.args else "it cannot be read"
        why = why.decode(errors="replace") if isinstance(why, bytes) else why
        raise RuleError(f"{shortened(text)} is no pattern of RE2, which matches() takes: {why}", place) from error


# Operations on symbolic values


def _text_test(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return a test of one unknown text: computed for each text that is known to the question, and open for others."""
    if sum(not isinstance(own, str) for own in args) != 1:
        raise NotSayable(f"{node.operation.name.replace('_', ' ')} of two texts that were not seen")
    place = next(place for place, own in enumerate(args) if not isinstance(own, str))
    term = text_term(unknowns, args[place])
    for own in args:
        if isinstance(own, str):
            unknowns.code(own)  # The unknown text may equal the known one, and the test is mostly true then.
    unknowns.left_open.append(f"{node.operation.name.replace('_', ' ')} of a text that nobody has written")
    name = f"{node.operation}({', '.join(map(_named, args))})"
    other, unknowns.paths[name] = unknowns.boolean(name, None), ""
    yes, named = [], []
    for own in list(unknowns.codes):
        equal = compared("==", term, Constant(unknowns.code(own)))
        named.append(equal)
        if node.operation.values(*(own if at == place else arg for at, arg in enumerate(args))):
            yes.append(equal)
    return flag_of(disj((*yes, conj((*map(neg, named), other))))), TRUE


def _made_of_text(type: Type) -> Callable[..., Valued]:
    """Return an operation with a variable as its symbolic result; equal operand terms get the same variable."""

    def make(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
        name = f"{node.operation}({', '.join(map(_named, args))})"
        first = next(own.term.name for own in args if not isinstance(own, str))
        unknowns.left_open.append(f"{node.operation.name.replace('_', ' ')} of a text that was not seen")
        found = unknowns.of_type(type, name, unknowns.facts[first])
        unknowns.paths[name] = unknowns.paths[first]
        return found, TRUE

    return make


def _named(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value.term)


JOIN = t.Operation("join", _text(_join), _made_of_text(TEXT))
TEXT_LESS = t.Operation("text_less", _text(lambda left, right: left < right), _text_test)
TEXT_AT_MOST = t.Operation("text_at_most", _text(lambda left, right: left <= right), _text_test)
TEXT_SIZE = t.Operation("text_size", _text(len), _made_of_text(COUNT))
STARTS_WITH = t.Operation("starts_with", _text(str.startswith), _text_test)
ENDS_WITH = t.Operation("ends_with", _text(str.endswith), _text_test)
CONTAINS = t.Operation("contains", _text(lambda text, part: part in text), _text_test)
MATCHES = t.Operation("matches", _text(lambda text, pattern: pattern_of(pattern).search(text) is not None), _text_test)
LOWER = t.Operation("lower", _text(lambda text: text.translate(_LOWER)), _made_of_text(TEXT))
UPPER = t.Operation("upper", _text(lambda text: text.translate(_UPPER)), _made_of_text(TEXT))
TRIM = t.Operation("trim", _text(lambda text: text.strip(_SPACES)), _made_of_text(TEXT))


# Functions


def _function(name: str, operation: t.Operation, type: Type, count: int = 2) -> Maker:
    return taking(name, "texts", Name, lambda args, _, place: t.Apply(operation, args, type, place=place), count)


def _matches(checker: Checker, args: Args, place: Place) -> t.Node:
    found = _function("matches", MATCHES, FLAG)(checker, args, place)
    pattern = args[1]
    if not isinstance(pattern, t.Given) or not isinstance(pattern.value, str):
        raise RuleError("the pattern of matches() is written as a text in the rule itself", pattern.place)
    check_pattern(pattern.value, pattern.place)
    return found


METHODS: Mapping[str, Maker] = {
    "startsWith": _function("startsWith", STARTS_WITH, FLAG),
    "endsWith": _function("endsWith", ENDS_WITH, FLAG),
    "contains": _function("contains", CONTAINS, FLAG),
    "matches": _matches,
    "lowerAscii": _function("lowerAscii", LOWER, TEXT, 1),
    "upperAscii": _function("upperAscii", UPPER, TEXT, 1),
    "trim": _function("trim", TRIM, TEXT, 1),
}
