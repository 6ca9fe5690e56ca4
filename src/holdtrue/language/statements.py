"""Split a sentence into the things that it states, each in words that stand alone.

'Neither Ann nor Bob may sit next to Cy, and she has seat 2' states three things. A reader that takes one thing at a
time reads each of them as well as if the user had said it by itself. A sentence is cut at its commas and its 'and's, in
the way that leaves the most parts which each say one thing with all that they name. What a part leaves out is taken
from the parts before it. A sentence that cannot be cut so is left whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from holdtrue.errors import ConstraintError
from holdtrue.language.coordination import ENTITY, NAME, denies, names_in, says_each, take_apart
from holdtrue.language.grounding import NUMBER_WORDS, mentions, stem
from holdtrue.language.instance_cache import cached_per_instance
from holdtrue.language.matching import match_sentence, match_wording
from holdtrue.language.names import Hidden, names_of
from holdtrue.language.references import Context, follow_relative, relative_clauses, resolve, same_again
from holdtrue.language.reply_schema import candidates
from holdtrue.language.unexplained_words import is_grammar
from holdtrue.world.domain import Entity
from holdtrue.world.instance import Constraint, Instance

_TWO = 2
_WORD = re.compile(r"[a-z]+")
_MOST_PIECES = 10
_LONGEST = 400
_CUT = re.compile(
    r"\s*[,;:]\s+(?:(?:and|but|while|whereas|plus|then|with|yet)\b\s*(?:also\b\s*)?)?"
    r"|\s+[\u2013\u2014-]\s+|(?<=\w)[\u2013\u2014](?=\w{4})"
    r"|(?<!\bone)\s+(?:and|but|while|whereas|plus|with|though|yet)\s+(?!(?:him|her|them|me|us|so on|it(?=\W*$))\b)(?:also\s+|then\s+)?|,?\s+(?=nor\b)"
    r"|(?:(?<=[,;])|(?<!just))\s+(?=(?:so|because|since|as) (?:i|we|he|she|it|they|the|there|my|our|please|do|don't|put"
    rf"|make|keep|let|{NAME})\b)|\s+(?=because\b)",
    re.IGNORECASE,
)
# What leaves open whether the rest holds is never cut off from it.
_OPEN = re.compile(
    r"^\W*(?:or|otherwise|unless|if|when|should|except|only|provided|assuming|suppose|supposing|maybe|perhaps|either"
    r"|possibly|ideally|hopefully|depending|whether)\b",
    re.IGNORECASE,
)
_ENDS_IN_NUMBER = re.compile(
    r"(?:\b\d{1,9}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))\s*$", re.I
)
_NUMBER_ALONE = re.compile(
    r"^\W*(?:(?:the|slots?|seats?|day|number)\s+)*(?:\d{1,9}(?:st|nd|rd|th)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+th|first|second|third|last)\b",
    re.I,
)
_BEGINS_BARE = re.compile(
    rf"^\W*(?:(?:the|our|my|an?)\s+)?(?:{NAME}|(?:(?:slots?|seats?|positions?|places?|days?|number)\s+)?\d)",
    re.IGNORECASE,
)
_LIMIT_ALONE = re.compile(r"^\W*(?:before|after|by|until|till|from|no|not|at|to|through|up)\b", re.IGNORECASE)
_DENIED_FIRST = re.compile(r"^\W*(?:please |kindly )?(?:do not|don't|don\u2019t|never|no)\b", re.IGNORECASE)
_ONLY_NAMES = re.compile(
    rf"\W*(?:(?:{ENTITY}|as|for|of|regards|between|among|amongst|about|regarding|concerning|re|with|both|the|our|my|and|or|so|ok|okay|now|first"
    r"|then|again|well|also|oh|hey|hi|s)\W*)*",
    re.IGNORECASE,
)
_NAME = re.compile(NAME)
_NAME_LAST = re.compile(rf"{ENTITY}(?:'s)?\W*$")
_NAME_FIRST = re.compile(rf"\W*(?:the |our |my |nor |not )?{ENTITY}", re.IGNORECASE)
_SO = re.compile(r"^\W*(?:so|then|thus|hence|therefore)\b", re.IGNORECASE)
_BECAUSE = re.compile(r"^\W*(?:because|since|as)\b", re.IGNORECASE)
_JOINER = re.compile(r"^\W*(?:so|and|but|then|because|since|as|while|whereas)\b[\s,]*", re.IGNORECASE)
_NOT = re.compile(r"^\W*(?:but )?not\b", re.IGNORECASE)
_NOR = re.compile(r"^\W*nor\b\s*", re.IGNORECASE)
_LETTERS = "\ua000\ua001"
_ORDERED = re.compile(r"\bthe (?:former|latter)\b", re.IGNORECASE)
_NEEDS_NAME = re.compile(
    r"\b(?:between|beside|next to|opposite|before|after|left of|right of|from|than|with) (?:him|her|it|them)\b(?! (?:own|left|right))",
    re.IGNORECASE,
)
# What a part is worth that says something of each of several names; and what it costs to guess at a part.
_EACH, _JOINED, _INHERITED, _REFERRED, _TOPIC, _REMARK, _REASON = 1.5, 1.3, 0.2, 0.1, 0.4, 0.15, 0.1
_PARTED, _PARTED_BY_COMMA = 1.1, 0.5


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a sentence states, in `text` of its own; `guessed` are names that its words may not mean."""

    text: str
    guessed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """A `Split` is a sentence in statements.

    `dropped` are the parts that state nothing, and `context` is what may be referred to in the sentence after it.
    """

    statements: tuple[Statement, ...]
    dropped: str
    context: Context


@dataclass(frozen=True)
class _Part:
    """One way to understand some pieces of the sentence: its statements, and what it is worth to say it so."""

    worth: float
    said: tuple[str, ...]
    guessed: tuple[str, ...] = ()
    text: str = ""

    @property
    def about(self) -> frozenset[str]:
        """The entities of which the part says something."""
        return frozenset(names_in(" ".join(self.said)))


def _without_remarks(instance: Instance, hidden: Hidden, parts: Sequence[_Part]) -> list[_Part]:
    """Return the parts without those that only remark on names of which the part beside them states something."""
    kept: list[_Part] = []
    telling: list[bool] = []
    for part in parts:
        if not part.said:
            continue
        tells = _has_words(instance, hidden.restore(" ".join(part.said)))
        if kept and part.about == kept[-1].about and tells != telling[-1]:
            kept[-1], telling[-1] = (part if tells else kept[-1]), True
        else:
            kept.append(part)
            telling.append(tells)
    return kept


def _has_words(instance: Instance, text: str) -> bool:
    """Return whether a text has a value, a number, or one of the words by which the domain relates two entities."""
    found = mentions(instance, text)
    return bool(found.values or found.numbers) or bool(
        _relating(instance) & {stem(word) for word in _WORD.findall(text.casefold())}
    )


@cached_per_instance
def _relating(instance: Instance) -> frozenset[str]:
    """The stems of the words with which the domain says something of two entities, without everyday words."""
    said = [attribute.label for attribute in instance.attributes.values()]
    for kind in instance.types.values():
        if sum(isinstance(argument, Entity) for argument in kind.arguments) > 1:
            said += [kind.sentence, *kind.wordings, *(example.sentence for example in kind.examples)]
            said += [cue.pattern for cue in kind.cues]
    named = {str(arg).casefold() for kind in instance.types.values() for one in kind.examples for arg in one.args}
    words = {word for word in _WORD.findall(" ".join(said).casefold()) if len(word) > _TWO and not is_grammar(word)}
    return frozenset(map(stem, words - named - {*NUMBER_WORDS, "need", "want", "come"}))


@dataclass
class _Search:
    """A search for the best cut of one sentence."""

    instance: Instance
    hidden: Hidden
    pieces: Sequence[tuple[int, int]]
    known: dict[str, bool] = field(default_factory=dict)

    def text(self, start: int, end: int) -> str:
        return self.hidden.text[self.pieces[start][0] : self.pieces[end - 1][1]]

    def complete(self, text: str) -> bool:
        """Return whether a text names all that one constraint needs, and nothing that it has no place for."""
        if text not in self.known:
            found = candidates(self.instance, self.hidden.restore(text))
            self.known[text] = bool(found.whole) and not _ONLY_NAMES.fullmatch(text) and not _ORDERED.search(text)
        return self.known[text]

    def best(self, start: int, context: Context) -> tuple[float, list[_Part], Context] | None:
        """Return the best way to understand all pieces from `start` on; None where they cannot all be understood."""
        if start == len(self.pieces):
            return 0.0, [], context
        found: tuple[float, list[_Part], Context] | None = None
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
        """Return what it costs to cut before this piece: most between two joined names, as in 'Ann and Bob'."""
        if end == len(self.pieces):
            return 0.0
        before, behind = self.text(end - 1, end), self.text(end, end + 1)
        if _NAME_LAST.search(before) is None or _NAME_FIRST.match(behind) is None:
            return 0.0
        between = self.hidden.text[self.pieces[end - 1][1] : self.pieces[end][0]]
        return _PARTED_BY_COMMA if "," in between else _PARTED

    def is_reason(self, start: int, end: int) -> bool:
        """Return whether pieces name nobody and nothing, and give the reason for what stands beside them."""
        found = mentions(self.instance, self.hidden.restore(self.text(start, end)))
        if found.entities or found.values:
            return False
        behind = self.text(end, end + 1) if end < len(self.pieces) else ""
        return _SO.match(behind) is not None or _BECAUSE.match(self.text(start, end)) is not None

    def ways(self, text: str, context: Context, start: int, end: int) -> Iterator[_Part]:
        """Yield the ways in which a part can be understood after what was said before."""
        again = same_again(text, context)
        if again is not None and all(map(self.complete, again[0])):
            yield _Part(len(again[0]) - _REFERRED, tuple(again[0]), again[1])
            return
        part = self.whole(text)
        if part is None or (_NEEDS_NAME.search(text) and len(names_in(text)) < _TWO):
            for resolved in resolve(text, context) if self.tells(text) else ():
                if found := self.whole(resolved.text):
                    part = _Part(found.worth - _REFERRED, found.said, resolved.guessed)
                    break
        if part is not None:
            yield part
        else:
            yield from self.inherited(text, context)
            yield from self.of_pair(text, context, first=start == 0)
        if not self.names_anything(text):
            yield _Part(-_REMARK, ())
        elif self.is_reason(start, end):
            yield _Part(_REASON, ())  # 'We expect nine people, so': its numbers are none of what follows
        elif _ONLY_NAMES.fullmatch(text) or (len(names_in(text)) == 1 and not self.complete(text)):
            yield _Part(-_TOPIC, ())  # 'Ann gets loud' and 'Of Ann and Bob' only say whom 'she' will be

    def whole(self, text: str) -> _Part | None:
        """Return a text as one statement, or as one for each of its joined names."""
        if says_each(text) and (each := take_apart(text, self.complete)):
            return _Part(_EACH, tuple(each))
        if self.complete(text):
            return _Part(1.0, (text,))
        each = take_apart(text, self.complete)
        return _Part(_JOINED, tuple(each)) if each else None

    def inherited(self, text: str, context: Context) -> Iterator[_Part]:
        """Yield a text with the subject of what was said before: 'Ann has the dog' and 'not the cat'."""
        if context.last and (made := follow_relative(text, context.last[-1])) and self.complete(made):
            yield _Part(1.0, (made,))
            return
        if _BEGINS_BARE.match(text) or _ONLY_NAMES.fullmatch(_NOT.sub("", text)) or not self.names_anything(text):
            return
        before = names_in(context.last[-1]) if context.last else context.units[-1] if context.units else ()
        subject, own = before[:1], names_in(text)
        if not subject or subject[0] in own or (not _NAME.search(text) and _LIMIT_ALONE.match(text)):
            return
        made = f"{subject[0]} {_NOR.sub('not ', text).lstrip(' ,')}"
        if self.complete(made):
            yield _Part(1.0 - _INHERITED, (made,))

    def of_pair(self, text: str, context: Context, *, first: bool) -> Iterator[_Part]:
        """Yield a text that names nobody with the pair that was spoken of: 'so opposite sides, please'."""
        if (
            not names_in(text)
            and len(context.pair) == _TWO
            and (first or _SO.match(text))
            and self.tells(text)
            and self.complete(made := f"{' and '.join(context.pair)}: {text}")
        ):
            yield _Part(1.0 - _INHERITED - _REFERRED, (made,))

    def tells(self, text: str) -> bool:
        """Return whether a text has a value, a number, or a word by which the domain relates two entities."""
        return _has_words(self.instance, self.hidden.restore(text))

    def names_anything(self, text: str) -> bool:
        """Return whether a text names an entity, a value or a number."""
        found = mentions(self.instance, self.hidden.restore(text))
        return bool(found.entities or found.values or found.numbers)


def split_statements(instance: Instance, sentence: str, context: Context) -> Split:
    """Return what a sentence states, as statements in words of their own.

    A sentence that states one thing in words that stand alone, and one that cannot be taken apart, comes back as it is.
    """
    if len(sentence) > _LONGEST or any(letter in sentence for letter in _LETTERS):
        return Split((Statement(sentence),), "", context)
    hidden = hide(instance, sentence)
    if _is_own_wording(instance, sentence):
        return Split((Statement(sentence),), "", context.heard(hidden.text, (hidden.text,)))
    pieces = _pieces(hidden.text)
    search = _Search(instance, hidden, pieces)
    found = None
    if len(pieces) <= _MOST_PIECES and not any(_OPEN.match(hidden.text[start:end]) for start, end in pieces):
        found = search.best(0, context)
    parts = _without_remarks(instance, hidden, found[1]) if found else []
    said = [(_JOINER.sub("", text), part.guessed) for part in parts for text in part.said]
    if found is None or not said or [text for text, _ in said] == [hidden.text] or _denied_together(hidden.text, said):
        last = (hidden.text,) if search.complete(hidden.text) else ()
        return Split((Statement(sentence),), "", context.heard(hidden.text, last))
    statements = tuple(Statement(hidden.restore(text), tuple(map(hidden.restore, names))) for text, names in said)
    dropped = [part.text for part in found[1] if part not in parts]
    return Split(statements, hidden.restore(", ".join(dropped)), found[2])


def _is_own_wording(instance: Instance, sentence: str) -> bool:
    """Return whether the sentence is in the domain's own wording, with arguments that it has or has not."""
    try:
        return (match_sentence(instance, sentence) or match_wording(instance, sentence)) is not None
    except ConstraintError:
        return True


def context_of(instance: Instance, constraints: Sequence[Constraint]) -> Context:
    """Return the context in which a message begins, by what was agreed last before it."""
    if not constraints:
        return Context()
    said = tuple(hide(instance, instance.sentence(one)).text for one in constraints)
    names = tuple(dict.fromkeys(name for text in said for name in names_in(text)))
    return Context((names,), said if len(said) == 1 else ())


def hide(instance: Instance, sentence: str) -> Hidden:
    """Return the sentence with placeholders for entities and values that are the same in every sentence."""
    names = names_of(instance)
    known = {name: f"{_LETTERS[0]}{place}{_LETTERS[0]}" for place, name in enumerate(names.entities)}
    for place, name in enumerate(names.values):
        known.setdefault(name, f"{_LETTERS[1]}{place}{_LETTERS[1]}")
    parts: list[str] = []
    end = 0
    for found in names.find(sentence, words_too=False):
        if found.name in known:
            parts += [sentence[end : found.start], known[found.name]]
            end = found.end
    return Hidden("".join([*parts, sentence[end:]]), {word: name for name, word in known.items()})


def _pieces(text: str) -> list[tuple[int, int]]:
    """Return where each piece of a sentence starts and ends; no cut is made between two numbers, as in '2 and 3'."""
    pieces: list[tuple[int, int]] = []
    start = 0
    for cut in _CUT.finditer(text):
        between_numbers = _ENDS_IN_NUMBER.search(text[start : cut.start()]) and _NUMBER_ALONE.match(text[cut.end() :])
        if cut.start() > start and not between_numbers and not _OPEN.match(text[cut.end() :]):
            pieces.append((start, cut.start()))
            start = cut.end()
    return [*pieces, (start, len(text))]


def _denied_together(text: str, said: Sequence[tuple[str, tuple[str, ...]]]) -> bool:
    """Return whether a denial at the beginning may deny all that is joined: 'Do not put Ann in 1 and Bob in 2'."""
    return len(said) > 1 and _DENIED_FIRST.match(text) is not None and not all(denies(one) for one, _ in said)
