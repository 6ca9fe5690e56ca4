"""Find the names of an instance in a text: entities, values and attributes, however a user spells them.

A name may hold anything: hyphens, digits, marks, several words, and even the words by which commitments are withdrawn
("Last Call", "Drop-off"). So names are found before any pattern of English looks at a sentence: each is hidden behind a
placeholder that no pattern matches, and is put back into whatever the patterns cut out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar
from unicodedata import combining, normalize
from weakref import WeakKeyDictionary

from holdtrue.language.english_patterns import english, words
from holdtrue.logic.sorts import EnumSort

if TYPE_CHECKING:
    from holdtrue.world.instance import Instance


def with_edits(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return a text with the words that each edit (start, end, words) gives; one that overlaps an earlier is left out.

    Edits come in the order of their starts.

    >>> with_edits("Ann sits by Bob", [(0, 3, "Cy"), (12, 15, "Dee")])
    'Cy sits by Dee'
    """
    parts: list[str] = []
    done = 0
    for start, end, own in edits:
        if start >= done:
            parts += [text[done:start], own]
            done = end
    return "".join([*parts, text[done:]])


Rest = ParamSpec("Rest")
Result = TypeVar("Result")

_MOST = 512  # results of one function for one instance; what is made beyond that is made again


def cached_per_instance(
    make: Callable[Concatenate[Instance, Rest], Result],
) -> Callable[Concatenate[Instance, Rest], Result]:
    """Return the function with a cache; its other arguments must be hashable, and its results must not be changed."""
    known: WeakKeyDictionary[Instance, dict[Any, Result]] = WeakKeyDictionary()

    def remember(instance: Instance, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Result:
        own = known.setdefault(instance, {})
        key = (args, *sorted(kwargs.items()))
        if key not in own:
            if len(own) >= _MOST:
                own.clear()
            own[key] = make(instance, *args, **kwargs)
        return own[key]

    update_wrapper(remember, make)
    return remember


_SPLIT = re.compile(r"\S+")
# One of these letters, which is not in the text itself, stands on both sides of a hidden name's number. They are
# letters for a pattern and belong to no word that a user of the Latin script writes.
_LETTERS = [chr(code) for code in range(0xA000, 0xA48D)]
_APOSTROPHES, _QUOTES, _HYPHENS = (
    "'\u2018\u2019\u02bc\u00b4`",
    '"\u201c\u201d\u201e\u00ab\u00bb',
    "-\u2010\u2011\u2012\u2013",
)
# What joins a name to more letters makes it a part of another name: 'pre-Review', 'Review-2', 'C++' for 'C'.
_JOINING = r"\-&/.+#@\u2010\u2011"
_BEFORE = rf"(?<!\w)(?<!\w[{_JOINING}{_APOSTROPHES}])"
_BEHIND = rf"(?!\w)(?![{_JOINING}:]\w)(?![+#])(?![{_APOSTROPHES}](?!s\b)\w)"
# Names that are also words with which people talk. In small letters they are the words, as long as the name is not.
_WORDS = frozenset(words("names.words"))
_BEHIND_A_VERB = english("names.behind_a_verb")
_ALIKE = 0.75


@dataclass(frozen=True, slots=True)
class Named:
    """A name at its place: `name` as the instance spells it, and where it stands in the text."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hidden:
    """A text with placeholders in the place of names; `names` maps each placeholder to its name."""

    text: str
    names: Mapping[str, str]

    def restore(self, text: str) -> str:
        """Return a part of the text with its names put back, as the instance spells them."""
        for word, name in self.names.items():
            text = text.replace(word, name)
        return text


class Names:
    """All names of one instance: its entities, the values of its enumerations, and what its attributes are called."""

    def __init__(self, instance: Instance) -> None:
        attributes = instance.attributes.values()
        enumerations = (one.sort for one in attributes if isinstance(one.sort, EnumSort))
        self.entities = instance.entities
        self.values = tuple(dict.fromkeys(label for sort in enumerations for label in sort.labels))
        self.attributes = tuple(dict.fromkeys(one.label for one in attributes))
        known = dict.fromkeys((*self.entities, *self.values, *self.attributes))
        self._by_fold: dict[str, str] = {}
        for name in known:
            self._by_fold.setdefault(_fold(name), name)
        for name in known:
            self._by_fold.setdefault(_fold(name).replace(_APOSTROPHES[0], ""), name)
        for name in known:  # what is written without the mark at its end, where no other name is that
            self._by_fold.setdefault(_fold(name).rstrip(".!?"), name)
        self._pattern = re.compile(rf"{_BEFORE}(?:{pattern_of(known)}){_BEHIND}", re.IGNORECASE)

    def find(self, text: str, *, words_too: bool = True) -> list[Named]:
        """Return every name in the text, in order; where two begin at one place, it is the longer one.

        Without `words_too` a name that is also an ordinary word ('Will', 'That') counts only if it is written like a
        name: with a capital, and not as the verb of the sentence.
        """
        found = []
        for match in self._matches(text, words_too):
            name, start = self._by_fold.get(_fold(match.group())), match.start()
            if not words_too and name is not None and (inner := self._behind_verb(name, match.group())):
                name, start = inner, match.end() - len(match.group().split(maxsplit=1)[1])
            if name is not None and (words_too or not _is_word(name, match.group())):
                found.append(Named(name, start, match.end()))
        return found if words_too or not _begins_with_verb(text, found) else found[1:]

    def _matches(self, text: str, words_too: bool) -> Iterator[re.Match[str]]:
        """Yield what may be a name, in order; of two that overlap, it is the first.

        A verb that begins the text is passed over: 'Cancel Cancel Cancel' withdraws what is about 'Cancel Cancel'.
        """
        match = self._pattern.search(text)
        if match and match.start() == 0 and not words_too:
            verb, _, rest = match.group().partition(" ")
            later = self._pattern.match(text, len(verb) + 1) if verb.casefold() in _WORDS and rest else None
            match = later if later and later.end() > match.end() else match
        while match:
            yield match
            match = self._pattern.search(text, match.end())

    def _behind_verb(self, name: str, written: str) -> str | None:
        """The shorter name in 'drop Design', where there are a 'Design' and a 'Drop Design'; None elsewhere."""
        verb, _, rest = written.partition(" ")
        is_verb = verb.islower() and verb in _WORDS and not name[0].islower()
        return self._by_fold.get(_fold(rest)) if is_verb and rest[:1].isupper() else None

    def spell(self, text: str) -> str:
        """Return a text that is one name as the instance spells it; any other text is returned as it is."""
        return self._by_fold.get(_fold(text), text)

    def hide(self, text: str) -> Hidden:
        """Return the text with a placeholder for each name; quotation marks around a name are dropped."""
        letter = next((one for one in _LETTERS if one not in text), _LETTERS[0])
        found = self.find(text, words_too=False)
        names = {f"{letter}{place}{letter}": one.name for place, one in enumerate(found)}
        hidden = with_edits(text, ((one.start, one.end, word) for one, word in zip(found, names, strict=True)))
        marks = f"{_APOSTROPHES}{_QUOTES}"
        bare = re.sub(rf"(?<!\w)[{marks}]+({letter}\d+{letter})[{marks}]+(?!\w)", r"\1", hidden)
        return Hidden(bare, names)

    def alike(self, text: str) -> tuple[str, ...]:
        """Return the entities and values that the text may be a misspelling of, the most similar first."""
        folded = _fold(text)
        words = set(re.findall(r"\w{3,}", folded)) - _WORDS
        scored = []
        for name in dict.fromkeys((*self.entities, *self.values)):
            own = _fold(name)
            likeness = SequenceMatcher(None, folded, own).ratio()
            shared = words & set(re.findall(r"\w{3,}", own))
            if likeness >= _ALIKE or shared:
                scored.append((-likeness, name))
        return tuple(name for _, name in sorted(scored))


@cached_per_instance
def names_of(instance: Instance) -> Names:
    """Return the names of an instance, which are prepared once for each."""
    return Names(instance)


def pattern_of(names: Iterable[str]) -> str:
    """Return a regular expression for any of the names, the longest first, in any style of spaces and marks."""
    longest_first = sorted(
        {" ".join(normalize("NFC", name).split()) for name in names}, key=lambda name: (-len(name), name)
    )
    return "|".join(_spelled(name) for name in longest_first)


def _spelled(name: str) -> str:
    *before, last = (_spelled_letter(letter) for letter in name)
    # At the end of a sentence the mark that ends a name is often left out, or taken for the sentence's own.
    final = rf"(?:{last}|(?=\s*$))" if name[-1] in ".!?" and len(name) > 1 else last
    return "".join(before) + final


def _spelled_letter(letter: str) -> str:
    if letter == " ":
        return r"\s+"
    for alike in (_APOSTROPHES, _QUOTES, _HYPHENS):
        if letter in alike:
            # The apostrophe is what people leave out: 'bobs team'.
            return f"[{re.escape(alike)}]{'?' if alike is _APOSTROPHES else ''}"
    return re.escape(letter)


def without_accents(text: str) -> str:
    """Return a text with each letter in its compatible form (NFKD) and without the accents on it."""
    return text if text.isascii() else "".join(mark for mark in normalize("NFKD", text) if not combining(mark))


def _fold(name: str) -> str:
    """Return the form that all spellings of a name have in common, as a key."""
    folded = " ".join(normalize("NFC", name).split()).casefold()
    for alike in (_APOSTROPHES, _QUOTES, _HYPHENS):
        folded = re.sub(f"[{re.escape(alike)}]", alike[0], folded)
    return folded


def _is_word(name: str, written: str) -> bool:
    """Return whether what is written is an ordinary word, and no name."""
    return name.casefold() in _WORDS and written.islower() and not name.islower()


def _begins_with_verb(text: str, found: Sequence[Named]) -> bool:
    """Return whether what looks like a name begins the text as a verb: 'Drop the Demo' where one is called 'Drop'."""
    if not found or found[0].start > 0 or found[0].name.casefold() not in _WORDS:
        return False
    before_a_name = len(found) > 1 and text[found[0].end : found[1].start].isspace()
    return before_a_name or _BEHIND_A_VERB.match(text, found[0].end) is not None
