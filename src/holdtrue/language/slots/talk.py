"""Tell by its words alone what a message does in a talk: it accepts, refuses, points or asks."""

from __future__ import annotations

import re
from dataclasses import dataclass

_YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|sure|ok(?:ay)?|great|perfect|good|fine|sounds|works|love|like|cool|nice|awesome|amazing|"
    r"correct|right|wonderful|excellent|fantastic|go ahead|please do|absolutely|that one|i'?ll take|let'?s|ready|"
    r"confirm|ja|gern|genau|passt|klingt gut|einverstanden|stimmt|prima|super|s[íi]|claro|vale|de acuerdo|perfecto|"
    r"bien|correcto|genial|me gusta)\b",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\b(?:no|nope|not|don'?t|another|other|others|else|different|instead|rather|nah|change|more options|"
    r"anything else|nein|nicht|kein\w*|ander\w*|lieber|stattdessen|otr[oa]s?|mejor|en vez|cambiar?)\b",
    re.IGNORECASE,
)
_THAT = re.compile(
    r"\b(?:that|this|it|them|there|him|her|one|book|reserve|buy|schedule|play|appointment|visit|das|den|die|diese\w*|"
    r"buchen?|es[eoa]|est[eoa]|reserv\w+|compr\w+)\b",
    re.IGNORECASE,
)
_CONFIRM = re.compile(
    r"\b(?:confirm|correct\?|is that right|is this right|right\?|so you (?:want|need)|you (?:want|need|would like)|"
    r"best[äa]tig\w+|stimmt das|confirm\w+|es correcto)",
    re.IGNORECASE,
)
_FACT = re.compile(
    r"\s*(?:and |ok(?:ay)?,? |so |hmm?,? )?(?:do|does|is|are|was|will|what|how|when|where|which|who|ist|sind|gibt|wie|"
    r"wann|wo|hay|es|son|cu[áa]ndo|c[óo]mo|d[óo]nde)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.?!]+[.?!]?")


@dataclass(frozen=True, slots=True)
class Talk:
    """A `Talk` says what a message does, and whether the assistant's one before it sums up what is to be confirmed."""

    yes: bool
    no: bool
    points: bool
    asks: bool
    confirms: bool
    short: bool

    @property
    def accepts(self) -> bool:
        """Return whether it says yes and nothing against it."""
        return self.yes and not self.no


def talk_of(message: str, assistant: str | None) -> Talk:
    """Return what a message does after what the assistant said."""
    return Talk(
        yes=_YES.search(message) is not None,
        no=_NO.search(message) is not None,
        points=_THAT.search(message) is not None,
        asks="?" in message,
        confirms=_CONFIRM.search(assistant or "") is not None,
        short=len(message.split()) <= 4,
    )


_OF_FACT = re.compile(
    r"\W*(?:(?:and|but|so|ok|oh|by the way|btw|also),? )*(?:how (?:much|many|long|far|big|often)|who|whose|why|"
    r"what(?:'s| is| are| was| would| does| kind| time)?|which|when|where|"
    r"(?:do|does|did) (?:you|they|it|he|she|the)|(?:is|are|was) (?:there|it|that|the|they))\b",
    re.IGNORECASE,
)


_SHORT = re.compile(
    r"\b(?:(?:Dr|Mr|Mrs|Ms|Prof|St|Mt)\.(?= ?[A-Z\d])|[ap]\.m\.(?= ?[a-z\d(])|[ap]\.(?=m\b)|"
    r"(?:e\.g|i\.e|approx|vs|z\.B|bzw)\.|(?<=[a-z] )[A-Z]\.(?= (?!(?:Shall|Would|Do|Does|Is|Are|Can|Could|The|We|It|"
    r"That|This|Then|And|So|But|On|In|At|I|If|My|Your|Please|There|They|He|She|For|What|When|Which|How)\b)[A-Z][a-z]))"
)
"""Short forms whose dot ends no sentence: 'Dr. Moss', 'Susan M. Greene', '5 p.m. on Friday'."""


def with_ends(text: str) -> str:
    """Return a text of the same length in which the dots of short forms are spaces: each other one may be an end."""
    return _SHORT.sub(lambda match: match[0].replace(".", " "), text) if "." in text else text


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [own for own in _parts(text) if own]


def _parts(text: str) -> list[str]:
    return [text[own.start() : own.end()].strip() for own in _SENTENCE.finditer(with_ends(text))]


_ASKS_WHAT_IS = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay|oh+|ah|hm+|by the way|btw|also|thanks?|great|cool|nice),? )*"
    r"(?:what(?! about)|which|how(?! about)|who|whose|why(?! not| don)|when|where|do|does|did|is|are|was|were|has|"
    r"have|any|would(?=[^?]* be (?:\w+ ){0,3}(?:\w+er|more|less|extra|too)\b))\b",
    re.IGNORECASE,
)
_WISHES = re.compile(
    r"\b(?:(?:can|could|may|shall|should|would|will) (?:i|we|you)|instead|please|possible|"
    r"(?:i|we)(?:['\u2019]d| would)? (?:need|want|like|prefer))\b",
    re.IGNORECASE,
)


def only_asks(sentence: str) -> bool:
    """Return whether a sentence with its mark asks what is so, and wishes nothing: 'do you also have a sauna?'"""
    asks = sentence.rstrip().endswith("?") and _ASKS_WHAT_IS.match(sentence) is not None
    return asks and _WISHES.search(sentence) is None


def is_of_fact(sentence: str) -> bool:
    """Return whether a sentence asks what is so, and for nothing to be done: 'how much would a van be?'"""
    return sentence.rstrip().endswith("?") and _OF_FACT.match(sentence) is not None


def last_question(text: str | None) -> str:
    """Return what a text asks, or its last sentence where it asks nothing."""
    found = _parts(text or "")
    asked = [own for own in found if own.endswith("?")]
    return " ".join(asked) if asked else found[-1] if found else ""


def is_asked_about(text: str, end: int) -> bool:
    """Return whether what ends at a place stands in a question about what is so: 'do they have wifi?'"""
    text = with_ends(text)
    start = max(text.rfind(mark, 0, end) for mark in ".?!,") + 1
    return is_in_question(text, end) and _FACT.match(text[start:]) is not None


def is_in_question(text: str, end: int) -> bool:
    """Return whether the sentence in which something ends is a question."""
    rest = re.search(r"[.?!]", with_ends(text)[end:])
    return rest is not None and rest[0] == "?"


def sentence_at(text: str, start: int, end: int, marks: str = ".!?") -> str:
    """Return the sentence in which something begins and ends; a mark inside a word or a number ends none."""
    plain = with_ends(text)
    begin = max(plain.rfind(mark, 0, start) for mark in marks) + 1
    stop = re.search(r"[.!?](?=\s|$)" + (r"|\n" if "\n" in marks else ""), plain[end:])
    return text[begin : len(text) if stop is None else end + stop.start()]
