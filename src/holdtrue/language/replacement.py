"""Find the commitment that an amendment replaces, and the constraint that replaces it.

Only words and active commitments decide; no model is called. "Make it day 3 instead of day 2" gives the constraint with
day 3 (`find_stated`) and the commitment with day 2 (`find_replaced`).

'Ann on day 3, not day 2' only names the difference. It means the old commitment with the named things replaced. It is
read this way only if its words are like those of the old commitment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdtrue.errors import ConstraintError
from holdtrue.language.candidate_constraints import fill
from holdtrue.language.change_detection import Amendment, has_condition
from holdtrue.language.denials_and_limits import denies, is_bounded
from holdtrue.language.grounding import exact_mentions
from holdtrue.language.names import names_of
from holdtrue.language.reading import ActiveCommitment
from holdtrue.language.resolution import AROUND, Resolver, newest, read_content
from holdtrue.language.withdrawals import spot_object
from holdtrue.language.wording import fits, meaning_words, names, says
from holdtrue.world.domain import AttributeName, Entity
from holdtrue.world.instance import Arg, Constraint, Instance

Named = dict[str, list[Arg]]


def substitute(instance: Instance, agreed: Constraint, stated: str, displaced: str | None) -> Constraint | None:
    """Return the `agreed` constraint with the things that `stated` names put in, or None if the words do not fit.

    The new things replace those that `displaced` names. If it is None, they replace the things of the same kind that
    `stated` does not name.
    """
    if displaced is not None:
        found = exact_mentions(instance, displaced)
        names_nothing = not (found.entities or found.values or found.numbers)
        if names_nothing or not names(instance, agreed, found) or not says(instance, agreed, displaced):
            return None
    new, old, slots = _named(instance, stated), _named(instance, displaced or ""), _slots(instance, agreed)
    args: list[Arg] = list(agreed.args)
    for sort, named in new.items():
        fresh = [value for value in named if value not in [args[slot] for slot in slots[sort]]]
        leaving = [slot for slot in slots[sort] if args[slot] not in named]
        if displaced is not None:
            leaving = [slot for slot in leaving if args[slot] in old[sort]]
        elif not fresh:
            continue
        if len(fresh) != len(leaving):
            return None
        for slot, value in zip(leaving, fresh, strict=True):
            args[slot] = value
    try:
        made = instance.canonical(instance.constraint(agreed.type, args))
    except ConstraintError:
        return None
    if made == agreed or (displaced is None and not set(agreed.args) & set(made.args)):
        return None
    return made if says(instance, made, stated) else None


def _named(instance: Instance, text: str) -> Named:
    found = exact_mentions(instance, text)
    labels = list(dict.fromkeys(label for _, label in found.values))
    return {"entity": list(found.entities), "number": list(found.numbers), "label": list(labels)}


def _slots(instance: Instance, constraint: Constraint) -> dict[str, Sequence[int]]:
    """Return the positions of arguments that may change, by the kind of thing that fits there."""
    slots: dict[str, list[int]] = {"entity": [], "number": [], "label": []}
    for place, argument in enumerate(instance.types[constraint.type].arguments):
        if isinstance(argument, Entity):
            slots["entity"].append(place)
        elif not isinstance(argument, AttributeName):
            slots["number" if isinstance(constraint.args[place], int) else "label"].append(place)
    return {sort: tuple(places) for sort, places in slots.items()}


_THAT = re.compile(
    r"that|this|it|(?:the|my|our) (?:last|previous) (?:one|thing|rule|constraint|condition|request|wish)"
    r"|what (?:i|we) (?:just )?said(?: last)?",
    re.IGNORECASE,
)


class Replacement:
    """A `Replacement` finds, in one instance, the commitment that an amendment replaces and its replacement.

    If a sentence may mean several commitments or constraints, all are returned, and the caller asks which one is meant
    (`either`).
    """

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.instance = resolver.instance

    def find_replaced(
        self, cue: Amendment, constraint: Constraint, active: Sequence[ActiveCommitment]
    ) -> list[ActiveCommitment]:
        """Return the commitments that the new `constraint` may replace: none, one or several.

        If the sentence names the replaced thing ("instead of day 2"), only commitments about that thing are returned.
        Otherwise the result has commitments of the same type. Those about the same entities come first, then those with
        a single different argument, then those with the same first entity. Only the first group that is not empty is
        returned.
        """
        others = [one for one in active if one.constraint != constraint]
        if cue.displaced is not None:
            return self._find_displaced(cue.displaced, cue.stated, constraint, others)
        alike = [one for one in others if one.constraint.type == constraint.type]
        entities = self.instance.entities_in(constraint)
        about = [(one, self.instance.entities_in(one.constraint)) for one in alike]
        return (
            [one for one, its in about if sorted(its) == sorted(entities)]
            or [
                one
                for one, its in about
                if len(self._changed(one.constraint, constraint)) == 1 and set(its) & set(entities)
            ]
            or [one for one, its in about if its and its[0] == entities[0]]
        )

    def find_corrected(self, constraint: Constraint, active: Sequence[ActiveCommitment]) -> list[ActiveCommitment]:
        """Return the one commitment that differs from `constraint` in one value: 'by Friday' replaces 'by Wednesday'.

        A value is a number or a named value; all entities must be the same. The list is empty if there is no such
        commitment or more than one. It is also empty if both may hold, as denials do: 'not on day 2', 'not on day 3'.
        Facts about no entity and without a limit may hold together, too: 'the office is closed on day 2'.
        """
        kind = self.instance.types[constraint.type]
        if denies(kind) or not (is_bounded(kind) or self.instance.entities_in(constraint)):
            return []
        same = [one for one in active if one.constraint.type == constraint.type]
        fitting = [one for one in same if self._differs_in_one_value(one.constraint, constraint)]
        return fitting if len(fitting) == 1 else []

    def _differs_in_one_value(self, old: Constraint, new: Constraint) -> bool:
        arguments = self.instance.types[new.type].arguments
        different = [argument for argument, was, now in zip(arguments, old.args, new.args, strict=True) if was != now]
        return len(different) == 1 and not isinstance(different[0], Entity | AttributeName)

    def _changed(self, old: Constraint, new: Constraint) -> list[Arg]:
        """Return the arguments of the old constraint that the new one, of the same type, lacks.

        Values are compared position by position. Entities count at any position, because a symmetric type may reorder
        them.
        """
        arguments = self.instance.types[new.type].arguments
        return [
            was
            for argument, was, now in zip(arguments, old.args, new.args, strict=True)
            if (was not in new.args if isinstance(argument, Entity) else was != now)
        ]

    def _find_displaced(
        self, displaced: str, stated: str, constraint: Constraint, others: Sequence[ActiveCommitment]
    ) -> list[ActiveCommitment]:
        if _THAT.fullmatch(displaced.strip(AROUND)):
            return newest(others)
        cue = spot_object(displaced)
        if cue is not None and cue.content and cue.sure:  # 'instead of C002', 'of what I said about Bob'
            return list(self.resolver.find_referents(cue, others).commitments)
        content = read_content(self.instance, displaced)
        named = content.named
        things = {*named.entities, *named.numbers, *(label for _, label in named.values)}
        if not things or content.unknown or content.alternative:
            return []
        fitting = [one for one in others if fits(self.instance, one.constraint, displaced)]
        worded = [one for one in fitting if says(self.instance, one.constraint, displaced)]
        # 'In chair 4 instead of chair 2': both halves have the same words, so they mean constraints of one type.
        # 'Ann on day 2 rather than Bob' is not about Ann before Bob.
        parallel = meaning_words(self.instance, displaced) <= meaning_words(self.instance, stated)
        swapped = [
            one
            for one in (fitting if parallel else worded)
            if one.constraint.type == constraint.type and set(self._changed(one.constraint, constraint)) <= things
        ]
        entities = set(self.instance.entities_in(constraint))
        if swapped or parallel:
            return swapped
        return [
            one
            for one in worded
            if named.entities or not entities.isdisjoint(self.instance.entities_in(one.constraint))
        ]

    def find_stated(self, cue: Amendment, active: Sequence[ActiveCommitment]) -> list[Constraint]:
        """Return the constraints, in canonical form, that the sentence may put in the place of a commitment.

        A sentence in the domain's wording gives exactly one constraint. Any other sentence gives the commitments with
        the sentence's names and numbers put in. If it names no entity, it can only mean the newest commitments. The
        list is empty if the sentence names something unknown.
        """
        try:
            own = self.resolver.own_wording(cue.stated)
        except ConstraintError:
            return []
        if own is not None:
            return [own]
        content = read_content(self.instance, cue.stated, stated=True)
        if content.likely_name or content.alternative:
            return []  # 'Move the Gala to day 3' changes nothing if no Gala is known
        named = set(content.named.entities)
        made = (
            substitute(self.instance, one.constraint, cue.stated, cue.displaced)
            for one in (active if named else newest(active))
        )
        possible = list(dict.fromkeys(one for one in made if one is not None))
        if cue.displaced is None and not meaning_words(self.instance, cue.stated):
            # 'Move Ann to Bob' does not say how they are related.
            possible = [one for one in possible if len(self.instance.entities_in(one)) < 2]
        whole = [one for one in possible if named.issuperset(self.instance.entities_in(one))]
        # A sentence with names has all names of its constraint, unless it only names a substitute: 'Ann, not Bob'.
        found = whole if whole or (named and cue.displaced is None) else possible
        return found or ([] if content.unknown or not named else list(self._say_anew(cue.stated)))

    def _say_anew(self, text: str) -> Iterator[Constraint]:
        """Yield the constraints that use all names of the text and whose wording has its words.

        This serves a sentence that changes no commitment: 'Move Ann to day 3' if Ann has no day yet.
        """
        found = exact_mentions(self.instance, text)
        for name, kind in self.instance.types.items():
            for args in fill(self.instance, kind, found):
                if len(set(args)) < len(args):
                    continue  # one word of the sentence never fills two places
                made = Constraint(name, args)
                bare = not meaning_words(self.instance, text) and len(self.instance.entities_in(made)) > 1
                if not bare and names(self.instance, made, found) and says(self.instance, made, text):
                    yield self.instance.canonical(made)

    def is_conditional(self, cue: Amendment) -> bool:
        """Return whether the change depends on a condition that is not part of the domain's wording."""
        hide = names_of(self.instance).hide
        if has_condition(hide(cue.displaced or "").text):
            return True
        try:
            return has_condition(hide(cue.stated).text) and self.resolver.own_wording(cue.stated) is None
        except ConstraintError:
            return True

    def either(self, possible: Sequence[Constraint]) -> str | None:
        """Return the reason to reject a sentence that may mean any of these constraints; None if there are none."""
        readings = " or ".join(f'"{self.instance.sentence(made)}"' for made in possible)
        return f"it may mean {readings}" if readings else None
