"""Write typed first-order sentences as a whole SMT-LIB 2.6 script, for any solver of quantifiers and arithmetic.

The script is satisfiable if and only if the sentences can all hold in their vocabulary, with whatever the vocabulary
states by itself: named things are different, a closed sort has the named things only, a function to things gives one of
its sort, and stated bounds. A claim follows from premises if they and its negation have an unsatisfiable script.

A sort of things is a sort of SMT-LIB where that is no change of what sentences say. Here things are of one universe, a
thing may be of several sorts, and a sort may have no thing. In SMT-LIB sorts share nothing and have an element each. No
sentence can tell the difference for a sort of which something is named, if no quantifier goes through all things, and
nothing of the sort stands where another sort is wanted, or the other way round: whatever holds in one kind of
structures can be carried over to the other, sort by sort.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby

from holdtrue.errors import FormulaError
from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.script import Assertion, Script, script_text
from holdtrue.logic.smtlib.sexpr import ReadLimits
from holdtrue.logic.smtlib.typed_terms import apply_operator
from holdtrue.logic.value_sorts import Amount, show_number
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.laws import stated_laws
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import write_fol
from holdtrue_claims.fol.signature import thing_name
from holdtrue_claims.fol.term_sorts import Sort, TermSorts
from holdtrue_claims.fol.vocabulary import ANY, Vocabulary
from holdtrue_claims.smtlib.number_terms import CALENDAR, CHOSEN
from holdtrue_claims.smtlib.sentence_symbols import SentenceSymbols
from holdtrue_claims.smtlib.sentence_terms import SentenceTerms

_HELPERS = (*CALENDAR, *CHOSEN)
_Said = tuple[smt.SmtTerm, str]
"""A formula with the words that stand above it."""


def write_sentences(vocabulary: Vocabulary, sentences: Iterable[fol.Sentence]) -> str:
    """Return the script of sentences, with `set-logic` and `check-sat`, and each sentence above its formula.

    Raises `FormulaError` for what has no meaning in the vocabulary (as `fol.meaning.state` does) and for what has no
    text in SMT-LIB, in words that name it: a sum or a comparison of counts over an open sort of things, a count of more
    than 30 of them, and what is too deep or too large once it is written out.
    """
    meant = tuple(state(sentence, vocabulary).sentence for sentence in sentences)
    laws = stated_laws(vocabulary)
    symbols = SentenceSymbols.of(
        vocabulary, own_sorts(vocabulary, meant, laws), {each.function.name for each in _HELPERS}
    )
    terms = SentenceTerms(vocabulary, symbols)
    said = [*_of_things(vocabulary, symbols, terms)]
    said += [(terms.stated(each), write_fol(each)) for each in (*laws, *meant)]
    script = _script(symbols, [formula for formula, _ in said])
    notes = _notes(vocabulary, symbols)
    return f"(set-logic ALL)\n{script_text(script, [words for _, words in said], notes)}(check-sat)\n"


def _script(symbols: SentenceSymbols, formulas: Collection[smt.SmtTerm]) -> Script:
    functions = (*symbols.named.values(), *symbols.members.values())
    functions += (*symbols.predicates.values(), *symbols.functions.values())
    used = {sort for own in functions for sort in (*own.arguments, own.result)}
    used |= {own.sort for term in _walk(formulas) if isinstance(term, smt.Quantified) for own in term.variables}
    called = _called(formulas)
    needed = [each for each in _HELPERS if each.function in called]
    depths = smt.Depths()
    for each in needed:
        depths.define(each.function.name, each.body)
    deepest = ReadLimits().max_depth
    for formula in formulas:
        if depths.of(formula) > deepest:
            raise FormulaError(f"as SMT-LIB, with its counts written out, a sentence is nested over {deepest} deep")
    return Script(
        tuple(sort for sort in (*symbols.own.values(), symbols.thing) if sort in used),
        functions,
        tuple(needed),
        tuple(map(Assertion, formulas)),
    )


def _walk(terms: Iterable[smt.SmtTerm]) -> Iterator[smt.SmtTerm]:
    stack = list(terms)
    while stack:
        term = stack.pop()
        yield term
        match term:
            case smt.Operation(operands=operands) | smt.Call(operands=operands):
                stack += operands
            case smt.Quantified(body=body):
                stack.append(body)


def _called(formulas: Iterable[smt.SmtTerm]) -> set[smt.Function]:
    """All functions that are applied, by definitions as well."""
    bodies = {each.function: each.body for each in _HELPERS}
    found: set[smt.Function] = set()
    new: list[smt.SmtTerm] = list(formulas)
    while new:
        called = {term.function for term in _walk(new) if isinstance(term, smt.Call)} - found
        found |= called
        new = [bodies[function] for function in called if function in bodies]
    return found


# --- what holds of things by the vocabulary ------------------------------------------------------------------------


def _of_things(vocabulary: Vocabulary, symbols: SentenceSymbols, terms: SentenceTerms) -> Iterator[_Said]:
    named = [smt.Call(own) for own in symbols.named.values()]
    for _, group in groupby(sorted(named, key=lambda own: own.sort.name), key=lambda own: own.sort.name):
        if len(different := list(group)) > 1:
            yield apply_operator("distinct", different), "What has names of its own is not the same."
    for own in vocabulary.entities:
        if own.sort in symbols.own:
            continue
        for sort, member in symbols.members.items():
            held = smt.Call(member, (smt.Call(symbols.named[own.name]),))
            if own.sort == sort:
                yield held, ""
            elif own.sort != ANY or sort in vocabulary.closed:
                yield apply_operator("not", [held]), ""
    for sort in vocabulary.closed:
        if sort in vocabulary.thing_sorts:
            yield _closed(sort, vocabulary, symbols, terms), f"There is no {sort} but what is named."
    for function in vocabulary.functions:
        result = TermSorts(vocabulary).result(function.name)
        if result in symbols.members and isinstance(result, str):
            yield _given(function.name, result, vocabulary, symbols, terms), f"{function.name} gives a {result}."


def _closed(sort: str, vocabulary: Vocabulary, symbols: SentenceSymbols, terms: SentenceTerms) -> smt.SmtTerm:
    thing = smt.Local("any", symbols.own.get(sort, symbols.thing))
    equal = [apply_operator("=", [thing, smt.Call(symbols.named[own.name])]) for own in vocabulary.named(sort)]
    held = apply_operator("or", equal) if equal else smt.Literal(False, smt.BOOL)
    here = terms.member(sort, thing)
    return smt.Quantified(True, (thing,), held if here is None else apply_operator("=>", [here, held]))


def _given(
    name: str, result: str, vocabulary: Vocabulary, symbols: SentenceSymbols, terms: SentenceTerms
) -> smt.SmtTerm:
    """Say that the value of a function is of its sort where the arguments are of theirs."""
    function, wanted = symbols.functions[name], TermSorts(vocabulary).arguments[name]
    places = tuple(smt.Local(f"any{place}", sort) for place, sort in enumerate(function.arguments, 1))
    pairs = [(sort, place) for sort, place in zip(wanted, places, strict=True) if isinstance(sort, str)]
    conditions = [held for held in (terms.member(sort, place) for sort, place in pairs) if held is not None]
    law: smt.SmtTerm = smt.Call(symbols.members[result], (smt.Call(function, places),))
    if conditions:
        law = apply_operator("=>", [*conditions, law])
    return smt.Quantified(True, places, law) if places else law


# --- notes -----------------------------------------------------------------------------------------------------------


def _notes(vocabulary: Vocabulary, symbols: SentenceSymbols) -> dict[str, str]:
    """Return what each declared name means, and what its numbers count."""
    sorts = TermSorts(vocabulary)
    found = {symbols.predicates[own.name].name: own.meaning for own in vocabulary.predicates}
    for function in vocabulary.functions:
        worded = [text for text in (function.meaning, _counted(sorts.result(function.name))) if text]
        found[symbols.functions[function.name].name] = ", ".join(worded)
    return found


def _counted(sort: Sort) -> str:
    if isinstance(sort, str):
        return f"a {sort}"
    if not isinstance(sort, Amount):
        return f"a {sort}: {'the days' if sort.kind == 'date' else 'the seconds'} {_SINCE[sort.kind]}"
    if sort.step in (None, 1):
        return f"in {sort.unit}" if sort.unit.name else ""
    return f"a whole number of {show_number(sort.step or 1)} {sort.unit}".rstrip()


_SINCE = {"date": "since 0000-12-31", "time": "since midnight", "moment": "since 0001-01-01T00:00"}


Bindings = Mapping[str, str]
"""The sort of each bound variable."""


def own_sorts(
    vocabulary: Vocabulary, sentences: Iterable[fol.Sentence], laws: Iterable[fol.Sentence]
) -> frozenset[str]:
    """Return the sorts that can be declared; all others have to be predicates of things.

    `laws` are of the vocabulary (`stated_laws`): one that goes through all things says what can hold of any thing.
    """
    mixing = _Mixing(vocabulary)
    for sentence in (*sentences, *laws):
        mixing.look(sentence, {})
    if ANY in vocabulary.closed or any(_goes_through_all(sentence) for sentence in sentences):
        return frozenset()
    return frozenset(own.sort for own in vocabulary.entities) - mixing.found - {ANY}


def _goes_through_all(sentence: fol.Sentence) -> bool:
    binders = (node for node in fol.walk(sentence) if isinstance(node, fol.Binder))
    return any(node.sort in (None, ANY) for node in binders)


class _Mixing:
    """Collects in `found` the sorts of which a term stands where another sort is wanted, and those wanted sorts."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._sorts = TermSorts(vocabulary)
        self._things = {own.name: own.sort for own in vocabulary.entities}
        self.found: set[str] = set()

    def look(self, node: fol.Sentence | fol.Term, bound: Bindings) -> None:
        match node:
            case fol.Quantified(variable=name, sort=sort) | fol.Count(name, _, sort) | fol.Total(name, _, _, sort):
                bound = {**bound, name: sort or ANY}
            case fol.Holds(name, args):
                self._take(name, args, bound)
            case fol.Apply(name, args):
                fits, result = self._take(name, args, bound), self._sorts.result(name)
                if not fits and isinstance(result, str):
                    # What it gives for a thing of another sort is of no sort for sure.
                    self.found.add(result)
            case fol.Compare(_, one, other) | fol.Choice(_, one, other):
                sides = {sort for sort in (self._sure(one, bound), self._sure(other, bound)) if sort is not None}
                if len(sides) > 1:
                    self.found |= sides
        for part in fol.parts(node):
            self.look(part, bound)

    def _take(self, name: str, args: tuple[fol.Term, ...], bound: Bindings) -> bool:
        """Collect the sorts of arguments that do not fit; return whether all fit."""
        fits = True
        for arg, wanted in zip(args, self._sorts.arguments[name], strict=True):
            if isinstance(wanted, str) and (own := self._sure(arg, bound) or ANY) != wanted:
                self.found |= {own, wanted}
                fits = False
        return fits

    def _sure(self, term: fol.Term, bound: Bindings) -> str | None:
        """Return the sort that what a term stands for is of in any case; None for a value."""
        match term:
            case fol.Bound(name):
                return None if self._sorts.ranged(bound.get(name)) is not None else bound.get(name, ANY)
            case fol.Apply(name, args):
                result = self._sorts.result(name)
                if not isinstance(result, str):
                    return None
                pairs = zip(args, self._sorts.arguments[name], strict=True)
                sure = all(self._sure(arg, bound) == wanted for arg, wanted in pairs if isinstance(wanted, str))
                return result if sure else ANY
            case fol.Choice(_, then, otherwise):
                one, other = self._sure(then, bound), self._sure(otherwise, bound)
                return one if one == other else ANY
        return self._things.get(thing_name(term) or "")
