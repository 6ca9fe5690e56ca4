"""Recognize small talk, and strip courtesies such as 'please' from sentences."""

from __future__ import annotations

import re

_ENDINGS = (
    r"(?:please|pls|plz|thanks(?: a lot| so much| again| in advance| very much)?|thank you(?: so much| very much)?|thx"
    r"|ta|cheers|sorry(?: about that| for that)?|if you (?:do not|don't) mind"
    r"|if you (?:like|want|can|please|would|will)|if (?:that's|that is|it's) (?:ok|okay|fine|alright"
    r"|possible)(?: with you)?|if possible|would you|will you"
    r"|ok|okay|alright|will do|right|my bad|my mistake|for now|from now on|for me|right away|straight away"
    r"|immediately|asap"
    r"|at once|today|entirely|completely|altogether|for good|then)"
)
_COURTESY = re.compile(rf"(?:[\s,;:.!?\u2014\u2013-]+{_ENDINGS})+[\s.!?]*$", re.IGNORECASE)
_TALK = re.compile(
    r"(?:[\s,.!?:;()\u2014\u2013-]|\b(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|there|all|everyone"
    r"|everybody|team"
    r"|thanks?|thank you|thx|cheers|so much|very much|a lot|a million|again|in advance|for (?:that|this|your help"
    r"|everything)"
    r"|please|sorry(?: about that)?|ok|okay|k|yes|yep|yeah|no|nope|sure|fine|great|good|perfect|nice|cool|lovely"
    r"|wonderful"
    r"|excellent|awesome|super|right|alright|all right|well|oh|ah|hm+|oops|wow|bye|goodbye|see you"
    r"|(?:see you )?later|got it"
    r"|i see|understood|makes sense|sounds good|looks good|that's (?:fine|great|good|perfect|it|all|ok|okay)|will do"
    r"|of course"
    r"|no problem|you're welcome|how are you(?: today)?|welcome|congratulations|my bad|my mistake)\b)*",
    re.IGNORECASE,
)


_NO_APOSTROPHE = re.compile(
    r"\b(do|does|did|is|are|was|were|wo|ca|could|should|would|must|need|have|has|had)nt\b", re.IGNORECASE
)


def with_apostrophes(text: str) -> str:
    """The text with 'dont' and the like spelled out."""
    return _NO_APOSTROPHE.sub(r"\1n't", text)


def plain(text: str) -> str:
    """The text with single spaces and straight apostrophes."""
    return " ".join(text.replace("\u2019", "'").split())


def without_courtesy(text: str) -> str:
    """The sentence without 'please', 'thanks' and the like, and the marks, at its end."""
    return _COURTESY.sub("", text).rstrip(" ?")


def is_small_talk(text: str) -> bool:
    """Return whether the sentence does nothing but greet, thank, or acknowledge."""
    return bool(_TALK.fullmatch(plain(text)))
