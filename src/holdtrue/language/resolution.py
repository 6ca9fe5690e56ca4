"""Find by words alone which of the active commitments a sentence takes back.

Names decide: every name in the sentence must be known exactly, and the commitment must have it. A word that is neither
a name nor one of the domain's own may be the name of something else, so a sentence with such a word changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from holdtrue.errors import ConstraintError
from holdtrue.language.change_detection import find_reservation
from holdtrue.language.grounding import exact_mentions, stem
from holdtrue.language.matching import match_sentence
from holdtrue.language.names import names_of
from holdtrue.language.reading import ActiveCommitment
from holdtrue.language.unknown_names import Content, read_content, tell_unknown, without_sayings
from holdtrue.language.withdrawals import Withdrawal
from holdtrue.language.wording import fits, says, spellings
from holdtrue.world.instance import Constraint, Instance

AROUND = " .,:;!?\"'\u2018\u2019\u201c\u201d()"
_ID = re.compile(r"\bc\d{3,}\b", re.IGNORECASE)
_IN_TURN = re.compile(r"\b(?:(?:in|from|of|at) )?(turn|message) (?:number )?(\d{1,6})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Referents:
    """`Referents` are the commitments that a sentence means, or the reason why that is not known.

    If they are known, `commitments` are these, and `why_not` is None. Otherwise `why_not` is the reason, and `among`
    are the commitments from which a reader of free wording may choose.
    """

    commitments: tuple[ActiveCommitment, ...] = ()
    why_not: str | None = None
    among: tuple[ActiveCommitment, ...] = ()


class Resolver:
    """A `Resolver` finds commitments of one instance by what a sentence says."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.names = names_of(instance)

    def own_wording(self, text: str) -> Constraint | None:
        """The constraint that the text states in the domain's own wording, in normal form; None for other words.

        Raises `ConstraintError` where the wording fits and an argument does not.
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
        """Return which of the commitments in `active` a sentence takes back."""
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
            fault = str(error)
        if fault is not None and read_content(self.instance, cue.content).unknown:
            return Referents(why_not=fault)
        if made is not None:
            return self._choose([one for one in active if one.constraint == made], cue)
        if reservation := find_reservation(hidden, listed=cue.every):
            return Referents(why_not=reservation)
        if cue.counted:
            return Referents(why_not=f"which of {self.tell(active)}?")
        content, pool = cue.content, active
        if (turn := _IN_TURN.search(hidden.content)) and not self._domain_says(turn[1]):
            pool = [one for one in active if one.turn == int(turn[2])]
            content = content.replace(turn[0], " ")
        elif cue.latest and not content.strip(AROUND) and not (cue.two and len(newest(active)) == 1):
            pool = newest(active)
        if content.strip(AROUND):
            return self._find_by_names(content, pool, cue)
        return self._choose(pool, cue)

    def _domain_says(self, word: str) -> bool:
        """Return whether the word is one of the domain's own: there are turns in games, too."""
        kinds, attributes = self.instance.types.values(), self.instance.attributes.values()
        wordings = [text for kind in kinds for text in (kind.sentence, *kind.wordings)]
        said = " ".join([*wordings, *(attribute.label for attribute in attributes), *self.instance.entities])
        return stem(word) in {stem(one) for one in re.findall(r"\w+", said)}

    def _find_by_ids(self, ids: Sequence[str], text: str, active: Sequence[ActiveCommitment]) -> Referents:
        found = tuple(one for one in active if one.id in ids)
        unknown = [id for id in ids if id not in {one.id for one in found}]
        if unknown:
            return Referents(why_not=f"there is no active commitment {', '.join(unknown)}")
        about = {entity for one in found for entity in self.instance.entities_in(one.constraint)}
        others = [name for name in exact_mentions(self.instance, text).entities if name not in about]
        content = read_content(self.instance, _ID.sub(" ", text))
        if content.unknown and content.likely_name:
            return Referents(why_not=tell_unknown(self.instance, text))
        if others:
            return Referents(why_not=f"{', '.join(ids)} is not about {', '.join(others)}")
        return Referents(found)

    def _find_by_names(self, text: str, pool: Sequence[ActiveCommitment], cue: Withdrawal) -> Referents:
        content = read_content(self.instance, text)
        if not content.names_something:
            return Referents(why_not=tell_unknown(self.instance, text))
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
        why_not = f"which of {self.tell(among)}?" if len(among) > 1 else _unlike(among)
        return Referents(why_not=why_not, among=() if cue.two else among)

    def _explain_unknown(
        self, text: str, content: Content, fitting: Sequence[ActiveCommitment], cue: Withdrawal
    ) -> Referents:
        """Nothing is meant for certain; in words that are not written like a name a reader may see more."""
        if content.likely_name or not fitting:
            return Referents(why_not=tell_unknown(self.instance, text))
        why_not = f"which of {self.tell(fitting)}?" if len(fitting) > 1 else _unlike(fitting)
        return Referents(why_not=why_not, among=() if cue.strict or cue.two else tuple(fitting))

    def _find_each(self, content: Content, pool: Sequence[ActiveCommitment], cue: Withdrawal) -> Referents:
        """'Ann and Bob', where nothing is about both: what is about the one and what is about the other."""
        entities = content.named.entities
        if len(entities) < 2 or content.named.values or content.named.numbers:
            return self._choose((), cue)
        each = [[one for one in pool if entity in self.instance.entities_in(one.constraint)] for entity in entities]
        found = tuple(dict.fromkeys(one for some in each for one in some))
        if all(each) and ((cue.every and not cue.two) or all(len(some) == 1 for some in each)):
            return Referents(found)
        return Referents(why_not=f"which of {self.tell(found)}?" if found else "nothing of this was agreed")

    def _choose(self, commitments: Sequence[ActiveCommitment], cue: Withdrawal) -> Referents:
        # One candidate only, also for a mere 'that' after a turn that agreed to several things: whether the user
        # means all of them or the last is a guess, and a wrong guess breaks a promise that nobody took back.
        if (len(commitments) == 2 or not cue.two) and (len(commitments) == 1 or (commitments and cue.every)):
            return Referents(tuple(commitments))
        if cue.two and len(commitments) == 1:
            return Referents(why_not=f"two are meant, and only {self.tell(commitments)} fits")
        return Referents(why_not=f"which of {self.tell(commitments)}?" if commitments else "nothing of this was agreed")

    def tell(self, active: Iterable[ActiveCommitment]) -> str:
        """Return the commitments in words: by id, or by sentence if the same message made them."""
        return ", ".join(one.id or f'"{self.instance.sentence(one.constraint)}"' for one in active)


def newest(active: Sequence[ActiveCommitment]) -> list[ActiveCommitment]:
    """Return the commitments of the latest turn in `active`."""
    latest = max((one.turn for one in active), default=0)
    return [one for one in active if one.turn == latest]


def _unlike(among: Sequence[ActiveCommitment]) -> str:
    return f"it is not worded like {among[0].id or 'what was just said'}, the only commitment that it can mean"
