"""The 240 unsatisfiable ledgers of the benchmark: a MUS from one engine, judged by the other."""

from __future__ import annotations

from itertools import combinations

import pytest

from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import Core, Mcs, Mus, Satisfiable
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.data import needs_data
from tests.slow import first_of
from tests.solving.brute import AMPLE
from tests.solving.ledgers import unsat_ledgers


@needs_data
@pytest.mark.parametrize("name", first_of(["logic_grid", "seating", "scheduling"], 1))
def test_every_mus_is_unsat_and_minimal_by_the_other_engine(name: str) -> None:
    ledgers = [ledger for ledger in unsat_ledgers() if ledger.instance.domain.name == name]
    assert len(ledgers) == 80
    for ledger in ledgers:
        background, soft = ledger.instance.background, ledger.soft
        engine = SatEngine(ledger.variables, background)
        found = mus(engine, soft, AMPLE)
        assert isinstance(found, Mus), ledger.id
        other = Z3Engine(ledger.variables, background)
        assert isinstance(other.check({id: soft[id] for id in found.ids}, AMPLE), Core), ledger.id
        for kept in combinations(found.ids, len(found.ids) - 1):
            assert isinstance(other.check({id: soft[id] for id in kept}, AMPLE), Satisfiable), ledger.id
        correction = greedy_mss(engine, soft, AMPLE)
        assert isinstance(correction, Mcs)
        assert set(correction.set_aside) & set(found.ids), "a correction hits every MUS"
