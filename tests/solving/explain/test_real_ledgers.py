"""The 240 unsatisfiable ledgers of the benchmark: the explanations of each fit together."""

from __future__ import annotations

import pytest

from holdtrue.solving.explain.classification import classify
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.mus import all_mus, mus, smallest_mus
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.result import AllMuses, Inconsistent, Mcs, MinimumMcs, Mus, Nearest, SmallestMus
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.data import needs_data
from tests.solving.brute import AMPLE
from tests.solving.explain.naive import early_first, late_first
from tests.solving.ledgers import Ledger, unsat_ledgers


@needs_data
@pytest.mark.slow
def test_muses_and_corrections_are_each_other_s_duals_and_the_smallest_are_among_them() -> None:
    ledgers = unsat_ledgers()
    assert len(ledgers) == 240
    for ledger in ledgers:
        soft, order = ledger.soft, list(ledger.soft)
        engine = SatEngine(ledger.variables, ledger.instance.background)
        every = all_mus(engine, soft, AMPLE, most=2_000)
        assert isinstance(every, AllMuses)
        assert every.complete, ledger.id
        assert all(not set(one).isdisjoint(other) for one in every.muses for other in every.mcses)
        found = mus(engine, soft, AMPLE)
        assert isinstance(found, Mus)
        assert found.ids in every.muses
        smallest = min(every.muses, key=lambda ids: (len(ids), late_first(ids, order)))
        assert smallest_mus(engine, soft, AMPLE) == SmallestMus(smallest)
        greedy = greedy_mss(engine, soft, AMPLE)
        assert isinstance(greedy, Mcs)
        assert greedy.set_aside == min(every.mcses, key=lambda ids: early_first(ids, order))
        fewest = minimum_mcs(engine, soft, AMPLE)
        assert isinstance(fewest, MinimumMcs)
        assert fewest.set_aside == min(every.mcses, key=lambda ids: (len(ids), early_first(ids, order)))
        assert classify(engine, soft, soft[order[0]], AMPLE) == Inconsistent()


@needs_data
@pytest.mark.slow
def test_both_engines_give_the_same_answers() -> None:
    for ledger in unsat_ledgers()[::16]:
        one, other = (
            _answers(kind(ledger.variables, ledger.instance.background), ledger) for kind in (SatEngine, Z3Engine)
        )
        assert one == other, ledger.id


def _answers(engine: SatEngine | Z3Engine, ledger: Ledger) -> list[object]:
    fewest = minimum_mcs(engine, ledger.soft, AMPLE)
    assert isinstance(fewest, MinimumMcs)
    possible = {id: ledger.soft[id] for id in fewest.kept}
    target = {variable.name: variable.sort.values[0] for variable in ledger.variables}
    near = nearest(engine, possible, target, AMPLE)
    assert isinstance(near, Nearest)
    return [
        fewest.set_aside,
        smallest_mus(engine, ledger.soft, AMPLE),
        near,
        nearest(engine, possible, target, AMPLE, weights={name: 1 + len(name) % 3 for name in target}),
    ]
