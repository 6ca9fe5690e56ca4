"""Infer the change that a sentence in free wording makes, by comparing its names with the active commitments.

`change_detection` recognizes known wordings, and people use others. A sentence with a cue for a change is compared with
each commitment. If it names everything that the commitment is about, the commitment ends, or the other named things
replace some of its arguments. If more than one change fits, or words stay unexplained, nothing changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holdtrue.errors import ConstraintError
from holdtrue.language.candidate_constraints import fill
from holdtrue.language.change_detection import join_comparisons, part_comparisons
from holdtrue.language.denials_and_limits import denies
from holdtrue.language.direction import has_direction
from holdtrue.language.english_patterns import masked
from holdtrue.language.grounding import Mentions, exact_mentions
from holdtrue.language.implied_words import find_unexplained
from holdtrue.language.masked_text import without_remarks
from holdtrue.language.names import names_of
from holdtrue.language.qualifying_words import SPEECH, Kind
from holdtrue.language.reading import ActiveCommitment
from holdtrue.language.residual_content import words_not_carried
from holdtrue.language.sentences import plain, with_apostrophes
from holdtrue.language.wording import meaning_words
from holdtrue.world.domain import AttributeName
from holdtrue.world.instance import Arg, Constraint, Instance

ENDS = masked("inferred_changes.ends")
# Words about a thing itself: 'the hike is off'.
OFF = re.compile(r"E(?:'s| is| are) (?:now |all )?(?:off|out|gone|cancell?ed|dropped|scrapped)\b")
# Words for a duty, which is something agreed.
DUTY = re.compile(r"\b(?:ha(?:ve|s)|needs?) to\b|\bneed(?:n't| not)\b|\b(?:required|compulsory|necessary|obliged)\b")
APART = re.compile(r"\b(?:apart|between|different|opposite|separate)\b")
ALLOWS = masked("inferred_changes.allows")
SAYING = masked("inferred_changes.saying")
EVERY = masked("inferred_changes.every")
CHANGES = masked("inferred_changes.changes")
MOVES = masked("inferred_changes.moves")
DISPLACED = masked("inferred_changes.displaced")
STAYS = masked("inferred_changes.stays")
LEAVES = masked("inferred_changes.leaves")


_BLOCKS: frozenset[Kind] = frozenset({"alternative", "condition", "length"})
_UNKNOWN_NAME = re.compile(r"(?<=[a-z\ua000-\ua48c,;] )[A-Z][a-z]\w+")
_KNOWN_CAPITALS = frozenset(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Day Room Rooms Thanks Please".split()
)
_TAG = re.compile(r"[,.]?\s*if you please\W*$|[,.]?\s*(?:will|would|could|can) you\W*$|\bplease\W*$|\bok(?:ay)?\W*$")
_POLITE = masked("inferred_changes.polite")
_CLAUSES = re.compile(r"[,;]\s+|\s-\s")
_OWN_WORDS = re.compile(r"\b(?:i|we)(?:'ve|'d| have| had)?\W*$|\b(?:forget what|said|rule|please)\W*$|^\W*$")
_REQUEST_BEHIND = masked("inferred_changes.request_behind")
_THE_TWO = re.compile(r"\b(?:the|those|these|them|of) two\b")
_NUMBERED = re.compile(r"E #?\d+\b(?! \w)")  # 'Review 3', where only a 'Review' is known


class ChangeWords:
    """A sentence with its names hidden, and the things that it names.

    `text` has E for entities and V for values, and all other words in small letters. `displaced` is the part about
    replaced things, and `stated` the rest.
    """

    def __init__(self, instance: Instance, sentence: str) -> None:
        self.instance = instance
        self.sentence = _without_what_stays(instance, with_apostrophes(plain(sentence)))
        self.found: Mentions = exact_mentions(instance, self.sentence)
        names = names_of(instance)
        hidden = names.hide(self.sentence)
        self.hidden = hidden.text
        small = join_comparisons(hidden.text.casefold())
        self.displaced = hidden.restore(
            part_comparisons(" ".join(match.group() for match in DISPLACED.finditer(small)))
        )
        self.stated = hidden.restore(part_comparisons(DISPLACED.sub(" ", small)))
        for word, name in hidden.names.items():
            letter = "E" if name in instance.entities else "V" if name in names.values else name.casefold()
            small = small.replace(word, letter)
        bare = _POLITE.sub("", small)
        self.text = _TAG.sub("", bare.rstrip(" ?") if bare != small else small)

    @property
    def named(self) -> frozenset[Arg]:
        counted = self.found.numbers if _THE_TWO.search(self.text) else ()
        return things_in(self.found).difference(counted)

    def is_held_back(self) -> bool:
        """Return whether the sentence changes nothing: it asks, reports, keeps something, or names an unknown thing."""
        if self.text.rstrip().endswith("?") and not _REQUEST_BEHIND.search(self.text):
            return True
        unknown = [word for word in _UNKNOWN_NAME.findall(self.hidden) if word not in _KNOWN_CAPITALS]
        main = without_remarks(self.text)
        reported = [found for found in SPEECH.finditer(main) if not _OWN_WORDS.search(main[: found.start()])]
        return bool(unknown or reported or _NUMBERED.search(self.text) or LEAVES.search(main))

    def is_explained(self, most: int) -> bool:
        """Return whether at most `most` words are neither names nor cues of a change nor words of the domain."""
        words = {self.text[start:end] for start, end in find_unexplained(self.instance, self.text)}
        cues = (ENDS, CHANGES, SAYING, EVERY)
        return sum(not any(cue.search(word) for cue in cues) for word in words) <= most

    def names_all_of(self, constraint: Constraint) -> bool:
        """Return whether the sentence names everything that the constraint is about."""
        return self.named.issuperset(arguments(self.instance, constraint))

    def leaves_open(self, constraint: Constraint | None) -> bool:
        """Return whether the sentence has a condition or a choice, or is too long."""
        left = words_not_carried(self.instance, self.sentence, *([constraint] if constraint else []))
        return any(one.kind in _BLOCKS for one in left)


def _without_what_stays(instance: Instance, sentence: str) -> str:
    """Return the sentence without clauses that keep something: '..., the retro stays'."""
    hidden = names_of(instance).hide(sentence)
    kept = [part for part in _CLAUSES.split(hidden.text) if not STAYS.search(part.casefold())]
    return hidden.restore(", ".join(kept)) if kept else sentence


def things_in(mentions: Mentions) -> frozenset[Arg]:
    """Return the mentions that can be arguments of a constraint: entities, values and numbers."""
    return frozenset([*mentions.entities, *(label for _, label in mentions.values), *mentions.numbers])


def arguments(instance: Instance, constraint: Constraint) -> tuple[Arg, ...]:
    """Return the arguments of the constraint without the names of attributes."""
    kinds = instance.types[constraint.type].arguments
    return tuple(arg for arg, kind in zip(constraint.args, kinds, strict=True) if not isinstance(kind, AttributeName))


_PLACES = re.compile(r"\{\d*\}")
_DENYING = frozenset({"not", "no", "never"})
_DENIAL = masked("inferred_changes.denial")


@dataclass(frozen=True, slots=True)
class Change:
    """A `Change` has the commitments that end. `made` is the constraint that replaces the one that ends, if any."""

    ends: tuple[ActiveCommitment, ...]
    made: Constraint | None = None


def infer_change(instance: Instance, sentence: str, active: Sequence[ActiveCommitment]) -> Change | None:
    """Return the one change that the sentence can mean, or None if there is none, or more than one."""
    words = ChangeWords(instance, sentence)
    if not words.found.entities or words.is_held_back():
        return None
    changed = list(dict.fromkeys(_replacements(words, active)))
    explicit = [one for one in changed if words.names_all_of(one.ends[0].constraint)]
    if len(explicit) == 1 and (CHANGES.search(words.text) or MOVES.search(words.text)):
        return explicit[0] if words.is_explained(3) and not words.leaves_open(explicit[0].made) else None
    if MOVES.search(words.text) and len(changed) == 1 and not explicit:
        return changed[0] if words.is_explained(0) and not words.leaves_open(changed[0].made) else None
    if changed:
        return None
    return _find_end(words, active)


def _find_end(words: ChangeWords, active: Sequence[ActiveCommitment]) -> Change | None:
    """Return the end of the only commitment that the sentence can be about, or of all commitments about its name."""
    instance, text = words.instance, words.text
    ends, allows = ENDS.search(text) or OFF.search(text), ALLOWS.search(text)
    if not (ends or allows):
        return None
    about = [one for one in active if words.named <= set(arguments(instance, one.constraint))]
    about = [one for one in about if not _says_another(words, one.constraint)]
    if EVERY.search(text) and ends and len(words.named) == 1 and about and words.is_explained(0):
        other_number = "both" in text and len(about) != 2
        return None if other_number or words.leaves_open(about[0].constraint) else Change(tuple(about))
    if not about and ends and len(words.named) == len(words.found.entities) > 1:
        return _find_one_of_each(words, active)
    kinds = [instance.types[one.constraint.type] for one in about]
    denying = [
        one for one, kind in zip(about, kinds, strict=True) if denies(kind) or APART.search(kind.sentence.casefold())
    ]
    denying = [one for one in denying if words.names_all_of(one.constraint) or SAYING.search(text)]
    if allows and (denying or not ends):
        about = denying
    else:
        about = [one for one in about if _same_polarity(words, one.constraint)]
    best = _best(words, [one for one in about if words.names_all_of(one.constraint)] or about)
    if len(best) != 1 or words.leaves_open(best[0].constraint):
        return None
    made = best[0].constraint
    more = len(words.named) > len(words.found.entities) or _own_words(words, made) or DUTY.search(text)
    most = 3 if words.names_all_of(made) and more else 2 if OFF.search(text) else 0
    return Change(tuple(best)) if words.is_explained(most) else None


def _find_one_of_each(words: ChangeWords, active: Sequence[ActiveCommitment]) -> Change | None:
    """Return the end of the one commitment about each name, as in 'Cancel Ann and Bob'."""
    each = [
        [one for one in active if name in words.instance.entities_in(one.constraint)] for name in words.found.entities
    ]
    if not all(len(some) == 1 for some in each) or not words.is_explained(0):
        return None
    found = tuple(some[0] for some in each)
    return None if words.leaves_open(found[0].constraint) else Change(found)


def _best(words: ChangeWords, among: Sequence[ActiveCommitment]) -> list[ActiveCommitment]:
    own = [len(_own_words(words, one.constraint)) for one in among]
    return [one for one, count in zip(among, own, strict=True) if count == max(own)]


def _own_words(words: ChangeWords, constraint: Constraint) -> frozenset[str]:
    kind = words.instance.types[constraint.type]
    said = frozenset[str]().union(
        *(meaning_words(words.instance, one.format(*constraint.args)) for one in (kind.sentence, *kind.wordings))
    )
    return said & meaning_words(words.instance, words.sentence)


def _says_another(words: ChangeWords, constraint: Constraint) -> bool:
    """Return whether the sentence has words of another relation of the domain, and none that only this relation has."""
    instance, text = words.instance, meaning_words(words.instance, words.sentence)
    labels = frozenset[str]().union(*(meaning_words(instance, one.label) for one in instance.attributes.values()))
    said = {
        name: meaning_words(instance, _PLACES.sub(" ", kind.sentence)) - _DENYING - labels
        for name, kind in instance.types.items()
    }
    own = said[constraint.type]
    others = frozenset[str]().union(*(those for name, those in said.items() if name != constraint.type))
    return bool(text & (others - own)) and not text & (own - others)


def _same_polarity(words: ChangeWords, constraint: Constraint) -> bool:
    """Return whether the sentence can end the constraint: 'not in the hall any more' ends no ban from the hall."""
    if not re.search(r"(?:\bno longer|\bany ?more|\bany longer)\b", words.text):
        return True
    if not denies(words.instance.types[constraint.type]):
        return True
    return bool(
        re.search(
            r"\b(?:bann?(?:ed)?|barred|forbidden|apart|separate[d]?|different|excluded|closed|avoid)\b", words.text
        )
    )


def _replacements(words: ChangeWords, active: Sequence[ActiveCommitment]) -> Iterator[Change]:
    """Yield each commitment with another named thing in the place of an argument, or with reversed arguments."""
    instance = words.instance
    now = {one.constraint for one in active}
    for one in active:
        args = set(arguments(instance, one.constraint))
        if not args & set(words.found.entities):
            continue
        for made in _variants(words, one.constraint):
            new = set(arguments(instance, made))
            if made in now or made == one.constraint or not words.named <= args | new or not words.named >= new:
                continue
            if denies(instance.types[made.type]) and not _DENIAL.search(words.text):
                continue
            if _fits_place(words, args - new, new - args):
                yield Change((one,), made)


def _fits_place(words: ChangeWords, old: set[Arg], new: set[Arg]) -> bool:
    """Return whether the sentence displaces no `new` things, and all `old` ones if these include an entity."""
    gone = things_in(exact_mentions(words.instance, words.displaced))
    if new & gone:
        return False
    return not any(arg in words.instance.entities for arg in old) or old <= gone


def _is_order_of(words: ChangeWords, constraint: Constraint) -> bool:
    """Return whether the stated part of the sentence has the constraint's first two arguments in this order."""
    order = [name for name in exact_mentions(words.instance, words.stated).entities if name in constraint.args[:2]]
    if re.search(r"\b(?:after|later|follow\w*)\b", words.stated):
        order.reverse()
    elif not re.search(r"\b(?:before|earlier|preced\w*|first)\b", words.stated):
        return bool(re.search(r"\b(?:reverse|other way|wrong way)\b", words.stated))
    return order == list(constraint.args[:2])


def _variants(words: ChangeWords, constraint: Constraint) -> Iterator[Constraint]:
    instance, kind = words.instance, words.instance.types[constraint.type]
    for place, (arg, argument) in enumerate(zip(constraint.args, kind.arguments, strict=True)):
        if isinstance(argument, AttributeName):
            continue
        alike: Sequence[Arg] = (
            words.found.entities
            if arg in instance.entities
            else (words.found.numbers if isinstance(arg, int) else [label for _, label in words.found.values])
        )
        for other in alike:
            if other not in constraint.args:
                yield from _valid(
                    instance, constraint.type, [*constraint.args[:place], other, *constraint.args[place + 1 :]]
                )
    pair = list(constraint.args)
    if has_direction(kind) and re.search(r"\b(?:reverse|other way|wrong way|first|before|after)\b", words.text):
        yield from (
            one for one in _valid(instance, constraint.type, [pair[1], pair[0], *pair[2:]]) if _is_order_of(words, one)
        )
    if len(words.found.entities) > 1 and not (ALLOWS.search(words.text) and denies(kind)):
        yield from _other_relations(words, constraint)


def _other_relations(words: ChangeWords, constraint: Constraint) -> Iterator[Constraint]:
    """Yield other relations of the same entities, if the sentence has all words of their wording."""
    instance = words.instance
    text, gone = meaning_words(instance, words.stated), meaning_words(instance, words.displaced)
    about = set(instance.entities_in(constraint))
    for name, kind in instance.types.items():
        said = meaning_words(instance, _PLACES.sub(" ", kind.sentence))
        if name == constraint.type or has_direction(kind) or not said or not said <= text or said <= gone:
            continue
        for args in fill(instance, kind, words.found):
            if set(instance.entities_in(Constraint(name, args))) == about == set(words.found.entities):
                yield from _valid(instance, name, args)


def _valid(instance: Instance, kind: str, args: Sequence[Arg]) -> Iterator[Constraint]:
    try:
        yield instance.canonical(instance.constraint(kind, list(args)))
    except ConstraintError:
        return
