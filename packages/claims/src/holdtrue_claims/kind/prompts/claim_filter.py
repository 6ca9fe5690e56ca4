"""Decide, by words alone, which claims of a list an answer really makes; a model may list others or repeat some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from holdtrue_claims.kind.prompts.content_words import (
    content_list,
    content_words,
    denies,
    has_denial,
    is_value_word,
    said_words,
)
from holdtrue_claims.kind.prompts.statements import clean_statement, refers_back

_NOT = re.compile(r"\b(is|are|was|were|does|do|did|has|have|ca|wo)n t\b")
_CANNOT = re.compile(r"\b(?:can ?not|ca not|must not|could not) be\b")
_MUST = re.compile(r"\b(?:must|has to|have to) be\b")
_NEEDLESS = re.compile(r"\b(?:also|therefore|thus|hence|consequently|clearly|indeed|definitely|certainly)\b")


def statement_key(statement: str) -> str:
    """Return a key that two forms of one statement share: 'cannot be' and 'is not', 'must therefore be' and 'is'."""
    plain = " ".join(re.sub(r"\W+", " ", statement.casefold()).split())
    plain = _NEEDLESS.sub(" ", _NOT.sub(r"\1 not", plain))
    plain = _MUST.sub("is", _CANNOT.sub("is not", " ".join(plain.split())))
    return re.sub(r"\bare\b", "is", plain)


_SHARED = 0.7
"""So much of a claim has to be in the answer, the question or the context."""
_REACH = 2
"""So many clauses before one can have words that its pronouns stand for."""


def is_in_answer(claim: str, clauses: Sequence[str], around: Sequence[str] = ()) -> bool:
    """Return whether a claim can be one of an answer with these `clauses`; a model may list other statements.

    All words that it has of the answer, names and values apart, have to be of one clause, or of a few together where
    this refers back; of the answer it has one such word, or a name. What it has in place of pronouns may come from the
    texts `around` the answer, such as the question and the context. Its names and values have to be somewhere there,
    and no clause says the opposite.
    """
    if any(_opposite(claim, clause) for clause in clauses):
        return False
    # The words with a capital, but for the first one.
    names = content_words(" ".join(re.findall(r"(?<=\s)[A-Z]\w*", claim)))
    if not names <= content_words(" ".join((*clauses, *around))):
        return False
    # Four days a week may be one value, or a number among words.
    return any(_is_said(claim, names, clauses, around, words_of) for words_of in (content_words, said_words))


def _is_said(
    claim: str,
    names: frozenset[str],
    clauses: Sequence[str],
    around: Sequence[str],
    words_of: Callable[[str], Iterable[str]],
) -> bool:
    answer, near = (frozenset(words_of(" ".join(texts))) for texts in (clauses, (*clauses, *around)))
    content = frozenset(words_of(claim))
    values = {word for word in content if is_value_word(word) or word.isdecimal()}
    own = (content & answer) - names - values or content & answer & names
    if not own or not values <= near or len(content & near) < _SHARED * len(content):
        return False
    for place, clause in enumerate(clauses):
        before = _REACH if refers_back(clean_statement(clause) or clause) else 0
        if own <= frozenset(words_of(" ".join(clauses[max(0, place - before) : place + 1]))):
            return True
    return False


def _opposite(claim: str, clause: str) -> bool:
    """Return whether one of them denies, in the same words, what the other says."""
    statement = clean_statement(clause) or clause
    mine, words = content_list(claim), content_list(statement)
    if denies(claim) and not has_denial(statement):
        return any(words[start : start + len(mine)] == mine for start in range(len(words)))
    return denies(claim) != denies(statement) and mine == words
