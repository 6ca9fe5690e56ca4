"""Read the predicates and functions that a model proposes for a text, and tell of each that is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from holdtrue.errors import FormulaError
from holdtrue.language.replies import reply_object
from holdtrue.logic.value_sorts import read_sort
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.naming import function_identifier, name_words, near, stem, stems, thing_identifier
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.prompts.content_words import word_set, word_stem
from holdtrue_claims.kind.prompts.offered import left_out
from holdtrue_claims.values.text_values import read_values

MOST = 40
"""Predicates of one text, and functions."""
MOST_ARGUMENTS = {"predicates": 4, "functions": 3}
VARIABLES = "xyzw"
_VARIABLE = re.compile(rf"\b[{VARIABLES}]\b")
_LITTLE = word_set("x y z w i is it the a an are was were came come comes be to of in than from")
_ORDER = word_set(
    "left right leftmost rightmost above below before after first second third fourth fifth last next immediately",
    "directly older newer younger oldest newest cheaper cheapest more most expensive place position rank",
)
_LINE = re.compile(r"(?P<meaning>[^\n]*): ?(?P<name>[^\n:()]+)\((?P<of>[^\n()]*)\)(?: +(?P<is>[^\n()]+))?")
_Word = TypeVar("_Word", Predicate, Function)
_WHICH = re.compile(r"(?:x|it) is (?:the )?(?P<name>[A-Z0-9].*)")


def words_json(vocabulary: Vocabulary) -> dict[str, Any]:
    """Return the reply that proposes the functions and predicates of a vocabulary, each as one line.

    `x picks up y: PicksUp(courier, parcel)` is a predicate, and `weight of x: weight(parcel) kg` a function.
    """
    numbers = [
        _word({"meaning": own.meaning, "name": own.name, "of": list(own.sorts), "is": own.result})
        for own in vocabulary.functions
    ]
    said = [_word({"meaning": own.meaning, "name": own.name, "of": list(own.sorts)}) for own in vocabulary.predicates]
    return {"functions": numbers, "predicates": said}


def _word(item: dict[str, Any]) -> str | dict[str, Any]:
    """Return a word as a line, or as the object itself where an odd name would be read as another from a line."""
    result = f" {item['is']}" if "is" in item else ""
    line = f"{item['meaning']}: {item['name']}({', '.join(item['of'])}){result}"
    return line if _read_line(line) == item else item


def _read_line(line: str) -> Mapping[str, Any]:
    """Return the parts of a line that proposes a word, none where it is no such line."""
    found = _LINE.fullmatch(line.strip())
    if found is None:
        return {}
    sorts = [own.strip() for own in found["of"].split(",") if own.strip()]
    result = {} if found["is"] is None else {"is": found["is"]}
    return {"meaning": found["meaning"], "name": found["name"], "of": sorts, **result}


def read_words(reply: str, vocabulary: Vocabulary, text: str = "") -> tuple[Vocabulary, tuple[Alert, ...]]:
    """Return the predicates and functions in a reply, without those that the vocabulary has, and alerts. Never raises.

    A predicate whose name cannot be one, which only says which thing something is, or which says of an order what a
    function says, is left out with an alert; so is what is beyond `MOST`. An alert tells of a function whose values are
    of a word that can name things and units, too.
    """
    found = reply_object(reply, "predicates", "functions")
    reading = _Reading(vocabulary, text)
    made = [own for item in _items(found, "functions") if (own := reading.function(item)) is not None]
    functions = reading.first(made)
    predicates = reading.predicates(found, functions)
    reading.tell_units(functions, predicates)
    return Vocabulary((), predicates, functions), tuple(reading.alerts)


class _Reading:
    def __init__(self, vocabulary: Vocabulary, text: str) -> None:
        self._vocabulary = vocabulary
        self._text = text
        self._words = stems(text)
        self.alerts: list[Alert] = []

    def predicates(self, found: Mapping[str, Any], functions: Sequence[Function]) -> tuple[Predicate, ...]:
        read = [own for item in _items(found, "predicates") if (own := self._predicate(item)) is not None]
        needed = [own for own in read if not self._is_needless(own, functions)]
        positive = only_positive(needed, self._vocabulary.predicates)
        kept = {own.name for own in (*positive, *self._vocabulary.predicates)}
        for own in needed:
            if own.name not in kept:
                self._leave_out(own.name, "it denies what another predicate says, and formulas say not", own.meaning)
        return self._apart(self.first(positive), functions)

    def tell_units(self, functions: Sequence[Function], predicates: Sequence[Predicate]) -> None:
        """Tell of values that are counted in a unit of their own, which may name things, where no text counts in it."""
        known = self._vocabulary
        everything = Vocabulary(known.entities, (*known.predicates, *predicates), (*known.functions, *functions))
        counted = {stem(own.noun) for own in read_values(self._text).values if own.noun}
        for own in functions:
            if own.result in everything.thing_sorts or read_sort(own.result) is not None or own.result in counted:
                continue
            message = f"the values of {own.name} are amounts in a unit {own.result}, since no thing is named as one"
            self.alerts.append(Alert("sort_clash", message, self._text))

    def _leave_out(self, name: str, why: str, meaning: str = "") -> None:
        self.alerts.append(left_out(name, why, self._text, meaning))

    def first(self, words: Sequence[_Word]) -> tuple[_Word, ...]:
        for own in words[MOST:]:
            self._leave_out(own.name, f"there are more than {MOST} of its kind", own.meaning)
        return tuple(words[:MOST])

    def _predicate(self, item: Mapping[str, Any]) -> Predicate | None:
        """Its arguments are the variables in its meaning: small models count them wrongly, and name them right."""
        name, meaning, sorts = item.get("name"), item.get("meaning"), item.get("of")
        own = thing_identifier(name) if isinstance(name, str) else ""
        if not isinstance(meaning, str) or not own or own.isdigit():
            self._unusable(name, "a predicate")
            return None
        used = sorted(set(_VARIABLE.findall(meaning)), key=VARIABLES.index)
        # A meaning with gaps is closed up: x and z are x and y.
        for number, variable in enumerate(used):
            meaning = re.sub(rf"\b{variable}\b", VARIABLES[number], meaning)
        return Predicate(own, self._sorts(sorts, len(used)), " ".join(meaning.split()))

    def function(self, item: Mapping[str, Any]) -> Function | None:
        name, meaning, sorts, result = (item.get(key) for key in ("name", "meaning", "of", "is"))
        own = function_identifier(name) if isinstance(name, str) else ""
        if not own or own.isdigit():
            self._unusable(name, "a function")
            return None
        given = [sorts] if isinstance(sorts, str) else sorts if isinstance(sorts, list) else []
        line = " ".join(meaning.split()) if isinstance(meaning, str) else ""
        # The sorts say how many arguments there are, unless the meaning speaks of fewer: the price of x is one thing's.
        said = len(set(_VARIABLE.findall(line)))
        arity = min(len(given), MOST_ARGUMENTS["functions"], said or len(given))
        if not isinstance(sorts, list | str):
            arity = said
        values = self._sort(result, "number")
        if values in self._thing_sorts() and values != ANY and read_sort(values) is not None:
            message = f"the values of {own} are things named as {values}, and no amounts or dates"
            self.alerts.append(Alert("sort_clash", message, self._text))
        return Function(own, self._sorts(given[:arity], arity), meaning=line, result=values)

    def _unusable(self, name: Any, use: str) -> None:
        if isinstance(name, str) and name.strip():
            self._leave_out(name.strip()[:60], f"it can be no name of {use}")

    def _sorts(self, given: Any, arity: int) -> tuple[str, ...]:
        """Return a sort for each argument: one that things have, that is of values, or that the text has as a word."""
        listed = given if isinstance(given, list) and len(given) == arity else [ANY] * arity
        return tuple(self._sort(own) for own in listed)

    def _sort(self, given: Any, otherwise: str = ANY) -> str:
        """Return the sort that is given: of things where some are of it, else of values, else a word; or `otherwise`.

        A word has to stand in the text, such as a guest where no guest is named, unless it is the unit of a number.
        """
        if not isinstance(given, str) or not given.strip():
            return otherwise
        known = next((sort for sort in self._thing_sorts() if near(given, sort)), None)
        if known is not None:
            return known
        try:
            values = read_sort(given)
        except FormulaError:
            return otherwise
        if values is not None:
            return str(values)
        small = "_".join(word.casefold() for word in name_words(given))
        return stem(small) if small and (otherwise != ANY or stem(small) in self._words) else otherwise

    def _thing_sorts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*(own.sort for own in self._vocabulary.entities), ANY]))

    def _is_needless(self, own: Predicate, functions: Iterable[Function]) -> bool:
        """Return whether a predicate only says which thing something is, or of an order what a function says."""
        which = _WHICH.fullmatch(own.meaning)
        if which is not None and any(_is_name(which["name"], thing) for thing in self._vocabulary.entities):
            self._leave_out(own.name, "it only says which thing something is, which formulas say by =")
            return True
        said = stems(own.meaning) - _LITTLE
        orders = [function.name for function in functions if stems(f"{function.name} {function.meaning}") & _ORDER]
        if orders and said and said <= _ORDER:
            self._leave_out(own.name, f"it says of an order what {orders[0]} says", own.meaning)
            return True
        return False

    def _apart(self, predicates: Iterable[Predicate], functions: Sequence[Function]) -> tuple[Predicate, ...]:
        """Return predicates whose names do not look like one that is used otherwise: these get a longer name."""
        counted = {stem(own.name) for own in (*functions, *self._vocabulary.functions)}
        taken = {stem(own.name): own for own in self._vocabulary.predicates}
        found: list[Predicate] = []
        for own in predicates:
            name = f"Is{own.name}" if stem(own.name) in counted else own.name
            first = taken.get(stem(name))
            if first is not None and len(first.sorts) != len(own.sorts):
                name = f"{name}{len(own.sorts)}"
                first = taken.get(stem(name))
            if first is not None and first.name != own.name:
                why = f'it looks like {first.name}, "{first.meaning}"'
                self._leave_out(own.name, why, own.meaning)
                continue
            if first is None:
                made = replace(own, name=name)
                taken[stem(name)] = made
                found.append(made)
            elif first.meaning != own.meaning and first not in self._vocabulary.predicates:
                self._leave_out(own.name, f'it is there already, as "{first.meaning}"', own.meaning)
        return tuple(found)


def _is_name(said: str, thing: Entity) -> bool:
    """Return whether a text is a thing's name, with its sort or without."""
    words, sort = stems(said), stems(thing.sort)
    name = stems(thing.name)
    return bool(words) and words <= name | sort and name - sort <= words


def _items(found: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    items = found.get(key)
    read = [_read_line(item) if isinstance(item, str) else item for item in items] if isinstance(items, list) else []
    return [item for item in read if isinstance(item, Mapping)]


_DENIED = re.compile(r"\b(?:does|do|did|(?P<kept>is|are|was|were|has|have|may|can|must|should))(?: not|n['’]t)\b")
_CANNOT = re.compile(r"\bcannot\b")
_SPACES = re.compile(r"\s{2,}")
_DENYING = frozenset({"not", "doesnt", "dont", "didnt", "doesn", "don", "didn", "never", "cannot", "no"})
_AUXILIARY = frozenset({"does", "do", "did", "t", *_DENYING} - {"cannot", "no"})


def only_positive(predicates: Iterable[Predicate], known: Iterable[Predicate] = ()) -> tuple[Predicate, ...]:
    """The predicates, each whose name denies something as what it denies; left out where that is said already.

    What a formula says by `not`, no name should say: small models name "x does not work here" beside "x works here",
    and nothing connects the two. A name that does not deny keeps its meaning: whoever is banned may not enter.
    """
    given = tuple(predicates)
    plain = {_key(predicate) for predicate in (*given, *known) if not _denies(predicate)}
    found: dict[tuple[tuple[str, ...], int], Predicate] = {}
    for predicate in given:
        if not _denies(predicate):
            found.setdefault(((predicate.name,), len(predicate.sorts)), predicate)
            continue
        turned = _turned(predicate)
        if turned is not None and _key(turned) not in plain:
            found.setdefault(_key(turned), turned)
    return tuple(found.values())


def _denies(predicate: Predicate) -> bool:
    in_meaning = _DENIED.search(predicate.meaning) is not None or _CANNOT.search(predicate.meaning) is not None
    return in_meaning and any(word.lower() in _DENYING for word in name_words(predicate.name))


def _turned(predicate: Predicate) -> Predicate | None:
    """Return the predicate that this one denies, or None where its name says nothing else."""
    meaning = _DENIED.sub(lambda match: match["kept"] or "", predicate.meaning)
    meaning = _SPACES.sub(" ", _CANNOT.sub("can", meaning)).strip()
    words = ["can" if word.lower() == "cannot" else word for word in name_words(predicate.name)]
    name = thing_identifier(" ".join(word for word in words if word.lower() not in _AUXILIARY))
    return replace(predicate, name=name, meaning=meaning) if name else None


def _key(predicate: Predicate) -> tuple[tuple[str, ...], int]:
    """Return a key that is the same for predicates with the same words in their names and as many arguments."""
    return tuple(word_stem(word.lower()) for word in name_words(predicate.name)), len(predicate.sorts)
