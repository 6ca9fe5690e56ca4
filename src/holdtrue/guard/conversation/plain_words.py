"""Tell by code alone what the user's last words say of an argument of a call, where they can mean nothing else.

Which argument a value is of, only the call tells: the one argument of any tool that has values of this type. What is
found so asks, and never blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import Any

from holdtrue.extras import need
from holdtrue.guard.conversation.said import named_choices, read_part
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.listening import CallCommitment
from holdtrue.guard.moments import local_time
from holdtrue.language.requests.operation import Argument
from holdtrue.language.requests.spans import Span, has_sign, kind_of_type, spans_in
from holdtrue.language.requests.word_values import content_of, word_tokens
from holdtrue.language.slot_values.slot_value import has_unit, read_slot_value
from holdtrue.language.yes_words import denies
from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Number, without_null

_QUOTES = "'\"(\u201c\u201e\u00ab\u2018"
_MOST_MESSAGES = 12
"""So many messages are looked at, the latest ones."""


def plain_words_on(state: ConversationState, tool: str, call: Mapping[str, Any]) -> Iterator[CallCommitment]:
    """Yield what the user said of arguments of a call, whose arguments are given as JSON has them."""
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
    """Return whether words for a value of an argument can be a value of another one."""
    own, their = without_null(argument.type), without_null(other.type)
    if argument.choices is not None:
        return other.choices is not None and not set(argument.choices).isdisjoint(other.choices)
    if isinstance(own, Calendar) and isinstance(their, Calendar):
        return own.kind == their.kind or "moment" in (own.kind, their.kind)
    return isinstance(own, Number) and isinstance(their, Number)


def _last_said(
    state: ConversationState, argument: Argument, object: str, call: Mapping[str, Any], since: int
) -> tuple[int, Any, str] | None:
    """Return the turn, the value and the words in which the user last spoke of a value; None where that is not sure.

    What the assistant says of another value after that leaves it open which of them holds.
    """
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
    """Return whether a text is about another thing than the object of a call, or about several."""
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
    """Return the words for *and* and *or* of a language."""
    need("Finding dates", "babel")
    from babel import Locale

    patterns = Locale.parse(locale, sep="-").list_patterns
    found = (patterns[style]["2"].format("", "") for style in ("standard", "or"))
    return frozenset({own.strip().casefold() for own in found} | {"&"})


def _fits(text: str, span: Span, type: Calendar | Number, locale: str) -> bool:
    """Return whether a number can be of a type: one with a sign is no plain number, nor is one in words or a name."""
    if isinstance(type, Calendar):
        return True
    is_bare = type.sort.unit == ONE
    before, behind = text[: span.start].rstrip(), text[span.end :].lstrip()
    word = before.split()[-1].lstrip(_QUOTES) if before[-1:].isalpha() else ""
    in_name = word[:1].isupper() or behind[:1].isupper()
    is_plain = not has_sign(text, span) and not has_unit(span.text, locale)
    return any(map(str.isdigit, span.text)) and (is_plain or not is_bare) and not in_name
