"""Which of the commitments that hold a sentence means, as far as its words alone tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from holdtrue.domains.instance import Constraint, Instance
from holdtrue.errors import ConstraintError
from holdtrue.language.amendments import Amendment
from holdtrue.language.grounding import mentions, stem
from holdtrue.language.matching import match_sentence
from holdtrue.language.reading import Held
from holdtrue.language.reservations import find_reservation, has_condition
from holdtrue.language.substitution import substitute
from holdtrue.language.withdrawals import Withdrawal, spot_object
from holdtrue.language.wording import fits, meaning_words, says, spellings

_ID = re.compile(r"\bc\d{3,}\b", re.IGNORECASE)
_IN_TURN = re.compile(r"\b(?:(?:in|from|of|at) )?(turn|message) (?:number )?(\d{1,6})\b", re.IGNORECASE)
_THAT = re.compile(
    r"that|this|it|(?:the|my|our) (?:last|previous) (?:one|thing|rule|constraint|condition|request|wish)"
    r"|what (?:i|we) (?:just )?said(?: last)?",
    re.IGNORECASE,
)
_AROUND = " .,:;!?\"'\u2018\u2019\u201c\u201d"


@dataclass(frozen=True, slots=True)
class Meant:
    """What was found: `held` is what the sentence means, and then `why_not` is None.

    Otherwise `why_not` says why nothing is meant for certain; `among` is what a reader that knows more than the
    domain's own wording may choose from.
    """

    held: tuple[Held, ...] = ()
    why_not: str | None = None
    among: tuple[Held, ...] = ()


class Resolver:
    """Finds commitments of one instance by what a sentence says."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def own_wording(self, text: str) -> Constraint | None:
        """The constraint that the text states in the domain's own wording, in normal form; None for other words.

        Raises `ConstraintError` where the wording fits and an argument does not.
        """
        fault: ConstraintError | None = None
        for spelling in spellings(text.strip(_AROUND)):
            try:
                made = match_sentence(self.instance, spelling)
            except ConstraintError as error:
                fault = fault or error
            else:
                if made is not None:
                    return self.instance.canonical(made)
        if fault is not None:
            raise fault
        return None

    def find_meant(self, cue: Withdrawal, held: Sequence[Held]) -> Meant:
        """What the sentence takes back, out of what holds."""
        if not held:
            return Meant(why_not="nothing is agreed that could be taken back")
        if ids := self._find_ids(cue.content):
            reservation = find_reservation(cue, listed=True)
            return Meant(why_not=reservation) if reservation else self._find_by_ids(ids, cue.content, held)
        try:
            made = self.own_wording(cue.content)
        except ConstraintError as error:
            return Meant(why_not=str(error))
        if made is not None:
            return self._choose([one for one in held if one.constraint == made], cue)
        if reservation := find_reservation(cue, listed=cue.every):
            return Meant(why_not=reservation)
        if cue.counted:
            return Meant(why_not=f"which of {self.tell(held)}?")
        content, pool = cue.content, held
        if (turn := _IN_TURN.search(content)) and not self._domain_says(turn[1]):
            pool = [one for one in held if one.turn == int(turn[2])]
            content = content[: turn.start()] + content[turn.end() :]
        elif cue.latest and not content.strip(_AROUND) and not (cue.two and len(newest(held)) == 1):
            pool = newest(held)
        if content.strip(_AROUND):
            return self._find_by_names(content, pool, cue)
        return self._choose(pool, cue)

    def _domain_says(self, word: str) -> bool:
        """Whether the word is one of the domain's own: there are turns in games, too."""
        kinds, attributes = self.instance.types.values(), self.instance.attributes.values()
        told = [text for kind in kinds for text in (kind.sentence, *kind.wordings)]
        said = " ".join([*told, *(attribute.label for attribute in attributes), *self.instance.entities])
        return stem(word) in {stem(one) for one in re.findall(r"\w+", said)}

    def _find_ids(self, text: str) -> list[str]:
        """The ids of commitments in the text; an entity or a value may have a name like one."""
        named = mentions(self.instance, text)
        names = {name.upper() for name in (*named.entities, *(label for _, label in named.values))}
        return [id.upper() for id in _ID.findall(text) if id.upper() not in names]

    def _find_by_ids(self, ids: Sequence[str], text: str, held: Sequence[Held]) -> Meant:
        found = tuple(one for one in held if one.id in ids)
        unknown = [id for id in ids if id not in {one.id for one in found}]
        if unknown:
            return Meant(why_not=f"there is no active commitment {', '.join(unknown)}")
        about = {entity for one in found for entity in self.instance.entities_in(one.constraint)}
        others = [name for name in mentions(self.instance, text).entities if name not in about]
        if others:
            return Meant(why_not=f"{', '.join(ids)} is not about {', '.join(others)}")
        return Meant(found)

    def _find_by_names(self, content: str, pool: Sequence[Held], cue: Withdrawal) -> Meant:
        named = mentions(self.instance, content)
        if not (named.entities or named.values or named.numbers):
            return Meant(why_not="it names nothing that was agreed")
        fitting = [one for one in pool if fits(self.instance, one.constraint, content)]
        bare = not meaning_words(self.instance, content)
        if not fitting or (bare and not cue.strict):
            return self._choose(fitting, cue)
        worded = [] if bare else [one for one in fitting if says(self.instance, one.constraint, content)]
        if worded and (meant := self._choose(worded, cue)).held:
            return meant
        among = tuple(worded or fitting)
        why_not = f"which of {self.tell(among)}?" if len(among) > 1 else _unlike(among)
        return Meant(why_not=why_not, among=() if cue.strict or cue.two else among)

    def _choose(self, found: Sequence[Held], cue: Withdrawal) -> Meant:
        # One candidate only, also for a mere 'that' after a turn that agreed to several things: whether the user
        # means all of them or the last is a guess, and a wrong guess breaks a promise that nobody took back.
        if (len(found) == 2 or not cue.two) and (len(found) == 1 or (found and cue.every)):
            return Meant(tuple(found))
        if cue.two and len(found) == 1:
            return Meant(why_not=f"two are meant, and only {self.tell(found)} fits")
        return Meant(why_not=f"which of {self.tell(found)}?" if found else "nothing of this was agreed")

    def find_replaced(self, cue: Amendment, made: Constraint, held: Sequence[Held]) -> list[Held]:
        """What `made` takes the place of: what the sentence says, else what is most like it; all that may be meant."""
        others = [one for one in held if one.constraint != made]
        if cue.displaced is not None:
            return self._find_displaced(cue.displaced, cue.stated, made, others)
        alike = [one for one in others if one.constraint.type == made.type]
        entities = self.instance.entities_in(made)
        about = [(one, self.instance.entities_in(one.constraint)) for one in alike]
        return (
            [one for one, its in about if sorted(its) == sorted(entities)]
            or [one for one in alike if len(_changed(one.constraint, made)) == 1]
            or [one for one, its in about if its and its[0] == entities[0]]
        )

    def _find_displaced(self, displaced: str, stated: str, made: Constraint, others: Sequence[Held]) -> list[Held]:
        if _THAT.fullmatch(displaced.strip(_AROUND)):
            return newest(others)
        cue = spot_object(displaced)
        if cue is not None and cue.content and cue.sure:  # 'instead of C002', 'of what I said about Bob'
            return list(self.find_meant(cue, others).held)
        try:
            own = self.own_wording(displaced)
        except ConstraintError:
            return []
        if own is not None:
            return [one for one in others if one.constraint == own]
        named = mentions(self.instance, displaced)
        things = {*named.entities, *named.numbers, *(label for _, label in named.values)}
        if not things:
            return []
        fitting = [one for one in others if fits(self.instance, one.constraint, displaced)]
        worded = [one for one in fitting if says(self.instance, one.constraint, displaced)]
        # 'In chair 4 instead of chair 2': the words are those of the same sentence, whatever the domain calls it,
        # and so only another such sentence is meant: 'Ann on day 2 rather than Bob' is not about Ann before Bob.
        parallel = meaning_words(self.instance, displaced) <= meaning_words(self.instance, stated)
        swapped = [
            one
            for one in (fitting if parallel else worded)
            if one.constraint.type == made.type and set(_changed(one.constraint, made)) <= things
        ]
        entities = set(self.instance.entities_in(made))
        if swapped or parallel:
            return swapped
        return [
            one
            for one in worded
            if named.entities or not entities.isdisjoint(self.instance.entities_in(one.constraint))
        ]

    def find_stated(self, cue: Amendment, held: Sequence[Held]) -> list[Constraint]:
        """What the sentence may put in the place of something, in normal form.

        One constraint if it is in the domain's own wording; else what commitments become by its new names alone,
        and where it names nobody only those that were said last.
        """
        try:
            own = self.own_wording(cue.stated)
        except ConstraintError:
            return []
        if own is not None:
            return [own]
        named = set(mentions(self.instance, cue.stated).entities)
        made = (
            substitute(self.instance, one.constraint, cue.stated, cue.displaced)
            for one in (held if named else newest(held))
        )
        possible = list(dict.fromkeys(one for one in made if one is not None))
        whole = [one for one in possible if named.issuperset(self.instance.entities_in(one))]
        # Whoever names somebody names all, unless what he names is only what takes another's place: 'Ann, not Bob'.
        return whole if whole or (named and cue.displaced is None) else possible

    def is_conditional(self, cue: Amendment) -> bool:
        """Whether the change is only to be made under a condition, which no wording of the domain states."""
        if has_condition(cue.displaced or ""):
            return True
        try:
            return has_condition(cue.stated) and self.own_wording(cue.stated) is None
        except ConstraintError:
            return True

    def tell(self, held: Iterable[Held]) -> str:
        """The commitments by id; those of the same message, which have none yet, in their words."""
        return ", ".join(one.id or f'"{self.instance.sentence(one.constraint)}"' for one in held)

    def either(self, possible: Sequence[Constraint]) -> str | None:
        """What to say of a sentence that can mean all of these."""
        told = " or ".join(f'"{self.instance.sentence(made)}"' for made in possible)
        return f"it may mean {told}" if told else None


def newest(held: Sequence[Held]) -> list[Held]:
    """What was last said, as far as it still holds."""
    latest = max((one.turn for one in held), default=0)
    return [one for one in held if one.turn == latest]


def _changed(old: Constraint, made: Constraint) -> list[str | int]:
    """The arguments of the old constraint that the new one does not have."""
    return [arg for arg in old.args if arg not in made.args]


def _unlike(among: Sequence[Held]) -> str:
    return f"it is not worded like {among[0].id or 'what was just said'}, the only commitment that it can mean"
