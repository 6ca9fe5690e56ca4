"""Search for the best cut of a sentence into parts that each state one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.coordination import names_in, says_each, take_apart
from holdtrue.language.english_patterns import ENTITY, NAME, english
from holdtrue.language.grounding import mentions
from holdtrue.language.implied_words import tells_something
from holdtrue.language.names import Hidden
from holdtrue.language.references import Context, follow_relative, left_out, relative_clauses, resolve, same_again
from holdtrue.world.instance import Instance

_TWO = 2
_MARK = re.compile("[:;\u2013\u2014]| - ")
_BEGINS_BARE = english("part_search.begins_bare")
_LIMIT_ALONE = re.compile(r"^\W*(?:before|after|by|until|till|from|no|not|at|to|through|up)\b", re.IGNORECASE)
_ONLY_NAMES = english("part_search.only_names")
_NAME = re.compile(NAME)
_NAME_LAST = re.compile(rf"{ENTITY}(?:'s)?\W*$")
_NAME_FIRST = re.compile(rf"\W*(?:the |our |my |nor |not )?{ENTITY}", re.IGNORECASE)
_SO = re.compile(r"^\W*(?:so|then|thus|hence|therefore)\b", re.IGNORECASE)
_BETWEEN_ONE = re.compile(rf"\bbetween (?:the |our |my )?{ENTITY}", re.IGNORECASE)
_LONG = re.compile(r"^\W*\d+ (?:time )?slots? long\b", re.IGNORECASE)
_GIVES_A_CAUSE = re.compile(r"^\W*(?:because|cos|'cause)\b", re.IGNORECASE)
_AT_A_NUMBER = english("part_search.at_a_number")
_PAIRED = english("part_search.paired")
_BETWEEN_BOTH = re.compile(r"\b(?:each other|one another|between|apart)\b", re.IGNORECASE)
_BECAUSE = re.compile(r"^\W*(?:because|since|as)\b", re.IGNORECASE)
_NOT = re.compile(r"^\W*(?:but )?not\b", re.IGNORECASE)
_NOR = re.compile(r"^\W*nor\b\s*", re.IGNORECASE)
_ORDERED = re.compile(r"\bthe (?:former|latter|other (?:two|three|ones?)|others)\b", re.IGNORECASE)
_NEEDS_NAME = english("part_search.needs_name")
# The worth of a part that states something of each of several names, and the costs of guesses.
_EACH, _JOINED, _INHERITED, _REFERRED, _TOPIC, _REMARK, _REASON = 1.5, 1.3, 0.2, 0.1, 0.4, 0.15, 0.1
_PARTED, _PARTED_BY_COMMA = 1.1, 0.5


@dataclass(frozen=True)
class Part:
    """One way to understand some pieces of the sentence: the statements `said`, and the worth of this way."""

    worth: float
    said: tuple[str, ...]
    guessed: tuple[str, ...] = ()
    text: str = ""

    @property
    def about(self) -> frozenset[str]:
        """Return the placeholders of the entities in the statements."""
        return frozenset(names_in(" ".join(self.said)))


@dataclass
class PartSearch:
    """A search for the best cut of one sentence."""

    instance: Instance
    hidden: Hidden
    pieces: Sequence[tuple[int, int]]
    known: dict[str, bool] = field(default_factory=dict)
    found: dict[tuple[int, Context], tuple[float, list[Part], Context] | None] = field(default_factory=dict)

    @cached_property
    def everybody(self) -> tuple[str, ...]:
        """Return the placeholders of all entities, in the order of the instance."""
        known = {name: placeholder for placeholder, name in self.hidden.names.items()}
        return tuple(known[name] for name in self.instance.entities if name in known)

    @cached_property
    def owned(self) -> re.Pattern[str] | None:
        """Return a pattern for 'her' or 'its' before the label of an attribute; None without labels."""
        labels = "|".join(re.escape(one.label) for one in self.instance.attributes.values() if one.label)
        return re.compile(rf"\b(?:his|her|its|their)(?= (?:{labels})\b)", re.IGNORECASE) if labels else None

    def text(self, start: int, end: int) -> str:
        return self.hidden.text[self.pieces[start][0] : self.pieces[end - 1][1]]

    def complete(self, text: str) -> bool:
        """Return whether a text names everything that one constraint needs, and nothing that the constraint has no
        place for.
        """
        if text not in self.known:
            bare = _ONLY_NAMES.fullmatch(text) or _ORDERED.search(text)
            half = _BETWEEN_ONE.search(text) and len(names_in(text)) < _TWO
            self.known[text] = (
                not bare and not half and bool(candidates(self.instance, self.hidden.restore(text)).whole)
            )
        return self.known[text]

    def best(self, start: int, context: Context) -> tuple[float, list[Part], Context] | None:
        """Return the worth, parts and final context of the best way to understand all pieces from `start` on.

        The result is None if they cannot all be understood.
        """
        if (start, context) not in self.found:
            self.found[start, context] = self._best(start, context)
        return self.found[start, context]

    def _best(self, start: int, context: Context) -> tuple[float, list[Part], Context] | None:
        if start == len(self.pieces):
            return 0.0, [], context
        found: tuple[float, list[Part], Context] | None = None
        for end in range(start + 1, len(self.pieces) + 1):
            text = relative_clauses(self.text(start, end))
            for part in self.ways(text, context, start, end):
                after = context.heard(text, part.said)
                rest = self.best(end, after)
                if rest is None:
                    continue
                worth = part.worth + rest[0] - self.cost_of_cut(end)
                if found is None or worth > found[0] + 1e-9:
                    found = worth, [replace(part, text=text), *rest[1]], rest[2]
        return found

    def cost_of_cut(self, end: int) -> float:
        """Return the cost of a cut before the piece `end`, highest between two names: 'Ann and Bob'."""
        if end == len(self.pieces):
            return 0.0
        before, behind = self.text(end - 1, end), self.text(end, end + 1)
        if _NAME_LAST.search(before) is None or _NAME_FIRST.match(behind) is None:
            return 0.0
        between = self.hidden.text[self.pieces[end - 1][1] : self.pieces[end][0]]
        if _MARK.search(between):
            return 0.0
        again = names_in(behind)[0] in names_in(self.text(0, end))  # 'Ann sits by Bob and Ann has seat 1'
        return _PARTED_BY_COMMA if "," in between or again else _PARTED

    def is_reason(self, start: int, end: int) -> bool:
        """Return whether pieces name nothing known and give the reason for their neighbours."""
        found = mentions(self.instance, self.hidden.restore(self.text(start, end)))
        if found.entities or found.values:
            return False
        behind = self.text(end, end + 1) if end < len(self.pieces) else ""
        return _SO.match(behind) is not None or _BECAUSE.match(self.text(start, end)) is not None

    def ways(self, text: str, context: Context, start: int, end: int) -> Iterator[Part]:
        """Yield the ways to understand a part in its context."""
        again = same_again(text, context)
        if again is None and start:
            again = left_out(text, context)
        if again is not None and all(map(self.complete, again[0])):
            yield Part(len(again[0]) - _REFERRED, tuple(again[0]), again[1])
            return
        part = self.whole(text)
        if part is None or (_NEEDS_NAME.search(text) and len(names_in(text)) < _TWO):
            for resolved in resolve(text, context, self.owned, self.everybody) if self.tells(text) else ():
                if found := self.whole(resolved.text):
                    part = Part(found.worth - _REFERRED, found.said, resolved.guessed)
                    break
        if _GIVES_A_CAUSE.match(text):
            yield Part(_REASON, ())
        elif part is not None:
            yield part
        else:
            yield from self.inherited(text, context)
            yield from self.of_pair(text, context, first=start == 0 and end == len(self.pieces))
        if not self.names_anything(text):
            yield Part(-_REMARK, ())
        elif self.is_reason(start, end):
            yield Part(_REASON, ())  # 'We expect nine people, so': its numbers belong to no statement
        elif _ONLY_NAMES.fullmatch(text) or (len(names_in(text)) == 1 and not self.complete(text)):
            yield Part(-_TOPIC, ())  # 'Ann gets loud' and 'Of Ann and Bob' only introduce the person of a later 'she'

    def whole(self, text: str) -> Part | None:
        """Return a text as one statement, or as one statement for each of its joined names."""
        if says_each(text) and (each := take_apart(text, self.complete)):
            return Part(_EACH, tuple(each))
        if self.complete(text):
            # 'Ann and Bob must not start until 4' is about each of them; 'Ann and Bob: 4 slots apart' about the pair.
            apiece = _AT_A_NUMBER.search(text) and not _PAIRED.search(text)
            if apiece and (each := take_apart(text, self.complete)):
                return Part(_JOINED, tuple(each))
            return Part(1.0, (text,))
        each = take_apart(text, self.complete)
        return Part(_JOINED, tuple(each)) if each else None

    def inherited(self, text: str, context: Context) -> Iterator[Part]:
        """Yield a text completed by the subject of the earlier statement: 'not the cat' after 'Ann has the dog'."""
        if context.last and (made := follow_relative(text, context.last[-1])) and self.complete(made):
            yield Part(1.0, (made,))
            return
        if _BETWEEN_BOTH.search(text) and not names_in(text):
            return  # it needs two names, and a subject is only one
        if (
            (_BEGINS_BARE.match(text) and not _LONG.search(text))
            or _ONLY_NAMES.fullmatch(_NOT.sub("", text))
            or not self.names_anything(text)
        ):
            return
        before = names_in(context.last[-1]) if context.last else context.units[-1] if context.units else ()
        subject, own = before[:1], names_in(text)
        if not subject or subject[0] in own or (not _NAME.search(text) and _LIMIT_ALONE.match(text)):
            return
        made = f"{subject[0]} {_NOR.sub('not ', text).lstrip(' ,')}"
        if self.complete(made):
            yield Part(1.0 - _INHERITED, (made,))

    def of_pair(self, text: str, context: Context, *, first: bool) -> Iterator[Part]:
        """Yield a text that has no names, completed by the last pair of names: 'so opposite sides, please'."""
        if (
            not names_in(text)
            and len(context.pair) == _TWO
            and (first or _SO.match(text) or _BETWEEN_BOTH.search(text))
            and self.tells(text)
            and self.complete(made := f"{' and '.join(context.pair)}: {text}")
        ):
            # 'At least two slots between' is about the pair; a number alone may be about one of them.
            yield Part(1.0 - _REFERRED - (0.0 if _PAIRED.search(text) else _INHERITED), (made,))

    def tells(self, text: str) -> bool:
        """Return whether a text has a value, a number, or a word with which the domain relates two entities."""
        return tells_something(self.instance, self.hidden.restore(text))

    def names_anything(self, text: str) -> bool:
        """Return whether a text names an entity, a value or a number."""
        found = mentions(self.instance, self.hidden.restore(text))
        return bool(found.entities or found.values or found.numbers)
