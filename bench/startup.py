"""What starting costs: medians of whole processes, as CPU time (user and system).

python bench/startup.py [--runs 15]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import holdtrue": [sys.executable, "-c", "import holdtrue"],
    "holdtrue --help": [sys.executable, "-m", "holdtrue", "--help"],
    "holdtrue check --help": [sys.executable, "-m", "holdtrue", "check", "--help"],
}


def cpu_ms(command: list[str]) -> float:
    """CPU milliseconds of one run."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    for name, command in COMMANDS.items():
        cpu_ms(command)  # compiled files and the disk's cache are there from now on
        print(f"{name:22} {statistics.median(cpu_ms(command) for _ in range(runs)):6.0f} ms CPU")


if __name__ == "__main__":
    main()
