"""The 240 unsatisfiable ledgers of the benchmark, as formulas."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.logic.formula import Formula, Variable
from holdtrue.world.instance import Instance
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING
from tests.data import DRIFT, read_jsonl

_DOMAINS = {domain.name: domain for domain in (SEATING, SCHEDULING, LOGIC_GRID)}


@dataclass(frozen=True, slots=True)
class Ledger:
    id: str
    instance: Instance
    soft: dict[str, Formula]
    sentences: dict[str, str]

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(self.instance.variables.values())

    @property
    def laws(self) -> list[str]:
        return [axiom.sentence for axiom in self.instance.axioms]


def unsat_ledgers() -> list[Ledger]:
    """Return all of them. Raises an error if the data is missing (`needs_data`)."""
    ledgers = []
    for row in read_jsonl(DRIFT / "unsat_ledgers.jsonl"):
        instance = _DOMAINS[row["domain"]].instance(row["entities"], row["context"])
        said = {own["id"]: instance.constraint(own["type"], own["args"]) for own in row["constraints"]}
        ledgers.append(
            Ledger(
                row["id"],
                instance,
                {id: instance.formula(constraint) for id, constraint in said.items()},
                {id: instance.sentence(constraint) for id, constraint in said.items()},
            )
        )
    return ledgers
