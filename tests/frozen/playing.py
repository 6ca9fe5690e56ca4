"""Call the command line in this process, and make values alike on every machine and in every folder."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

ROOT = Path(__file__).resolve().parents[2]
Records = Iterator[tuple[str, Any]]

LEFT_OUT: Mapping[str, Any] = {
    "latency_s": 0.5,
    "elapsed_s": 2.0,
    "solver_s": 0.25,
    "cpu_s": 1.0,
    "seconds": 1.0,
    "holdtrue": "any",
}
"""Fields of records that depend on time, host or version, each with the value that replaces it."""
AMPLE = "60"
"""Seconds for every question to a solver: no verdict hangs on time."""
ENVIRONMENT = {"COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC", "LC_ALL": "C.UTF-8"}


def scrub(text: str) -> str:
    """Return a text without the folders of this run, places in memory, and the time that an audit took."""
    text = text.replace(str(Path.cwd()), "HERE").replace(str(ROOT), "ROOT")
    text = re.sub(r"[\d.,]+ (rows|turns|calls) a second|(?<=\()[\d.,]+ s(?=\))", "TIME", text)
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def plain(value: Any) -> Any:
    """Return JSON values in which fields are left out and numbers are rounded, so that all machines have the same."""
    if isinstance(value, Mapping):
        return {str(key): plain(LEFT_OUT.get(key, own) if _is_told(own) else own) for key, own in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(own) for own in value]
    if isinstance(value, (set, frozenset)):
        return sorted(map(plain, value), key=str)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain({own.name: getattr(value, own.name) for own in dataclasses.fields(value)})
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, str):
        return scrub(value) if "/" in value else value
    return value if isinstance(value, (int, type(None))) else scrub(str(value))


def _is_told(value: Any) -> bool:
    """Return whether a value is a number or a text. A schema may have an object under a name that is left out."""
    return isinstance(value, (int, float, str))


def holdtrue(*words: object, input: str | None = None) -> dict[str, Any]:
    """Run the command, and return its output and exit code. Output in JSON is parsed."""
    from holdtrue.cli.main import app

    done = CliRunner().invoke(app, [str(word) for word in words], input=input)
    fault = done.exception
    told = None if fault is None or isinstance(fault, SystemExit) else f"{type(fault).__name__}: {fault}"
    try:
        out = plain(json.loads(done.stdout))
    except ValueError:
        out = scrub(done.stdout).splitlines()
    found = {
        "exit": int(done.exit_code),
        "out": out,
        "err": scrub(done.stderr).splitlines(),
        "raised": told and scrub(told),
    }
    return {key: own for key, own in found.items() if own not in (None, [])}


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def digest(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_lines(path: Path, values: Iterable[Any]) -> None:
    path.write_text("".join(json.dumps(own) + "\n" for own in values), encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def parquet_rows(path: Path, *, whole: bool = False) -> Any:
    import polars

    if not path.exists():
        return None
    found = polars.read_parquet(path)
    rows = plain(found.to_dicts())
    return {
        "columns": {name: str(kind) for name, kind in found.schema.items()},
        "rows": rows if whole else digest(rows),
    }


def door(name: str) -> Any:
    """Return an object that the docs import from a module without a public namespace: `module:name`."""
    module, _, name = name.partition(":")
    return getattr(importlib.import_module(module), name)
