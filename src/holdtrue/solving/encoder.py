"""Encode formulas as CNF quickly: formulas of the same shape are translated once in the process."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Sequence
from dataclasses import dataclass

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.clauses import FALSE, TRUE, Clause, Pool, VariableLiterals
from holdtrue.solving.encoding import CLAUSE_LIMIT, FormulaTooLarge, Translator, finite_size
from holdtrue.solving.memos import Shape, shape_of

MOST_REMEMBERED = 200_000
"""The most clauses of cached templates, some tens of MB. A conversation has some dozens of small shapes."""


@dataclass(frozen=True, slots=True)
class Template:
    """The clauses for one shape of formula, over numbers in place of literals.

    The numbers stand for TRUE, then the order literals of each variable, then `extra`. An extra is the literal of one
    value, as (index of the variable, value), or None for a helper literal. `root` implies the formula. If all helpers
    in `idle` are false, the clauses demand nothing.
    """

    extra: tuple[tuple[int, int] | None, ...]
    clauses: tuple[Clause, ...]
    root: int
    idle: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """The literals that may be false once a formula's name is unused (`idle`), and the number of its helpers."""

    idle: list[int]
    helpers: int


class TemplateStore:
    """A cache of templates. If it exceeds `most` clauses, it is emptied."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._known: dict[Hashable, Template] = {}
        self._size = 0

    def get(self, formula: Formula, shape: Shape, variables: Sequence[Variable], named: bool) -> Template:
        key = (shape, named)
        template = self._known.get(key)
        if template is None:
            template = make_template(formula, variables, named=named)
            if self._size + len(template.clauses) > self._most:
                self._known, self._size = {}, 0
            self._known[key] = template
            self._size += len(template.clauses)
        return template


TEMPLATES = TemplateStore()
"""The cache that all engines of the process share. A template depends on its shape alone."""


class Encoder:
    """Translate formulas over fixed variables into clauses, which wait in `pool` until a solver takes them.

    Raises `NotEncodable` for a variable that is unbounded or has more values than a formula may have clauses.
    """

    def __init__(self, variables: Sequence[Variable]) -> None:
        for variable in variables:
            size = finite_size(variable)
            if size > CLAUSE_LIMIT:
                raise FormulaTooLarge(f"{variable.name} has {size} values; the limit is {CLAUSE_LIMIT} clauses")
        self.pool = Pool()
        self.literals = {variable.name: VariableLiterals(variable, self.pool) for variable in variables}
        self.dead = 0
        """The number of helper literals that belong to dropped names."""
        self._sorts = {variable.name: variable.sort for variable in variables}
        self._names: dict[int, Name] = {}
        self._helpers = 0

    def name(self, formula: Formula) -> int:
        """Return a literal that implies the formula.

        Raises `FormulaTooLarge`, or `FormulaError` for a variable that the encoder does not have.
        """
        template, actual = self._use(formula, named=True)
        root = actual[template.root]
        helpers = template.extra.count(None)
        if helpers:
            self._names[root] = Name([actual[literal] for literal in template.idle], helpers)
            self._helpers += helpers
        return root

    def hold(self, formula: Formula) -> None:
        """Put clauses that assert the formula into the pool. Raises like `name`."""
        template, actual = self._use(formula, named=False)
        if actual[template.root] == FALSE:
            self.pool.clauses.append([FALSE])

    def hold_named(self, literal: int) -> None:
        """Assert for good the formula that has this literal as its name."""
        name = self._names.pop(literal, None)  # first, so that an asserted formula is never dropped
        if name is not None:
            self._helpers -= name.helpers
        self.pool.clauses.append([literal])

    def drop_names(self, keep: Container[int]) -> None:
        """Drop all names but those to keep, so that solvers may remove their clauses."""
        dropped = [root for root in self._names if root not in keep]
        for root in dropped:
            self.pool.clauses += [[-literal] for literal in self._names[root].idle]
            del self._names[root]
        self.dead = self._helpers - sum(name.helpers for name in self._names.values())

    def _use(self, formula: Formula, *, named: bool) -> tuple[Template, list[int]]:
        """Return the formula's template and the literals that its numbers stand for. The clauses go into the pool."""
        shape, variables = shape_of(formula)
        own = [self._of(variable) for variable in variables]
        template = TEMPLATES.get(formula, shape, variables, named)
        actual = [0, TRUE]
        for literals in own:
            actual += literals.order
        for mean in template.extra:
            actual.append(self.pool.new() if mean is None else own[mean[0]].equal(mean[1]))
        # The negations follow in reverse order, so that a negative number is a negative index in Python.
        actual += [-literal for literal in actual[:0:-1]]
        self.pool.clauses += [[actual[literal] for literal in clause] for clause in template.clauses]
        return template, actual

    def _of(self, variable: Variable) -> VariableLiterals:
        if self._sorts.get(variable.name) != variable.sort:
            raise FormulaError(f"the engine has no variable {variable.name!r} of sort {variable.sort}")
        return self.literals[variable.name]


class _SlotLiterals(VariableLiterals):
    """The literals of a template's variable. The encoder defines those of single values later."""

    __slots__ = ("meant",)

    def __init__(self, variable: Variable, pool: Pool) -> None:
        super().__init__(variable, pool)
        self.meant: dict[int, int] = {}

    def _define(self, value: int) -> int:
        literal = self._pool.new()
        self.meant[literal] = value
        return literal


def make_template(formula: Formula, variables: Sequence[Variable], *, named: bool) -> Template:
    """Return the formula's template, with the variables numbered in the given order."""
    pool = Pool()
    literals = {variable.name: _SlotLiterals(variable, pool) for variable in variables}
    first_extra = pool.top + 1
    pool.take()  # every encoder defines the order literals itself
    translator = Translator(literals, pool)
    if named:
        root, asserted = translator.name(formula), []
    else:
        asserted = translator.clauses(formula)
        root, asserted = (FALSE, []) if asserted == [[]] else (TRUE, asserted)
    means = {
        literal: (index, value) for index, own in enumerate(literals.values()) for literal, value in own.meant.items()
    }
    extra = tuple(means.get(literal) for literal in range(first_extra, pool.top + 1))
    clauses = (*pool.take(), *asserted)
    helpers = [literal for literal, mean in enumerate(extra, first_extra) if mean is None]
    return Template(extra, clauses, root, find_idle(helpers, clauses) if named else ())


def find_idle(helpers: Iterable[int], clauses: Sequence[Clause]) -> tuple[int, ...]:
    """Return the largest set of helpers that can all be false, whatever the other literals are.

    If such a helper occurs in a clause, another one must occur there negated, which makes the clause true. This works
    for the names of formulas, but not for helpers that count upwards.
    """
    idle = set(helpers)
    while True:
        needed = set[int]()
        for clause in clauses:
            if not any(-literal in idle for literal in clause):
                needed.update(idle.intersection(clause))
        if not needed:
            return tuple(sorted(idle))
        idle -= needed
