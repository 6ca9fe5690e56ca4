"""A `Case` is a closed world told in sentences, and queries about it: are they entailed, contradicted, or unknown?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from holdtrue.domains.instance import Constraint, Instance
from holdtrue.logic.formula import Formula, Variable, expect_formula
from holdtrue.record import Label


@dataclass(frozen=True, slots=True)
class Premise:
    """One sentence of a case.

    `formula` is what it demands; None where nobody has read it, or where it only tells the `setting`, which ranges and
    laws say already. `constraint` is the same as a constraint of the case's instance.
    """

    text: str
    formula: Formula | None = None
    constraint: Constraint | None = None
    setting: bool = False

    def __post_init__(self) -> None:
        if self.formula is not None:
            expect_formula(self.formula, f"premise {self.text!r:.60}")


@dataclass(frozen=True, slots=True)
class Query:
    """A statement to classify, with its label.

    `type` is the kind of query, as reports group them. `depends_on` are the places (from 0) of earlier queries of
    the case that share an entity with it; `interacts_with` those that share a conflict: some minimal unsatisfiable
    set of premises and of the two queries' literals holds both. `formula` is None where nobody has read it.
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


@dataclass(frozen=True, slots=True)
class Case:
    """Premises, and queries in the order in which they are asked.

    `domain` groups cases in reports; `subdomain` says what kind of world it is. `laws` hold beside the premises (they
    are what the setting's sentences say). `instance` is None where only formulas are known, and not where they come
    from; it takes no part in comparing cases, since an instance equals no other.
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

    @classmethod
    def of(cls, instance: Instance, premises: Iterable[Premise], *, id: str = "own") -> Case:
        """A case of one's own about an instance of any domain; it has no queries, whoever asks brings them."""
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

    @property
    def theory(self) -> Mapping[str, Formula]:
        """What the premises demand, by their names: P1 is the first sentence."""
        return {
            f"P{place}": premise.formula
            for place, premise in enumerate(self.premises, start=1)
            if premise.formula is not None
        }
