"""The near variants of a sentence: formulas that a reader with one error could write.

Each differs from the sentence in one place and has a meaning in the vocabulary. A solver still has to decide which of
them are equivalent to the sentence. Trivial ones, such as `1 < 2` for `2 > 1`, are removed here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, get_args

from holdtrue.errors import FormulaError
from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import Instant
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol import variant_rules
from holdtrue_claims.fol.canonical import Key, tree_key
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.syntax import edited, replaced
from holdtrue_claims.fol.vocabulary import Vocabulary

Difference = Literal[
    "direction",
    "argument_order",
    "converse",
    "cardinality",
    "negation",
    "quantifier",
    "and_or",
    "number",
    "unit",
    "other_argument",
    "part",
]
"""The kinds of difference, the likeliest errors first."""
DIFFERENCES: tuple[Difference, ...] = get_args(Difference)
_MOST = 60
"""The largest number of sentences of a kind that are examined."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A `Variant` is a sentence that differs from another one in one place, with the kind of that difference."""

    kind: Difference
    sentence: fol.Sentence


@dataclass(frozen=True, slots=True)
class Mentions:
    """`Mentions` are the written values and the names of a vocabulary in a text. They make variants likely."""

    numbers: tuple[fol.Number | Instant, ...] = ()
    names: frozenset[str] = frozenset()


def variants(sentence: fol.Sentence, vocabulary: Vocabulary, mentions: Mentions | None = None) -> tuple[Variant, ...]:
    """Return the near variants. The kinds take turns, and within a kind the variants that fit the text best come first.

    No variant has the tree of the sentence or of another variant, and each has a meaning in the vocabulary. The result
    is deterministic. Raises `FormulaError` for a sentence without a meaning.
    """
    said = state(sentence, vocabulary).sentence
    mentions = mentions or Mentions()
    seen = {tree_key(said)}
    groups = {kind: _group(kind, said, vocabulary, mentions, seen) for kind in DIFFERENCES}
    own = _unmentioned(said, mentions, said)
    # A kind whose variant mentions more of the text than the sentence itself comes first.
    first = sorted(
        groups,
        key=lambda kind: (
            kind == "part" or not groups[kind] or _unmentioned(groups[kind][0].sentence, mentions, said) >= own
        ),
    )
    return tuple(_in_turn(groups[kind] for kind in first))


def choose_variants(
    found: Iterable[Variant], most: int, differs: Callable[[fol.Sentence], bool]
) -> tuple[Variant, ...]:
    """Return the first `most` variants that are known to mean something else."""
    return tuple(islice((each for each in found if differs(each.sentence)), most))


def _group(
    kind: Difference,
    said: fol.Sentence,
    vocabulary: Vocabulary,
    mentions: Mentions,
    seen: set[Key],
) -> list[Variant]:
    found: list[fol.Sentence] = []
    for sentence in islice(_made(kind, said, vocabulary, mentions), _MOST):
        try:
            meant = state(sentence, vocabulary).sentence
            key = tree_key(meant)
        except FormulaError:
            continue
        if key not in seen and not any(_is_odd(node) for node in fol.walk(meant)):
            seen.add(key)
            found.append(meant)
    return [Variant(kind, sentence) for sentence in sorted(found, key=lambda own: _unmentioned(own, mentions, said))]


def _made(
    kind: Difference, sentence: fol.Sentence, vocabulary: Vocabulary, mentions: Mentions
) -> Iterator[fol.Sentence]:
    rules = {
        "direction": variant_rules.turn_comparison,
        "argument_order": variant_rules.swap_arguments,
        "converse": variant_rules.turn_condition,
        "cardinality": variant_rules.change_cardinality(mentions.numbers),
        "negation": variant_rules.change_negation,
        "quantifier": variant_rules.change_quantifier,
        "and_or": variant_rules.change_connective,
        "number": variant_rules.change_number(mentions.numbers),
        "unit": variant_rules.change_unit,
        "other_argument": variant_rules.change_name(vocabulary),
        "part": variant_rules.leave_out,
    }
    yield from edited(sentence, rules[kind])
    if kind == "argument_order":
        yield from (replaced(sentence, pair) for pair in variant_rules.swap_things(sentence))
    if kind == "negation" and not isinstance(sentence, fol.Not | fol.Holds):
        yield fol.Not(sentence)


def _in_turn(groups: Iterable[Sequence[Variant]]) -> Iterator[Variant]:
    """Yield the first variant of every kind, then the second of every kind, and so on."""
    waiting = [list(group) for group in groups if group]
    for place in range(max(map(len, waiting), default=0)):
        yield from (group[place] for group in waiting if place < len(group))


def _unmentioned(sentence: fol.Sentence, mentions: Mentions, said: fol.Sentence) -> int:
    """Return how many names and numbers differ between sentence and text, plus the number of repeated arguments."""
    missing = len((_things(said) & mentions.names) - _things(sentence))
    for node in fol.walk(sentence):
        own = fol.parts(node) if isinstance(node, fol.Holds | fol.Apply | fol.Compare) else ()
        missing += len(own) - len(set(own))
        match node:
            case fol.Constant(name) | fol.Holds(name) | fol.Apply(name):
                missing += name not in mentions.names
            case fol.Number() | Instant():
                missing += not _is_mentioned(node, mentions.numbers)
    return missing


def _things(sentence: fol.Sentence) -> set[str]:
    return {node.name for node in fol.walk(sentence) if isinstance(node, fol.Constant)}


def _is_odd(node: fol.Sentence | fol.Term) -> bool:
    """Return whether nobody would write this: a double negation, or a part joined to itself."""
    if isinstance(node, fol.And | fol.Or):
        return len(set(node.operands)) < len(node.operands)
    return isinstance(node, fol.Not) and isinstance(node.operand, fol.Not)


def _is_mentioned(value: fol.Number | Instant, numbers: Collection[fol.Number | Instant]) -> bool:
    if value in numbers or not isinstance(value, fol.Number):
        return value in numbers
    return any(
        isinstance(other, fol.Number)
        and (
            (
                other.unit.dimension == value.unit.dimension
                and other.value * other.unit.factor == value.value * value.unit.factor
            )
            or (other.unit == ONE and other.value == value.value)
        )
        for other in numbers
    )
