"""What a program says once it is read: premises and queries as formulas, and what was wrong with the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Engine
from holdtrue.solving.route import counted_engine
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.kind.context import Context


@dataclass(frozen=True, slots=True)
class Statement:
    """One line. `text` is its logic, `words` what the model says it means.

    `formula` is None where the line could not be read or given a meaning; an alert with the same text says why.
    """

    id: str
    text: str
    words: str
    formula: Formula | None


CheckKind = Literal["sat", "valid", "unsat"]


@dataclass(frozen=True, slots=True)
class Check:
    """A `Check` is right where the formula can hold, has to or cannot; `negated`, where that is not so."""

    kind: CheckKind
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Formalization:
    """A whole program. Premises are P1, P2... in the order of the lines; queries have letters, or are Q1, Q2...

    `laws` are what declarations say: which values a variable may have. `checks` say what makes an option
    right, where it is not that it follows.
    """

    variables: tuple[Variable, ...]
    laws: tuple[Formula, ...]
    premises: tuple[Statement, ...]
    queries: tuple[Statement, ...]
    alerts: tuple[Alert, ...]
    checks: Mapping[str, Check] = field(default_factory=dict)

    @property
    def theory(self) -> Mapping[str, Formula]:
        """What the premises demand, as far as they were read."""
        return _read(self.premises)

    @property
    def asked(self) -> Mapping[str, Formula]:
        """What the queries say, as far as they were read."""
        return _read(self.queries)

    def context(self, budget: Budget) -> Context:
        """Return the premises in a solver of formulas over the program's variables."""

        def engine(_: Vocabulary, background: Iterable[Formula] = (), *, closed: bool = False) -> Engine:
            # The variables are all that there is, so that a closed world is no other one.
            return counted_engine(self.variables, (*self.laws, *background))

        return Context(self.theory, Vocabulary(stated=CONVENTIONS), budget, make=engine)

    @property
    def unread(self) -> tuple[str, ...]:
        """The premises and queries without a formula. Without a premise, what seems open might follow all the same."""
        return tuple(one.id for one in (*self.premises, *self.queries) if one.formula is None)


def _read(statements: Iterable[Statement]) -> Mapping[str, Formula]:
    return {one.id: one.formula for one in statements if one.formula is not None}
