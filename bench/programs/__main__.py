"""Prints what stored programs say: how many can be read, which verdict follows, and what clashes in their contexts."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.programs.linc import compare, load_linc, show_linc
from bench.programs.tally import READERS, Tally, tally

HELP = "files NAME.json, lists of records with raw_logic_programs, and NAME.jsonl, programs with Prover9's verdicts"


def main(argv: list[str] | None = None) -> None:
    """Read every file of programs in a folder, and print the figures."""
    parser = argparse.ArgumentParser(prog="bench.programs", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help=HELP)
    folder: Path = parser.parse_args(argv).folder
    for path in sorted(path for path in folder.glob("*.json") if "CoT" not in path.name):
        if not any(part in path.name for part in READERS):
            print(f"\n{path.name}: skipped, as its name has none of {', '.join(READERS)} in it")
            continue
        show(path.name, tally(path))
    for path in sorted(folder.glob("*.jsonl")):
        print(f"\n{path.name}: ", end="")
        show_linc(compare(load_linc(path)))


def show(name: str, counted: Tally) -> None:
    right = f"{counted.right / counted.answered:.1%}" if counted.answered else "-"
    print(
        f"\n{name}: {counted.programs} programs, "
        f"{counted.answered} answered ({counted.answered / counted.programs:.1%}), "
        f"{counted.right} right ({right}); without any alert {counted.clean}, "
        f"{counted.clean_right} right; not wholly read {counted.unread}, inconsistent {counted.inconsistent}, "
        f"no single answer {counted.undecided}\n  alerts: {dict(counted.alerts.most_common())}\n"
        f"  first alert of those not wholly read: {dict(counted.reasons.most_common())}"
    )
    for conflict in counted.conflicts:
        print(f"  {conflict}")


if __name__ == "__main__":
    main()
