"""Reading problems: the original's files, and what `write` writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from holdtrue.errors import FormulaError, RecordError
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.lab.kit.json_file import read_lines
from holdtrue.lab.suites.cegvr.line import read_problem
from holdtrue.lab.suites.cegvr.write import PROBLEMS, variants_file


def load_search_problems(source: Path, *, variants: bool = False) -> list[SearchProblem]:
    """The problems in a file, or in a folder's `problems.jsonl`; with `variants`, those in its other files too.

    Raises `RecordError`, naming file and line, for what cannot be read, for an id met twice, and where there is no
    problem at all.
    """
    problems: dict[str, SearchProblem] = {}
    for path in search_files(source, variants=variants) if source.is_dir() else [source]:
        for where, problem in _load_file(path):
            if problem.id in problems:
                raise RecordError(f"{where}: problem_id: the problem {problem.id!r} is there twice")
            problems[problem.id] = problem
    if not problems:
        raise RecordError(f"{source}: no problems here (file {PROBLEMS}); make them by generate cegvr")
    return list(problems.values())


def search_files(folder: Path, *, variants: bool = False) -> list[Path]:
    """The files of problems that are in a folder, the originals first."""
    originals = [folder / PROBLEMS] if (folder / PROBLEMS).exists() else []
    return [*originals, *(sorted(folder.glob(variants_file("*"))) if variants else ())]


def _load_file(path: Path) -> Iterator[tuple[str, SearchProblem]]:
    """The problems of a file, each with its place."""
    for where, value in read_lines(path):
        try:
            yield where, read_problem(value)
        except (RecordError, FormulaError) as error:
            raise RecordError(f"{where}: {error}") from error
        except (ValueError, RecursionError) as error:
            raise RecordError(f"{where}: no JSON: {error}") from error
