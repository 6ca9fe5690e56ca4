"""Record the behaviour of holdtrue, or compare it with the kept records (see the docstring of the package)."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import lzma
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.frozen import guard, readings, suites
from tests.frozen.playing import ENVIRONMENT, Records

KEPT = Path(__file__).parent / "kept"


PARTS: Mapping[str, Callable[[], Records]] = {
    "suites": suites.tell_suites,
    "guard": guard.tell_decisions,
    "reports": suites.tell_reports,
    "readings": readings.tell_readings,
}


def record(part: str) -> dict[str, Any]:
    """Play a part in a new folder, and return its records by name."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.environ.update(ENVIRONMENT)
        try:
            records = [*PARTS[part]()]
        finally:
            os.environ.clear()
            os.environ.update(before)
    found = dict(records)
    assert len(found) == len(records), "two records have one name"
    return found


def write(part: str, records: Mapping[str, Any], folder: Path) -> Path:
    """Write the records of a part, one a line."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(own, ensure_ascii=False, sort_keys=True) + "\n" for own in records.items())
    path = folder / f"{part}.jsonl.xz"
    path.write_bytes(lzma.compress(text.encode(), preset=9))
    return path


def read(part: str) -> dict[str, Any]:
    """Return the records of a part that were kept."""
    text = lzma.decompress((KEPT / f"{part}.jsonl.xz").read_bytes()).decode()
    return dict(json.loads(line) for line in text.splitlines())


def differences(part: str, records: Mapping[str, Any]) -> Iterator[str]:
    """Yield a text about each record that is missing, new, or changed."""
    kept, now = read(part), json.loads(json.dumps(records))
    yield from (f"{part} {id}: gone" for id in kept.keys() - now.keys())
    yield from (f"{part} {id}: new" for id in now.keys() - kept.keys())
    for id, was in kept.items():
        if id not in now or was == now[id]:
            continue
        before, after = (json.dumps(own, indent=1, ensure_ascii=False).splitlines() for own in (was, now[id]))
        found = [
            line for line in difflib.unified_diff(before, after, lineterm="", n=1) if line[:3] not in ("---", "+++")
        ]
        yield "\n".join([f"{part} {id}: changed", *(f"    {line[:200]}" for line in found[:12])])


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line. The exit code is 1 if a record has changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", choices=[*PARTS], action="append")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--most", type=int, default=20, help="differences of a part that are shown")
    own = parser.parse_args(words)
    if own.check is (own.out is not None):
        parser.error("either --check or --out DIR")
    out, wrong = None if own.out is None else own.out.resolve(), 0
    for part in own.only or PARTS:
        began = time.process_time()
        records = record(part)
        spent = f"{part}: {len(records):,} records, {time.process_time() - began:.1f} s of CPU"
        if out is not None:
            print(f"{spent}, {write(part, records, out).stat().st_size:,} bytes", flush=True)
            continue
        found = sorted(differences(part, records))
        wrong += len(found)
        print("\n".join([f"{spent}, {len(found)} not as kept", *found[: own.most]]), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
