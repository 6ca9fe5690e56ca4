"""Read and write files of search problems, one JSON object on each line, as the published study has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from holdtrue.errors import FormulaError, RecordError
from holdtrue.fields import by_id
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue_lab.kit.json_file import read_lines, write_lines
from holdtrue_lab.suites.cegvr.schema import problem_to_json, read_problem

PROBLEMS = "problems.jsonl"


def variants_file(family: str) -> str:
    """Return the name of the file with the problems that were rewritten in this way."""
    return f"problems_{family}.jsonl"


def write_search_problems(problems: Iterable[SearchProblem], path: Path) -> None:
    """Write a file of problems; the same problems give the same bytes.

    Raises `RecordError` where it cannot be written, and `FormulaError` for constraints that the schema cannot say.
    """
    write_lines(path, map(problem_to_json, problems))


def load_search_problems(source: Path, *, variants: bool = False) -> list[SearchProblem]:
    """Return the problems in a file, or in a folder's `problems.jsonl`; with `variants`, those in its other files too.

    Raises `RecordError`, naming file and line, for what cannot be read, for an id met twice, and where there is no
    problem at all.
    """
    paths = search_files(source, variants=variants) if source.is_dir() else [source]
    found = (each for path in paths for each in _load_file(path))
    nothing = f"{source}: no problems here (file {PROBLEMS}); make them by generate cegvr"
    return list(by_id(found, nothing).values())


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
