"""Find the clauses of a sentence that only give a reason or remark on something, and so state no constraint.

"Keep Ann and Bob apart, nobody wants a second quarrel" denies nothing of Ann and Bob. As in `qualifying_words`, texts
are masked: a capital letter stands for each name, value and number that the domain knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_BREAK = re.compile(
    "[,.;:!?()\u2013\u2014]+| - "
    r"|(?=\b(?:because|since|as (?:he|she|they|we|i|it|there|the|our|my|his|her|their|that)"
    r"|so(?! (?:far|long|much|many)\b))\b)"
)
_KNOWN = re.compile("[EXVWNM]")
_REASON = re.compile(r"\s*(?:because|since|as|so)\b")
# Who may be the subject of a remark. 'Which', 'that' and 'it' speak of the rule itself, and 'you' lets choose.
_REMARK = re.compile(
    r"\s*(?:and |but )?(?:i|we|he|she|they|there|the|my|our|his|her|their|where|who|people|everybody|everyone|nobody"
    r"|somebody)(?:'\w+)? \w+"
)
# 'So' of what follows, and not of how much ('so far', 'just so'), of an aim ('so that') or of likeness ('so does Bob').
_SO = re.compile(
    r"(?:[,.;:\u2013\u2014]| -) *(?:and )?so,? (?!(?:far|long|much|many|that|does|do|is|are|should|must|will|to|be)\b)"
    r"|(?<!not)(?<!just) so (?=(?:please|put|make|let|let's|give|keep|don't|i|we|he|she|it|they|the|that's|seat|move"
    r"|pick)\b)"
)
_BECAUSE = re.compile(
    r"\b(?:because|cos|'?cause|(?<!ever )since(?= (?:i|we|he|she|it|they|there|the|my|our|his|her|their|nobody|[EX]) )"
    r"|seeing (?:as|that)|(?<=^)given that(?= (?:i|we|he|she|it|they|there|the|my|our|his|her|their|nobody|[EX])\b))\b"
    r"[^,;:]*"
)
_DEMAND = re.compile(r"\b(?:must|shall|should|(?:has|have|needs?|ought) to|cannot|can't|may not|not allowed)\b")
# What is only supposed, asked, remembered or thought is no reason that holds.
_SUPPOSES = re.compile(
    r"\b(?:if|unless|until|till|in case|provided|providing|assuming|suppos\w*|say|should|once|maybe|perhaps|possibl[ey]"
    r"|otherwise|or|but|only|except|imagin\w*|think\w*|thought|believ\w*|reckon\w*|guess\w*|doubt\w*|dream\w*|rumou?r\w*"
    r"|heard|last (?:time|year|week|month|night)|rather|not true|untrue|false|while|as long as|whether)\b|\?"
)
_STATEMENT = 2  # words beside names and these; fewer only say whom 'they' will be ('As for Ann and Bob, they ...')
_TOPIC = frozenset("a an the and or as for of about regarding concerning with speaking talking turning to now".split())


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each clause starts and ends, without the punctuation between clauses."""
    start = 0
    for found in _BREAK.finditer(text):
        if text[start : found.start()].strip():
            yield start, found.start()
        start = found.end()
    if text[start:].strip():
        yield start, len(text)


def without_remarks(text: str) -> str:
    """Return the text with such clauses blanked, and every other word in its place."""
    spans = list(clauses(text))
    parts, named = list(text), False
    for place, (start, end) in enumerate(spans):
        clause = text[start:end]
        if _KNOWN.search(clause):
            named = named or sum(word not in _TOPIC for word in re.findall(r"\b[a-z']+", clause)) >= _STATEMENT
            continue
        following = text[slice(*spans[place + 1])] if place + 1 < len(spans) else ""
        reason = _REASON.match(clause) or re.match(r"\s*so\b", following)
        if reason or (named and _REMARK.match(clause)):
            parts[start:end] = " " * (end - start)
    return "".join(parts)


def without_reasons(text: str) -> str:
    """Return the text with the words of its reasons blanked, letters for names and all other words in their place."""
    return blanked(text, find_reasons(text))


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return masked text with the words of these spans blanked, and letters for names in their place."""
    parts = list(text)
    for start, end in spans:
        parts[start:end] = [" " if letter.islower() or letter == "'" else letter for letter in parts[start:end]]
    return "".join(parts)


def find_reasons(text: str) -> Iterator[tuple[int, int]]:
    """Yield where masked text gives plain reasons for what it states.

    What stands before 'so' gives the reason for what stands behind it, if that names somebody and the reason demands
    nothing: 'She cannot hear a thing, so Ann sits by Bob'. What 'because' opens is one up to the next comma. A reason
    that is only supposed is none: 'because he asked, if possible'.
    """
    found = _SO.search(text)
    if found and _KNOWN.search(text, found.end()) and is_plain_reason(text[: found.start()]):
        yield 0, found.start()
    for found in _BECAUSE.finditer(text):
        if is_plain_reason(found.group()):
            yield found.span()


def is_plain_reason(text: str) -> bool:
    """Return whether a masked text supposes nothing, and demands nothing of two or of one with a value or number."""
    return not _SUPPOSES.search(text) and not (_DEMAND.search(text) and len(_KNOWN.findall(text)) > 1)
