"""Find the names in the words of a change, and words that may be unknown names.

"Cancel the Gala" must not change anything if no Gala is known, and "Cancel the Design Review Prep" must not touch the
Design Review: an unknown word may be a name, or a part of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from holdtrue.language.grounding import NUMBER_WORDS, Mentions, exact_mentions, stem
from holdtrue.language.instance_cache import cached_per_instance
from holdtrue.language.names import names_of
from holdtrue.world.instance import Instance

_SPLIT = re.compile(r"\S+")
# Words that a sentence may have around what it is about, and that name nothing by themselves.
_AROUND_NAMES = frozenset(
    _SPLIT.findall(
        "the this that these those there it its his her their our my your and both about regarding concerning "
        "involving with of for on in between together at least is are was be been being am s must have has "
        "had to do does need needs happen happens happening take takes taking place held scheduled planned "
        "stay stays go goes come comes rule rules constraint constraints condition conditions requirement "
        "requirements restriction restrictions commitment commitments statement statements demand demands "
        "wish wishes request requests instruction instructions agreement agreements preference preferences "
        "sentence sentences remark remarks one ones thing things bit part point idea note line message entry "
        "item number whole entire only now just last again please too also so far all every each entirely "
        "completely altogether everything anything"
    )
)
# What else a sentence may have around that says what is to hold instead.
_AROUND_STATED = _AROUND_NAMES | frozenset(
    _SPLIT.findall(
        "a an i we you moves moving give gives get gets would should shall could can will 'd d like want "
        "wants put make let get keep set move moved change changed switch update alter amend revise correct "
        "shift reschedule relocate transfer postpone push bring delay back forward into onto from now over "
        "we'll i'll we'd i'd let's it's that's"
    )
)
_SAYINGS = re.compile(
    r"\b(?:rules?|constraints?|conditions?|requirements?|restrictions?|commitments?|statements?|wish(?:es)?|requests?"
    r"|agreements?|preferences?|sentences?|ones?|things?|bit|part|point|idea|note|line|entry|item|number|whole|entire"
    r"|only|about|regarding|concerning|involving)\b",
    re.IGNORECASE,
)
_FUNCTION = frozenset(
    _SPLIT.findall("the a an this that of and for with about on in is are to our my your their it i we")
)
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+|-[^\W\d_]+)*|[&@#+]+")
_HIDDEN = re.compile(r"([\ua000-\ua48c])\d+\1")
_POSSESSIVE = re.compile(r"(?<=[\ua000-\ua48c])['\u2019]s?\b")
_ALTERNATIVE = re.compile(r"\b(?:or|nor|either|and/or|maybe|perhaps|possibly)\b", re.IGNORECASE)
_SECOND_THOUGHT = re.compile(
    r"\b(?:i mean|i meant|rather|sorry,? not|no|not|wait|actually|instead|maybe|perhaps|only|except|keep)\b",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|cannot|must|should|shall|may|might|do|does|did|let|put"
    r"|because|since|i|we|you|they|he|she|it|there|works?|sits?|nobody|no one|everybody|everyone|people|nothing)\b"
    r"|'(?:s|re|ve|ll|m|d)\b|n't\b",
    re.IGNORECASE,
)
_CLAUSE_OF_A_NAME = re.compile(
    r"(?:the )?([\ua000-\ua48c])\d+\1 (?!and\b|or\b|rule|constraint|one\b|thing\b)\w", re.IGNORECASE
)
_IMPERATIVE = re.compile(r"(?:move|change|shift|reschedule|put|let|replace|make|set|keep|use|please)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\s+\((?=\w)|\s*(?:[,;\u2014]|\s[\u2013-]+)\s+|\s+(?=(?:because|since|as i|as we)\b)", re.IGNORECASE
)
_QUOTED = " .,:;!?()\"'\u2018\u2019\u201c\u201d"


@dataclass(frozen=True, slots=True)
class Content:
    """`Content` tells what the words of a change are about.

    Attributes:
        named: The things that they name exactly.
        unknown: The words that are neither names nor words of the domain.
        likely_name: One of these is written like a name, so that the change is about something unknown.
        plain: There is nothing but names.
        alternative: The words leave a choice ("or").
    """

    named: Mentions
    unknown: tuple[str, ...]
    likely_name: bool
    plain: bool
    alternative: bool

    @property
    def names_something(self) -> bool:
        return bool(self.named.entities or self.named.values or self.named.numbers)


@cached_per_instance
def read_content(instance: Instance, text: str, *, stated: bool = False) -> Content:
    """Return what the words are about; `stated` means that they say what is to hold, and not what is taken back."""
    around = _AROUND_STATED if stated else _AROUND_NAMES
    names = names_of(instance)
    found = names.hide(text)
    hidden = found.text
    for word, name in found.names.items():
        if name not in names.entities and name not in names.values:
            hidden = hidden.replace(word, name.casefold())  # what an attribute is called is one of the domain's words
    hidden = _POSSESSIVE.sub(" of ", hidden)
    known = _domain_words(instance)
    unknown: list[str] = []
    capital = plain = False
    tokens = list(_TOKEN.finditer(hidden))
    plain = True
    shouted = hidden.upper() == hidden
    for place, token in enumerate(tokens):
        word = token.group()
        if _HIDDEN.fullmatch(word):
            continue
        folded = word.casefold()
        like_a_name = place > 0 and word[0].isupper() and folded not in _FUNCTION and not shouted
        after_name = place > 0 and _HIDDEN.fullmatch(tokens[place - 1].group()) is not None
        joined = after_name and not hidden[tokens[place - 1].end() : token.start()].strip()
        if word[0].isdigit() or folded in NUMBER_WORDS:
            plain = False
            if (joined and not folded.endswith(("st", "nd", "rd", "th"))) or (
                place > 0 and tokens[place - 1].group() == "#"
            ):
                unknown.append(word)  # 'Design Review 2' where only a 'Design Review' is known
                capital = True
        elif folded in around and not like_a_name:
            continue
        elif stem(folded) in known and not like_a_name and not (joined and _is_last(hidden, token, instance)):
            plain = False
        else:
            plain = False
            unknown.append(word)
            capital = capital or like_a_name or (place == 0 and word[0].isupper()) or not word[0].isalnum()
    alternative = bool(_ALTERNATIVE.search(hidden))
    return Content(exact_mentions(instance, text), tuple(unknown), capital, plain, alternative)


def _is_last(hidden: str, token: re.Match[str], instance: Instance) -> bool:
    """Return whether a word like 'day' ends the text right behind a name: 'the Demo Day' may be another name."""
    rest = [word for word in _TOKEN.findall(hidden[token.end() :]) if word.casefold() not in _AROUND_NAMES]
    labels = {stem(word) for a in instance.attributes.values() for word in re.findall(r"\w+", a.label.casefold())}
    return not rest and stem(token.group()) in labels


@cached_per_instance
def _domain_words(instance: Instance) -> frozenset[str]:
    """The stems of all words with which the domain speaks of its constraints."""
    texts = [
        re.sub(r"\{[^}]*\}", " ", text) for kind in instance.types.values() for text in (kind.sentence, *kind.wordings)
    ]
    texts += [attribute.label for attribute in instance.attributes.values()]
    return frozenset(stem(word) for text in texts for word in re.findall(r"[^\W_]+", text.casefold()))


def parts(instance: Instance, text: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to take the text for what is meant and a sentence that follows, at each mark between clauses."""
    hidden = names_of(instance).hide(text)
    for mark in _CLAUSE.finditer(hidden.text):
        first, rest = hidden.text[: mark.start()], hidden.text[mark.end() :]
        if first.strip() and is_clause(rest) and not _SECOND_THOUGHT.match(rest):
            yield hidden.restore(first), hidden.restore(rest)


def is_clause(hidden: str) -> bool:
    """Return whether words whose names are hidden are a sentence of their own, and no name for what was spoken of."""
    return bool(_CLAUSE_OF_A_NAME.match(hidden) or _IMPERATIVE.match(hidden) or _FINITE.search(hidden))


def without_sayings(instance: Instance, text: str) -> str:
    """The text without the words for what was said: 'the day rule' is about the day."""
    hidden = names_of(instance).hide(text)
    return hidden.restore(_SAYINGS.sub(" ", hidden.text))


def says_otherwise(hidden: str) -> bool:
    """Return whether the words take back a part of what stands before them: 'I mean Bob', 'not Ann'."""
    return bool(_SECOND_THOUGHT.match(hidden))


def tell_unknown(instance: Instance, text: str) -> str:
    """Tell why a text that names nothing known touches nothing, with the names that it is like."""
    said = text.strip(_QUOTED)
    alike = names_of(instance).alike(said)[:3]
    guess = f" (did you mean {' or '.join(repr(name) for name in alike)}?)" if alike else ""
    return f"it names nothing that is known here: {said!r:.80}{guess}"
