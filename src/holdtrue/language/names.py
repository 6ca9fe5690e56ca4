"""Find the names of an instance in a text, in any spelling: entities, values and attributes.

A name may have hyphens, digits, marks, several words, and even the words that withdraw commitments ("Last Call",
"Drop-off"). So names are found before any English pattern sees a sentence. Each is replaced by a placeholder that no
pattern matches, and put back into the parts that the patterns cut out.
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
    """Return a text with each edit (start, end, words) applied. An edit that overlaps an earlier one is left out.

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

_MOST = 512  # cached results of one function for one instance


def cached_per_instance(
    make: Callable[Concatenate[Instance, Rest], Result],
) -> Callable[Concatenate[Instance, Rest], Result]:
    """Return the function with a cache for each instance.

    The function's other arguments must be hashable, and callers must not change its results.
    """
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


# A placeholder is a number between two equal letters of this list that the text does not have. Patterns take these
# for letters, and no word in the Latin script has them.
_LETTERS = [chr(code) for code in range(0xA000, 0xA48D)]
_APOSTROPHES, _QUOTES, _HYPHENS = (
    "'\u2018\u2019\u02bc\u00b4`",
    '"\u201c\u201d\u201e\u00ab\u00bb',
    "-\u2010\u2011\u2012\u2013",
)
# A name that one of these signs joins to more letters is part of another name: 'pre-Review', 'Review-2', 'C++'.
_JOINING = r"\-&/.+#@\u2010\u2011"
_BEFORE = rf"(?<!\w)(?<!\w[{_JOINING}{_APOSTROPHES}])"
_BEHIND = rf"(?!\w)(?![{_JOINING}:]\w)(?![+#])(?![{_APOSTROPHES}](?!s\b)\w)"
# Names that are also ordinary words. In small letters they count as words, unless the instance writes the name small.
_WORDS = frozenset(words("names.words"))
_BEHIND_A_VERB = english("names.behind_a_verb")
_ALIKE = 0.75


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a text: `name` as the instance spells it, and its place."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hidden:
    """A text with placeholders for its names; `names` maps each placeholder to its name."""

    text: str
    names: Mapping[str, str]

    def restore(self, text: str) -> str:
        """Return a part of the text with its names put back, as the instance spells them."""
        for word, name in self.names.items():
            text = text.replace(word, name)
        return text


class Names:
    """All names of one instance: its entities, the values of its enumerations, and the labels of its attributes."""

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
        for name in known:  # a name may also be written without the mark at its end
            self._by_fold.setdefault(_fold(name).rstrip(".!?"), name)
        self._pattern = re.compile(rf"{_BEFORE}(?:{pattern_of(known)}){_BEHIND}", re.IGNORECASE)

    def find(self, text: str, *, words_too: bool = True) -> list[Named]:
        """Return every name in the text, in order. Of two that begin at one place, the longer one counts.

        If `words_too` is false, names that are also ordinary words ('Will', 'That') count only if they are written like
        names. They then have a capital and are not the verb of the sentence.
        """
        found = []
        for match in self._matches(text, words_too):
            name, start = self._by_fold.get(_fold(match.group())), match.start()
            if not words_too and name is not None and (inner := self._behind_verb(name, match.group())):
                name, start = inner, match.end() - len(match.group().split(maxsplit=1)[1])
            if name is None:
                continue
            is_word = name.casefold() in _WORDS and match.group().islower() and not name.islower()
            if words_too or not is_word:
                found.append(Named(name, start, match.end()))
        return found if words_too or not _begins_with_verb(text, found) else found[1:]

    def _matches(self, text: str, words_too: bool) -> Iterator[re.Match[str]]:
        """Yield the matches that may be names, in order; of two that overlap, yield the first.

        A verb at the start of the text is skipped: 'Cancel Cancel Cancel' withdraws something about 'Cancel Cancel'.
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
        """Return the shorter name in 'drop Design', if 'Design' and 'Drop Design' are both names, else None."""
        verb, _, rest = written.partition(" ")
        is_verb = verb.islower() and verb in _WORDS and not name[0].islower()
        return self._by_fold.get(_fold(rest)) if is_verb and rest[:1].isupper() else None

    def spell(self, text: str) -> str:
        """Return a text that is one name as the instance spells it, and any other text unchanged."""
        return self._by_fold.get(_fold(text), text)

    def hide(self, text: str) -> Hidden:
        """Return the text with a placeholder for each name, without quotation marks around names."""
        letter = next((one for one in _LETTERS if one not in text), _LETTERS[0])
        found = self.find(text, words_too=False)
        names = {f"{letter}{place}{letter}": one.name for place, one in enumerate(found)}
        hidden = with_edits(text, ((one.start, one.end, word) for one, word in zip(found, names, strict=True)))
        marks = f"{_APOSTROPHES}{_QUOTES}"
        bare = re.sub(rf"(?<!\w)[{marks}]+({letter}\d+{letter})[{marks}]+(?!\w)", r"\1", hidden)
        return Hidden(bare, names)

    def alike(self, text: str) -> tuple[str, ...]:
        """Return the entities and values that the text may misspell, the most similar first."""
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
    """Return the names of an instance, which are prepared once."""
    return Names(instance)


def pattern_of(names: Iterable[str]) -> str:
    """Return a regular expression for any of the names, the longest first, in any style of spaces and marks."""
    longest_first = sorted(
        {" ".join(normalize("NFC", name).split()) for name in names}, key=lambda name: (-len(name), name)
    )
    return "|".join(_spelled(name) for name in longest_first)


def _spelled(name: str) -> str:
    *before, last = (_spelled_letter(letter) for letter in name)
    # People often leave out a name's final mark at the end of a sentence.
    final = rf"(?:{last}|(?=\s*$))" if name[-1] in ".!?" and len(name) > 1 else last
    return "".join(before) + final


def _spelled_letter(letter: str) -> str:
    if letter == " ":
        return r"\s+"
    for alike in (_APOSTROPHES, _QUOTES, _HYPHENS):
        if letter in alike:
            # People leave out apostrophes: 'bobs team'.
            return f"[{re.escape(alike)}]{'?' if alike is _APOSTROPHES else ''}"
    return re.escape(letter)


def without_accents(text: str) -> str:
    """Return a text with each letter in its compatible form (NFKD), without accents."""
    return text if text.isascii() else "".join(mark for mark in normalize("NFKD", text) if not combining(mark))


def _fold(name: str) -> str:
    folded = " ".join(normalize("NFC", name).split()).casefold()
    for alike in (_APOSTROPHES, _QUOTES, _HYPHENS):
        folded = re.sub(f"[{re.escape(alike)}]", alike[0], folded)
    return folded


def _begins_with_verb(text: str, found: Sequence[Named]) -> bool:
    """Return whether a name at the start is the verb of the text: 'Drop the Demo' if one is called 'Drop'."""
    if not found or found[0].start > 0 or found[0].name.casefold() not in _WORDS:
        return False
    before_a_name = len(found) > 1 and text[found[0].end : found[1].start].isspace()
    return before_a_name or _BEHIND_A_VERB.match(text, found[0].end) is not None
