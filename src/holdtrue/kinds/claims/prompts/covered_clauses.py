"""Find the clauses of an answer that its claims do not say in full, so that nothing of it goes untested in silence.

A clause is covered if its words are those of claims: all that have content, its values, and the words that a meaning
turns on, such as all, only, or, if and not. What remains may only be courtesy or talk about the answer, in words that
context and question do not use. A "yes" or "no" says what the question asks, so a claim has to say it, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from holdtrue.kinds.claims.prompts.content_words import (
    content_list,
    content_words,
    denies,
    is_value_word,
    plain_words,
    said_words,
    without_values,
    word_set,
    word_stem,
)
from holdtrue.kinds.claims.prompts.statements import refers_back
from holdtrue.language.sentences import split_sentences

_TURNED_ON = word_set(
    "all every each any some everyone everybody everything someone somebody something anyone anybody anything",
    "only or if unless except may might should than most more less fewer few many",
)
_DENIALS = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['\u2019]t\b", re.IGNORECASE
)
_ALL_RIGHT = re.compile(r"\b(?:all right|at all|after all|if you (?:like|wish|want|need))\b", re.IGNORECASE)
_ALL_OF_THEM = word_set("all every each both")
"""What a claim may have in place of a pronoun: they are all the guests."""
_SPEAKERS = re.compile(r"\b(?:you|your|we|our|i|my)\b", re.IGNORECASE)
_SAYS_SOMETHING = 4
"""Of so many words half may stand in another order, as in 'and so is the pie'."""
_YES_OR_NO = re.compile(r"(?P<word>yes|no)\b\s*(?:[,:;.!\u2013\u2014-]\s*|$)", re.IGNORECASE)
_CAPITAL = re.compile(r"(?<=\s)(?!I\b)[^\W\d_a-z]")
_TALK = frozenset(
    map(
        word_stem,
        word_set(
            "please note remember sorry apologies apologise thank thanks sure course hello hi hope help happy glad",
            "welcome question answer know let feel free ask context text premise premises passage story rule fact",
            "sentence state states says say tell tells told imply implies show shows mention mentions according based",
            "given follow follows conclude conclusion infer mean means reason reasoning summary short clearly indeed",
            "certainly obviously right finally first firstly second secondly third next lastly overall step consider",
            "consequently result understood yes",
        ),
    )
)
"""The stems of words by which an answer speaks to the reader or of itself."""


@dataclass(frozen=True, slots=True)
class Left:
    """A clause that claims do not say in full, at a `place` of the answer.

    `in_part` says that claims say a part of it. `doubtful` says that it may state nothing more than they do: all its
    words that the matter has stand in claims, which have more words than it, and what is left may be mere courtesy.
    """

    place: int
    in_part: bool
    doubtful: bool


def uncovered(clauses: Sequence[str], claims: Sequence[str], context: str = "", question: str = "") -> tuple[Left, ...]:
    """Return the clauses that these claims do not say in full."""
    matter = content_words(f"{context} {question}")
    covers = [_Cover(clauses, claims, question, _TALK - matter, words_of) for words_of in (said_words, content_list)]
    told = [(text, frozenset(said_words(text))) for text in (*claims, *clauses)]
    found = []
    for place, clause in enumerate(clauses):
        if any(cover.says(clause) for cover in covers):
            continue
        known = matter.union(*(words for text, words in told if text != clause))
        in_part = any(cover.claims_of(clause) for cover in covers)
        found.append(Left(place, in_part, any(cover.may_say(clause, known) for cover in covers)))
    return tuple(found)


class _Cover:
    def __init__(
        self,
        clauses: Sequence[str],
        claims: Sequence[str],
        question: str,
        talk: Collection[str],
        words_of: Callable[[str], list[str]],
    ) -> None:
        self._talk, self._words_of = talk, words_of
        self._claims = [(claim, self._words(claim)) for claim in claims]
        self._clauses = [(clause, words_of(clause)) for clause in clauses]
        asked = [own for own in split_sentences(question) if own.endswith("?")]
        self._asked = {*words_of(asked[-1])} if asked else set()

    def says(self, clause: str) -> bool:
        """Return whether claims say all of a clause."""
        short = _YES_OR_NO.match(clause)
        if short is not None and not self._answers(short["word"]):
            return False
        rest, own = _without_yes_or_no(clause), self.claims_of(clause)
        if not own and (_turned_on(rest) or _denied(rest)):
            return False
        return not (rest.rstrip().endswith("?") or self._left(rest, own) or _is_twisted(rest, own))

    def may_say(self, clause: str, known: Collection[str]) -> bool:
        """Return whether claims may say all of a clause, or it may be courtesy: the matter has `known` words."""
        rest, own = _without_yes_or_no(clause), self.claims_of(clause, strict=False)
        left = self._left(rest, own)
        is_known = any(word in known or is_value_word(word) or word.isdecimal() for word in left)
        is_name = left and _CAPITAL.search(rest)
        return not (rest.rstrip().endswith("?") or is_known or is_name or (own and _is_twisted(rest, own)))

    def claims_of(self, clause: str, *, strict: bool = True) -> list[str]:
        """Return the claims that say a part of a clause: in its order, but for a part that was moved.

        Where the clause refers back, or not `strict`, a claim may have more words, for what is meant; not `strict`, at
        most as many as are of the clause.
        """
        clause = _without_yes_or_no(clause)
        words = self._words(clause)
        more = not strict or refers_back(clause) or _SPEAKERS.search(clause) is not None
        claims = [own for own in self._claims if strict or 2 * sum(word in words for word in own[1]) >= len(own[1])]
        return [claim for claim, said in claims if self._is_of(claim, said, clause, words, more)]

    def _is_of(self, claim: str, said: Sequence[str], clause: str, words: Sequence[str], more: bool) -> bool:
        inside = [word for word in said if word in words]
        shared = 2 * _in_order(inside, words)
        if shared <= len(inside) and not shared == len(inside) >= _SAYS_SOMETHING:
            return False
        has_more = len(inside) < len(said)
        # What another clause says in so many words is not what this one means.
        if has_more and (not more or any(_is_literal(claim, said, *other) for other in self._clauses)):
            return False
        return _turned_on(claim) - (_ALL_OF_THEM if has_more else frozenset()) <= _turned_on(clause)

    def _answers(self, word: str) -> bool:
        """Return whether a claim says what "yes" or "no" says: the words of the question, denied or not."""
        no = word.casefold() == "no"
        return any(self._asked and self._asked <= {*said} and denies(claim) == no for claim, said in self._claims)

    def _words(self, clause: str) -> list[str]:
        return [word for word in self._words_of(clause) if word not in self._talk]

    def _left(self, clause: str, own: Sequence[str]) -> list[str]:
        said = {word for claim in own for word in self._words(claim)}
        return [word for word in self._words(clause) if word not in said]


def _without_yes_or_no(clause: str) -> str:
    short = _YES_OR_NO.match(clause)
    return clause[short.end() :] if short else clause


def _is_literal(claim: str, said: Sequence[str], clause: str, words: Sequence[str]) -> bool:
    return _in_order(said, words) == len(said) and _denied(claim) == _denied(clause)


def _is_twisted(clause: str, own: Sequence[str]) -> bool:
    """Return whether claims lack a word of a clause that its meaning turns on."""
    whole = " ".join(own)
    return not (_turned_on(clause) <= _turned_on(whole) and _denied(clause) <= _denied(whole))


def _in_order(part: Sequence[str], words: Sequence[str]) -> int:
    """Return how many words of a part stand in the part's order among these."""
    return sum(block.size for block in SequenceMatcher(None, part, words, autojunk=False).get_matching_blocks())


def _turned_on(text: str) -> frozenset[str]:
    return _TURNED_ON.intersection(plain_words(_ALL_RIGHT.sub(" ", without_values(text))))


def _denied(text: str) -> int:
    # 'Neither A nor B' is denied once of each.
    return len(_DENIALS.findall(re.sub(r"\bneither\b", " ", text, flags=re.IGNORECASE)))
