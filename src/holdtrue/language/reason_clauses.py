"""Find the clauses of a sentence that only give a reason or remark on something, and so state no constraint.

"Keep Ann and Bob apart, nobody wants a second quarrel" denies nothing of Ann and Bob. As in `qualifying_words`, texts
are masked: a capital letter stands for each name, value and number that the domain knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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
