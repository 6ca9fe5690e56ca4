"""The 240 unsatisfiable ledgers of the benchmark: a MUS from one engine, judged by the other."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from holdtrue.domains.domain import Domain
from holdtrue.domains.logic_grid import LOGIC_GRID
from holdtrue.domains.scheduling import SCHEDULING
from holdtrue.domains.seating import SEATING
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import Core, Mcs, Mus, Satisfiable
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.data import DRIFT, needs_data, read_jsonl
from tests.solving.brute import AMPLE

DOMAINS: dict[str, Domain] = {domain.name: domain for domain in (SEATING, SCHEDULING, LOGIC_GRID)}


def _ledgers(domain: str) -> list[dict[str, Any]]:
    return [row for row in read_jsonl(DRIFT / "unsat_ledgers.jsonl") if row["domain"] == domain]


@needs_data
@pytest.mark.parametrize("name", DOMAINS)
def test_every_mus_is_unsat_and_minimal_by_the_other_engine(name: str) -> None:
    ledgers = _ledgers(name)
    assert len(ledgers) == 80
    for row in ledgers:
        instance = DOMAINS[name].instance(row["entities"], row["context"])
        soft = {
            own["id"]: instance.formula(instance.constraint(own["type"], own["args"])) for own in row["constraints"]
        }
        variables = tuple(instance.variables.values())
        engine = SatEngine(variables, instance.background)
        found = mus(engine, soft, AMPLE)
        assert isinstance(found, Mus), row["id"]
        other = Z3Engine(variables, instance.background)
        assert isinstance(other.check({id: soft[id] for id in found.ids}, AMPLE), Core), row["id"]
        for kept in combinations(found.ids, len(found.ids) - 1):
            assert isinstance(other.check({id: soft[id] for id in kept}, AMPLE), Satisfiable), row["id"]
        correction = greedy_mss(engine, soft, AMPLE)
        assert isinstance(correction, Mcs)
        assert set(correction.set_aside) & set(found.ids), "a correction hits every MUS"
