"""A `Case` describes a closed world in sentences, with statements to label as entailed, contradicted or unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from holdtrue.errors import DomainError
from holdtrue.logic.formula import Formula, Variable, expect_formula
from holdtrue.logic.variable_names import check_about, check_ids, check_variables
from holdtrue.record import Label
from holdtrue.world.instance import Constraint, Instance

if TYPE_CHECKING:
    from holdtrue.solving.engine import Engine, Signature


@dataclass(frozen=True, slots=True)
class Premise:
    """One sentence of a case.

    `formula` is its meaning. It is None if nobody has read it, or if the sentence only describes the `setting`, which
    ranges and laws express already. `constraint` is the same meaning as a constraint of the case's instance.
    """

    text: str
    formula: Formula | None = None
    constraint: Constraint | None = None
    setting: bool = False

    def __post_init__(self) -> None:
        text: object = self.text
        if not isinstance(text, str) or not text.strip():
            raise DomainError(f"a premise is a sentence, a text, not {self.text!r:.60}")
        if self.formula is not None:
            expect_formula(self.formula, f"premise {self.text!r:.60}")


@dataclass(frozen=True, slots=True)
class Query:
    """A statement to classify, with its label.

    Reports group queries by `type`. `depends_on` lists the places (from 0) of earlier queries that share an entity with
    it. `interacts_with` lists the queries that conflict with it: some minimal unsatisfiable set has premises and the
    literals of both queries. `formula` is None if nobody has read the statement.
    """

    id: str
    text: str
    label: Label
    type: str
    formula: Formula | None = None
    constraint: Constraint | None = None
    reasoning: str = ""
    depends_on: tuple[int, ...] = ()
    interacts_with: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.formula is not None:
            expect_formula(self.formula, f"query {self.id!r:.60}")


@dataclass(frozen=True, slots=True)
class Case:
    """Premises, and queries in the order in which they are asked.

    Reports group cases by `domain`, and `subdomain` names the type of world. `laws` hold in addition to the premises;
    the sentences of the setting express them. `instance` is None if only formulas are known. Comparisons of cases
    ignore it, since two instances are never equal. With a `signature`, the formulas have no variables, and the
    signature makes their engine.

    Raises `DomainError` for a repeated query id or variable name, and for an object that is not a premise or query.
    Raises it too for a formula with an unknown variable.
    """

    id: str
    suite: str
    domain: str
    subdomain: str
    logic_type: str
    entities: tuple[str, ...]
    variables: tuple[Variable, ...]
    laws: tuple[Formula, ...]
    premises: tuple[Premise, ...]
    queries: tuple[Query, ...]
    instance: Instance | None = field(default=None, compare=False)
    split: str | None = None
    signature: Signature | None = None

    def __post_init__(self) -> None:
        where = f"case {self.id!r:.60}"
        check_variables(where, self.variables)
        for what, given, kind, written in (
            ("premise", self.premises, Premise, "Premise(text, formula)"),
            ("query", self.queries, Query, "Query(id, text, label, type)"),
        ):
            for number, one in enumerate(given, start=1):
                if not isinstance(one, kind):
                    raise DomainError(f"{where}: {what} {number} must be a {written}, not {one!r:.60}")
        check_ids(where, "query", [query.id for query in self.queries])
        for number, law in enumerate(self.laws, start=1):
            expect_formula(law, f"{where}: law {number}")
            check_about(f"{where}: law {number}", law, self.variables)
        for what, formula in (
            *((f"premise {number}", premise.formula) for number, premise in enumerate(self.premises, start=1)),
            *((f"query {query.id!r:.60}", query.formula) for query in self.queries),
        ):
            if formula is not None:
                check_about(f"{where}: {what}", formula, self.variables)

    @classmethod
    def of(cls, instance: Instance, premises: Iterable[Premise], *, id: str = "own") -> Case:
        """Return a case about an instance of any domain, without queries. Raises `DomainError` like the class."""
        if not isinstance(instance, Instance):
            raise DomainError(f"case {id!r:.60}: it is about an instance, domain.instance([...]), not {instance!r:.60}")
        if isinstance(premises, str | Premise):
            raise DomainError(
                f"case {id!r:.60}: the premises are a list of Premise(text, formula), not {premises!r:.60}"
            )
        return cls(
            id=id,
            suite="",
            domain=instance.domain.name,
            subdomain=instance.domain.name,
            logic_type="",
            entities=instance.entities,
            variables=tuple(instance.variables.values()),
            laws=instance.background,
            premises=tuple(premises),
            queries=(),
            instance=instance,
        )

    def make_engine(self, variables: Sequence[Variable], background: Iterable[Formula] = ()) -> Engine:
        """Return an engine for the case's formulas that counts its questions. This method is an `EngineFactory`."""
        from holdtrue.solving.route import counted_engine  # lazy, since reports read cases without solving

        if self.signature is None:
            return counted_engine(variables, background)
        return self.signature.engine(background)

    @property
    def theory(self) -> Mapping[str, Formula]:
        """Return the formulas of the premises by name. P1 is the first sentence."""
        return {
            f"P{place}": premise.formula
            for place, premise in enumerate(self.premises, start=1)
            if premise.formula is not None
        }
