"""The overhead of methods that share calls, behind a real server: each has the time of all calls that it needs."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from pathlib import Path

import pytest

from holdtrue.errors import ModelUnreachable
from holdtrue.kinds.labels.case import Case
from holdtrue.models.chat import Request
from holdtrue.models.openai_compatible import OpenAIModel
from holdtrue_lab.kinds.labels.entry import LabelEntry
from holdtrue_lab.kinds.labels.measure import measure_labels
from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kinds.labels.row import LabelRow
from holdtrue_lab.kinds.labels.simulation.model import SimulatedAnswerer
from holdtrue_lab.kit.costs import Gain, RightCost
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.runner import Standing, run
from holdtrue_lab.kit.runs import read_runs
from holdtrue_lab.kit.settings import CALLS_FILE
from holdtrue_lab.suites.cross_query.generate import generate
from tests.lab.kinds.labels.study import plan_labels
from tests.lab.kit.runs import Wrapped
from tests.lab.kit.served import serve

MODEL = "sim/labels:wrong=0.4,confidence=0.9/0.6@3"
METHODS = ("direct", "maxsat_repair", "check_repair", "self_consistency")
CASES = generate(9, {"relational": 1, "policy": 1})


def play(
    folder: Path,
    url: str,
    methods: Sequence[str] = METHODS,
    *,
    cases: Sequence[Case] = CASES,
    connections: int = 4,
    stop_at: int | None = None,
) -> None:
    """Play the cases in this order of methods; a run that stops after so many calls is taken up again."""
    plan = plan_labels(cases, methods, MODEL, max_connections=connections)

    def trip(request: Request) -> None:
        if stop_at is not None and wrapped.calls == stop_at:
            raise ModelUnreachable("gone")

    async def open_and_run() -> Standing:
        model = OpenAIModel("m", base_url=url)
        wrapped.model = model
        try:
            return await run(plan, wrapped, folder)
        finally:
            await model.aclose()

    wrapped = Wrapped(trip)
    if stop_at is not None:
        with pytest.raises(ModelUnreachable):
            asyncio.run(open_and_run())
    standing = asyncio.run(open_and_run())
    assert (standing.turns, standing.failures) == (plan.turns, [])


def entries(folder: Path) -> Iterator[LabelEntry]:
    return (entry for entry in read_entries(folder) if isinstance(entry, LabelEntry))


def report_of(folder: Path) -> LabelReport:
    return LabelReport(suite="cross_query", runs=read_runs([folder], measure_labels))


def rows(folder: Path) -> dict[str, LabelRow]:
    return {row.arm.method: row for row in report_of(folder).rows}


def latencies(folder: Path) -> dict[str, float]:
    """The recorded time of every paid call, by key."""
    calls = map(json.loads, (folder / CALLS_FILE).read_text().splitlines())
    return {call["key"]: call["latency_s"] for call in calls}


def needed(folder: Path) -> dict[str, list[str]]:
    """The keys of the calls that each method needs, by the journal."""
    found: dict[str, list[str]] = {}
    for entry in entries(folder):
        record = entry.record
        keys = [call.key for attempt in record.attempts for call in attempt.calls]
        found.setdefault(entry.method, []).extend(keys + [call.key for call in record.extraction])
    return {method: sorted(keys) for method, keys in found.items()}


def test_each_method_has_the_recorded_time_of_all_calls_that_it_needs(tmp_path: Path) -> None:
    with serve(SimulatedAnswerer(MODEL, CASES), 0.03) as served:
        play(tmp_path / "first", served.url)
        paid, costs = latencies(tmp_path / "first"), needed(tmp_path / "first")
        assert len(paid) < sum(map(len, costs.values()))  # some calls are shared
        for method, row in rows(tmp_path / "first").items():
            expected = sum(paid[key] for key in costs[method])
            found = row.overhead
            assert found.latency_s.per_case.value == pytest.approx(expected / len(CASES))
            solver_s = sum(each.record.solver_s for each in entries(tmp_path / "first") if each.method == method)
            assert found.seconds.per_case.value == pytest.approx((expected + solver_s) / len(CASES))
            assert (solver_s > 0) == (method in ("maxsat_repair", "check_repair"))
        # The same calls, whoever comes first, in as many conversations as may be, stopped or not.
        for number, order in enumerate(islice(permutations(METHODS), 1, None, 7)):
            folder = tmp_path / f"{number}"
            folder.mkdir()
            shutil.copy(tmp_path / "first" / CALLS_FILE, folder)
            play(folder, served.url, order, connections=1 + number)
            assert latencies(folder) == paid
            assert needed(folder) == costs
            for method, row in rows(folder).items():
                spent = row.overhead.latency_s.per_case.value
                assert spent == pytest.approx(sum(paid[key] for key in costs[method]) / len(CASES))


def test_a_resumed_run_has_the_figures_of_one_that_was_not_stopped(tmp_path: Path) -> None:
    with serve(SimulatedAnswerer(MODEL, CASES), 0.03) as served:
        play(tmp_path / "stopped", served.url, stop_at=9)
        whole = tmp_path / "whole"
        whole.mkdir()
        shutil.copy(tmp_path / "stopped" / CALLS_FILE, whole)
        play(whole, served.url)
    one, two = rows(tmp_path / "stopped"), rows(whole)
    for method in METHODS:
        first, second = one[method].overhead, two[method].overhead
        assert (first.calls, first.tokens) == (second.calls, second.tokens)
        assert (first.latency_s, first.solver_calls) == (second.latency_s, second.solver_calls)
    for mine, other in zip(report_of(tmp_path / "stopped").right_costs, report_of(whole).right_costs, strict=True):
        assert without_time(mine) == without_time(other)
    for gain, again in zip(report_of(tmp_path / "stopped").gains, report_of(whole).gains, strict=True):
        assert without_time(gain) == without_time(again)


def without_time(found: RightCost | Gain) -> dict[str, object]:
    """All but seconds: of these the part of the solver was measured anew."""
    plain = {name: getattr(found, name) for name in found.__slots__}
    return {
        name: {k: v for k, v in value.items() if k != "seconds"} if isinstance(value, dict) else value
        for name, value in plain.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize(("order", "stop_at"), [(METHODS, None), (METHODS[::-1], None), (METHODS, 9)])
def test_overhead_is_calls_times_latency_and_solver_time(
    tmp_path: Path, order: Sequence[str], stop_at: int | None
) -> None:
    """One conversation at a time: a reply that comes while another conversation computes is heard of later."""
    latency_s = 0.5
    cases = generate(9, {"relational": 2, "policy": 2})  # the first call, which also connects, is one of several
    with serve(SimulatedAnswerer(MODEL, cases), latency_s, steady=True) as served:
        play(tmp_path, served.url, order, cases=cases, connections=1, stop_at=stop_at)
    longest_s = max(latencies(tmp_path).values())
    if longest_s > 1.03 * latency_s:
        pytest.skip(f"the machine is too busy: a reply that took {latency_s} s was heard of after {longest_s:.2f} s")
    found, calls = rows(tmp_path), {method: len(keys) for method, keys in needed(tmp_path).items()}
    for method in METHODS:
        solver_s = sum(each.record.solver_s for each in entries(tmp_path) if each.method == method)
        truth = (calls[method] * latency_s + solver_s) / (calls["direct"] * latency_s)
        assert found[method].overhead.seconds.times_direct == pytest.approx(truth, rel=0.03)
