"""Ten million turns, with what is wrong in them planted, and an audit that has to find just that.

    python -m bench.audit_scale FOLDER [--turns 10000000] [--problems 10000] [--workers 2]

The turns are those of generated problems, each conversation under names of its own: 3% of the answers are broken, and
0.01% of the rows are no turns. They are written as Parquet, audited in FOLDER/out, and the counts are compared. A run
that was stopped goes on; FOLDER/log has the turns, FOLDER/planted.json what is wrong in them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from bench.audit import logged, peak_mb
from holdtrue.audit.audit_run import Pool, plan_audit, run_audit
from holdtrue.audit.shard_job import AuditSettings, Counts
from holdtrue.logic.formula import Formula
from holdtrue_lab.kinds.assignment.problem import Problem
from holdtrue_lab.suites.drift.generate import generate

BROKEN, BAD = 0.03, 0.0001
ROWS_A_GROUP, ROWS_A_FILE = 20_000, 1_000_000
SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("id", "conversation", "domain", "entities", "context", "constraints", "answer")]
)
Row = dict[str, str | None]


@dataclass(frozen=True, slots=True)
class Template:
    """A `Template` is a turn in which names stand as marks; `broken` is an answer that breaks what was agreed."""

    id: str
    constraints: str
    answer: str
    broken: str | None


@dataclass(frozen=True, slots=True)
class Script:
    """A `Script` is a problem's conversation, to be told under many names."""

    domain: str
    context: str
    names: int
    turns: tuple[Template, ...]


def mark(place: int) -> str:
    return f"@{place}@"


def script_of(problem: Problem) -> Script:
    """Return the conversation of a problem, with an answer to each turn that keeps everything and one that does not."""
    instance = problem.make_instance()
    marks = {entity: mark(place) for place, entity in enumerate(problem.entities)}
    gold = problem.gold_by_turn(instance)
    said: list[Formula] = []
    agreed: list[dict[str, Any]] = []
    turns: list[Template] = []
    for turn in problem.turns:
        for own in gold[turn.number]:
            said.append(instance.formula(own))
            agreed.append(logged(own, len(agreed) + 1, turn.number, marks))
        if turn.witness is None:
            continue

        def shown(values: dict[str, int]) -> str:
            rendered = instance.render_answer(values)
            return json.dumps({"solution": {marks[name]: value for name, value in rendered.items()}})

        right = dict(turn.witness)
        wrong = next((own for own in _swapped(right) if not all(formula.holds(own) for formula in said)), None)
        broken = None if wrong is None else shown(wrong)
        turns.append(Template(f"{problem.id}/{turn.number}", json.dumps(agreed), shown(right), broken))
    return Script(problem.domain, json.dumps(dict(problem.context)), len(problem.entities), tuple(turns))


def _swapped(values: dict[str, int]) -> Iterator[dict[str, int]]:
    """Yield assignments in which two variables of one attribute have changed places."""
    for one, other in permutations(values, 2):
        if one < other and one.rpartition(".")[2] == other.rpartition(".")[2] and values[one] != values[other]:
            yield {**values, one: values[other], other: values[one]}


def rows_of(scripts: Sequence[Script], number: int, planted: dict[str, int]) -> Iterator[Row]:
    """Yield so many rows, and count in `planted` what is wrong in them."""
    random, made, conversation = Random(11), 0, 0
    while made < number:
        script = scripts[conversation % len(scripts)]
        names = [f"{'KLMNPRST'[place]}{conversation:x}" for place in range(script.names)]
        name = f"c{conversation}"
        entities = json.dumps(names)
        conversation += 1
        for turn in script.turns[: number - made]:
            made += 1
            row: Row = {"id": turn.id, "conversation": name, "domain": script.domain, "entities": entities}
            row |= {"context": script.context, "constraints": turn.constraints, "answer": turn.answer}
            if random.random() < BAD:
                row["entities"] = None
                planted["bad"] += 1
            elif turn.broken is not None and random.random() < BROKEN:
                row["answer"] = turn.broken
                planted["drift"] += 1
            else:
                planted["consistent"] += 1
            for field in ("constraints", "answer"):
                text = str(row[field])
                for place, own in enumerate(names):
                    text = text.replace(mark(place), own)
                row[field] = text
            yield row


def write_log(folder: Path, scripts: Sequence[Script], number: int) -> dict[str, int]:
    """Write the turns as Parquet files of a million rows, and return what is wrong in them."""
    planted = {"consistent": 0, "drift": 0, "bad": 0}
    rows = rows_of(scripts, number, planted)
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, number, ROWS_A_FILE):
        with pq.ParquetWriter(
            folder / f"turns-{first // ROWS_A_FILE:04d}.parquet", SCHEMA, compression="zstd"
        ) as writer:
            for start in range(first, min(first + ROWS_A_FILE, number), ROWS_A_GROUP):
                size = min(ROWS_A_GROUP, number - start)
                writer.write_table(pa.Table.from_pylist([next(rows) for _ in range(size)], SCHEMA))
        print(f"{min(first + ROWS_A_FILE, number):,} turns are written", file=sys.stderr, flush=True)
    return planted


def make_log(folder: Path, problems: int, number: int) -> dict[str, int]:
    """Generate the problems, and write so many turns that are composed of them."""
    scripts = [script_of(own) for own in generate(3, problems)]
    return write_log(folder, [own for own in scripts if own.turns], number)


def main(given: Sequence[str] | None = None) -> int:
    """Write the turns unless they are there, audit them, and return 1 where the counts are not what was planted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--turns", type=int, default=10_000_000)
    parser.add_argument("--problems", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(given)
    log, known = args.folder / "log", args.folder / "planted.json"
    if not known.exists():
        begun = time.monotonic()
        planted = make_log(log, args.problems, args.turns)
        known.write_text(json.dumps(planted), encoding="utf-8")
        print(f"written in {time.monotonic() - begun:,.0f} s", flush=True)
    planted = json.loads(known.read_text(encoding="utf-8"))
    begun = time.monotonic()
    plan = plan_audit([str(log)], AuditSettings(), str(args.folder / "out"))
    memory = _Memory()
    counts = run_audit(plan, str(args.folder / "out"), Pool(args.workers), _tell(len(plan.shards), memory))
    found = {name: counts.outcomes[name] for name in ("consistent", "drift")} | {"bad": counts.bad}
    print(json.dumps({"planted": planted, "found": found, **_spent(begun, counts, args.folder, memory)}, indent=1))
    return 0 if found == planted and sum(found.values()) == counts.rows else 1


class _Memory:
    """The most memory of the processes that audit, in MB.

    The system's own maximum of a process has in it what the one that started it had, which wrote the log.
    """

    peak_mb = 0.0

    def look(self) -> None:
        """Look at the processes that there are now."""
        own = os.getpid()
        children = Path(f"/proc/{own}/task/{own}/children").read_text(encoding="ascii").split()
        for child in children:
            with suppress(OSError, StopIteration):  # it may be gone
                self.peak_mb = max(self.peak_mb, peak_mb(child))


def _tell(shards: int, memory: _Memory) -> Any:
    def tell(counts: Counts, done: int) -> None:
        memory.look()
        if done % 50 == 0:
            print(f"{done} of {shards} shards, {counts.rows:,} rows", file=sys.stderr, flush=True)

    return tell


def _spent(begun: float, counts: Counts, folder: Path, memory: _Memory) -> dict[str, Any]:
    """Return what an audit took: time, memory of the largest process, and room."""
    sizes = {name: sum(own.stat().st_size for own in (folder / name).rglob("*.parquet")) for name in ("log", "out")}
    return {
        "wall_s": round(time.monotonic() - begun),
        "cpu_s": round(counts.cpu_s),
        "turns_per_cpu_s": round(counts.rows / counts.cpu_s),
        "peak_mb_of_a_process": round(memory.peak_mb),
        "log_mb": round(sizes["log"] / 2**20),
        "verdicts_mb": round(sizes["out"] / 2**20),
        "quick": counts.quick,
    }


if __name__ == "__main__":
    sys.exit(main())
