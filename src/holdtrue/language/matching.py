"""Match a sentence against the wordings of the domain, and return the constraint that it states.

This is the inverse of `Instance.sentence`, in upper or lower case. Each constraint type has one sentence and may have
other wordings, with places for the arguments. Sentences in other words are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import Formatter

from holdtrue.errors import ConstraintError, DomainError
from holdtrue.language.names import cached_per_instance, names_of, pattern_of
from holdtrue.language.reading import Reading, Why
from holdtrue.language.sentences import plain, without_courtesy
from holdtrue.language.withdrawals import OPENING
from holdtrue.logic.sorts import EnumSort, IntSort
from holdtrue.world.domain import Argument, AttributeName, ConstraintType, Entity, Integer, ValueOf
from holdtrue.world.instance import Constraint, Instance

_JOINED = re.compile(r"\s*[,;]\s*(?:and|but|also)\s+(?:also\s+)?|\s+and\s+(?:also\s+)?", re.IGNORECASE)


def read_own_wording(instance: Instance, sentence: str) -> list[Reading]:
    """Return the readings of a sentence in the domain's wording: one, or one for each part that 'and' joins.

    A sentence in any other wording gives one rejected reading with the reason.
    """
    whole = _read(instance, sentence)
    if whole.status == "accepted":
        return [whole]
    parts = [_read(instance, part) for part in _split(instance, sentence)]
    return parts if len(parts) > 1 and all(part.status == "accepted" for part in parts) else [whole]


def _read(instance: Instance, sentence: str) -> Reading:
    fault: ConstraintError | None = None
    polite = dict.fromkeys((sentence, _without_courtesy(instance, sentence)))
    for text in (behind for one in polite for _, behind in peel_lead(instance, one, OPENING)):
        try:
            constraint = match_sentence(instance, text)
        except ConstraintError as error:
            fault = error  # the last error is about the text behind 'please' and the like
            continue
        if constraint is not None:
            return Reading(sentence, "accepted", constraint)
    if fault is not None:
        return Reading(sentence, "rejected", reason=str(fault), code=fault.code, why=Why.of(fault))
    own = _own_words(instance, sentence)
    reason = f"no known wording fits this sentence{own}"
    return Reading(sentence, "rejected", reason=reason, why=None if own else Why.NO_WORDING)


def _own_words(instance: Instance, sentence: str) -> str:
    """Return a hint for a sentence in another wording of its type: the sentence that `templates` would read."""
    for _, text in peel_lead(instance, _without_courtesy(instance, sentence), OPENING):
        if made := match_wording(instance, text):
            return f"; 'templates' would read: {instance.sentence(made)!r}"
    return ""


def _without_courtesy(instance: Instance, sentence: str) -> str:
    hidden = names_of(instance).hide(plain(sentence))
    return hidden.restore(without_courtesy(hidden.text))


def _split(instance: Instance, sentence: str) -> list[str]:
    """Split a sentence at 'and' outside of names: 'Ann works on day 2, and Bob works on day 3'."""
    hidden = names_of(instance).hide(plain(sentence))
    return [hidden.restore(part) for part in _JOINED.split(hidden.text)]


_INTEGER = r"-?[0-9]{1,15}"
# Bounded, so that a hostile sentence cannot make the search for the wrong names slow.
_ANYTHING = r".{1,60}?"
_LONGEST_SENTENCE = 1000
# An article before a hidden name. Placeholders begin with a letter of the Yi script.
_THE = re.compile(r"\b(?:the|our|my) (?=[\ua000-\ua48c])", re.IGNORECASE)

# Marks that close a sentence, with the spaces that some put before them.
_CLOSING = ".!?\u2026 "
_MOST_OF_A_NAME = 3  # closing marks that a name ends with: 'Wait...'

Patterns = tuple[tuple[ConstraintType, re.Pattern[str]], ...]


def match_sentence(instance: Instance, sentence: str) -> Constraint | None:
    """Return the constraint that a sentence states in the domain's wording, or None if no wording fits.

    Case, repeated spaces and closing marks do not matter, but a question states nothing. Raises `ConstraintError` if
    the wording fits but the type or an argument does not exist in this instance.
    """
    whole = " ".join(sentence.split())
    if len(whole) > _LONGEST_SENTENCE:
        return None
    stated = _without_closing(whole)[-1]
    # Known names come first, so that 'Ann and Bo and Cy cannot be simultaneous' finds an event 'Ann and Bo'.
    # Then any words may be a name, so that the error can show the unknown one.
    return _match(instance, _patterns(instance), _texts(instance, whole)) or _match(
        instance, _patterns(instance, known=False), [stated]
    )


def match_wording(instance: Instance, sentence: str) -> Constraint | None:
    """Return the constraint that the sentence states in one of the other `wordings` of its type.

    The result is None if no wording fits, or if an argument does not exist.
    """
    whole = " ".join(sentence.split())
    if len(whole) > _LONGEST_SENTENCE:
        return None
    try:
        return _match(instance, _patterns(instance, wordings=True), _texts(instance, whole))
    except ConstraintError:
        return None


def peel_lead(instance: Instance, sentence: str, lead: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield each way to cut words of a `lead` off a sentence, from no word to all, as (lead, rest).

    A lead that is part of the domain's sentence can stay in it this way: 'Just cancel {0}' is tried before 'Cancel'.
    """
    hidden = names_of(instance).hide(plain(sentence))
    yield "", sentence
    found = lead.match(hidden.text)
    for gap in re.finditer(r"[\W_]+", hidden.text[: found.end() if found else 0]):
        yield hidden.restore(hidden.text[: gap.end()]), hidden.restore(hidden.text[gap.end() :])


def _texts(instance: Instance, sentence: str) -> list[str]:
    """Return the forms of a sentence to match: without closing marks, and without articles before names."""
    texts = _without_closing(sentence)
    for text in tuple(texts):
        hidden = names_of(instance).hide(text)
        if (bare := _THE.sub("", hidden.text)) != text:
            texts.append(hidden.restore(bare))
    return texts


def _match(instance: Instance, patterns: Patterns, texts: Sequence[str]) -> Constraint | None:
    for text in texts:
        for kind, pattern in patterns:
            if found := pattern.fullmatch(text):
                args = [_argument(instance, kind, found, i) for i in range(len(kind.arguments))]
                return instance.constraint(kind.name, args)
    return None


def _without_closing(sentence: str) -> list[str]:
    """Return the sentence, then variants with ever fewer of its closing marks, because some may belong to a name.

    A question mark at the very end stays, because a question states nothing. With an exclamation mark behind it, the
    sentence is an exclamation.
    """
    bare = sentence.rstrip(_CLOSING)
    marks = sentence[len(bare) :]
    if marks.rstrip(".\u2026 ").endswith("?"):
        return list(dict.fromkeys((sentence, sentence.rstrip(".\u2026 "))))
    kept = (marks[:length] for length in range(min(_MOST_OF_A_NAME, len(marks)), -1, -1))
    return list(dict.fromkeys((sentence, *(bare + some for some in kept))))


def _argument(instance: Instance, kind: ConstraintType, found: re.Match[str], position: int) -> str | int:
    argument = kind.arguments[position]
    if f"a{position}" not in found.re.groupindex and isinstance(argument, AttributeName):
        # A wording may leave out the attribute if there is only one: '{0} is in {2}'.
        return _only_attribute(instance, kind, argument)
    text: str = found[f"a{position}"]
    numeric = isinstance(argument, Integer)
    if isinstance(argument, ValueOf):
        named = argument.argument
        attribute = str(named if isinstance(named, str) else _argument(instance, kind, found, named)).casefold()
        numeric = any(
            isinstance(own.sort, IntSort) for name, own in instance.attributes.items() if name.casefold() == attribute
        )
    return int(text) if numeric and re.fullmatch(_INTEGER, text) else names_of(instance).spell(text)


def _only_attribute(instance: Instance, kind: ConstraintType, argument: AttributeName) -> str:
    among = instance.attribute_names(argument)
    if len(among) != 1:
        raise DomainError(f"{kind.name}: its sentence must say which of the attributes {', '.join(among)} is meant")
    return among[0]


@cached_per_instance
def _patterns(instance: Instance, *, wordings: bool = False, known: bool = True) -> Patterns:
    """Return patterns for the sentences of all types, or for their other wordings.

    If `known` is false, any words can be an argument.
    """
    return tuple(
        (kind, _pattern(template, [_spellings(instance, one) if known else _ANYTHING for one in kind.arguments]))
        for kind in instance.domain.constraint_types
        for template in (kind.wordings if wordings else (kind.sentence,))
    )


def _pattern(template: str, spellings: Sequence[str]) -> re.Pattern[str]:
    """Return a format string as a regular expression: argument i is group `a<i>`, and a back-reference if repeated."""
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
            return pattern_of(instance.entities)
        case AttributeName():
            return pattern_of(instance.attributes)
        case Integer():
            return _INTEGER
    named = argument.argument
    known = [instance.attributes[named]] if isinstance(named, str) else instance.attributes.values()
    sorts = [attribute.sort for attribute in known]
    labels = pattern_of(label for sort in sorts if isinstance(sort, EnumSort) for label in sort.labels)
    return f"{labels}|{_INTEGER}" if labels else _INTEGER
