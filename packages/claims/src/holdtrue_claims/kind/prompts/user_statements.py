"""Read a user's message by rules alone: which sentences state something, and which withdraw an earlier statement."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.language.sentences import split_sentences
from holdtrue.language.withdrawals import Withdrawal, spot_withdrawal, without_lead
from holdtrue_claims.kind.prompts.content_words import content_words

_ID = re.compile(r"\b[PUT]\d{1,4}(?:\.C?\d{1,4})?\b")
_COMMAND = re.compile(
    r"(?:forget|drop|withdraw|remove|ignore|disregard|cancel|delete|scrap|scratch|discard|i take back|take back)\b",
    re.IGNORECASE,
)
# "Please note that ..." states what follows.
_NOTE = re.compile(r"(?:note|remember|keep in mind|bear in mind|assume|suppose|be aware)\s+that\s+", re.IGNORECASE)
_REQUEST = re.compile(
    r"(?:tell|explain|list|give|show|plan|write|describe|answer|choose|pick|select|look|check|make|find|suggest|compare"
    r"|summari[sz]e|help|think|consider|say|name|sort|rank|repeat|try|go|let me know|let's|let us|thank|thanks|hello|hi"
    r"|can|could|would|will|how about|what about|i (?:would|'d) like (?:you|to know)|i want (?:you|to know))\b",
    re.IGNORECASE,
)
_FEWEST_WORDS = 3
_LONGEST = 1000  # characters of a sentence that the patterns look at
_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class MessageReading:
    """The sentences that a message states, the ids that it takes back, and `unknown` withdrawals that fit nothing."""

    states: tuple[str, ...]
    takes_back: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def read_message(text: str, statements: Mapping[str, str]) -> MessageReading:
    """Return what a message states and takes back of the user's `statements` so far (id -> sentence, oldest first).

    Questions and requests state nothing. Taken back is what is named by its id ("forget U1.2"), in its words ("forget
    that Ann is vegetarian"), or as the last or all of it ("forget that"); a sentence that fits none of these is stated,
    if its words can mean that.
    """
    states: list[str] = []
    gone: list[str] = []
    unknown: list[str] = []
    for sentence in split_sentences(text):
        cue = spot_withdrawal(" ".join(sentence.replace("’", "'").split())[:_LONGEST])
        commands = cue is not None or _COMMAND.match(without_lead(sentence))
        named = [id for id in _ID.findall(sentence) if id in statements] if commands else []
        meant = named or (
            [] if cue is None else _find_withdrawn(cue, {id: said for id, said in statements.items() if id not in gone})
        )
        gone += [id for id in meant if id not in gone]
        if cue is not None and cue.rest:
            states += _stated(cue.rest)
        elif not meant and cue is not None and cue.sure:
            unknown.append(sentence)
        elif not meant:
            states += _stated(sentence)
    return MessageReading(tuple(states), tuple(gone), tuple(unknown))


def _find_withdrawn(cue: Withdrawal, statements: Mapping[str, str]) -> list[str]:
    """The ids that a withdrawal is about."""
    if cue.content:
        words = content_words(cue.content)
        told = {id: content_words(text) for id, text in statements.items()}
        alike = {id: len(words & own) / (len(words | own) or 1) for id, own in told.items()}
        best = max(alike.values(), default=0.0)
        found = [id for id, share in alike.items() if share == best]
        return found if best >= _ALIKE and (len(found) == 1 or cue.every) else []
    if cue.every:
        return list(statements)
    return list(statements)[-1:] if cue.latest else []


def _stated(sentence: str) -> list[str]:
    """The sentence as it is stated; none for questions, requests and greetings."""
    bare = without_lead(sentence)
    noted = _NOTE.match(bare)
    text = bare[noted.end() :] if noted else sentence
    if text.endswith("?") or len(text.split()) < _FEWEST_WORDS or (not noted and _REQUEST.match(bare)):
        return []
    return [text]
