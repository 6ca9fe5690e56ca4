"""The guard: loading 38 rules, deciding on calls, replaying, taking in results, edges; beside others, in one run.

    python -m bench.guard [--turns 30] [--analysis-s 5] [--analyses 3]

Beside the check of 38 rules on one tool: the same as plain Python functions, and the rules of them that Cedar (cedarpy)
and CEL (cel-python's interpreter) can say, each with a policy of just these. All decide the same calls and have to find
the same rules broken. Rows are timed in turns, some operations at each, so that what else happens falls on all alike.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench.policies import airline_calls as air
from bench.policies import rental_twin
from bench.policies.airline_rules import EXAMPLE
from bench.policies.rental import (
    PATH,
    REQUEST,
    broken_by_cedar,
    broken_by_cel,
    broken_by_holdtrue,
    broken_by_python,
    cedar_given,
    cedar_ids,
    cedar_text,
    cel_given,
    cel_programs,
    known,
    rental,
)
from bench.policies.rental_calls import CASES, KEPT, NOW, RESULTS, TOOL, shown
from bench.solver.measure import Samples, clock_cost_us
from holdtrue.budget import UNLIMITED, Budget
from holdtrue.guard import Decision, Facts, load_policy, make_policy
from holdtrue.guard.analysis.analysis_results import Analysis
from holdtrue.guard.analysis.edges import find_edges
from holdtrue.guard.analysis.policy_analysis import analyse_policy
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import read_policy

LOAD_MS, CHECK_MS, ASK_MS = 150.0, 0.5, 20.0
"""The limits, for medians."""
ANALYSIS_S, RULES = 5.0, 1_000
"""The limit of analysing, or comparing, policies of so many rules."""
FORTY_MS = 10_000.0
"""The limit of analysing a policy of about forty rules."""
RETAIL, WEBSHOP = PATH.with_name("retail.yaml"), PATH.with_name("webshop.yaml")
LIGHTER, REWRITTEN = (
    ("30000", "25000"),
    ("hold: order.status == 'delivered'", "hold: \"!(order.status != 'delivered')\""),
)
"""Texts of that policy, each with one in its place: one decides otherwise, and one decides alike."""
AIRLINE = EXAMPLE / "policy.yaml"
FIRST_LOAD = """
import sys, time
from pathlib import Path
started = time.process_time()
from holdtrue.guard import load_policy
load_policy(Path(sys.argv[1]))
print(time.process_time() - started)
"""
KEPT_CASE = CASES["a booking as it should be"]


class Rows:
    """Operations that are timed in turns: of each row so many at every turn."""

    def __init__(self) -> None:
        self.samples: dict[str, Samples] = {}
        self._rows: list[tuple[str, Callable[[], Any], int]] = []

    def add(self, name: str, operation: Callable[[], Any], each: int = 20) -> None:
        """Time an operation `each` times at every turn; it is run once before."""
        operation()
        self.samples[name] = Samples()
        self._rows.append((name, operation, each))

    def run(self, turns: int) -> None:
        """Time all rows."""
        for _ in range(turns):
            for name, operation, each in self._rows:
                for _ in range(each):
                    self.samples[name].time(operation)

    def ms(self, name: str) -> float:
        """Return the median of a row in milliseconds."""
        return self.samples[name].median_us / 1000

    def line(self, name: str, limit_ms: float | None = None) -> str:
        """Return a row with its median, the tenth and the ninetieth of a hundred, and whether a limit is met."""
        own = self.samples[name]
        low, *_, high = (each / 1e6 for each in statistics.quantiles(own.spent, n=10, method="inclusive"))
        limit = "" if limit_ms is None else f"  (limit {limit_ms:g} ms: {met(self.ms(name), limit_ms)})"
        return f"{name:58} {self.ms(name):8.3f} ms  [{low:.3f}, {high:.3f}]  n {len(own):5}{limit}"


def met(value: float, limit: float) -> str:
    """Return the word for a limit."""
    return "met" if value <= limit else "MISSED"


def compare(policy: Policy) -> None:
    """Hold the four ways against each other on all calls. Raises `ValueError` where they do not find the same."""
    import cedarpy

    policies = cedarpy.PolicySet.from_str(cedar_text())
    for name, changes in CASES.items():
        ours = broken_by_holdtrue(policy, changes)
        others = {
            "Python": (broken_by_python(changes), ours),
            "Cedar": (broken_by_cedar(policies, cedar_given(policy, changes)), ours & set(cedar_ids())),
            "CEL": (broken_by_cel(cel_given(policy, changes)), ours & cel_programs().keys()),
        }
        for other, (found, expected) in others.items():
            if found != expected:
                raise ValueError(f"{name}: {other} finds {sorted(found)} broken, holdtrue {sorted(expected)}")


def add_rental(rows: Rows, policy: Policy) -> None:
    """Add the check of 38 rules on one tool, and what stands beside it."""
    import cedarpy

    facts, plain = known(policy, KEPT_CASE), shown(KEPT_CASE)
    rows.add("check, 38 rules, all facts known", lambda: policy.check(TOOL, KEPT, facts, now=NOW))
    rows.add("  plain Python functions, 38 rules", lambda: rental_twin.broken(KEPT, plain, NOW))
    own, given, policies = rental(cedar_ids()), cedar_given(policy, KEPT_CASE), cedarpy.PolicySet.from_str(cedar_text())
    request = {**REQUEST, "context": given.context}
    entities = cedarpy.Entities.from_json_str(json.dumps(given.entities))
    many = len(cedar_ids())
    rows.add(f"check, the {many} rules that Cedar says", lambda: own.check(TOOL, KEPT, facts, now=NOW))
    rows.add(
        "  cedarpy, PolicySet and Entities parsed before", lambda: cedarpy.is_authorized(request, policies, entities)
    )
    rows.add("  cedarpy, PolicySet parsed before", lambda: cedarpy.is_authorized(request, policies, given.entities))
    rows.add("  cedarpy, from text", lambda: cedarpy.is_authorized(request, cedar_text(), given.entities), each=5)
    same, values, programs = rental([*cel_programs()]), cel_given(policy, KEPT_CASE), [*cel_programs().values()]
    rows.add(f"check, the {len(programs)} rules that CEL says", lambda: same.check(TOOL, KEPT, facts, now=NOW))
    rows.add(
        "  cel-python, programs and values made before", lambda: [own.evaluate(values) for own in programs], each=2
    )
    decision = policy.check(TOOL, KEPT, facts, now=NOW)
    record = decision.to_json()
    rows.add("check and Decision.to_json, 38 findings", lambda: policy.check(TOOL, KEPT, facts, now=NOW).to_json())
    rows.add("replay from a record, 38 rules", lambda: policy.replay(record))
    rows.add("saw, a customer's record", lambda: policy.saw(Facts.none(), *RESULTS[0]))


def authorization_ms(policy: Policy) -> float:
    """Return how long Cedar takes to decide once all is parsed, by its own clock: the median of 100."""
    import cedarpy

    given, policies = cedar_given(policy, KEPT_CASE), cedarpy.PolicySet.from_str(cedar_text())
    request = {**REQUEST, "context": given.context}
    each = (cedarpy.is_authorized(request, policies, given.entities).metrics for _ in range(100))
    return statistics.median(float(own["authz_duration_micros"]) for own in each) / 1000


def add_airline(rows: Rows, policy: Policy) -> None:
    """Add decisions on the policy of the example."""
    facts = Facts.none().with_words(air.WRITTEN)
    for own in air.RESULTS:
        facts = policy.saw(facts, *own)
    call = air.CALLS[air.BOOK]
    said = {name: own for name, own in air.SAID.items() if name in policy.said}
    wrong = {**call, "nonfree_baggages": 0, "total_baggages": 9}

    def decide(
        arguments: Any, seen: Facts = facts, *, mend: bool = True, expected: str = "allow"
    ) -> Callable[[], Decision]:
        def run() -> Decision:
            found = policy.check(air.BOOK, arguments, seen, now=air.NOW, said=said, consent=True, mend=mend)
            found.proposal.found  # noqa: B018  a mend is looked for when it is asked for
            return found

        if run().kind != expected:
            raise ValueError(f"{run().for_log}, and not {expected}")
        return run

    rows.add("airline: allow a complete booking", decide(call))
    rows.add("airline: block, without a mend", decide(wrong, mend=False, expected="block"))
    rows.add(
        "airline: block, no look at the mend", lambda: policy.check(air.BOOK, wrong, facts, now=air.NOW, said=said)
    )
    rows.add("airline: block, and mend", decide(wrong, expected="block"), each=2)
    rows.add("airline: ask, nothing fetched", decide(call, Facts.none(), expected="ask"), each=2)
    record = decide(call)().to_json()
    rows.add("airline: replay the allowed booking", lambda: policy.replay(record))
    blocked = decide(wrong, expected="block")().to_json()
    rows.add("airline: replay the blocked booking, with its mend", lambda: policy.replay(blocked).mend, each=2)


def first_load_ms(runs: int) -> list[float]:
    """Return the processor time of importing the guard and loading the policy, in processes of their own."""
    command = [sys.executable, "-c", FIRST_LOAD, str(PATH)]
    spent = []
    for _ in range(runs + 1):  # the first one compiles files and fills the disk's cache
        found = subprocess.run(command, check=True, capture_output=True, text=True)
        spent.append(1000 * float(found.stdout))
    return spent[1:]


def _analysed(path: Path, budget: Budget) -> Analysis:
    return analyse_policy(load_policy(path), budget)


def analyses(runs: int) -> Iterator[str]:
    """Yield the processor time of analysing and comparing policies, each loaded anew."""
    text, free, rows = WEBSHOP.read_text(encoding="utf-8"), Budget(timeout_s=None), Rows()
    webshop = read_policy(text)
    for path in (AIRLINE, PATH, RETAIL, WEBSHOP):
        policy = load_policy(path)
        rows.add(f"policy check, {policy.name}, {len(policy.rules)} rules", partial(_analysed, path, free), each=1)
    for name, same, (old, new) in (("a weight", False, LIGHTER), ("a rewritten rule", True, REWRITTEN)):
        other = read_policy(text.replace(old, new))
        if compare_policies(webshop, other).same is not same:
            raise ValueError(f"{name} does not make {same} of whether policies decide alike")
        rows.add(f"policy diff, webshop and {name}", partial(compare_policies, webshop, other, free), each=1)
    rows.run(runs)
    for name in rows.samples:
        yield rows.line(name, FORTY_MS if "check" in name else None)


def limited(seconds: float) -> Iterator[str]:
    """Analyse and compare policies of so many rules that time (`seconds`) runs out, and yield how long it took."""
    tool = {"name": "pay", "parameters": {"type": "object", "properties": {"amount": {"type": "integer"}}}}
    made = []
    for more in (0, 1):
        holds = (f"!has(call.amount) || call.amount * {place % 7} <= {place + more}" for place in range(RULES))
        rules = [{"id": f"r{own}", "on": "pay", "hold": hold, "say": "So."} for own, hold in enumerate(holds)]
        made.append(make_policy("many", tools={"definitions": [tool]}, rules=rules))
    limit = Budget(timeout_s=seconds)
    runs: dict[str, Callable[[], Any]] = {
        "analysis": lambda: analyse_policy(made[0], limit),
        "comparison": lambda: compare_policies(made[0], made[1], limit),
    }
    for name, run in runs.items():
        began, spent = time.perf_counter(), time.process_time()
        run()
        took, used = time.perf_counter() - began, time.process_time() - spent
        yield f"{name} of {RULES:,} rules in {seconds:g} s: {took:.1f} s, {used:.1f} s of them processor time"


def edges_line(policy: Policy) -> str:
    """Return how long the edges of all rules of a policy took, and how many there are."""
    spent = time.process_time()
    found = find_edges(policy, budget=UNLIMITED)
    spent = time.process_time() - spent
    count = sum(len(own.edges) for own in found)
    return f"edges of {len(policy.rules)} rules on their tools: {count} in {spent:.1f} s of processor time"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.guard")
    parser.add_argument("--turns", type=int, default=30, help="turns, of 20 operations each of what is quick")
    parser.add_argument("--analysis-s", type=float, default=ANALYSIS_S, help="the limit of the analyses, in seconds")
    parser.add_argument("--analyses", type=int, default=3, help="turns of analysing and comparing whole policies")
    given = parser.parse_args(arguments)
    turns: int = given.turns
    policy, before, rows = rental(), os.getloadavg()[0], Rows()
    compare(policy)
    rows.add("load, 38 rules", lambda: load_policy(PATH), each=1)
    add_rental(rows, policy)
    add_airline(rows, load_policy(AIRLINE))
    rows.run(turns)
    print(f"processor time, median [10%, 90%]; measuring adds {clock_cost_us():.1f} us; load average {before:.1f}")
    first = first_load_ms(max(1, turns // 3))
    spread = f"[{min(first):.0f}, {max(first):.0f}]"
    print(f"{'first load, 38 rules, with imports':58} {statistics.median(first):8.0f} ms  {spread}")
    limits = {
        "load, 38 rules": LOAD_MS,
        "check, 38 rules, all facts known": CHECK_MS,
        "airline: ask, nothing fetched": ASK_MS,
    }
    for name in rows.samples:
        print(rows.line(name, limits.get(name)))
    check, cedar = "check, 38 rules, all facts known", f"check, the {len(cedar_ids())} rules that Cedar says"
    cel = f"check, the {len(cel_programs())} rules that CEL says"
    for name, other in (
        (check, "  plain Python functions, 38 rules"),
        (cedar, "  cedarpy, PolicySet and Entities parsed before"),
        (cedar, "  cedarpy, PolicySet parsed before"),
        (cel, "  cel-python, programs and values made before"),
    ):
        print(f"{name} takes {rows.ms(name) / rows.ms(other):.2f} times what it takes: {other.strip()}")
    print(f"of cedarpy's time {authorization_ms(policy):.2f} ms are Cedar's evaluation; the rest reads the request")
    for line in (*analyses(given.analyses), *limited(given.analysis_s), edges_line(load_policy(AIRLINE))):
        print(line)
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
