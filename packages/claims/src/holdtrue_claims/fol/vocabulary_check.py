"""Check whether a sentence uses only the names of a vocabulary, and uses them as declared."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from functools import partial

from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import is_value_sort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.alert import Alert, AlertKind
from holdtrue_claims.fol.lexer import Fault, tokens
from holdtrue_claims.fol.signature import thing_name
from holdtrue_claims.fol.term_sorts import Bindings, Sort, SortError, TermSorts
from holdtrue_claims.fol.value_windows import has_ends
from holdtrue_claims.fol.vocabulary import ANY, Vocabulary, fits


def check(vocabulary: Vocabulary, sentence: fol.Sentence, text: str = "") -> tuple[Alert, ...]:
    """Return alerts for violations of the vocabulary in a sentence, each fault once.

    Their kinds are undeclared, arity_clash, sort_clash, free_variable, function and unsupported. `text` is the source
    of the sentence in the notation of `read_fol`; alerts have positions only if it is given. Raises `FormulaError` for
    deep nesting.
    """
    fol.check_depth(sentence)
    checking = _Checking(vocabulary, text)
    checking.sentence(sentence, {})
    return tuple(checking.alerts.values())


class _Checking:
    """A `_Checking` checks one sentence in the order of its text. `bound` has the sort of each variable."""

    def __init__(self, vocabulary: Vocabulary, text: str) -> None:
        self._vocabulary = vocabulary
        self._sorts = TermSorts(vocabulary)
        self._results = {function.name: function.result for function in vocabulary.functions}
        self._things = {entity.name: entity.sort for entity in vocabulary.entities}
        self._predicates = {predicate.name: predicate.sorts for predicate in vocabulary.predicates}
        self._functions = {function.name: function.sorts for function in vocabulary.functions}
        self._text = text
        self._places = _places(text)
        self.alerts: dict[tuple[AlertKind, str], Alert] = {}

    def sentence(self, node: fol.Sentence | fol.Term, bound: Bindings) -> None:
        match node:
            case fol.Holds(predicate, args):
                self._applied("predicate", predicate, args, bound)
            case fol.Apply(function, args):
                self._applied("function", function, args, bound)
            case fol.Compare(op, left, right):
                self._compared(op, left, right, bound)
            case fol.Quantified(_, variable, body, sort):
                self.sentence(body, self._binding(variable, sort, bound))
            case fol.Count(variable, body, sort) | fol.Total(variable, _, body, sort):
                inner = self._binding(variable, sort, bound)
                values = self._sorts.ranged(inner[variable])
                if values is not None and not has_ends(node, values):
                    message = "is a sort of values: what is counted or summed needs a least and a greatest value"
                    self._alert("unsupported", inner[variable], message, None)
                if isinstance(node, fol.Total):
                    self._value(node.term, inner)
                self.sentence(body, inner)
            case fol.Plus() | fol.Times() | fol.Operation() | fol.Choice():
                self._computed(node, bound)
            case _:
                for part in fol.parts(node):
                    self.sentence(part, bound)

    def _binding(self, variable: str, sort: str | None, bound: Bindings) -> Bindings:
        at = None if sort is None else self._at(sort)
        known = self._vocabulary.thing_sorts
        if sort is not None and sort not in known and sort not in self._results.values() and not is_value_sort(sort):
            self._alert("undeclared", sort, "is no sort of the vocabulary", at)
            sort = None
        return {**bound, variable: sort or ANY}

    def _compared(self, op: fol.Comparison, left: fol.Term, right: fol.Term, bound: Bindings) -> None:
        sides = (left, right)
        numbers = op not in ("=", "!=") or all(isinstance(side, fol.Number) for side in sides)
        if numbers or any(self._is_value(side, bound) for side in sides):
            self._value(left, bound)
            self._value(right, bound)
            self._sorted(lambda: self._sorts.compared(left, right, bound))
        else:
            self._thing(left, ANY, bound)
            self._thing(right, ANY, bound)

    def _is_value(self, term: fol.Term, bound: Bindings) -> bool:
        """Return whether a side of a comparison is meant as a number or a date, and not as a thing."""
        if isinstance(term, fol.Constant | fol.Number):
            return isinstance(term, fol.Number) and term.unit != ONE
        return not isinstance(term, fol.Bound | fol.Apply | fol.Choice) or self._sorts.is_value(term, bound)

    def _computed(self, node: fol.Term, bound: Bindings) -> None:
        for part in fol.parts(node):
            if isinstance(part, fol.Constant | fol.Bound) and not isinstance(node, fol.Choice):
                self._value(part, bound)
            else:
                self.sentence(part, bound)
        self._sorted(lambda: self._sorts.sort(node, bound))

    def _sorted(self, find: Callable[[], Sort]) -> None:
        """Report why a term or a comparison has no sort, unless an alert of that kind exists already."""
        try:
            find()
        except SortError as error:
            if not any(alert.kind == error.kind for alert in self.alerts.values()):
                self._alert(error.kind, error.name, error.message, None)

    def _applied(self, use: str, name: str, args: tuple[fol.Term, ...], bound: Bindings) -> None:
        at = self._at(name)
        sorts = (self._predicates if use == "predicate" else self._functions).get(name)
        if sorts is None:
            self._alert("undeclared", name, f"is no {use} of the vocabulary", at)
        elif len(sorts) != len(args):
            self._alert("arity_clash", name, f"takes {len(sorts)} arguments, got {len(args)}", at)
        wanted = sorts if sorts is not None and len(sorts) == len(args) else (ANY,) * len(args)
        for place, (arg, sort) in enumerate(zip(args, wanted, strict=True)):
            values = self._vocabulary.value_sort(sort)
            if values is None:
                self._thing(arg, sort, bound)
            else:
                self._value(arg, bound)
                self._sorted(partial(self._sorts.argument, name, place, arg, bound))

    def _thing(self, term: fol.Term, wanted: str, bound: Bindings) -> None:
        if isinstance(term, fol.Apply | fol.Choice) and not self._sorts.is_value(term, bound):
            self._given(term, wanted, bound)
            return
        variable = isinstance(term, fol.Bound)
        name = term.name if isinstance(term, fol.Bound) else thing_name(term)
        if name is None:
            self._alert("function", "a value", "or a sum stands where only a thing can", None)
            return
        at = self._at(name)
        sort = (bound if variable else self._things).get(name)
        if sort is not None and (not fits(sort, wanted) or (variable and self._sorts.ranged(sort) is not None)):
            self._alert("sort_clash", name, f"is a {sort}, and stands where a {wanted} has to", at)
        elif sort is None and variable:
            self._alert("free_variable", name, "is a variable that no quantifier binds", at)
        elif sort is None:
            self._alert("undeclared", name, "is no thing of the vocabulary", at)

    def _given(self, term: fol.Apply | fol.Choice, wanted: str, bound: Bindings) -> None:
        """Check a thing that is the value of a function, or a choice of things."""
        self.sentence(term, bound)
        if isinstance(term, fol.Choice):
            for chosen in (term.then, term.otherwise):
                self._thing(chosen, wanted, bound)
            return
        sort = self._results.get(term.function)
        if sort is not None and not fits(sort, wanted):
            self._alert("sort_clash", term.function, f"is a {sort}, and stands where a {wanted} has to", None)

    def _value(self, term: fol.Term, bound: Bindings) -> None:
        match term:
            case fol.Bound(name) if self._sorts.ranged(bound.get(name)) is not None:
                self._at(name)
            case fol.Constant(name) | fol.Bound(name):
                at = self._at(name)
                self._alert("sort_clash", name, "is a thing, and stands where a number has to", at)
            case fol.Number(value):
                self._at(str(value))
            case _:
                self.sentence(term, bound)

    def _at(self, name: str) -> int | None:
        """Return the next offset of the name, or None if it is unknown."""
        places = self._places.get(name)
        return places.popleft() if places else None

    def _alert(self, kind: AlertKind, name: str, message: str, at: int | None) -> None:
        self.alerts.setdefault((kind, name), Alert(kind, f"{name} {message}", self._text, at))


def _places(text: str) -> dict[str, deque[int]]:
    """Return the offsets of each name and number in a text of `read_fol`, in order; empty for other notations."""
    found: dict[str, deque[int]] = defaultdict(deque)
    try:
        for token in tokens(text):
            if token.kind in ("name", "quoted", "number"):
                found[token.text].append(token.at)
    except Fault:
        return {}
    return dict(found)
