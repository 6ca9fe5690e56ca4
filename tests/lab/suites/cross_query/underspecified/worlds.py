"""A small instance of each underspecified subdomain, with every world that its laws allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from holdtrue.world.domain import AttributeName, Entity, Integer
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.suites.cross_query.families import UNDERSPECIFIED
from holdtrue_lab.suites.cross_query.subdomain import Subdomain
from tests.lab.suites.cross_query.underspecified.reading import Meaning, diagnosis, fault, investigation, read
from tests.lab.suites.worlds import every_world

BY_NAME = {subdomain.name: subdomain for subdomain in UNDERSPECIFIED}
_CONDITIONS, _SYMPTOMS = ("Halden disease", "Tarn disease", "Rusk syndrome"), ("fever",)
_PATIENTS, _SUSPECTS = ("Abel", "Cora"), ("Abel", "Cora", "Emil")
_COMPONENTS = ("pump", "valve", "boiler")


@dataclass(frozen=True)
class Small:
    """A small instance; `read` understands clauses about it."""

    subdomain: Subdomain
    instance: Instance
    read: Callable[[str], Meaning]

    def worlds(self) -> Iterator[dict[str, int]]:
        return every_world(self.instance.variables.values(), self.instance.background)

    def sample(self, kind: str) -> Constraint:
        """Return constraints of that type with different arguments, in random order."""
        entities = iter(reversed(self.instance.entities))
        attributes = iter(self._attributes(kind))
        args: list[str | int] = []
        for argument in self.instance.types[kind].arguments:
            match argument:
                case Entity():
                    args.append(next(entities))
                case AttributeName():
                    args.append(next(attributes))
                case Integer():
                    args.append(2)
        return self.instance.constraint(kind, args)

    def _attributes(self, kind: str) -> tuple[str, ...]:
        if self.subdomain.name == "investigation":
            return ("a motive", "a limp")
        if kind.endswith("symptom"):
            return _SYMPTOMS
        return _CONDITIONS[::-1] if kind.endswith("condition") else (_CONDITIONS[0], *_SYMPTOMS)


def _instance(name: str, entities: tuple[str, ...], **context: tuple[str, ...]) -> Instance:
    return BY_NAME[name].declaration.instance(entities, context)


SMALL = (
    Small(
        BY_NAME["diagnosis"],
        _instance("diagnosis", _PATIENTS, conditions=_CONDITIONS, symptoms=_SYMPTOMS),
        partial(read, diagnosis(_PATIENTS, _CONDITIONS)),
    ),
    Small(
        BY_NAME["investigation"],
        _instance("investigation", _SUSPECTS, traits=("a motive", "a limp")),
        partial(read, investigation(_SUSPECTS)),
    ),
    Small(BY_NAME["fault"], _instance("fault", _COMPONENTS), partial(read, fault(_COMPONENTS))),
)
