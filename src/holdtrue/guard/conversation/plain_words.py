"""Read by code alone which values the user's latest messages state for a call, and which calls the assistant promises.

A value belongs to the only argument that can have it. Such a reading can lead to a question, and never blocks a call. A
promise begins with `I will` or `we will`, in English, and has the words of a tool's name, its verb first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import Any

from holdtrue.extras import need
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.conversation.utterance import named_choices, read_part
from holdtrue.guard.decision import words_of_tool
from holdtrue.guard.listening import CallCommitment
from holdtrue.guard.moment_texts import local_time
from holdtrue.guard.policy_parts import Tool
from holdtrue.language.requests.operation import Argument
from holdtrue.language.requests.spans import Span, has_sign, kind_of_type, spans_in
from holdtrue.language.requests.word_values import content_of, stems, word_tokens
from holdtrue.language.sentences import split_sentences
from holdtrue.language.slot_values.slot_value import has_unit, read_slot_value
from holdtrue.language.yes_words import denies
from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Number, without_null

_QUOTES = "'\"(\u201c\u201e\u00ab\u2018"
_MOST_MESSAGES = 12
"""The number of messages that are read, latest first."""


def plain_words_on(state: ConversationState, tool: str, call: Mapping[str, Any]) -> Iterator[CallCommitment]:
    """Yield the commitments on a call that the user's messages state. The arguments in `call` are JSON values."""
    act = state.acts.get(state.act_of(tool))
    if act is None:
        return
    since = max((own.turn for own in state.ledger.requests.values() if own.status == "done"), default=0)
    others = [own for each in state.acts.values() for own in each.arguments.values()]
    for argument in act.arguments.values():
        is_alone = sum(may_be_meant(argument, own) for own in others) == 1
        if not is_alone or tool not in argument.tools or argument.is_id:
            continue
        found = _last_said(state, argument, act.object, call, since)
        if found is None:
            continue
        turn, value, quote = found
        say = f"The user said in turn {turn}: {quote!r}, which may be about {argument.name.replace('_', ' ')}."
        id = f"W{turn:03d}-{argument.name}"
        yield CallCommitment(id, argument.tools, say, "user", turn, quote, argument.name, value=value, severity="ask")


def may_be_meant(argument: Argument, other: Argument) -> bool:
    """Return whether a value of one argument could also be a value of another one."""
    own, their = without_null(argument.type), without_null(other.type)
    if argument.choices is not None:
        return other.choices is not None and not set(argument.choices).isdisjoint(other.choices)
    if isinstance(own, Calendar) and isinstance(their, Calendar):
        return own.kind == their.kind or "moment" in (own.kind, their.kind)
    return isinstance(own, Number) and isinstance(their, Number)


def _last_said(
    state: ConversationState, argument: Argument, object: str, call: Mapping[str, Any], since: int
) -> tuple[int, Any, str] | None:
    """Return the turn, the value and the words of the user's last certain statement of an argument, or None."""
    later = set[Any]()
    for own in list(reversed(state.words.all))[:_MOST_MESSAGES]:
        if own.turn <= since:
            return None
        if own.who == "user" and object and _names_another(own.text, str(call.get(object)), state):
            continue
        values, quotes = said_values(own.text, argument, local_time(own.at), state.locale)
        if not values:
            continue
        if own.who == "assistant":
            later |= values
            continue
        is_asked = "?" in own.text and argument.choices is None
        sure = len(values) == 1 and len(quotes) == 1 and not denies(own.text) and not is_asked
        return (own.turn, *values, *quotes) if sure and later <= values else None
    return None


def _names_another(text: str, object: str, state: ConversationState) -> bool:
    """Return whether a text names another object than the call's, or several."""
    known = state.shown | set(state.facts.written)
    ids = {own for own in word_tokens(text) if own in known and any(map(str.isdigit, own)) and not own.isdigit()}
    return bool(ids - {object})


def said_values(text: str, argument: Argument, now: datetime, locale: str) -> tuple[set[Any], set[str]]:
    """Return the values of an argument in a text, and the words for them."""
    text, type = read_part(text), without_null(argument.type)
    if argument.choices is not None:
        named = set(named_choices(text, argument.choices))
        return named, named
    if not isinstance(type, Calendar | Number):
        return set(), set()
    kind, every = kind_of_type(type), spans_in(text, now, locale)
    joined = _joined_to_dates(text, every, locale)
    spans = [own for own in every if own.kind == kind and own not in joined and _fits(text, own, type, locale)]
    read = [(each, read_slot_value(each.text, type, now, locale).shown) for each in spans]
    values = {content_of(shown, type) for _, found in read for shown in found}
    quotes = {each.text for each, found in read if found}
    return values, quotes | ({each.text for each in joined} if isinstance(type, Calendar) else set())


def _joined_to_dates(text: str, spans: Sequence[Span], locale: str) -> list[Span]:
    """Return the numbers that are joined to a date or a time, as in `6 and 7 March`: each may be one, too."""
    found = []
    for one, two in pairwise(spans):
        between = text[one.end : two.start].strip().casefold()
        if two.text[0].isdigit() and between in _joining_words(locale):
            found += [own for own in (one, two) if own.kind == "number" and {one.kind, two.kind} != {"number"}]
    return found


@cache
def _joining_words(locale: str) -> frozenset[str]:
    need("Finding dates", "babel")
    from babel import Locale

    patterns = Locale.parse(locale, sep="-").list_patterns
    found = (patterns[style]["2"].format("", "") for style in ("standard", "or"))
    return frozenset({own.strip().casefold() for own in found} | {"&"})


def _fits(text: str, span: Span, type: Calendar | Number, locale: str) -> bool:
    """Return whether a span can be a value of a type. A plain number has no unit, and is no word or name."""
    if isinstance(type, Calendar):
        return True
    is_bare = type.sort.unit == ONE
    before, behind = text[: span.start].rstrip(), text[span.end :].lstrip()
    word = before.split()[-1].lstrip(_QUOTES) if before[-1:].isalpha() else ""
    in_name = word[:1].isupper() or behind[:1].isupper()
    is_plain = not has_sign(text, span) and not has_unit(span.text, locale)
    return any(map(str.isdigit, span.text)) and (is_plain or not is_bare) and not in_name


_SURE = 0.9
"""The confidence that a value in a promise belongs to the only argument that can have it."""
_PROMISE = re.compile(
    r"\W*(?:(?:and|so|then|also|afterwards)\W+){0,3}(?:i|we)"
    r"(?:['\u2019]ll| will| shall| am going to| are going to|['\u2019]m going to| promise to)\s+"
    r"(?:(?:\w+ly|now|also|then|just|be|go ahead and)\s+){0,3}",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|once|when|whenever|as (?:soon|long) as|unless|until|provided|providing|in case|after you)\b|\?",
    re.IGNORECASE,
)
_ANOTHER = re.compile(r",? and (?=(?:then|also|afterwards)\b|(?:i|we)\b)", re.IGNORECASE)
_LONGEST = 500
"""Longer sentences are no promises."""


@dataclass(frozen=True, slots=True)
class Promised:
    """A promise of a call: the sentence and the tool. If `needs_values` is true, it counts only with arguments."""

    sentence: str
    tool: str
    needs_values: bool = False


def promises_in(message: str, tools: Iterable[Tool]) -> list[Promised]:
    """Return the unconditional promises in the assistant's message that a writing tool would keep."""
    names = {own.name: stems(" ".join(words_of_tool(own.name))) for own in tools if own.writes}
    found = list[Promised]()
    for sentence in split_sentences(message):
        if len(sentence) > _LONGEST or _CONDITION.search(sentence) or denies(sentence):
            continue
        for part in _ANOTHER.split(sentence):
            begins = _PROMISE.match(part)
            said = [] if begins is None else stems(part[begins.end() :])
            if not said:
                break  # The rest of the sentence may have another subject.
            found += [replace(own, sentence=part.strip()) for own in _promised(said, names)]
    return found


def _promised(said: list[str], names: Mapping[str, list[str]]) -> Iterator[Promised]:
    """Yield the tool that words describe: by its whole name, by its noun as a verb, or by its verb alone."""
    verb = {name for name, own in names.items() if own and _is_one(own[0], said[0])}
    whole = {name for name in verb if all(any(_is_one(own, each) for each in said) for own in names[name])}
    longest = max((len(names[name]) for name in whole), default=0)
    noun = {name for name, own in names.items() if any(_is_one(each, said[0]) for each in own[1:])}
    among = {name for name in whole if len(names[name]) == longest} or noun or verb
    if len(among) == 1:
        yield Promised("", among.pop(), needs_values=not whole and not noun)


def _is_one(word: str, other: str) -> bool:
    return word == other or (min(len(word), len(other)) >= 4 and (word.startswith(other) or other.startswith(word)))


def hear_promises(state: ConversationState, message: str, now: datetime) -> list[dict[str, Any]]:
    """Return the promises in the assistant's message with their values, in the form of events."""
    found = []
    for own in promises_in(message, state.policy.tools.values()):
        act = state.acts.get(state.act_of(own.tool))
        arguments = [] if act is None else [each for each in act.arguments.values() if own.tool in each.tools]
        values = list(_values_in(own.sentence, arguments, now, state.locale))
        named = {word for each in arguments for word in stems(each.name)}
        if values or not own.needs_values or named & set(stems(own.sentence)):
            found.append({"sentence": own.sentence, "tool": own.tool, "values": values})
    return found


def _values_in(sentence: str, arguments: list[Argument], now: datetime, locale: str) -> Iterator[Mapping[str, Any]]:
    """Yield the values in a promise that only one argument can have."""
    for own in arguments:
        found, quotes = said_values(sentence, own, now, locale)
        if len(found) == 1 and len(quotes) == 1 and sum(may_be_meant(own, each) for each in arguments) == 1:
            (value,), (quote,) = found, quotes
            yield {"argument": own.name, "value": value, "quote": quote, "confidence": _SURE}
