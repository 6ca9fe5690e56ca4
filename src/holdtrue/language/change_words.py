"""The words of a sentence that may be a change: what it names, what it replaces, and the words that are left."""

from __future__ import annotations

import re

from holdtrue.language.change_cues import CHANGES, DISPLACED, ENDS, EVERY, LEAVES, SAYING, STAYS
from holdtrue.language.change_detection import join_comparisons, part_comparisons
from holdtrue.language.grounding import Mentions, exact_mentions
from holdtrue.language.names import names_of
from holdtrue.language.qualifying_words import REQUEST, Kind
from holdtrue.language.reason_clauses import without_remarks
from holdtrue.language.report_words import SPEECH
from holdtrue.language.residual_content import words_not_carried
from holdtrue.language.small_talk import plain, with_apostrophes
from holdtrue.language.unexplained_words import find_unexplained
from holdtrue.world.domain import AttributeName
from holdtrue.world.instance import Arg, Constraint, Instance

_BLOCKS: frozenset[Kind] = frozenset({"alternative", "condition", "length"})
_UNKNOWN_NAME = re.compile(r"(?<=[a-z\ua000-\ua48c,;] )[A-Z][a-z]\w+")
_KNOWN_CAPITALS = frozenset(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Day Room Rooms Thanks Please".split()
)
_TAG = re.compile(r"[,.]?\s*if you please\W*$|[,.]?\s*(?:will|would|could|can) you\W*$|\bplease\W*$|\bok(?:ay)?\W*$")
_POLITE = re.compile(
    r"^\W*(?:(?:sorry|hi|hello|hey|ok|okay|oh|well|so|and|but|please|also|right|then|actually)\b\W*)*"
    r"(?:(?:would|could|can|will) you (?:please |kindly )?(?:be so (?:kind|good) as to |be a dear and |mind )?"
    r"|i(?:'d| would) (?:be (?:very )?grateful|appreciate it) if you (?:could|would) |i(?:'d"
    r"| would) like (?:you )?to |i want (?:you )?to )"
)
_CLAUSES = re.compile(r"[,;]\s+|\s-\s")
_OWN_WORDS = re.compile(r"\b(?:i|we)(?:'ve|'d| have| had)?\W*$|\b(?:forget what|said|rule|please)\W*$|^\W*$")
_REQUEST_BEHIND = re.compile(
    rf"^{REQUEST.pattern}|(?:[,;:]|\b(?:but|so|and))\s+(?:can|could|would|will) (?:you|we|i)\b"
)
_THE_TWO = re.compile(r"\b(?:the|those|these|them|of) two\b")
_NUMBERED = re.compile(r"E #?\d+\b(?! \w)")  # 'Review 3', where only a 'Review' is known


class ChangeWords:
    """A sentence with its names hidden, and the things that it names.

    `text` has E for entities and V for values, and all other words in small letters. `displaced` is the part of the
    sentence about what is replaced, and `stated` the rest.
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
        """Return whether the sentence changes nothing: it asks, reports, leaves what is, or names something unknown."""
        if self.text.rstrip().endswith("?") and not _REQUEST_BEHIND.search(self.text):
            return True
        unknown = [word for word in _UNKNOWN_NAME.findall(self.hidden) if word not in _KNOWN_CAPITALS]
        main = without_remarks(self.text)
        reported = [found for found in SPEECH.finditer(main) if not _OWN_WORDS.search(main[: found.start()])]
        return bool(unknown or reported or _NUMBERED.search(self.text) or LEAVES.search(main))

    def is_explained(self, most: int) -> bool:
        """Return whether at most `most` words are unexplained: no names, cues of a change, or words of the domain."""
        words = {self.text[start:end] for start, end in find_unexplained(self.instance, self.text)}
        cues = (ENDS, CHANGES, SAYING, EVERY)
        return sum(not any(cue.search(word) for cue in cues) for word in words) <= most

    def names_all_of(self, constraint: Constraint) -> bool:
        """Return whether the sentence names everything that the constraint is about."""
        return self.named.issuperset(arguments(self.instance, constraint))

    def leaves_open(self, constraint: Constraint | None) -> bool:
        """Return whether the sentence sets a condition, reports somebody, or leaves a choice."""
        left = words_not_carried(self.instance, self.sentence, *([constraint] if constraint else []))
        return any(one.kind in _BLOCKS for one in left)


def _without_what_stays(instance: Instance, sentence: str) -> str:
    """The sentence without its clauses that leave something as it is: '..., the retro stays'."""
    hidden = names_of(instance).hide(sentence)
    kept = [part for part in _CLAUSES.split(hidden.text) if not STAYS.search(part.casefold())]
    return hidden.restore(", ".join(kept)) if kept else sentence


def things_in(mentions: Mentions) -> frozenset[Arg]:
    """Return all of the mentions that can be the argument of a constraint: entities, values and numbers."""
    return frozenset([*mentions.entities, *(label for _, label in mentions.values), *mentions.numbers])


def arguments(instance: Instance, constraint: Constraint) -> tuple[Arg, ...]:
    """Return what the constraint is about: its arguments without the names of attributes."""
    kinds = instance.types[constraint.type].arguments
    return tuple(arg for arg, kind in zip(constraint.args, kinds, strict=True) if not isinstance(kind, AttributeName))
