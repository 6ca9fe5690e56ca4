"""Deny the verb of a statement, or take its denial back: 'Ann does not have the dog', 'Bob is the cook'.

Only what is plain is changed. A statement whose denial stands elsewhere ('never', 'no later than') has None.
"""

from __future__ import annotations

import re

_SHORT = (
    (re.compile(r"\bcan(?:not|'t)\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"\bshan't\b", re.IGNORECASE), "shall not"),
    (re.compile(r"(?<=\w)n't\b", re.IGNORECASE), " not"),
)
_AUXILIARY = r"(?:must|shall|should|will|would|can|may|could|might|is|are|was|were|does|do|did|has to|have to|needs to)"
_DENIED = re.compile(
    rf"\b({_AUXILIARY}) not\b(?! (?:before|after|later|earlier|until|till|more|less|only|just)\b)", re.I
)
_FIRST = re.compile(rf"\b{_AUXILIARY}\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:not|no|never|neither|nor|nobody|none|nothing|without|unless|only|hardly|except)\b", re.IGNORECASE
)
_MAIN = re.compile(r"^\s*([a-z]+)s\b")
_BASES = {"ha": "have", "doe": "do", "goe": "go"}


def denied(behind: str) -> str | None:
    """Return what stands behind the subject of a statement, with its verb denied; None where that is not plain."""
    text = _in_full(behind)
    if _OTHER.search(text):
        return None
    if verb := _FIRST.search(text):
        return f"{text[: verb.end()]} not{text[verb.end() :]}"
    if main := _MAIN.match(text):
        base = _BASES.get(main[1], main[1])
        return f" does not {base}{text[main.end() :]}"
    return None


def affirmed(behind: str) -> str | None:
    """Return what stands behind the subject of a denied statement without its denial; None where that is not plain."""
    text = _in_full(behind)
    if len(_OTHER.findall(text)) != 1 or not (found := _DENIED.search(text)):
        return None
    return f"{text[: found.end(1)]}{text[found.end() :]}"


def denies_its_verb(behind: str) -> bool | None:
    """Return whether the verb is denied; None where something else in the statement is denied or limited."""
    text = _in_full(behind)
    if not _OTHER.search(text):
        return False
    return True if len(_OTHER.findall(text)) == 1 and _DENIED.search(text) else None


def _in_full(text: str) -> str:
    text = text.replace("\u2019", "'")
    for short, full in _SHORT:
        text = short.sub(full, text)
    return text
