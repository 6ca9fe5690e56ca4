"""The audit of logged turns: turns a second of a core, beside `check` and a fresh z3 solver a check, and how it grows.

    python -m bench.audit [--turns 60000] [--growth 10000,100000,1000000]

The turns are those of DRIFT-Bench's development problems, or of generated ones where the data is absent, each
conversation under names of its own. Every row is a process of its own; its time is that of its processor for reading,
checking and writing the table, without starting. Limits are turns a second, and for a million turns 400 MB.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from bench.solver.twin import Twin
from bench.solver.workload import PROBLEMS
from holdtrue.audit.audit_run import in_process, plan_audit, run_audit
from holdtrue.audit.shard_job import AuditSettings
from holdtrue.budget import Budget
from holdtrue.verification.logged_turn import LoggedTurn, check_logged_turn, read_logged_turn
from holdtrue.world.answer import Assignment
from holdtrue.world.instance import Constraint
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.kinds.assignment.problem import Problem
from holdtrue_lab.suites.drift.files import load_problems
from holdtrue_lab.suites.drift.generate import generate
from tests.data import DRIFT

MOST_MB = 400
_ROWS_A_GROUP = 10_000
_SLOW_TURNS, _TWIN_TURNS = 1_000, 100


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: a log, how it is audited, and how many turns a second are wanted."""

    name: str
    log: str
    explain: str
    wanted: int


ROWS = (
    Row("answers that hold, JSON lines", "hold.jsonl", "none", 15_000),
    Row("answers that hold, Parquet", "hold.parquet", "none", 20_000),
    Row("broken answers, what is violated", "broken.jsonl", "none", 8_000),
    Row("broken answers and clashes, MUS and nearest", "clash.jsonl", "all", 1_500),
)


def problems() -> list[Problem]:
    """Return the development problems, or generated ones where they are absent."""
    return load_problems(DRIFT / "problems" / "dev") if DRIFT.is_dir() else list(generate(1, PROBLEMS))


def turns(
    given: Sequence[Problem], seed: int, *, broken: float = 0.0, clashing: float = 0.0
) -> Iterator[dict[str, Any]]:
    """Yield logged turns without end, the entities of each conversation under names that no other has."""
    random = Random(seed)
    for conversation in count():
        problem = given[conversation % len(given)]
        instance = problem.make_instance()
        names = {entity: f"{entity}{conversation}" for entity in problem.entities}
        gold = problem.gold_by_turn(instance)
        agreed: list[dict[str, Any]] = []
        clashes = random.random() < clashing
        for turn in problem.turns:
            for own in gold[turn.number]:
                agreed.append(logged(own, len(agreed) + 1, turn.number, names))
            if turn.witness is None:
                continue
            answer = {names[name]: value for name, value in instance.render_answer(turn.witness).items()}
            if random.random() < broken:
                first, second = random.sample(list(answer), 2)
                answer[first], answer[second] = answer[second], answer[first]
            yield {
                "id": f"{problem.id}/{turn.number}",
                "conversation": f"{problem.id}-{conversation}",
                "domain": problem.domain,
                "entities": list(names.values()),
                "context": dict(problem.context),
                "constraints": [*agreed, *(_clash(agreed) if clashes else [])],
                "answer": json.dumps({"solution": answer}),
            }


def logged(own: Constraint, place: int, turn: int, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a constraint as a log has it, with its entities under other names."""
    args = [names.get(arg, arg) if isinstance(arg, str) else arg for arg in own.args]
    return {"id": f"C{place}", "type": own.type, "args": args, "turn": turn}


def _clash(agreed: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a commitment that cannot be kept beside one of those that were agreed, where one of a known kind is."""
    for own in agreed:
        opposite = _OPPOSITES.get(own["type"])
        if opposite is not None:
            return [{**own, "id": "clash", "type": opposite}]
    return []


_OPPOSITES = {"adjacent": "not_adjacent", "not_adjacent": "adjacent", "assign": "not_assign", "not_assign": "assign"}


def write_log(path: Path, rows: Iterator[dict[str, Any]], number: int) -> None:
    """Write so many turns as JSON lines, or as Parquet with lists and objects as JSON texts."""
    if path.suffix == ".jsonl":
        with path.open("w", encoding="utf-8") as stream:
            for row in islice(rows, number):
                stream.write(json.dumps(row) + "\n")
        return
    writer = None
    for start in range(0, number, _ROWS_A_GROUP):
        group = [
            {
                key: json.dumps(value) if isinstance(value, list | dict) and key != "entities" else value
                for key, value in row.items()
            }
            for row in islice(rows, min(_ROWS_A_GROUP, number - start))
        ]
        table = pa.Table.from_pylist(group)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def audited(log: Path, explain: str, out: Path) -> dict[str, Any]:
    """Audit a log in a process of its own; return what it counted, and its peak of memory in MB."""
    command = [sys.executable, "-m", "bench.audit", "--child", str(log), explain, str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def child(log: str, explain: str, out: str) -> None:
    """Audit a log in this process and print what was counted."""
    settings = AuditSettings(explain=explain)  # type: ignore[arg-type]
    counts = run_audit(plan_audit([log], settings, out), out, in_process)
    print(json.dumps({**counts.to_json(), "peak_mb": round(peak_mb(), 1)}))


def peak_mb(process: str = "self") -> float:
    """Return the most memory that a process had, this one by default, in MB.

    The maximum that the system counts for a process (`ru_maxrss`) has in it what the one that started it had.
    """
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    line = next(own for own in status.splitlines() if own.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


def by_check(log: Path) -> float:
    """Return how many turns a second `check` does."""
    lines = log.read_bytes().splitlines()[:_SLOW_TURNS]
    begun = time.process_time()
    for line in lines:
        check_logged_turn(read_logged_turn(json.loads(line), BUILTIN, None), Budget(timeout_s=5))
    return len(lines) / (time.process_time() - begun)


def by_twin(log: Path) -> float:
    """Return how many turns a second a fresh z3 solver for each check does: is it satisfiable, and what is violated?"""
    lines = log.read_bytes().splitlines()
    chosen = [read_logged_turn(json.loads(line), BUILTIN, None) for line in lines[:: max(1, len(lines) // _TWIN_TURNS)]]
    begun = time.process_time()
    for turn in chosen:
        _twin_turn(turn)
    return len(chosen) / (time.process_time() - begun)


def _twin_turn(turn: LoggedTurn) -> None:
    answer = turn.read_answer()
    if not isinstance(answer, Assignment):
        raise TypeError(f"{turn.id} has no answer")
    twin, agreed = Twin(turn.instance), [own for _, own, _ in turn.constraints]
    twin.satisfiable(agreed)
    twin.violated(agreed, answer.values)


def main(given: Sequence[str] | None = None) -> int:
    """Measure all rows, print them, and return 1 where one is below its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=60_000)
    parser.add_argument("--growth", default="10000,100000,1000000")
    parser.add_argument("--child", nargs=3, metavar=("LOG", "EXPLAIN", "OUT"), help=argparse.SUPPRESS)
    args = parser.parse_args(given)
    if args.child:
        child(*args.child)
        return 0
    sizes = [int(own) for own in args.growth.split(",") if own]
    with tempfile.TemporaryDirectory() as folder:
        return _measure(Path(folder), args.turns, sizes)


def _measure(folder: Path, number: int, sizes: Sequence[int]) -> int:
    own = problems()
    logs = {
        "hold.jsonl": {},
        "hold.parquet": {},
        "broken.jsonl": {"broken": 1.0},
        "clash.jsonl": {"broken": 1.0, "clashing": 0.2},
    }
    for seed, (name, share) in enumerate(logs.items()):
        write_log(folder / name, turns(own, seed, **share), number)
    stated = [len(json.loads(line)["constraints"]) for line in (folder / "hold.jsonl").read_text("utf-8").splitlines()]
    low, middle, high = statistics.quantiles(stated, n=4)
    print(
        f"{number:,} turns; commitments a turn: median {middle:g}, quartiles {low:g} and {high:g}, most {max(stated)}"
    )
    missed = 0
    for row in ROWS:
        counts = audited(folder / row.log, row.explain, folder / f"out-{row.log}")
        speed = counts["rows"] / counts["cpu_s"]
        missed += speed < row.wanted
        said = "" if speed >= row.wanted else "  TOO SLOW"
        outcomes = ", ".join(f"{name} {share / counts['rows']:.0%}" for name, share in counts["outcomes"].items())
        print(f"{row.name:<46} {speed:>9,.0f} turns/s (wanted {row.wanted:,}){said}; {outcomes}")
    print(f"{'the broken ones by check':<46} {by_check(folder / 'broken.jsonl'):>9,.0f} turns/s")
    print(f"{'by a fresh z3 solver a check (no MUS)':<46} {by_twin(folder / 'broken.jsonl'):>9,.0f} turns/s")
    for size in sizes:
        log = folder / f"{size}.jsonl"
        write_log(log, turns(own, size, broken=0.03), size)
        counts = audited(log, "none", folder / f"out-{size}")
        missed += counts["peak_mb"] > MOST_MB
        said = "" if counts["peak_mb"] <= MOST_MB else "  TOO MUCH"
        each = counts["cpu_s"] / size * 1e6
        print(f"{f'{size:,} turns':<46} {each:>9.1f} us a turn, {counts['peak_mb']:.0f} MB (wanted {MOST_MB}){said}")
        log.unlink()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
