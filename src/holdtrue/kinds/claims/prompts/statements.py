"""Statements of a text that argues: its clauses apart, without the words that only tie them to each other."""

from __future__ import annotations

import re

from holdtrue.kinds.claims.prompts.content import content_words
from holdtrue.kinds.claims.prompts.framing import CALLED_TRUE, FRAME, TALK
from holdtrue.language.prompt_parts import one_line
from holdtrue.language.sentences import split_sentences

# Words at the start of a sentence that tie it to the ones before, and say nothing themselves.
_LEAD = re.compile(
    r"(?:therefore|thus|hence|so|then|also|and|but|however|finally|consequently|in conclusion|as a result"
    r"|in other words|(?:this|that) (?:means|implies)(?: that)?|it follows(?: that)?|it is (?:true|clear|given) that"
    r"|we (?:know|see|can see|conclude|can conclude|are told)(?: that)?|according to [^,:]{1,40}(?=[,:])"
    r"|(?:based on|from|given) (?:the|this|these|that|our) [^,]{1,40},)(?:\s*[,:]\s*|\s+)",
    re.IGNORECASE,
)
# 'A, so B' says two things; 'since A, B' too, where there is no other comma that could end A.
_SO = re.compile(
    r"(?:,\s*(?:and\s+)?|\s+and\s+)(?:so|therefore|thus|hence)\s+(?!(?:that|as|far|long|on|much|many|is|are)\b)"
    r"|,\s+(?:and\s+)?(?:which|this) means(?: that)?\s+|,\s+meaning(?: that)?\s+|,\s+which\s+(?:\w+\s+)?answers\b.*",
    re.IGNORECASE,
)
_SINCE = re.compile(r"(?:since|because|as|given that)\s+([^,]+),\s+(?:then\s+)?([^,]+)", re.IGNORECASE)
# 'The owl is old and the crow is young' too, where nothing holds the halves together.
_VERBS = r"\b(?:is|are|was|were|has|have|does|do|can|cannot|must|will)\b"
_AND = re.compile(rf",?\s+and\s+(?=(?:the|a|an|it is not|[A-Z])\b[^,]{{0,60}}?{_VERBS})")
_VERB = re.compile(_VERBS)
_JOINED = re.compile(r"\b(?:if|when|unless|either|neither|both|between|all|every|each|any|no|some|or)\b", re.IGNORECASE)
_BACK = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|so do|so does|both(?!\b.*\band\b)"
    r"|neither(?!\b.*\bnor\b)|there(?!\s+(?:is|are|was|were|will|has|have|can|must)\b))\b",
    re.IGNORECASE,
)
_OPEN = re.compile(rf"(?:it|they|he|she|this|that|these|those)\s+(?:also\s+)?{_VERBS}(?! not the case)", re.IGNORECASE)


def clauses(text: str) -> list[str]:
    """The sentences of a text, those of reason and conclusion apart; without full stops at their ends."""
    found: list[str] = []
    for sentence in split_sentences(text):
        for part in filter(None, _SO.split(sentence)):
            since = _SINCE.fullmatch(_stripped(part))
            for clause in (part,) if since is None else since.groups():
                found += _halves(clause)
    return found


def refers_back(clause: str) -> bool:
    """Whether a word of the clause stands for something said before."""
    return _BACK.search(clause) is not None


def clean_statement(text: str) -> str | None:
    """The statement of a sentence, without what ties it to others; None where it states nothing that can be tested.

    What begins with an open 'it' or 'they' cannot be tested either, since nobody knows of what it speaks; nor can one
    word, which is a heading.
    """
    text = _bare(one_line(text).strip(' -*•"'))
    if called := CALLED_TRUE.match(text):
        text = called["statement"]
    if text.endswith("?") or " " not in text or TALK.match(text) or _OPEN.match(text) or not content_words(text):
        return None
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!")) else f"{text}."


def _halves(clause: str) -> list[str]:
    if _JOINED.search(clause):
        return [clause]
    parts = _AND.split(clause)
    return parts if all(_VERB.search(part) for part in parts) else [clause]


def _bare(text: str) -> str:
    """The statement alone. The texts of prompts are made of clauses, and keep what is taken away here."""
    text = _stripped(text)
    while frame := FRAME.match(text):
        text = _stripped(text[frame.end() :])
    return text


def _stripped(text: str) -> str:
    """The sentence without its leading connectives, however many there are."""
    while lead := _LEAD.match(text):
        text = text[lead.end() :]
    return text
