"""Compare the claims of a list with the clauses of an answer, by words alone, in both directions.

First, listed claims that the answer does not make are detected. Then clauses that no claim covers are detected, so that
every part of an answer is tested or reported. A clause is covered if each of its content words occurs in a claim whose
words have the same order. In doubt a clause is not covered, because it can become a claim itself. A "yes" or "no"
repeats the question, so a claim has to say it, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from holdtrue.language.asking import one_line
from holdtrue.language.sentences import PICTURE, split_sentences
from holdtrue_claims.kind.prompts.content_words import (
    content_list,
    content_stem,
    content_words,
    denies,
    has_denial,
    is_amount_word,
    is_value_word,
    plain_words,
    said_words,
    value_word,
    word_set,
)
from holdtrue_claims.kind.prompts.statements import clean_statement, refers_back, without_opening
from holdtrue_claims.values.text_values import read_values

_SHORT_NOT = re.compile(r"\b(is|are|was|were|does|do|did|has|have|ca|wo)n t\b")
_CANNOT_BE = re.compile(r"\b(?:can ?not|ca not|must not|could not) be\b")
_MUST_BE = re.compile(r"\b(?:must|has to|have to) be\b")
_NEEDLESS = re.compile(r"\b(?:also|therefore|thus|hence|consequently|clearly|indeed|definitely|certainly)\b")


def statement_key(statement: str) -> str:
    """Return a key shared by two forms of one statement: 'cannot be' and 'is not', 'must therefore be' and 'is'."""
    plain = " ".join(re.sub(r"\W+", " ", statement.casefold()).split())
    plain = _NEEDLESS.sub(" ", _SHORT_NOT.sub(r"\1 not", plain))
    plain = _MUST_BE.sub("is", _CANNOT_BE.sub("is not", " ".join(plain.split())))
    return re.sub(r"\bare\b", "is", plain)


_SHARED = 0.7
"""The least share of a claim's words that answer, question and context must contain."""
_REACH = 2
"""The number of preceding clauses that a pronoun may refer to."""


def is_in_answer(claim: str, clauses: Sequence[str], around: Sequence[str] = ()) -> bool:
    """Return whether a claim can be one of an answer with these `clauses`; a model may list other statements.

    The words that claim and answer share must occur in one clause, or in a few if that clause refers back. Names and
    values are exempt from this. Claim and answer must share at least one word or name. Replacements for pronouns may
    come from the texts `around` the answer, such as the question and the context. All names and values must occur in
    the answer or around it, and no clause may say the opposite.
    """
    if any(_opposite(claim, clause) for clause in clauses):
        return False
    # Capitalized words except the first one.
    names = content_words(" ".join(re.findall(r"(?<=\s)[A-Z]\w*", claim)))
    if not names <= content_words(" ".join((*clauses, *around))):
        return False
    # 'Four days a week' may be one value, or a number among words.
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
    """Return whether one text denies the other in the same words."""
    statement = clean_statement(clause) or clause
    mine, words = content_list(claim), content_list(statement)
    if denies(claim) and not has_denial(statement):
        return any(words[start : start + len(mine)] == mine for start in range(len(words)))
    return denies(claim) != denies(statement) and mine == words


_LITTLE = word_set(
    "a an the is are am be do does has have and both either then also too so therefore thus hence since because",
    "that which who whom whose what it its they them their he him his she her this these those there",
    "we us our you your i me my",
)
_PLACED = word_set("of in on at to from by for with")
_ALL_OF_THEM = word_set("all every each one")
"""Words that a claim may have in place of a pronoun: they are all the guests."""
_NOT = re.compile(r"(?<=\bcan)(?:not|['\u2019]t)\b|n['\u2019]t\b", re.IGNORECASE)
_MUST = re.compile(r"\bha(?:ve|s) to\b", re.IGNORECASE)
_DENIALS = word_set("not no never none nobody nothing neither nor without")
_PICTURE = re.compile(PICTURE)
_NOR = re.compile(r"\bnor\b", re.IGNORECASE)
_SPEAKERS = re.compile(r"\b(?:you|your|we|our|i|my)\b", re.IGNORECASE)
_YES_OR_NO = re.compile(r"\b(?P<word>yes|no)\b\s*(?:[,:;.!\u2013\u2014-]\s*|$)", re.IGNORECASE)
_SO_DOES = re.compile(r"\bso (?:is|are|was|were|do|does|did|has|have|had|can|may|must|will)\b", re.IGNORECASE)


def uncovered(
    clauses: Sequence[str], claims: Sequence[str], context: str = "", question: str = ""
) -> Mapping[str, bool]:
    """Return the clauses that these claims do not cover, each with whether it is doubtful.

    A doubtful clause may state nothing. It is a question, a heading, or a clause without amounts and dates that shares
    nothing with a claim. Courtesy looks like that, and so may a statement; words alone do not decide.
    """
    matter = content_words(f"{context} {question}")
    said, told = [_words(claim) for claim in claims], {clause: _words(clause) for clause in clauses}
    found: dict[str, bool] = {}
    for clause in told:
        rest = without_opening(clause, matter)
        short = _YES_OR_NO.search(one_line(clause).removesuffix(rest)) or _YES_OR_NO.match(rest)
        rest = rest.removeprefix(short[0]) if short else rest
        others = [words for other, words in told.items() if other != clause]
        own, left = _said_of(rest, said, others)
        opens = rest.rstrip().endswith(("?", ":"))
        if not (left or opens) and (short is None or _answers(short["word"], question, claims)):
            continue
        stands = own and not _refers(rest)
        found[clause] = bool(opens or not (stands or any(map(is_amount_word, left))))
    return found


def is_composed(statement: str, others: Iterable[str]) -> bool:
    """Return whether several shorter statements together say all of this one: 'neither A nor B is old'."""
    parts = [own for own in map(_words, others) if len(own) < len(_words(statement))]
    own, left = _said_of(statement, parts)
    return own > 1 and not left


def _said_of(
    clause: str, claims: Iterable[Sequence[str]], others: Collection[Sequence[str]] = ()
) -> tuple[int, list[str]]:
    """Return how many claims say a part of a clause, and the words that none of them says.

    If the clause refers back, a claim may have additional words for the referent, unless another clause (`others`) says
    exactly the same.
    """
    refers = _refers(clause)
    ignored = _PLACED if refers else frozenset[str]()
    if _NOR.search(clause):  # 'Neither A nor B' denies both.
        ignored, claims = ignored | {"not"}, [said for said in claims if "not" in said]
    words = [word for word in _words(clause) if word not in ignored]
    turned = (
        words * 2 if _SO_DOES.search(clause) else words
    )  # In 'and so is the pie' the predicate is at the beginning of the clause.
    own, meant = list[set[int]](), list[set[int]]()
    for said in ([word for word in claim if word not in ignored] for claim in claims):
        if found := _places(said, turned):
            own.append({place % len(words) for place in found})
        elif refers and not any(_places(said, other) for other in others):
            meant.append(_meant_places(said, words))
    told = [one for one in own if _is_told(one, [*own, *meant])] + [one for one in meant if one]
    return len(told), [word for place, word in enumerate(words) if not any(place in one for one in told)]


def _is_told(one: set[int], own: Sequence[set[int]]) -> bool:
    """Return whether other claims cover the words of a clause that a claim skips, with the same words before or after
    them.

    'Ann and Ben came late' is not covered by the claims that Ann came, and that Ben came late.
    """
    skipped = {*range(min(one), max(one))} - one
    if not skipped:
        return True
    first, last = min(skipped), max(skipped)

    def ends(places: set[int]) -> tuple[set[int], set[int]]:
        return {place for place in places if place < first}, {place for place in places if place > last}

    (before, behind), others = ends(one), [(other, *ends(other)) for other in own]
    return skipped <= set().union(*(other for other, head, tail in others if head == before or tail == behind))


def _refers(clause: str) -> bool:
    return refers_back(clause) or _SPEAKERS.search(clause) is not None


def _meant_places(said: Sequence[str], words: Sequence[str]) -> set[int]:
    """Return the places of the words that a clause shares with a claim, if its other words can replace a pronoun."""
    blocks = SequenceMatcher(None, said, words, autojunk=False).get_matching_blocks()
    has = {block.a + place for block in blocks for place in range(block.size)}
    added = [word for place, word in enumerate(said) if place not in has]
    if 2 * len(has) <= sum(word in words for word in said) or any(_turns(word, _ALL_OF_THEM) for word in added):
        return set()
    return {block.b + place for block in blocks for place in range(block.size)}


def _places(part: Sequence[str], words: Sequence[str]) -> set[int]:
    """Return the places of a part's words among `words` in the same order, as late as possible; empty if there are
    none.
    """
    places: set[int] = set()
    at = len(words)
    for word in reversed(part):
        at = next((place for place in range(at - 1, -1, -1) if words[place] == word), -1)
        if at < 0:
            return set()
        places.add(at)
    return places


def _answers(word: str, question: str, claims: Iterable[str]) -> bool:
    """Return whether a claim says the meaning of "yes" or "no": the last question, affirmed or denied."""
    asked = next((own for own in reversed(split_sentences(question)) if own.endswith("?")), "")
    content, words = content_list(asked), {*_words(asked)}
    return any(
        bool(words)
        and words <= {*(said := _words(claim))}
        and bool(_places(content, said))
        and denies(claim) == (word.casefold() == "no")
        for claim in claims
    )


def _words(text: str) -> list[str]:
    """Return the words with content: stems, one word for each value, and one word for all denials."""
    read = read_values(text)
    # A doubtful value, such as a day without its year, is one word, too.
    values = {own.start: (own.end, f"={own.text.casefold()}") for own in read.doubts}
    values |= {own.start: (own.end, value_word(own.value)) for own in read.values if own.role == "value"}
    found, at = list[str](), 0
    for start, (end, value) in [*sorted(values.items()), (len(text), (len(text), ""))]:
        if start >= at:
            plain = plain_words(_MUST.sub("must", _NOT.sub(" not", text[at:start])))
            found += ["not" if own in _DENIALS else content_stem(own) or own for own in plain if own not in _LITTLE]
            found += _PICTURE.findall(text[at:start])  # A tick or a cross may mean yes or no.
            found += [value] if value else []
            at = end
    return found


def _turns(word: str, but: Collection[str] = ()) -> bool:
    """Return whether a word of grammar is decisive for a sentence, such as if, only and may."""
    return not (word in but or word in _PLACED or is_value_word(word)) and content_stem(word) is None
