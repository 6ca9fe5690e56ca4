"""Split a sentence into the things that it states, each in words that can be read alone.

'Neither Ann nor Bob may sit next to Cy, and she has seat 2' states three things. A reader that takes one thing at a
time then reads each of them as well as a sentence of one statement.

A sentence is cut at its commas and its 'and's. Each part must state one thing and use everything that it names, and the
cut with the most such parts wins. Words that a part leaves out come from the parts before it. A sentence without such a
cut stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from holdtrue.errors import ConstraintError
from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.coordination import denies, names_in, speaks_of_some, topic_of, without_asides
from holdtrue.language.english_patterns import CARDINALS, NAME, english
from holdtrue.language.grounding import mentions
from holdtrue.language.implied_words import tells_something
from holdtrue.language.masked_text import is_plain_reason
from holdtrue.language.matching import match_sentence, match_wording
from holdtrue.language.names import Hidden, cached_per_instance, names_of, with_edits
from holdtrue.language.part_search import Part, PartSearch
from holdtrue.language.reading import Reading
from holdtrue.language.references import Context, Statement
from holdtrue.language.residual_content import doubtful, tell_left, why_left, words_holding_back
from holdtrue.world.instance import Constraint, Instance

UNREAD_PART = "unread_part"
"""The code of a reading that reports a part of its sentence in which nothing was read."""

_DEMANDS = english("sentence_parts.demands")
_REFERS = re.compile(r"\b(?:he|she|it|they|both|neither|everyone|the (?:former|latter|others?))\b", re.IGNORECASE)


def not_sure_of(reading: Reading, guessed: Sequence[str]) -> Reading:
    """Return a reading, made doubtful if its constraint has one of the `guessed` names."""
    unsure = [name for name in guessed if reading.constraint is not None and name in reading.constraint.args]
    if not unsure or reading.status != "accepted":
        return reading
    return doubtful(reading, f"whether {' and '.join(unsure)} is meant is not sure")


def hold_together(
    instance: Instance,
    sentence: str,
    readings: Sequence[Reading],
    dropped: Sequence[str],
    reasons: Sequence[str] = (),
) -> list[Reading]:
    """Return the readings of a split sentence, made doubtful if words next to them may qualify all of them.

    In 'Bob thinks that Ann has seat 2 and Cy has seat 3' the opinion covers both statements. So a statement that was
    held back, and words in the `dropped` parts, may qualify the others. The `reasons` of a statement qualify nothing.

    A dropped part that demands something gets a rejected reading, so that no caller believes that it was read.
    """
    unread = [
        Reading(sentence, "rejected", None, 0.0, f'nothing was read in "{part}"', UNREAD_PART, unread=part)
        for part in map(str.strip, (*dropped, *reasons))
        if may_state_something(instance, part)
    ]
    return [*_held_together(instance, readings, dropped), *unread]


def unread_part(reading: Reading) -> str:
    """Return the words in which a rejected reading found nothing: a part of its sentence, or all of it."""
    return reading.unread or reading.sentence


def may_state_something(instance: Instance, part: str) -> bool:
    """Return whether a part may state a constraint.

    It may if it demands something of somebody, or names an entity with a value, a number or another entity.
    """
    found = mentions(instance, part)
    if (found.entities and (found.values or found.numbers)) or len(found.entities) > 1:
        return True
    return bool(_DEMANDS.search(part) and (found.entities or found.values or _REFERS.search(part)))


def _held_together(instance: Instance, readings: Sequence[Reading], dropped: Sequence[str]) -> list[Reading]:
    stated = [one.constraint for one in readings if one.constraint is not None and one.status != "rejected"]
    # Nothing holds back a constraint that is also stated plainly: 'he begged for Blue, so Blue it is'.
    plain = [one.constraint for one in readings if not one.held_back and one.constraint is not None]
    if left := words_holding_back(instance, ", ".join(dropped), stated):
        reason, why = f"{tell_left(left)}, which may hold for all that the sentence states", why_left(left)
    elif any(one.held_back and one.constraint not in plain for one in readings):
        reason, why = "another part of the sentence is no plain statement", None
    else:
        return list(readings)
    return [doubtful(one, reason, why) if one.status == "accepted" else one for one in readings]


_MOST_PIECES = 10
_LONGEST = 400
_CUT = english("sentence_parts.cut")
_OPEN = english("sentence_parts.open")
_ENDS_IN_NUMBER = re.compile(rf"\b(?:\d{{1,9}}|{'|'.join(CARDINALS)})\s*$", re.IGNORECASE)
_NUMBER_ALONE = english("sentence_parts.number_alone")
_DENIED_FIRST = re.compile(r"^\W*(?:please |kindly )?(?:do not|don't|don\u2019t|never|no)\b", re.IGNORECASE)
_HEADING = re.compile(r"^[^:\ua000\ua001\d]{3,60}:\s+")
_BARE = re.compile(rf"(?:{NAME}|\d|\W|and|at|in|is|the)+", re.IGNORECASE)
_ASKS = english("sentence_parts.asks")
_ANSWERS = english("sentence_parts.answers")
_REASONED = re.compile(r"^\W*(?:and )?(?:so|hence|therefore|thus|consequently)\b", re.IGNORECASE)
_BECAUSE = re.compile(r"^\W*(?:because|since|'?cause|cos)\b", re.IGNORECASE)
_ONLY_TOPIC = english("sentence_parts.only_topic")
_BETWEEN_ONE = re.compile(r"\bbetween (?:the |our |my )?(?:\S+ )?\S+$", re.IGNORECASE)
_JOINER = re.compile(r"^\W*(?:so|and|but|then|because|since|as|while|whereas)\b[\s,]*", re.IGNORECASE)
_LETTERS = "\ua000\ua001"


@dataclass(frozen=True, slots=True)
class Split:
    """A `Split` is a sentence cut into statements.

    `dropped` are the parts that state nothing, without the `reasons` of statements. `context` holds the names and
    statements to which the next sentence may refer.
    """

    statements: tuple[Statement, ...]
    dropped: tuple[str, ...]
    context: Context
    reasons: tuple[str, ...] = ()


def _without_remarks(instance: Instance, hidden: Hidden, parts: Sequence[Part]) -> list[Part]:
    """Return the parts without those that only remark on names about which a neighbour states something."""
    kept: list[Part] = []
    telling: list[bool] = []
    for part in parts:
        if not part.said:
            continue
        if _REASONED.match(part.text):
            # 'The two hammer the server, so stagger them': the part before 'so' is the reason.
            while kept and kept[-1].about <= part.about and not _gives_a_value(instance, hidden, kept[-1]):
                kept.pop()
                telling.pop()
        tells = tells_something(instance, hidden.restore(" ".join(part.said)))
        if kept and part.about == kept[-1].about and tells != telling[-1]:
            kept[-1], telling[-1] = (part if tells else kept[-1]), True
        else:
            kept.append(part)
            telling.append(tells)
    # 'I have a Demo and a Review to fit in: the former takes two slots': the first names are only the topic.
    told_of = [part.about for part, tells in zip(kept, telling, strict=True) if tells]
    return [
        part
        for part, tells in zip(kept, telling, strict=True)
        if tells or not _ONLY_TOPIC.search(part.text) or not any(about < part.about for about in told_of)
    ]


def _gives_a_value(instance: Instance, hidden: Hidden, part: Part) -> bool:
    found = mentions(instance, hidden.restore(" ".join(part.said)))
    return bool(found.values or found.numbers)


def split_statements(instance: Instance, sentence: str, context: Context) -> Split:
    """Return the statements of a sentence.

    The sentence stays whole if it is one statement that can be read alone, or if it cannot be split.
    """
    if len(sentence) > _LONGEST or any(letter in sentence for letter in _LETTERS):
        return Split((Statement(sentence),), (), context)
    hidden = hide(instance, sentence)
    if _is_own_wording(instance, sentence):
        return Split((Statement(sentence),), (), context.heard(hidden.text, (hidden.text,)))
    said_first = hidden.text
    hidden = Hidden(without_asides(hidden.text), hidden.names)
    if (topic := topic_of(hidden.text)) is not None:
        who, rest = topic
        behind = split_statements(instance, hidden.restore(rest), context.heard(who, ()))
        return replace(behind, dropped=(hidden.restore(who), *behind.dropped))
    if speaks_of_some(hidden.text):
        return Split((Statement(sentence),), (), context.heard(hidden.text, ()))
    pieces = _pieces(hidden.text)
    search = PartSearch(instance, hidden, pieces)
    found = None
    if len(pieces) <= _MOST_PIECES and not any(_OPEN.match(hidden.text[start:end]) for start, end in pieces):
        found = search.best(0, context)
    parts = _without_remarks(instance, hidden, found[1]) if found else []
    said = [(_JOINER.sub("", text), part.guessed) for part in parts for text in part.said]
    heading = _attribute_heading(instance, hidden, pieces)
    said = [
        (_with_attribute(instance, hidden, heading, _with_heading(hidden.text, text)), guessed)
        for text, guessed in said
    ]
    if found is None or not said or [text for text, _ in said] == [hidden.text] or _denied_together(hidden.text, said):
        last = (hidden.text,) if search.complete(hidden.text) else ()
        whole = sentence if hidden.text == said_first else hidden.restore(hidden.text)
        return Split((Statement(whole),), (), context.heard(hidden.text, last))
    statements = tuple(Statement(hidden.restore(text), tuple(map(hidden.restore, names))) for text, names in said)
    dropped, reasons = _left_over(hidden, found[1], parts)
    return Split(statements, dropped, found[2], reasons)


def _left_over(hidden: Hidden, parts: Sequence[Part], kept: Sequence[Part]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the parts that are not kept, and separately those of them that give a plain reason."""
    dropped: list[str] = []
    reasons: list[str] = []
    for part, behind in zip_longest(parts, parts[1:]):
        if part not in kept:
            said_why = _BECAUSE.match(part.text) or (behind is not None and _REASONED.match(behind.text))
            plain = said_why and is_plain_reason(hidden.restore(part.text).casefold())
            (reasons if plain else dropped).append(hidden.restore(part.text))
    return tuple(dropped), tuple(reasons)


def _attribute_heading(instance: Instance, hidden: Hidden, pieces: Sequence[tuple[int, int]]) -> str:
    """Return the first piece of a sentence if it only names an attribute: 'As to pets', 'In the order of colors'."""
    first = hidden.text[slice(*pieces[0])] if len(pieces) > 1 else ""
    found = mentions(instance, hidden.restore(first))
    return first if found.attributes and not (found.entities or found.values or found.numbers) else ""


def _with_attribute(instance: Instance, hidden: Hidden, heading: str, text: str) -> str:
    """Return a statement with the heading of its sentence before it, if it names no attribute and no value."""
    if not heading:
        return text
    found = mentions(instance, hidden.restore(text))
    return text if found.attributes or found.values else f"{heading}: {text}"


def _with_heading(sentence: str, text: str) -> str:
    """Return a part with the heading of its sentence if it has only names and numbers: 'Starts: Demo 2, Review 5'."""
    heading = _HEADING.match(sentence)
    return f"{heading.group()}{text}" if heading and _BARE.fullmatch(text) else text


def join_topics(instance: Instance, sentences: Sequence[str]) -> list[str]:
    """Return the sentences, with each question that only names a topic joined to its answer: 'Ann in seat 2? No.'"""
    joined: list[str] = []
    for sentence in sentences:
        before = joined[-1] if joined else ""
        both = f"{before.rstrip('? ')}: {sentence}"
        if (
            before.endswith("?")
            and not sentence.endswith("?")
            and not _ASKS.match(before)
            and (_ANSWERS.match(sentence) or not candidates(instance, before.rstrip("? ")).whole)
            and bool(mentions(instance, before).entities) != bool(mentions(instance, sentence).entities)
            and candidates(instance, both).whole
        ):
            joined[-1] = both
        else:
            joined.append(sentence)
    return joined


def _is_own_wording(instance: Instance, sentence: str) -> bool:
    try:
        return (match_sentence(instance, sentence) or match_wording(instance, sentence)) is not None
    except ConstraintError:
        return True


def context_of(instance: Instance, constraints: Sequence[Constraint]) -> Context:
    """Return the context at the beginning of a message, made of the newest commitments."""
    if not constraints:
        return Context()
    said = tuple(hide(instance, instance.sentence(one)).text for one in constraints)
    names = tuple(dict.fromkeys(name for text in said for name in names_in(text)))
    return Context((names,), said if len(said) == 1 else ())


def hide(instance: Instance, sentence: str) -> Hidden:
    """Return the sentence with placeholders for entities and values. They are the same in every sentence of an
    instance.
    """
    known = _placeholders(instance)
    found = [one for one in names_of(instance).find(sentence, words_too=False) if one.name in known]
    text = with_edits(sentence, ((one.start, one.end, known[one.name]) for one in found))
    return Hidden(text, {word: name for name, word in known.items()})


@cached_per_instance
def _placeholders(instance: Instance) -> Mapping[str, str]:
    names = names_of(instance)
    known = {name: f"{_LETTERS[0]}{place}{_LETTERS[0]}" for place, name in enumerate(names.entities)}
    for place, name in enumerate(names.values):
        known.setdefault(name, f"{_LETTERS[1]}{place}{_LETTERS[1]}")
    return known


def _pieces(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each piece of a sentence. No cut is made between two numbers, as in '2 and 3'."""
    pieces: list[tuple[int, int]] = []
    start = 0
    for cut in _CUT.finditer(text):
        between_numbers = _ENDS_IN_NUMBER.search(text[start : cut.start()]) and _NUMBER_ALONE.match(text[cut.end() :])
        between_two = _BETWEEN_ONE.search(text[start : cut.start()]) and cut.group().strip() == "and"
        if cut.start() > start and not between_numbers and not between_two and not _OPEN.match(text[cut.end() :]):
            pieces.append((start, cut.start()))
            start = cut.end()
    return [*pieces, (start, len(text))]


def _denied_together(text: str, said: Sequence[tuple[str, tuple[str, ...]]]) -> bool:
    """Return whether a denial at the start may deny all statements: 'Do not put Ann in 1 and Bob in 2'."""
    return len(said) > 1 and _DENIED_FIRST.match(text) is not None and not all(denies(one) for one, _ in said)
