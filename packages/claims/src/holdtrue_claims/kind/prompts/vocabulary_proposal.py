"""Ask a model for the predicates and functions of a whole text, before its sentences are formalized."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from holdtrue.errors import FormulaError
from holdtrue.language.asking import Asking
from holdtrue.language.replies import reply_object
from holdtrue.logic.value_sorts import read_sort
from holdtrue.models.chat import user
from holdtrue.world.answer_shape import object_schema
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.naming import (
    CAPITALS,
    LETTERS,
    function_identifier,
    name_words,
    near,
    stem,
    stems,
    thing_identifier,
)
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary, merge
from holdtrue_claims.kind.prompts.content_words import content_words, word_set
from holdtrue_claims.kind.prompts.logic_text import example_json, list_schema, taught, vocabulary_text
from holdtrue_claims.kind.prompts.offered import left_out
from holdtrue_claims.values.text_values import read_values

MOST = 40
"""The largest number of predicates, and of functions, of one text."""
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
    """Return a word as a line, or as the object itself if the line would be read differently."""
    result = f" {item['is']}" if "is" in item else ""
    line = f"{item['meaning']}: {item['name']}({', '.join(item['of'])}){result}"
    return line if _read_line(line) == item else item


def _read_line(line: str) -> Mapping[str, Any]:
    """Return the parts of a line that proposes a word; empty for any other line."""
    found = _LINE.fullmatch(line.strip())
    if found is None:
        return {}
    sorts = [own.strip() for own in found["of"].split(",") if own.strip()]
    result = {} if found["is"] is None else {"is": found["is"]}
    return {"meaning": found["meaning"], "name": found["name"], "of": sorts, **result}


def read_words(reply: str, vocabulary: Vocabulary, text: str = "") -> tuple[Vocabulary, tuple[Alert, ...]]:
    """Return the new predicates and functions in a reply, and alerts. Never raises.

    A predicate is dropped with an alert if its name is unusable, or if it only says which thing something is. So is a
    predicate that repeats the order of a function. Words beyond `MOST` are dropped, too. Another alert warns of a
    function whose values have a unit that may also name things.
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
        return self._apart(self.first(needed), functions)

    def tell_units(self, functions: Sequence[Function], predicates: Sequence[Predicate]) -> None:
        """Add alerts for values in an unknown unit, which may name things, if the text counts nothing in that unit."""
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
        """Return a predicate with the variables of its meaning as arguments; small models count arguments wrongly."""
        name, meaning, sorts = item.get("name"), item.get("meaning"), item.get("of")
        own = thing_identifier(name) if isinstance(name, str) else ""
        if not isinstance(meaning, str) or not own or own.isdigit():
            self._unusable(name, "a predicate")
            return None
        used = sorted(set(_VARIABLE.findall(meaning)), key=VARIABLES.index)
        # Gaps are closed: x and z become x and y.
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
        # The sorts give the number of arguments, unless the meaning has fewer variables.
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
        """Return a sort for each argument: the sort of a thing, a sort of values, or a word of the text."""
        listed = given if isinstance(given, list) and len(given) == arity else [ANY] * arity
        return tuple(self._sort(own) for own in listed)

    def _sort(self, given: Any, otherwise: str = ANY) -> str:
        """Return the given sort if it is a sort of things or of values, or a suitable word; otherwise return
        `otherwise`.

        A word must occur in the text, such as guest if no guest is named. The unit of a number need not.
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
        """Return whether a predicate only says which thing something is, or repeats the order of a function."""
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
        """Return predicates, renamed if their names look like names with another use."""
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
    """Return whether a text is the name of a thing, with its sort or without."""
    words, sort = stems(said), stems(thing.sort)
    name = stems(thing.name)
    return bool(words) and words <= name | sort and name - sort <= words


def _items(found: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    items = found.get(key)
    read = [_read_line(item) if isinstance(item, str) else item for item in items] if isinstance(items, list) else []
    return [item for item in read if isinstance(item, Mapping)]


_SYSTEM = (
    "You choose the words in which a text is written as logic. Return only JSON.\n"
    "functions: only where things have amounts, dates, times, an order, or one other thing that belongs to them. In "
    "brackets: the sorts of x, y and z; then a unit as in the text (kg, EUR, day, mg/kg), date, time, moment, number, "
    "whole (a count or a place), or a sort of things. Mostly there are none.\n"
    "predicates: everything else that is said of things, with variables: x alone for a quality or a kind (x is a "
    "dancer), x and y for a relation (x teaches y). One for each quality, kind and relation, in the words of the text, "
    "without not and without numbers. In brackets: the sorts of the variables, thing for any. Use the same one "
    "wherever the text says the same. Join nothing by and, or, if."
)
EXAMPLES: tuple[tuple[str, Vocabulary], ...] = (
    (
        "On a bench, there are three sitters: an old man, a young girl and a nurse. The nurse sits to the right of the "
        "old man. The young girl is tired.",
        Vocabulary(
            (Entity("OldMan", "sitter"), Entity("YoungGirl", "sitter"), Entity("Nurse", "sitter")),
            (Predicate("Tired", (ANY,), "x is tired"),),
            (
                Function(
                    "place",
                    ("sitter",),
                    meaning="place of x from the left, 1 is the leftmost and 3 the rightmost",
                    result="whole",
                ),
            ),
        ),
    ),
    (
        "A parcel up to 5 kg costs €6.90. Fragile parcels must be picked up by a courier. Parcel A was sent on 3 May "
        "2025 and weighs 800 g. It rained.",
        Vocabulary(
            (Entity("ParcelA", "parcel"),),
            (
                Predicate("Fragile", ("parcel",), "x is fragile"),
                Predicate("PicksUp", ("courier", "parcel"), "x picks up y"),
                Predicate("Rained", (), "it rained"),
            ),
            (
                Function("weight", ("parcel",), meaning="weight of x", result="kg"),
                Function("price", ("parcel",), meaning="price of x", result="EUR"),
                Function("sent", ("parcel",), meaning="the date on which x was sent", result="date"),
            ),
        ),
    ),
    (
        "If someone is a musician or dances, then they practise daily. Everyone who works at the opera is a "
        "musician or sings well and reads music. Mia works at the opera. Mia does not teach Tom. If a French opera is "
        "long, Mia sings it to Tom. Carmen is a French opera.",
        Vocabulary(
            (Entity("Mia", "person"), Entity("Tom", "person"), Entity("Carmen", "work")),
            (
                Predicate("Musician", (ANY,), "x is a musician"),
                Predicate("Dances", (ANY,), "x dances"),
                Predicate("PractisesDaily", (ANY,), "x practises daily"),
                Predicate("WorksAtOpera", (ANY,), "x works at the opera"),
                Predicate("SingsWell", (ANY,), "x sings well"),
                Predicate("ReadsMusic", (ANY,), "x reads music"),
                Predicate("Teaches", (ANY, ANY), "x teaches y"),
                Predicate("FrenchOpera", (ANY,), "x is a French opera"),
                Predicate("Long", (ANY,), "x is long"),
                Predicate("SingsTo", (ANY, ANY, ANY), "x sings y to z"),
            ),
        ),
    ),
)
"""Texts with the words that are chosen for them, as examples."""
_SORT = "[a-z][a-z_]{0,30}"
_MEANING = f"[{LETTERS}0-9 ',/$%-]{{1,80}}"
_RESULT = "(whole )?[A-Za-z%][A-Za-z]{0,20}(/[A-Za-z]{1,20})?"


def _line(begin: str, name: str, kind: str, end: str = "") -> str:
    """Return the pattern of a line that proposes a word: its meaning, its name, and its sorts in brackets."""
    sorts = rf"\(({_SORT}(, {_SORT}){{0,{MOST_ARGUMENTS[kind] - 1}}})?\)"
    return f"^{begin}{_MEANING}: {name}{sorts}{end}$"


_FUNCTION = _line(f"[{LETTERS}]", f"[a-zß-öø-ÿ][{LETTERS}]{{1,40}}", "functions", f" {_RESULT}")
# A name begins with a letter, because small models continue numbers without end.
_PREDICATE = _line("(x|it) ", f"[{CAPITALS}][{LETTERS}0-9]{{1,40}}", "predicates")
_TOKENS = 1600


async def propose_vocabulary(
    asking: Asking, context: str, question: str = "", entities: Sequence[Entity] = (), known: Vocabulary | None = None
) -> tuple[Vocabulary, tuple[Alert, ...]]:
    """Ask for the vocabulary of context and question: the given entities, and predicates and functions about them.

    With a `known` vocabulary, only new words are added. No sort is closed and no function has a range, because formulas
    of sentences say that. Returns the vocabulary, and alerts about dropped and similar names. Raises `ModelError`.
    """
    earlier = known or Vocabulary()
    before, alerts = merge(earlier, entities)
    text = " ".join(f"{context} {question}".split())
    trials = ((_asked(said, Vocabulary(own.entities)), example_json(words_json(own))) for said, own in EXAMPLES)
    messages = [*taught(_SYSTEM, trials), user(_asked(text, before))]
    reply = await asking.ask("vocabulary", messages, _schema(before, text), max_tokens=_TOKENS, frame=len(messages) - 1)
    words, unread = read_words(reply, before, text)
    vocabulary, more = merge(before, (), words.predicates, words.functions)
    names = {own.name for own in vocabulary.applied}
    unlike = [own for own in words.applied if own.name not in names]
    lost = [left_out(own.name, "another name looks like it", text, own.meaning) for own in unlike]
    for sort in earlier.closed:  # The new name shows that the list was not complete.
        if new := [own.name for own in before.entities if own.sort == sort and own not in earlier.entities]:
            message = f"{', '.join(new)}: the named {sort}s were said to be all, and here is one more"
            lost.append(Alert("name_clash", message, text))
    return vocabulary, (*alerts, *unread, *more, *lost)


def _asked(text: str, vocabulary: Vocabulary) -> str:
    known_things = vocabulary_text(vocabulary) or "none"
    known = "\nName only what these words cannot say." if vocabulary.predicates or vocabulary.functions else ""
    stated = dict.fromkeys(own.formula for own in read_values(text).values if own.role == "value")
    values = f"\nValues: {', '.join(stated)}" if stated else ""
    return f"Things:\n{known_things}{known}{values}\nText: {text}"


def _schema(vocabulary: Vocabulary, text: str) -> Mapping[str, Any]:
    # Each proposed word means something in the text, so there are at most as many as the text has words. Without a
    # bound, small models continue.
    most = max(1, min(MOST, len(content_words(text))))
    # Small models like to answer with empty lists.
    fewest = 0 if vocabulary.predicates or vocabulary.functions else 1
    return object_schema(
        {
            "functions": list_schema({"type": "string", "pattern": _FUNCTION}, most),
            "predicates": list_schema({"type": "string", "pattern": _PREDICATE}, most, fewest),
        }
    )
