"""Find what an assistant promises: the sentence, the tool that does it, and what it says of the call's arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from holdtrue.guard.conversation.plain_words import may_be_meant, said_values
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.policy_parts import Tool
from holdtrue.language.requests.operation import Argument
from holdtrue.language.requests.word_values import stems
from holdtrue.language.sentences import split_sentences

_SURE = 0.9
"""Code does not know more surely that a value in a promise is of the one argument that it can be of."""
_PROMISE = re.compile(
    r"\b(?:i|we)(?:['\u2019]ll| will| shall| am going to| are going to|['\u2019]m going to| promise to)"
    r"\b(?! (?:need|have to|be able|not be able|try|see|wait|be happy|be glad|just need|let you know if))",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    # 'Once it is booked' waits for what the assistant does itself, which is a promise all the same.
    r"\b(?:if|(?:once|when|as soon as)(?! (?:it|that|this|she|he|they|everything|all|the \w+)(?:['\u2019]s| is| are|"
    r" has been| have been) (?:all )?(?:booked|reserved|ordered|done|placed|made|set|through|scheduled|arranged|sent|"
    r"processed)\b)|unless|whenever|until|should you|after you|would you like|shall i|do you want|"
    r"in case|provided|providing|as long as|so long as|assuming|depending|subject to|in the event|otherwise|upon|"
    r"only (?:after|with)|before (?:i|we) (?:do|can|book|reserve|send|order))\b|\?|"
    # 'Tell me your name and I'll reserve it' waits for the name.
    r"\b(?:let me know|tell me|give me|send me|say (?:the word|yes|so)|confirm|reply|provide|choose|pick)\b"
    r"[^.!?]{0,200}?\b(?:and|then) (?:i|we)(?:['\u2019]ll| will| shall)\b",
    re.IGNORECASE,
)
_LONGEST = 500
_ASKS_WHERE = re.compile(r"[,;:\u2013-] (?:and )?(?:where|what|which) [^.!?]*\?\s*$", re.IGNORECASE)
_DENIED_BEFORE = re.compile(
    r"\b(?:not sure|not certain|unsure|doubt|unlikely|(?:do not|don['\u2019]?t|didn['\u2019]?t|did not|never|"
    r"can['\u2019]?t|"
    r"cannot) (?:think|believe|say|said|promise|guarantee)|you (?:said|think|thought)|wish|nor|neither)\b[^,;]{0,60}$",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\W*(?:(?:\w+ly|be|now|also|then|just|under|in|make|sure|and|you|for|ever|probably|circumstances|try) ){0,4}"
    r"(?:not|never|no|nothing|none|neither|hardly|nowhere)\b|\W*\w+(?: you| me| us)? (?:no|nothing|none|neither)\b",
    re.IGNORECASE,
)
"""'I will not', 'I'll never', 'I'll under no circumstances', 'I will make no reservation'."""
_LEADS = re.compile(
    r"\W*(?:(?!(?:reply|apply|supply)\b)\w+ly|now|also|then|just|first|next|gladly|again|be|(?:go ahead|go on|"
    r"come back)"
    r" and|proceed (?:to|with)|(?:make|be) sure to|get (?:right )?on to|right away|take care of|start by|finally|"
    r"of course|personally|still|always|indeed|do my best to)\b",
    re.IGNORECASE,
)
"""Words that stand between 'I will' and the verb that says what is promised."""
_ANOTHER = re.compile(
    r",? and (?=(?:(?:afterwards?|then|also|later|after that|of course|\w+ly),? )?(?:i|we)(?:['\u2019]ll| will)\b)"
    r"|,? and (?=then )",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_EMPTY = frozenset(stems("the a an to for of my your it"))
_ALIKE: tuple[frozenset[str], ...] = tuple(
    frozenset(stems(words))
    for words in (
        "send email mail text forward message",
        "book reserve schedule arrange rent hire",
        "cancel call off undo",
        "change update modify move reschedule",
        "transfer pay send wire",
        "buy order purchase get",
        "add put include create set",
        "refund reimburse return",
        "ship send post deliver",
    )
)
"""Verbs of which one may stand for another; a tool's name has one of them."""
_DONE = re.compile(
    r"^\W*(?:get|have) (?:it|that|this|everything|them|(?:the|your|that|this|a) \w+) (\w+ed)\b", re.IGNORECASE
)
"""'I'll get that booked' books it."""
_LIGHT = frozenset(stems("make place create do submit put issue process complete finalize set add give"))
"""Verbs that leave it to their noun to say what is done: who places an order orders."""
_FETCH = frozenset(stems("get find list search look check show fetch read lookup view query retrieve pull"))


@dataclass(frozen=True, slots=True)
class Promised:
    """A sentence in which an assistant promises something, and the tool that does it.

    One that `needs_values` names the tool by its verb alone, so that it promises the call only with values of it.
    """

    sentence: str
    tool: str
    needs_values: bool = False


def promises_in(message: str, tools: Iterable[Tool]) -> list[Promised]:
    """Return what an assistant's message promises without a condition, as far as one of these tools does it."""
    own = tuple(tools)
    found = []
    for own_words in split_sentences(message):
        # 'I'll email you a receipt, where should it go?' promises it and asks for more.
        sentence = _ASKS_WHERE.sub("", own_words) if len(own_words) < _LONGEST else own_words
        if _CONDITION.search(sentence):
            continue
        for part in _ANOTHER.split(sentence.strip()):
            begins = _PROMISE.search(part)
            if begins is None or _is_denied(part, begins):
                continue
            words = part[begins.end() :]
            while (lead := _LEADS.match(words)) is not None:
                words = words[lead.end() :]
            by_name = _tool_for(words, own)
            tool = by_name or _only_of_verb(words, own)
            if tool is not None:
                found.append(Promised(part, tool, needs_values=by_name is None))
    return found


def _only_of_verb(words: str, tools: tuple[Tool, ...]) -> str | None:
    """Return the only changing tool whose verb is said: 'I'll book you in with Olga', where one tool books."""
    said = stems(words)[:1]
    verbs = {own.name: _name_stems(own)[:1] for own in tools if own.writes}
    named = [name for name, verb in verbs.items() if said and verb and verb[0] not in _LIGHT and _is_same(*verb, *said)]
    return named[0] if len(named) == 1 else None


def _name_stems(tool: Tool) -> list[str]:
    return stems(_CAMEL.sub(" ", tool.name.rpartition(".")[2]))


def _is_same(verb: str, said: str) -> bool:
    return _is_one(verb, said) or any(verb in own and said in own for own in _ALIKE)


def _is_denied(part: str, begins: re.Match[str]) -> bool:
    """Return whether words around 'I will' say that it will not be, or that somebody else says it."""
    after = _DENIED.match(part[begins.end() :])
    return after is not None or _DENIED_BEFORE.search(part[: begins.start()]) is not None


def _tool_for(words: str, tools: tuple[Tool, ...]) -> str | None:
    """Return the tool whose name is spoken of, the one with most of its words; None where none or several are.

    A tool that changes something comes before one that only looks it up.
    """
    said = stems(_DONE.sub(r"\1", words))
    scores = {own: _share(own, said) for own in tools}
    best = max(scores.values(), default=0.0)
    named = [own for own, score in scores.items() if score == best]
    writing = [own for own in named if own.writes] or named
    return writing[0].name if best >= 0.5 and len(writing) == 1 else None


def _share(tool: Tool, said: list[str]) -> float:
    """Return which share of the words of a tool's name are said; without its verb it is not spoken of."""
    words = [word for word in _name_stems(tool) if word not in _EMPTY]
    if not words or not said:
        return 0.0
    verb, nouns = words[0], words[1:]
    if verb in _LIGHT and any(_is_one(noun, said[0]) or _is_of(noun, said[0]) for noun in nouns):
        # The noun of 'place order' is the verb of 'I'll order it'.
        hits = 1 + sum(any(_is_one(noun, other) or _is_of(noun, other) for other in said) for noun in nouns)
    else:
        at = _place_of(verb, said, tool.writes)
        if at is None:
            return 0.0
        # Who orders something does not look an order up, but who emails something sends an email.
        others = said if tool.writes else said[:at] + said[at + 1 :]
        hits = 1 + sum(any(_is_one(noun, other) for other in others) for noun in nouns)
    if nouns and hits == 1:
        return 0.0
    # Of two names with all their words the longer one says more.
    return hits / len(words) + 0.01 * hits


def _place_of(verb: str, said: list[str], writes: bool) -> int | None:
    """Return where a tool's verb is said: it comes first, or as a noun behind a verb that says little by itself."""
    places = range(min(3, len(said))) if said[0] in _LIGHT else range(1)
    return next((at for at in places if _is_verb(verb, said[at], writes)), None)


def _is_verb(verb: str, other: str, writes: bool) -> bool:
    """Return whether a word says what a tool's verb does; who only looks something up does not buy or send it."""
    is_alike = writes or verb not in _FETCH
    return _is_one(verb, other) or (is_alike and any(verb in own and other in own for own in (*_ALIKE, _LIGHT)))


def _is_one(word: str, other: str) -> bool:
    return word == other or (min(len(word), len(other)) >= 4 and (word.startswith(other) or other.startswith(word)))


def _is_of(noun: str, verb: str) -> bool:
    """Return whether a noun is made of a short verb: payment of pay."""
    return len(verb) == 3 and noun.startswith(verb)


def hear_promises(state: ConversationState, message: str, now: datetime) -> list[dict[str, Any]]:
    """Return what an assistant's message promises, as an event has it: the tool, and values of its arguments."""
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
    """Yield the values that a promise names of arguments which are the only ones that can have such a value."""
    for own in arguments:
        found, quotes = said_values(sentence, own, now, locale)
        if len(found) == 1 and len(quotes) == 1 and sum(may_be_meant(own, each) for each in arguments) == 1:
            (value,), (quote,) = found, quotes
            yield {"argument": own.name, "value": value, "quote": quote, "confidence": _SURE}
