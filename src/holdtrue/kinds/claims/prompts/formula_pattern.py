"""This module writes the regular expression of formulas over a vocabulary, which a backend can enforce.

What it admits uses only declared names, with as many arguments as they take and of their sorts, no variable that is not
bound, and no numbers but those that the sentence states and small whole ones. Brackets nest as deep as is written out
here, because a regular expression cannot count. Two shapes that are nearly always a slip are left out: `forall x (A(x)
and B(x))`, by which everything there is is both, and `exists x (A(x) -> B(x))`, which anything that is no A makes true.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from holdtrue.kinds.claims.prompts.offered import Offer
from holdtrue.kinds.claims.prompts.pattern_terms import VARIABLES, Kind, Terms, any_of
from holdtrue.logic.fol.naming import name_text
from holdtrue.logic.fol.vocabulary import ANY

_MORE = "{0,3}"
"""Operands behind the first one: where nothing ends it, a small model goes on to the end of its tokens."""
LONGEST = 170_000
"""Characters of a pattern: a longer one gives up three variables, then sums, then sorts of variables, then counts."""
_MOST_SORTS = 4

Range = str | None
"""The sort that a variable goes through; None for all things."""


@lru_cache(maxsize=64)  # several formulas are drawn of one sentence
def offer_pattern(offer: Offer) -> str:
    """Return the anchored pattern of the formulas that are offered; without `some` none of them begins with `exists`.

    With no predicate and no function only `true` and `false` are left to say. At each place few ways are open at once:
    backends follow all of them for each token.
    """
    fewer = replace(offer, sums=False)
    # What is given up step by step where a pattern is too long.
    narrower = (
        _Shapes(offer, three=False),
        *([_Shapes(replace(offer, counts=False), three=False)] if offer.sums else []),
        _Shapes(fewer, three=False),
        _Shapes(fewer, three=False, sorted_ranges=False),
        _Shapes(replace(fewer, counts=False), three=False, sorted_ranges=False),
    )
    pattern = _Shapes(offer).pattern()
    for made in narrower:
        if len(pattern) <= LONGEST:
            break
        pattern = made.pattern()
    return pattern


class _Shapes:
    """Parts of the pattern; `bound` are the variables that may stand in them. A part that cannot be is empty."""

    def __init__(self, offer: Offer, *, three: bool = True, sorted_ranges: bool = True) -> None:
        self._offer = offer
        self._three = three
        vocabulary = offer.vocabulary
        self._terms = Terms(offer)
        self._atoms: dict[tuple[tuple[tuple[str, str], ...], bool], str] = {}
        self._related = bool(vocabulary.functions) or any(len(said.sorts) > 1 for said in vocabulary.predicates)
        sorts = dict.fromkeys(sort for own in vocabulary.applied for sort in own.sorts)
        typed = [sort for sort in sorts if sort != ANY]
        if not sorted_ranges or len(typed) > _MOST_SORTS:
            typed = []
        self._ranges: tuple[Range, ...] = (*((None,) if ANY in sorts or not typed else ()), *typed)

    def pattern(self) -> str:
        found = [self._quantified()]
        if ground := self._operand({}):
            more = f"( (and|or|xor) {ground}){_MORE}"
            found.append(f"{ground}{more}( (->|<->) {ground}{more})?")
        return f"^{any_of(found) or '(true|false)'}$"

    def _quantified(self) -> str:
        """One variable, and where anything relates two things, another one inside or several in front."""
        shapes = []
        for own in self._ranges:
            bound = {"x": own or ANY}
            if not self._atom(bound):
                continue
            found = [rf"\({self._every(bound)}\)"]
            if self._related:
                for second in self._ranges if self._three else (own,):
                    body = self._every({**bound, "y": second or ANY}, plain=True)
                    found.append(rf"forall y{_in(second)} \({body}\)")
                if self._three:  # of one range: as in what holds of two pairs holds of the third
                    body = self._every({**bound, "y": own or ANY, "z": own or ANY}, plain=True)
                    found.append(rf"forall y{_in(own)} forall z{_in(own)} \({body}\)")
                found += [
                    rf"exists y{_in(inner)} \({self._some({**bound, 'y': inner or ANY})}\)" for inner in self._ranges
                ]
            shapes.append(f"forall x{_in(own)} {any_of(found)}")
            if self._offer.some:
                found = [rf"\({self._some(bound)}\)"]
                if self._related:
                    found += [
                        rf"(exists|forall) y{_in(inner)} \({self._some({**bound, 'y': inner or ANY})}\)"
                        for inner in self._ranges
                    ]
                shapes.append(f"exists x{_in(own)} {any_of(found)}")
        return f"(not )?{any_of(shapes)}" if shapes else ""

    def _every(self, bound: Mapping[str, str], *, plain: bool = False) -> str:
        """The body of `forall`: conditions and what follows from them, or alternatives; of one sort also one alone."""
        operand = self._literal(bound) if plain else self._operand(bound)
        implied = f"( (and|or|xor) {operand}){_MORE} (->|<->) {operand}( (and|or|xor) {operand}){_MORE}"
        joined = "and|or|xor" if ANY not in bound.values() else "or|xor"
        return f"{operand}({implied}|( ({joined}) {operand}){_MORE})"

    def _some(self, bound: Mapping[str, str]) -> str:
        """The body of `exists`."""
        operand = self._literal(bound) if len(bound) > 1 else self._operand(bound)
        return f"{operand}( (and|or) {operand}){_MORE}"

    def _operand(self, bound: Mapping[str, str]) -> str:
        """A literal, several of them in brackets, or something about another thing than the one that is bound."""
        atom, literal = self._atom(bound, computed=True), self._literal(bound)
        if not atom:
            return ""
        steps = self._terms.steps(bound, "y") if len(bound) == 1 else ""
        found = [atom, steps, rf"\({literal}( (and|or|xor|->|<->) {literal}){{1,3}}\)" if literal else ""]
        if self._related and len(bound) == 1:
            for own in self._ranges:
                if inner := self._literal({**bound, "y": own or ANY}):
                    found.append(rf"exists y{_in(own)} \({inner}( (and|or) {inner}){_MORE}\)")
                    found.append(rf"forall y{_in(own)} \({inner}( and {inner}){_MORE}( (->|or) {inner})?\)")
        return f"(not )?{any_of(found)}"

    def _literal(self, bound: Mapping[str, str]) -> str:
        atom = self._atom(bound)
        return f"(not )?{atom}" if atom else ""

    def _atom(self, bound: Mapping[str, str], *, computed: bool = False) -> str:
        """Empty where no atom can be made of these names."""
        # The same variables are bound in many shapes.
        key = (tuple(bound.items()), computed)
        if key not in self._atoms:
            self._atoms[key] = self._make_atom(bound, computed)
        return self._atoms[key]

    def _make_atom(self, bound: Mapping[str, str], computed: bool) -> str:
        found = [self._terms.applied(self._offer.vocabulary.predicates, bound)]
        found.append(self._computed(bound) if computed else self._terms.compared(bound))
        if self._related:
            found.append(self._terms.same_thing(bound))
        return any_of(found)

    def _computed(self, bound: Mapping[str, str]) -> str:
        """Comparisons of sums and products, and of counts and sums over things."""
        variable = next(name for name in VARIABLES if name not in bound)
        counted: list[str] = []
        summed: dict[Kind, list[str]] = {}
        for own in self._ranges:
            inner = {**bound, variable: own or ANY}
            body = self._counted_body(inner)
            if self._offer.counts and body:
                counted.append(rf"count {variable}{_in(own)} \({body}\)")
            for kind in self._terms.kinds if self._offer.sums else ():
                values = "" if isinstance(kind, str) else self._terms.values(kind, inner)
                where = rf"( where {body})?" if body else ""
                if values:
                    summed.setdefault(kind, []).append(rf"sum {variable}{_in(own)} \({values}{where}\)")
        found = [self._terms.computed(bound), self._terms.total((), bound, any_of(counted))]
        found += [self._terms.total(kind, bound, any_of(own)) for kind, own in summed.items()]
        return any_of(found)

    def _counted_body(self, bound: Mapping[str, str]) -> str:
        """Return what can be said of the things that are counted or summed."""
        said = any_of((self._terms.applied(self._offer.vocabulary.predicates, bound), self._terms.compared(bound)))
        return f"(not )?{said}( (and|or) (not )?{said}){{0,2}}" if said else ""


def _in(own: Range) -> str:
    return "" if own is None else f" in {re.escape(name_text(own))}"
