"""Find by words alone which active commitments a sentence takes back.

Names decide: every name in the sentence must be known exactly, and the commitment must have that name. A word that is
neither a name nor a word of the domain may be part of an unknown name. A sentence with such a word therefore
changes nothing. "Cancel the Gala" changes nothing if no Gala is known, and "Cancel the Design Review Prep" does not
touch the Design Review.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from holdtrue.errors import ConstraintError
from holdtrue.language.change_detection import find_reservation
from holdtrue.language.english_patterns import NUMBER_WORDS, english, words
from holdtrue.language.grounding import Mentions, exact_mentions, stem
from holdtrue.language.matching import match_sentence
from holdtrue.language.names import cached_per_instance, names_of
from holdtrue.language.reading import ActiveCommitment, Reading, Why
from holdtrue.language.withdrawals import Withdrawal
from holdtrue.language.wording import fits, says, spellings
from holdtrue.world.instance import Constraint, Instance

_SPLIT = re.compile(r"\S+")
# Words that may surround a name and name nothing themselves.
_AROUND_NAMES = frozenset(words("resolution.around_names"))
# Further such words in a sentence that states a new constraint.
_AROUND_STATED = _AROUND_NAMES | frozenset(words("resolution.around_stated"))
_SAYINGS = english("resolution.sayings")
_FUNCTION = frozenset(
    _SPLIT.findall("the a an this that of and for with about on in is are to our my your their it i we")
)
_TOKEN = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+|-[^\W\d_]+)*|[&@#+]+")
_HIDDEN = re.compile(r"([\ua000-\ua48c])\d+\1")
_POSSESSIVE = re.compile(r"(?<=[\ua000-\ua48c])['\u2019]s?\b")
_ALTERNATIVE = re.compile(r"\b(?:or|nor|either|and/or|maybe|perhaps|possibly)\b", re.IGNORECASE)
_SECOND_THOUGHT = english("resolution.second_thought")
_FINITE = english("resolution.finite")
_CLAUSE_OF_A_NAME = english("resolution.clause_of_a_name")
_IMPERATIVE = re.compile(r"(?:move|change|shift|reschedule|put|let|replace|make|set|keep|use|please)\b", re.IGNORECASE)
_CLAUSE = english("resolution.clause")


@dataclass(frozen=True, slots=True)
class Content:
    """`Content` describes the object of a change: the things that its words are about.

    Attributes:
        named: The things that the words name exactly.
        unknown: The words that are neither names nor words of the domain.
        likely_name: Whether an unknown word is written like a name, so that the change is about something unknown.
        plain: Whether the words are only names.
        alternative: Whether the words leave a choice ("or").
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
    """Return the things that the words are about. `stated` says that the words state a new constraint."""
    around = _AROUND_STATED if stated else _AROUND_NAMES
    names = names_of(instance)
    found = names.hide(text)
    hidden = found.text
    for word, name in found.names.items():
        if name not in names.entities and name not in names.values:
            hidden = hidden.replace(word, name.casefold())  # the label of an attribute is a word of the domain
    hidden = _POSSESSIVE.sub(" of ", hidden)
    known = _domain_words(instance)
    unknown: list[str] = []
    capital, plain = False, True
    tokens = list(_TOKEN.finditer(hidden))
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
    texts = [
        re.sub(r"\{[^}]*\}", " ", text) for kind in instance.types.values() for text in (kind.sentence, *kind.wordings)
    ]
    texts += [attribute.label for attribute in instance.attributes.values()]
    return frozenset(stem(word) for text in texts for word in re.findall(r"[^\W_]+", text.casefold()))


def parts(instance: Instance, text: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to cut the text, at a mark between clauses, into an object and a following sentence."""
    hidden = names_of(instance).hide(text)
    for mark in _CLAUSE.finditer(hidden.text):
        first, rest = hidden.text[: mark.start()], hidden.text[mark.end() :]
        if first.strip() and is_clause(rest) and not _SECOND_THOUGHT.match(rest):
            yield hidden.restore(first), hidden.restore(rest)


def is_clause(hidden: str) -> bool:
    """Return whether the text, whose names are hidden, is a clause and not a name for a commitment."""
    return bool(_CLAUSE_OF_A_NAME.match(hidden) or _IMPERATIVE.match(hidden) or _FINITE.search(hidden))


def without_sayings(instance: Instance, text: str) -> str:
    """Return the text without words such as 'rule': 'the day rule' is about the day."""
    hidden = names_of(instance).hide(text)
    return hidden.restore(_SAYINGS.sub(" ", hidden.text))


def says_otherwise(hidden: str) -> bool:
    """Return whether the text takes back a part of the text before it: 'I mean Bob', 'not Ann'."""
    return bool(_SECOND_THOUGHT.match(hidden))


def tell_unknown(instance: Instance, text: str) -> str:
    """Return the reason why a text that names nothing known changes nothing, with the names that resemble it."""
    said = text.strip(AROUND)
    alike = names_of(instance).alike(said)[:3]
    guess = f" (did you mean {' or '.join(repr(name) for name in alike)}?)" if alike else ""
    return f"it names nothing that is known here: {said!r:.80}{guess}"


AROUND = " .,:;!?\"'\u2018\u2019\u201c\u201d()"
_ID = re.compile(r"\bc\d{3,}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Referents:
    """`Referents` are the commitments that a sentence means, or the reason why they are not known.

    If they are known, `commitments` holds them and `why_not` is None. Otherwise `why_not` is the reason and `why` its
    code. `among` are then the commitments from which a reader of free wording may choose.
    """

    commitments: tuple[ActiveCommitment, ...] = ()
    why_not: str | None = None
    why: Why | None = None
    among: tuple[ActiveCommitment, ...] = ()

    def rejection(self, sentence: str) -> Reading:
        """Return the rejected reading of a sentence that takes nothing back."""
        return Reading(sentence, "rejected", None, 0.0, self.why_not, act="withdraws", why=self.why)


class Resolver:
    """A `Resolver` finds the commitments of one instance that a sentence means."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.names = names_of(instance)

    def own_wording(self, text: str) -> Constraint | None:
        """Return the constraint, in canonical form, that the text states in the domain's wording; None for other words.

        Raises `ConstraintError` if the wording fits and an argument does not exist.
        """
        fault: ConstraintError | None = None
        hidden = self.names.hide(text)
        for spelling in spellings(hidden.text.strip(AROUND)):
            try:
                made = match_sentence(self.instance, hidden.restore(spelling))
            except ConstraintError as error:
                fault = fault or error
            else:
                if made is not None:
                    return self.instance.canonical(made)
        if fault is not None:
            raise fault
        return None

    def find_referents(self, cue: Withdrawal, active: Sequence[ActiveCommitment]) -> Referents:
        """Return the commitments in `active` that a sentence takes back."""
        if not active:
            return Referents(why_not="nothing is agreed that could be taken back")
        hidden = replace(cue, content=self.names.hide(cue.content).text, rest=self.names.hide(cue.rest).text)
        if ids := [id.upper() for id in _ID.findall(hidden.content)]:
            reservation = find_reservation(hidden, listed=True)
            return Referents(why_not=reservation) if reservation else self._find_by_ids(ids, cue.content, active)
        made, fault = None, None
        try:
            made = self.own_wording(cue.content)
        except ConstraintError as error:
            fault = error
        if fault is not None and read_content(self.instance, cue.content).unknown:
            return Referents(why_not=str(fault), why=Why.of(fault))
        if made is not None:
            return self._choose([one for one in active if one.constraint == made], cue)
        if reservation := find_reservation(hidden, listed=cue.every):
            return Referents(why_not=reservation)
        if cue.counted:
            return self._which_of(active)
        content, pool = cue.content, active
        if cue.latest and not content.strip(AROUND) and not (cue.two and len(newest(active)) == 1):
            pool = newest(active)
        if content.strip(AROUND):
            return self._find_by_names(content, pool, cue)
        return self._choose(pool, cue)

    def _find_by_ids(self, ids: Sequence[str], text: str, active: Sequence[ActiveCommitment]) -> Referents:
        found = tuple(one for one in active if one.id in ids)
        unknown = [id for id in ids if id not in {one.id for one in found}]
        if unknown:
            return Referents(why_not=f"there is no active commitment {', '.join(unknown)}")
        about = {entity for one in found for entity in self.instance.entities_in(one.constraint)}
        others = [name for name in exact_mentions(self.instance, text).entities if name not in about]
        content = read_content(self.instance, _ID.sub(" ", text))
        if content.unknown and content.likely_name:
            return Referents(why_not=tell_unknown(self.instance, text), why=Why.UNREAD)
        if others:
            return Referents(why_not=f"{', '.join(ids)} is not about {', '.join(others)}")
        return Referents(found)

    def _find_by_names(self, text: str, pool: Sequence[ActiveCommitment], cue: Withdrawal) -> Referents:
        content = read_content(self.instance, text)
        if not content.names_something:
            return Referents(why_not=tell_unknown(self.instance, text), why=Why.UNREAD)
        if content.alternative:
            return Referents(why_not="it leaves open what is meant")
        fitting = [one for one in pool if fits(self.instance, one.constraint, text)]
        if content.unknown:
            return self._explain_unknown(text, content, fitting, cue)
        if content.plain and (content.named.entities or not cue.strict):
            return self._choose(fitting, cue) if fitting else self._find_each(content, pool, cue)
        if cue.strict:
            return Referents(why_not="it does not say for certain that something no longer holds")
        words = without_sayings(self.instance, text)
        worded = [one for one in fitting if says(self.instance, one.constraint, words)]
        if worded and (meant := self._choose(worded, cue)).commitments:
            return meant
        among = tuple(worded or fitting)
        if not among:
            return self._choose((), cue)
        return self._one_of(among, () if cue.two else among)

    def _explain_unknown(
        self, text: str, content: Content, fitting: Sequence[ActiveCommitment], cue: Withdrawal
    ) -> Referents:
        """Return the reason why no commitment is certain. Unless an unknown word is written like a name, a reader may
        choose from `fitting`.
        """
        if content.likely_name or not fitting:
            return Referents(why_not=tell_unknown(self.instance, text), why=Why.UNREAD)
        return self._one_of(fitting, () if cue.strict or cue.two else tuple(fitting))

    def _find_each(self, content: Content, pool: Sequence[ActiveCommitment], cue: Withdrawal) -> Referents:
        """Return the commitments about each name in 'Ann and Bob', if no commitment is about both."""
        entities = content.named.entities
        if len(entities) < 2 or content.named.values or content.named.numbers:
            return self._choose((), cue)
        each = [[one for one in pool if entity in self.instance.entities_in(one.constraint)] for entity in entities]
        found = tuple(dict.fromkeys(one for some in each for one in some))
        if all(each) and ((cue.every and not cue.two) or all(len(some) == 1 for some in each)):
            return Referents(found)
        return self._which_of(found)

    def _choose(self, commitments: Sequence[ActiveCommitment], cue: Withdrawal) -> Referents:
        # 'That' after a turn with several commitments may mean all or the last. A wrong guess would break a promise
        # that nobody took back, so there must be one candidate only.
        if (len(commitments) == 2 or not cue.two) and (len(commitments) == 1 or (commitments and cue.every)):
            return Referents(tuple(commitments))
        if cue.two and len(commitments) == 1:
            return Referents(why_not=f"two are meant, and only {self.tell(commitments)} fits")
        return self._which_of(commitments)

    def _which_of(self, meant: Sequence[ActiveCommitment], among: tuple[ActiveCommitment, ...] = ()) -> Referents:
        if not meant:
            return Referents(why_not="nothing of this was agreed")
        return Referents(why_not=f"which of {self.tell(meant)}?", why=Why.SEVERAL, among=among)

    def _one_of(self, meant: Sequence[ActiveCommitment], among: tuple[ActiveCommitment, ...]) -> Referents:
        if len(meant) > 1:
            return self._which_of(meant, among)
        told = meant[0].id or "what was just said"
        why_not = f"it is not worded like {told}, the only commitment that it can mean"
        return Referents(why_not=why_not, why=Why.UNLIKE, among=among)

    def tell(self, active: Iterable[ActiveCommitment]) -> str:
        """Return the commitments in words: the id of each, or the sentence of one that the same message made."""
        return ", ".join(one.id or f'"{self.instance.sentence(one.constraint)}"' for one in active)


def newest(active: Sequence[ActiveCommitment]) -> list[ActiveCommitment]:
    """Return the commitments of the latest turn in `active`."""
    latest = max((one.turn for one in active), default=0)
    return [one for one in active if one.turn == latest]
