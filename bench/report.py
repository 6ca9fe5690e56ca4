"""What a report of a long journal costs: processor time and memory of the whole command, and of reading a turn.

    python bench/report.py [--turns 100000] [--runs 3]

The journal is a real one of simulated models, repeated under other problem ids. The naive twin reads a line by the
standard library's parser and then checks the values, instead of parsing and checking in one go.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from pydantic import TypeAdapter

from holdtrue.kinds.assignment.method import find_method
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.playing import AssignmentSettings
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from holdtrue_lab.kit.journal import decode
from holdtrue_lab.kit.planning import make_plan
from holdtrue_lab.kit.runner import run
from holdtrue_lab.kit.settings import JOURNAL_FILE
from holdtrue_lab.suites.drift import SUITE
from holdtrue_lab.suites.drift.generate import generate

MODEL = "sim/skill:0.9+malform:0.02+omit:0.02@1"
METHODS = ("direct", "mus_repair", "drift_repair", "drift_repair_project")
PROBLEMS = 30
SAMPLE = 1000


def main() -> None:
    """Make the journal, and print a line for each thing that is timed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        turns = make_journal(place, options.turns)
        with (place / JOURNAL_FILE).open("rb") as file:
            lines = list(islice(file, SAMPLE))
        ours, naive = cpu_us(decode, lines, options.runs), cpu_us(decode_naively(), lines, options.runs)
        print(f"reading a turn   {ours:6.1f} us CPU, naive twin {naive:6.1f}, ratio {naive / ours:.2f}")
        for option in ("--html", "--parquet"):
            spent = [report(place, option) for _ in range(options.runs)]
            cpu = statistics.median(seconds for seconds, _ in spent)
            memory = max(mebibytes for _, mebibytes in spent)
            print(f"{option:10} {turns} turns: {cpu:5.1f} s CPU, {memory:.0f} MiB at most")


def make_journal(folder: Path, turns: int) -> int:
    """A journal of at least so many turns; how many there are."""
    methods = [find_method(name) for name in METHODS]
    plan = make_plan(
        SUITE, generate(1, PROBLEMS), methods, AssignmentSettings(extractor="templates"), source="bench", model=MODEL
    )
    asyncio.run(run(plan, open_simulated(MODEL), folder))
    journal = folder / JOURNAL_FILE
    once = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    copies = -(-turns // len(once))
    with journal.open("w", encoding="utf-8") as file:
        for copy in range(copies):
            for entry in once:
                file.write(json.dumps({**entry, "problem": f"{entry['problem']}_{copy}"}, separators=(",", ":")) + "\n")
    return copies * len(once)


def decode_naively() -> Callable[[bytes], object]:
    """The twin of `decode`."""
    entries = TypeAdapter(AssignmentEntry)
    return lambda line: entries.validate_python(json.loads(line))


def cpu_us(read: Callable[[bytes], object], lines: list[bytes], runs: int) -> float:
    """Processor microseconds of one line, the median over runs."""
    spent = []
    for _ in range(runs + 1):  # the first one warms up
        started = time.process_time()
        for line in lines:
            read(line)
        spent.append((time.process_time() - started) / len(lines) * 1e6)
    return statistics.median(spent[1:])


def report(folder: Path, option: str) -> tuple[float, float]:
    """Processor seconds and the most memory (MiB) of one report."""
    out = folder / f"report{option}"
    process = subprocess.Popen([sys.executable, "-m", "holdtrue", "report", str(folder), option, str(out)])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"the report failed: exit {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


if __name__ == "__main__":
    main()
