"""Decide, by words alone, which claims of a list an answer really makes; a model may list others or repeat some."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from holdtrue.kinds.claims.prompts.content_words import (
    content_list,
    content_runs,
    content_stem,
    content_words,
    denies,
    has_denial,
    is_value_word,
    plain_words,
    said_words,
)
from holdtrue.kinds.claims.prompts.statements import clean_statement, refers_back

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


# So much of a claim has to be in the answer, and so many clauses before one can be what its pronouns stand for.
_SHARED = 0.7
_REACH = 2


def is_in_answer(claim: str, clauses: Sequence[str], around: Sequence[str] = ()) -> bool:
    """Return whether one of an answer's `clauses` says the claim: it has most of the claim's content words.

    For a clause with a pronoun, names may come from the clauses before it, or from the texts `around` the answer, such
    as the question and the context; so may the other words of a claim that has all words of a clause. The clause must
    have the claim's numbers, be they written in another way, and deny if and only if the claim does.
    """
    if not _names(claim) <= content_words(" ".join((*clauses, *around))):
        return False
    return any(_is_said(claim, clauses, around, words_of) for words_of in (content_words, _said))


def _said(text: str) -> frozenset[str]:
    return frozenset(said_words(text))


def _is_said(
    claim: str, clauses: Sequence[str], around: Sequence[str], words_of: Callable[[str], frozenset[str]]
) -> bool:
    content = words_of(claim)
    numbers = {word for word in content if is_value_word(word) or word.isdecimal()}
    phrases: frozenset[frozenset[str]] | None = None
    for place, clause in enumerate(clauses):
        own = words_of(clean_statement(clause) or clause)
        says_more = len(own) > 1 and own <= content and not _opposite(claim, clause)
        if says_more and content <= words_of(" ".join((*clauses, *around))):
            return True
        # Bare, since the 'this' of 'this means that' speaks of nothing that the statement is about.
        back = refers_back(clean_statement(clause) or clause)
        words = words_of(" ".join(clauses[max(0, place - _REACH) : place + 1]) if back else clause)
        missing = content - words
        if back and missing and phrases is None:
            phrases = _phrases(around, content)
        named = _named(claim, clause, missing, phrases) if back and phrases else frozenset()
        rest = content - named
        if (
            rest
            and len(rest & words) >= _SHARED * len(rest)
            and numbers <= words | named
            and not _opposite(claim, clause)
        ):
            return True
    return False


def _phrases(around: Sequence[str], content: frozenset[str]) -> frozenset[frozenset[str]]:
    """Return what each phrase of the texts around has of these words: few sets, however long the texts are."""
    found = (content.intersection(run) for text in around for run in content_runs(text))
    return frozenset(phrase for phrase in found if phrase)


def _named(claim: str, clause: str, missing: frozenset[str], phrases: frozenset[frozenset[str]]) -> frozenset[str]:
    """The missing words of the claim that are a name of these phrases, in the place of a pronoun of the clause.

    They have to be one phrase there and here. What is told of it has to be the clause's: the word that follows the
    pronoun, or the one before it, is in the claim.
    """
    if not missing:
        return frozenset()
    name = missing & frozenset().union(*phrases)
    if not name or not any(name <= phrase for phrase in phrases):
        return frozenset()
    if not any(name <= set(run) for run in content_runs(claim)) or not _keeps(content_words(claim), clause):
        return frozenset()
    return name


def _keeps(content: frozenset[str], clause: str) -> bool:
    words = plain_words(clause)
    for place, word in enumerate(words):
        if not refers_back(word):
            continue
        no_adverbs = (word for word in words[place + 1 :] if not word.endswith("ly"))
        after = [stem for stem in map(content_stem, no_adverbs) if stem is not None]
        before = [stem for stem in map(content_stem, words[:place]) if stem is not None]
        if (after or before[::-1] or [""])[0] in content:
            return True
    return False


def _opposite(claim: str, clause: str) -> bool:
    """Return whether one of them denies, in the same words, what the other says."""
    statement = clean_statement(clause) or clause
    mine, words = content_list(claim), content_list(statement)
    if denies(claim) and not has_denial(statement):
        return any(words[start : start + len(mine)] == mine for start in range(len(words)))
    return denies(claim) != denies(statement) and mine == words


def _names(text: str) -> frozenset[str]:
    """The words with a capital, but for the first one."""
    return content_words(" ".join(re.findall(r"(?<=\s)[A-Z]\w*", text)))
