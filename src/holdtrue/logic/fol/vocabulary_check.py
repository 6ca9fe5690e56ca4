"""Check whether a sentence uses only the names of a vocabulary, and uses them as declared."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping

from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.alert import Alert, AlertKind
from holdtrue.logic.fol.lexer import Fault, tokens
from holdtrue.logic.fol.signature import is_numeric, thing_name
from holdtrue.logic.fol.vocabulary import ANY, Vocabulary, fits


def check(vocabulary: Vocabulary, sentence: fol.Sentence, text: str = "") -> tuple[Alert, ...]:
    """Return alerts where a sentence does not keep to the vocabulary, each fault once.

    Their kinds are undeclared, arity_clash, sort_clash and free_variable. `text`, in the notation of `read_fol`, is
    what the sentence was read from; alerts have positions only if it is given. Raises `FormulaError` for a sentence
    that is nested too deep.
    """
    fol.check_depth(sentence)
    checking = _Checking(vocabulary, text)
    checking.sentence(sentence, {})
    return tuple(checking.alerts.values())


class _Checking:
    """Goes through one sentence, in the order of its text. `bound` has the sort of each variable, None for any."""

    def __init__(self, vocabulary: Vocabulary, text: str) -> None:
        self._things = {entity.name: entity.sort for entity in vocabulary.entities}
        self._predicates = {predicate.name: predicate.sorts for predicate in vocabulary.predicates}
        self._functions = {function.name: function.sorts for function in vocabulary.functions}
        self._text = text
        self._places = _places(text)
        self.alerts: dict[tuple[AlertKind, str], Alert] = {}

    def sentence(self, node: fol.Sentence | fol.Term, bound: Mapping[str, str]) -> None:
        match node:
            case fol.Holds(predicate, args):
                self._applied(self._predicates, "predicate", predicate, args, bound)
            case fol.Apply(function, args):
                self._applied(self._functions, "function", function, args, bound)
            case fol.Compare(_, left, right) if is_numeric(node):
                self._number(left, bound)
                self._number(right, bound)
            case fol.Compare(_, left, right):
                self._thing(left, ANY, bound)
                self._thing(right, ANY, bound)
            case fol.Quantified(_, variable, body, sort):
                at = None if sort is None else self._at(sort)
                if sort is not None and sort not in self._things.values():
                    self._alert("undeclared", sort, "is no sort of the vocabulary", at)
                    sort = None
                self.sentence(body, {**bound, variable: sort or ANY})
            case _:
                for part in fol.parts(node):
                    self.sentence(part, bound)

    def _applied(
        self,
        known: Mapping[str, tuple[str, ...]],
        use: str,
        name: str,
        args: tuple[fol.Term, ...],
        bound: Mapping[str, str],
    ) -> None:
        at = self._at(name)
        sorts = known.get(name)
        if sorts is None:
            self._alert("undeclared", name, f"is no {use} of the vocabulary", at)
        elif len(sorts) != len(args):
            self._alert("arity_clash", name, f"takes {len(sorts)} arguments, got {len(args)}", at)
        wanted = sorts if sorts is not None and len(sorts) == len(args) else (ANY,) * len(args)
        for arg, sort in zip(args, wanted, strict=True):
            self._thing(arg, sort, bound)

    def _thing(self, term: fol.Term, wanted: str, bound: Mapping[str, str]) -> None:
        variable = isinstance(term, fol.Bound)
        name = term.name if isinstance(term, fol.Bound) else thing_name(term)
        if name is None:
            self._alert("function", "a value", "or a sum stands where only a name can", None)
            return
        at = self._at(name)
        sort = (bound if variable else self._things).get(name)
        if sort is not None and not fits(sort, wanted):
            self._alert("sort_clash", name, f"is a {sort}, and stands where a {wanted} has to", at)
        elif sort is None and variable:
            self._alert("free_variable", name, "is a variable that no quantifier binds", at)
        elif sort is None:
            self._alert("undeclared", name, "is no thing of the vocabulary", at)

    def _number(self, term: fol.Term, bound: Mapping[str, str]) -> None:
        match term:
            case fol.Constant(name) | fol.Bound(name):
                at = self._at(name)
                self._alert("sort_clash", name, "is a thing, and stands where a number has to", at)
            case fol.Plus(summed):
                for _, part in summed:
                    self._number(part, bound)
            case _:
                self.sentence(term, bound)

    def _at(self, name: str) -> int | None:
        """Return where the name stands the next time, or None where that cannot be told."""
        places = self._places.get(name)
        return places.popleft() if places else None

    def _alert(self, kind: AlertKind, name: str, message: str, at: int | None) -> None:
        self.alerts.setdefault((kind, name), Alert(kind, f"{name} {message}", self._text, at))


def _places(text: str) -> dict[str, deque[int]]:
    """The offsets of each name and number in a text of `read_fol`, in order; nothing for a text of another kind."""
    found: dict[str, deque[int]] = defaultdict(deque)
    try:
        for token in tokens(text):
            if token.kind in ("name", "quoted", "number"):
                found[token.text].append(token.at)
    except Fault:
        return {}
    return dict(found)
