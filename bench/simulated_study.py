"""A study of the size of DRIFT-Bench's, with simulated models of four skills: every method, every table and figure.

    python bench/simulated_study.py --out FOLDER [--problems 816] [--processes 2]

It shows that the whole way from a problem to a report bears that size, and what the report looks like. A run that
was stopped goes on. Prints wall and processor time of every step.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from holdtrue.kinds.assignment.method import PRESETS

SKILLS = (0.8, 0.9, 0.96, 0.99)
FAULTS = "drop:0.02+contradict:0.01+malform:0.02+omit:0.02"
HOLDTRUE = (sys.executable, "-m", "holdtrue")


def main() -> None:
    """Play what is missing, write the report, and say how long it took."""
    options = read_options()
    started = time.perf_counter()
    folders = [options.out / f"skill-{skill}" for skill in SKILLS]
    runs = [run_command(skill, folder, options.problems) for skill, folder in zip(SKILLS, folders, strict=True)]
    play(runs, options.processes)
    tell("all runs", started)
    reported = time.perf_counter()
    page = options.out / "report.html"
    subprocess.run([*HOLDTRUE, "report", *map(str, folders), "--html", str(page)], check=True)
    tell("the report", reported)
    tell("all of it", started)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs and of the report")
    parser.add_argument("--problems", type=int, default=816)
    parser.add_argument("--processes", type=int, default=2, help="runs at a time")
    return parser.parse_args()


def run_command(skill: float, folder: Path, problems: int) -> list[str]:
    """The command of one model's run: it forgets, misreads and blunders, so that all channels show something."""
    size = ["--generate", str(problems), "--seed", "42"]
    how = ["--model", f"sim/skill:{skill:g}+{FAULTS}", "--method", ",".join(PRESETS)]
    return [*HOLDTRUE, "run", "drift", "--quiet", *size, *how, "--out", str(folder)]


def play(commands: Sequence[Sequence[str]], at_a_time: int) -> None:
    """Run the commands, so many at a time; ends with an error where one of them fails."""
    waiting, running = list(commands), list[subprocess.Popen[bytes]]()
    while waiting or running:
        while waiting and len(running) < at_a_time:
            running.append(subprocess.Popen(waiting.pop(0)))
        time.sleep(0.05)
        for process in [process for process in running if process.poll() is not None]:
            running.remove(process)
            if process.returncode:
                sys.exit(f"a run failed: {process.args!r}")


def tell(what: str, started: float) -> None:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall, cpu, memory = time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f"{what}: {wall:.0f} s; up to here {cpu:.0f} s of processor time, at most {memory:.0f} MiB in one process")


if __name__ == "__main__":
    main()
