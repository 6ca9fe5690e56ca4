"""Writing problems: one on each line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.lab.kit.json_file import write_text
from holdtrue.lab.suites.cegvr.line import problem_to_json

PROBLEMS = "problems.jsonl"


def variants_file(family: str) -> str:
    """The name of the file with the problems that were rewritten in this way."""
    return f"problems_{family}.jsonl"


def write_search_problems(problems: Iterable[SearchProblem], path: Path) -> None:
    """Write a file of problems; the same problems give the same bytes.

    Raises `RecordError` where it cannot be written, and `FormulaError` for constraints that the schema cannot say.
    """
    lines = [json.dumps(problem_to_json(problem), ensure_ascii=False) + "\n" for problem in problems]
    write_text(path, "".join(lines))
