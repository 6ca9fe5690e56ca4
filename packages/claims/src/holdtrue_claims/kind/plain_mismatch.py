"""Find a plain mismatch between a sentence and a formula without a model: values, names, or word order.

Code knows numbers, units, dates, the names of the vocabulary, and its wording of formulas (`fol.english`). A sentence
in exactly that wording has one formula, so a wrong direction, order, quantifier or negation is visible. Sentences in
other words are left to the models.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

from holdtrue.errors import FormulaError
from holdtrue.logic.units import CURRENCY, DAY, KNOWN, MONTH, ONE, SECOND, unit
from holdtrue.logic.value_sorts import Amount, Instant, show_amount
from holdtrue.solving.result import Different
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.english import AMOUNTS_COMPARED, DATES_COMPARED, Teller
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.phrases import spaced
from holdtrue_claims.fol.syntax import edited
from holdtrue_claims.fol.term_sorts import TermSorts
from holdtrue_claims.fol.variants import variants
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.kind.equivalence import same_meaning
from holdtrue_claims.kind.mentions import (
    MentionedValues,
    Value,
    amount,
    described,
    is_form,
    mentioned_names,
    mentioned_values,
    mentions_in,
    near_name,
    words_and_names,
)
from holdtrue_claims.kind.prompts.content_words import (
    content_list,
    content_words,
    denies,
    has_denial,
    without_values,
    word_stem,
)
from holdtrue_claims.values.text_values import value_parts

_PERCENT = unit("%")
_LIMITS: dict[fol.Comparison, int] = {">=": -1, "<": -1, ">": 1, "<=": 1}
"""The change of a whole limit that turns a strict comparison into a non-strict one, or the reverse."""
_COMPARED = "|".join((*AMOUNTS_COMPARED, *DATES_COMPARED))
_COMPARING = re.compile(rf"\b(?:{_COMPARED})\b", re.IGNORECASE)
_ORDER = re.compile(rf"\b(?P<no>no |not )?(?P<words>{_COMPARED})\s*$", re.IGNORECASE)
_VARIABLE = re.compile(r"\b[xyz]\b")
_ORDERED: tuple[fol.Comparison, ...] = ("<", "<=", ">", ">=")


def plain_mismatch(text: str, sentence: fol.Sentence, vocabulary: Vocabulary, before: str = "") -> str | None:
    """Return in words a plain mismatch of a formula with its sentence, or None if nothing is certainly wrong.

    A value of the formula may also come from the text `before` the sentence.
    """
    words = Teller(vocabulary)
    spoken = _Spoken(sentence, vocabulary)
    said = spoken.words(text)
    if said == spoken.words(words.say(sentence)):
        return None
    names = [own.name for own in vocabulary.entities]
    values = mentioned_values(text, names)
    values = replace(values, perhaps=(*values.perhaps, *mentioned_values(before, names).perhaps))
    return (
        _values(sentence, vocabulary, values)
        or _names(text, sentence, vocabulary)
        or _said_instead(text, said, sentence, spoken, words)
        or _turned(text, sentence, vocabulary)
    )


# --- values ----------------------------------------------------------------------------------------------------------


def _values(sentence: fol.Sentence, vocabulary: Vocabulary, said: MentionedValues) -> str | None:
    nodes = list(fol.walk(sentence))
    has = list(_written(nodes, TermSorts(vocabulary)))
    own = [value for values in has for value in values]
    # The wording of all names in the formula.
    meanings = {own.name: described(own) for own in vocabulary.applied}
    used = [node.predicate for node in nodes if isinstance(node, fol.Holds)]
    used += [node.function for node in nodes if isinstance(node, fol.Apply)]
    things = [spaced(node.name) for node in nodes if isinstance(node, fol.Constant)]
    names = " ".join((*things, *(meanings.get(name, name) for name in used)))
    lost = [
        value
        for value in said.sure
        if not any(_alike(other, value, said) for other in own) and not _is_in(value, names)
    ]
    extra = [values[0] for values in has if not _may_be_meant(values, said)]
    if lost and extra:
        return f"the sentence says {_shown(lost[0])}, and the formula says {_shown(extra[0])}"
    if not has and (missing := [value for value in lost if _is_typed(value)]):
        return f"the formula says nothing of {_shown(missing[0])}"
    # Many words, such as daily, can express a time.
    typed = [
        value
        for value in extra
        # A unit can stand without a number: more than a tonne.
        if isinstance(value, fol.Number) and _is_typed(value) and value.value != 1
        if value.unit.dimension not in (SECOND.dimension, MONTH.dimension)
    ]
    return f"the sentence says nothing of {_shown(typed[0])}" if typed and not said.perhaps else None


def _written(nodes: Sequence[fol.Sentence | fol.Term], sorts: TermSorts) -> Iterator[tuple[Value, ...]]:
    """Yield each value of a formula, together with the equivalent for whole numbers or days: 4 for `> 3`."""
    ways: dict[fol.Sentence | fol.Term, tuple[Value, ...]] = {}
    for node in nodes:
        match node:
            case fol.Compare(op, fol.Number() | Instant() as value, other):
                ways[value] = _ways_to_say(value, other, fol.TURNED[op], sorts)
            case fol.Compare(op, other, fol.Number() | Instant() as value):
                ways[value] = _ways_to_say(value, other, op, sorts)
    for node in nodes:
        if isinstance(node, fol.Number | Instant):
            yield ways.get(node, (node,))
        elif isinstance(node, fol.Plus):
            yield from ((fol.Number(factor),) for factor, _ in node.parts if abs(factor) != 1)


def _ways_to_say(value: Value, other: fol.Term, op: fol.Comparison, sorts: TermSorts) -> tuple[Value, ...]:
    step = _LIMITS.get(op, 0)
    if isinstance(value, Instant):
        return (value, Instant(value.value + step, value.sort)) if step and value.sort.kind == "date" else (value,)
    if value.unit != ONE:
        return (value,)
    sort = sorts.result(other.function) if isinstance(other, fol.Apply) else None
    if isinstance(sort, Amount) and sort.unit == _PERCENT:
        return (fol.Number(value.value * 100, _PERCENT),)
    whole = step and Fraction(value.value).denominator == 1
    return (value, fol.Number(value.value + step)) if whole else (value,)


def _may_be_meant(ways: Sequence[Value], said: MentionedValues) -> bool:
    """Return whether the sentence may mean a value of the formula. A sentence with a doubtful value may mean any."""
    value = ways[0]
    if said.doubtful or value == fol.Number(1) or (isinstance(value, fol.Number) and value.value == 0):
        return True
    return any(_alike(own, other, said) for own in ways for other in said.perhaps) or _is_made_of(value, said.perhaps)


def _is_typed(value: Value) -> bool:
    return isinstance(value, Instant) or value.unit not in (ONE, _PERCENT)


def _alike(own: Value, said: Value, all_said: MentionedValues) -> bool:
    """Return whether a value of the formula may be a value of the sentence, perhaps in another unit.

    A name may contain the unit: hours(Ann) = 2, prices in cents. A percentage may be given for the remaining part.
    """
    if isinstance(own, Instant) and isinstance(said, Instant):
        kinds = {own.sort.kind: own, said.sort.kind: said}
        if len(kinds) == 1:
            return own.value == said.value
        shown = [each.sort.show(each.value) for each in (own, said)]
        return "moment" in kinds and (shown[0] in shown[1] or shown[1] in shown[0])
    if isinstance(own, Instant) or isinstance(said, Instant):
        instant, number = (own, said) if isinstance(own, Instant) else (said, own)
        assert isinstance(instant, Instant) and isinstance(number, fol.Number)
        return number.unit == ONE and number.value in _parts_of(instant)
    # A word may express the sign: 20 euros of debt.
    mine, yours = abs(Fraction(own.value)), abs(Fraction(said.value))
    if own.unit == said.unit:
        # Half as much: the formula may halve one side or double the other.
        half = own.unit == ONE and mine * yours == 1
        return mine == yours or half or (own.unit == _PERCENT and mine in (100 - yours, 100 + yours))
    if own.unit == ONE:
        amount = yours * said.unit.factor
        ways = {
            yours,
            amount,
            *(amount / each.factor for each in KNOWN.values() if each.dimension == said.unit.dimension),
        }
        ways |= {100 * yours} if CURRENCY.fullmatch(said.unit.name) else set()
        return mine in ways or (said.unit == _PERCENT and abs(1 - mine) == amount)
    if said.unit == ONE:
        # In `5, 6 or 7 kg` the unit stands only once.
        once = own.unit != _PERCENT or any(getattr(each, "unit", None) == _PERCENT for each in all_said.perhaps)
        return (once and mine == yours) or (own.unit == _PERCENT and mine == yours * 100)
    if own.unit.dimension == said.unit.dimension:
        return mine * own.unit.factor == yours * said.unit.factor
    # A name may contain the denominator: visitors a day.
    return mine == yours and own.unit.name.split("/")[0] == said.unit.name.split("/")[0]


def _parts_of(instant: Instant) -> set[int]:
    """Return the numbers in a date or a time. For the first or last day of a year, the neighbouring years count too."""
    shown = instant.sort.show(instant.value)
    parts = {int(part) for part in re.findall(r"\d+", shown)}
    year = int(shown[:4]) if re.match(r"\d{4}-(?:01-01|12-31)", shown) else None
    around = set() if year is None else {year - 1, year + 1}
    return parts | {part - 12 for part in parts if 12 < part < 24} | around


def _is_made_of(value: Value, said: Sequence[Value]) -> bool:
    """Return whether two values of the sentence yield this as a sum, difference, product, quotient or later date."""
    numbers = [own for own in said if isinstance(own, fol.Number)]
    if isinstance(value, Instant):
        near = [own for own in said if isinstance(own, Instant) and own.sort == value.sort]
        return any(_is_later(value, own, number) for own in near for number in numbers) or (
            not near and any(own.unit != ONE for own in numbers)
        )
    wanted, of = Fraction(value.value * value.unit.factor), value.unit.dimension
    for one, other in permutations(numbers, 2):
        mine, yours = one.value * one.unit.factor, other.value * other.unit.factor
        made = {mine + yours, abs(mine - yours)} if one.unit.dimension == other.unit.dimension == of else set()
        if of in ((), (one.unit * other.unit).dimension):
            # A share is added or taken away, and not the number in "one pays".
            made |= {mine * yours, *((mine * (1 - yours), mine * (1 + yours)) if abs(yours) < 1 else ())}
        if yours and of in ((), (one.unit / other.unit).dimension):
            made.add(mine / Fraction(yours))
        if wanted in made:
            return True
    return False


def _is_later(value: Instant, start: Instant, after: fol.Number) -> bool:
    """Return whether a duration leads from one date or time to the other. Working days take up to twice as long.

    Dates are counted in days, times and moments in seconds.
    """
    seconds = {SECOND.dimension: SECOND.factor, MONTH.dimension: 31 * DAY.factor}.get(after.unit.dimension)
    step_s = DAY.factor if value.sort.kind == "date" else 1
    apart_s = abs(value.value - start.value) * step_s
    return seconds is not None and apart_s <= 2 * abs(Fraction(after.value)) * after.unit.factor * seconds + DAY.factor


def _is_in(value: Value, names: str) -> bool:
    """Return whether the names of a formula contain a value."""
    if value in mentioned_values(names).perhaps:
        return True
    digits = re.findall(r"\d+", value.sort.show(value.value) if isinstance(value, Instant) else str(value.value))
    return not _is_typed(value) and set(digits) <= set(words_and_names(names))


def _shown(value: Value) -> str:
    return value.sort.show(value.value) if isinstance(value, Instant) else show_amount(value.value, value.unit)


# --- names -----------------------------------------------------------------------------------------------------------


def _names(text: str, sentence: fol.Sentence, vocabulary: Vocabulary) -> str | None:
    """Describe a thing of the formula that the sentence does not name, if the sentence names a similar one instead."""
    sorts = {own.name: own.sort for own in vocabulary.entities}
    used = dict.fromkeys(node.name for node in fol.walk(sentence) if isinstance(node, fol.Constant))
    mentioned = mentioned_names(text, sorts)
    rest = [word for word in words_and_names(text, sorts) if isinstance(word, str)]
    lacking = [name for name in used if name in sorts and name not in mentioned]
    words = {name: [word for word in words_and_names(name) if isinstance(word, str)] for name in lacking}
    unnamed = [
        name for name in lacking if not any(own == word or is_form(own, word) for own in words[name] for word in rest)
    ]
    for name in unnamed:
        instead = [other for other in mentioned if sorts[other] == sorts[name] and other not in used]
        if instead and len(unnamed) <= len(instead):
            return f"the formula is about {spaced(name)}, and the sentence is about {spaced(instead[0])}"
    for name in lacking:
        if near := near_name(name, text, mentioned):
            return f"the formula is about {spaced(name)}, and the sentence is about {near}"
    return None


# --- the words of the formula itself ---------------------------------------------------------------------------------


_COPULA = frozenset("is are was were of s".split())
_ARTICLES = frozenset("a an the".split())
_ENOUGH = 4
"""The number of letters that a word shares with another form of it: weighs and weight."""


class _Spoken:
    """A `_Spoken` turns texts into comparable lists of names, values and stems over the vocabulary of one formula."""

    def __init__(self, sentence: fol.Sentence, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        nodes = list(fol.walk(sentence))
        functions = {own.name: own for own in vocabulary.functions}
        used = {
            functions[node.function] for node in nodes if isinstance(node, fol.Apply) and node.function in functions
        }
        # Amounts and dates do not depend on word order, so the words of their meaning may stand anywhere.
        loose = bool(used) and not any(isinstance(node, fol.Holds) for node in nodes)
        loose = loose and all(vocabulary.value_sort(own.result) is not None for own in used)
        self._moving = [set(content_list(own.meaning)) for own in used] if loose else []
        self._dropped = _COPULA.union(*(words_and_names(own.meaning) for own in used))

    def words(self, text: str) -> list[object]:
        """Return the names, values and stems of a text. Words for the formula's amounts and dates, if it has any, are
        omitted.
        """
        found: list[object] = []
        names = [own.name for own in self.vocabulary.entities]
        for part in value_parts(text):
            read = words_and_names(part, names) if isinstance(part, str) else [amount(part.value)]
            found += [word for word in read if word not in _ARTICLES]
        if not self._moving:
            return found
        moved = [{word for word in found if isinstance(word, str) and _is_form(word, own)} for own in self._moving]
        # If such words are missing, the text is about another amount.
        missing: list[object] = [] if all(moved) else [None]
        return [word for word in found if word not in self._dropped and not any(word in own for own in moved)] + missing


def _is_form(word: str, meanings: Iterable[str]) -> bool:
    """Return whether a word is another form of one of these: weighs of weight, arrived of arrival."""
    own = word_stem(word)
    return any(
        own == other or (min(len(own), len(other)) >= _ENOUGH and (own.startswith(other) or other.startswith(own)))
        for other in meanings
    )


def _said_instead(
    text: str, said: Sequence[object], sentence: fol.Sentence, spoken: _Spoken, words: Teller
) -> str | None:
    """Describe a near variant of the formula whose wording by code is exactly the sentence."""
    vocabulary = spoken.vocabulary
    try:
        own = state(sentence, vocabulary)
        found = [each.sentence for each in variants(sentence, vocabulary, mentions_in(text, vocabulary))]
    except FormulaError:
        return None
    for each in (*found, *edited(sentence, _compared_otherwise)):
        told = words.say(each)
        if spoken.words(told) == said and isinstance(same_meaning(own, state(each, vocabulary), vocabulary), Different):
            return f"the sentence says: {told} The formula says: {words.say(sentence)}"
    return None


def _turned(text: str, sentence: fol.Sentence, vocabulary: Vocabulary) -> str | None:
    """Describe a comparison or a fact of the formula that has the opposite direction in the sentence."""
    match sentence:
        case fol.Not(fol.Compare(op, left, right)):
            return _turned(text, fol.Compare(fol.DENIED[op], left, right), vocabulary)
        case fol.Compare(_, fol.Apply(function), fol.Number() | Instant()) if any(
            # The meaning of a function may compare, for instance the best-before day.
            own.name == function and _COMPARING.search(own.meaning)
            for own in vocabulary.functions
        ):
            return None
        case fol.Compare(op, fol.Apply() | fol.Count(), fol.Number() | Instant() as value):
            said = _order_said(text, value)
            if said == "=" and op == "!=":
                return "the formula denies what the sentence states"
            if said in _ORDERED and said[0] != op[0]:
                return "the sentence compares one way, and the formula another"
        case fol.Holds(predicate) | fol.Not(fol.Holds(predicate)):
            meaning = next((own.meaning for own in vocabulary.predicates if own.name == predicate), "")
            rest = words_and_names(without_values(text), [own.name for own in vocabulary.entities])
            own = content_words(_VARIABLE.sub(" ", meaning))
            words = content_words(" ".join(word for word in rest if isinstance(word, str)))
            # A thing may be named together with its sort: the red scarf, for Red.
            sorts = content_words(" ".join(own.sort for own in vocabulary.entities))
            same = own and own <= words <= own | sorts
            if same and (denies(text) != denies(meaning)) != isinstance(sentence, fol.Not):
                return "the sentence denies what the formula states, or the other way round"
    return None


def _order_said(text: str, value: Value) -> fol.Comparison | None:
    """Return how a text compares with a value, by the words before the value; None if other words may change that."""
    parts = list(value_parts(text))
    places = [at for at, own in enumerate(parts) if not isinstance(own, str) and own.value == value]
    if len(places) != 1:
        return None
    before = parts[places[0] - 1]
    words = _ORDER.search(before) if isinstance(before, str) else None
    rest = [own for at, own in enumerate(parts) if isinstance(own, str) and at != places[0] - 1]
    rest.append(str(before)[: words.start() if words else None])
    if any(map(has_denial, rest)):
        return None
    if words is None:
        return "="
    op = (DATES_COMPARED if isinstance(value, Instant) else AMOUNTS_COMPARED).get(words["words"].lower())
    return fol.DENIED[op] if op and words["no"] else op


def _compared_otherwise(node: Any, _: object) -> Iterator[Any]:
    """Yield a comparison of amounts once with each sign that differs from its own."""
    if isinstance(node, fol.Compare) and node.op in _ORDERED:
        yield from (replace(node, op=op) for op in (*_ORDERED, "=") if op != node.op)
