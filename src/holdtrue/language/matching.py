"""The domain's own sentences turned around: from words back to the constraint that they state.

It reads what `Instance.sentence` writes, whatever the case, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from string import Formatter

from holdtrue.domains.domain import Argument, AttributeName, ConstraintType, Entity, Integer, ValueOf
from holdtrue.domains.instance import Constraint, Instance
from holdtrue.language.kept import kept_per_instance
from holdtrue.logic.sorts import EnumSort, IntSort

_INTEGER = r"-?[0-9]{1,15}"
# Bounded, so that a hostile sentence cannot make the search for the wrong names slow.
_ANYTHING = r".{1,60}?"
_LONGEST_SENTENCE = 1000

Patterns = tuple[tuple[ConstraintType, re.Pattern[str]], ...]


def match_sentence(instance: Instance, sentence: str) -> Constraint | None:
    """The constraint that the sentence states in the domain's own wording; None where no wording fits.

    Case, repeated spaces and a final full stop do not matter. Raises `ConstraintError` where the wording fits
    but the type or an argument does not exist in this instance.
    """
    text = " ".join(sentence.split()).removesuffix(".")
    if len(text) > _LONGEST_SENTENCE:
        return None
    # First the names that exist, so that 'Ann and Bo and Cy cannot be simultaneous' finds an event 'Ann and Bo';
    # then any words, so that the error can name the wrong one.
    for kind, pattern in (*_exact_patterns(instance), *_loose_patterns(instance)):
        if found := pattern.fullmatch(text):
            return instance.constraint(
                kind.name, [_argument(instance, kind, found, i) for i in range(len(kind.arguments))]
            )
    return None


def _argument(instance: Instance, kind: ConstraintType, found: re.Match[str], position: int) -> str | int:
    text: str = found[f"a{position}"]
    argument = kind.arguments[position]
    numeric = isinstance(argument, Integer)
    if isinstance(argument, ValueOf):
        attribute = found[f"a{argument.argument}"].casefold()
        numeric = any(
            isinstance(own.sort, IntSort) for name, own in instance.attributes.items() if name.casefold() == attribute
        )
    return int(text) if numeric and re.fullmatch(_INTEGER, text) else text


@kept_per_instance
def _exact_patterns(instance: Instance) -> Patterns:
    return tuple(
        (kind, _pattern(kind.sentence, [_spellings(instance, argument) for argument in kind.arguments]))
        for kind in instance.domain.constraint_types
    )


def _loose_patterns(instance: Instance) -> Patterns:
    return tuple(
        (kind, _loose_pattern(kind.sentence, len(kind.arguments))) for kind in instance.domain.constraint_types
    )


@lru_cache(maxsize=256)
def _loose_pattern(template: str, arguments: int) -> re.Pattern[str]:
    return _pattern(template, [_ANYTHING] * arguments)


def _pattern(template: str, spellings: Sequence[str]) -> re.Pattern[str]:
    """The format string as a pattern: argument number i is group `a<i>`, where it is repeated a back-reference."""
    parts: list[str] = []
    seen: set[int] = set()
    for literal, field, _, _ in Formatter().parse(template):
        parts.append(re.escape(literal).replace("'", "['\u2019]"))
        if field is not None:
            position = int(field) if field else len(seen)
            parts.append(f"(?P=a{position})" if position in seen else f"(?P<a{position}>{spellings[position]})")
            seen.add(position)
    return re.compile("".join(parts), re.IGNORECASE)


def _spellings(instance: Instance, argument: Argument) -> str:
    match argument:
        case Entity():
            return _either(instance.entities)
        case AttributeName():
            return _either(instance.attributes)
        case Integer():
            return _INTEGER
    sorts = [attribute.sort for attribute in instance.attributes.values()]
    labels = _either(label for sort in sorts if isinstance(sort, EnumSort) for label in sort.labels)
    return f"{labels}|{_INTEGER}" if labels else _INTEGER


def _either(names: Iterable[str]) -> str:
    longest_first = sorted({" ".join(name.split()) for name in names}, key=lambda name: (-len(name), name))
    return "|".join(map(re.escape, longest_first))
