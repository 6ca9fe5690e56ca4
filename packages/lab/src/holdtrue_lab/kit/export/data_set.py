"""This module writes a data set of Hugging Face: Parquet files by configuration and split, and a card (`README.md`)."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from holdtrue.errors import RecordError, SettingsError
from holdtrue.files import write_whole
from holdtrue_lab.kit.export.problem_rows import Column
from holdtrue_lab.kit.suite import Suite

CARD, DATA = "README.md", "data"
ROWS_A_GROUP = 1_000
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "n>1M"


@dataclass(frozen=True, slots=True)
class Origin:
    """An `Origin` has a data set's name, licence and citation.

    `licence` is an id of the hub, such as `mit`; None if it is unknown. `citation` is BibTeX.
    """

    name: str
    licence: str | None = None
    citation: str = ""


@dataclass(slots=True)
class Part:
    """A `Part` is one configuration: its columns, its number of rows by split, and a sentence about it."""

    name: str
    about: str
    columns: Sequence[Column]
    splits: dict[str, int] = field(default_factory=dict)


class DataSet:
    """A `DataSet` writes its parts to a temporary folder, and renames the folder when the card is written.

    So the target folder is either complete or missing. The class raises `SettingsError` if the target is not empty, and
    `RecordError` if the target cannot be written.
    """

    def __init__(self, target: Path) -> None:
        self.target = target = target.resolve()
        self.folder = target.with_name(f".{target.name}.{os.getpid()}.part")
        self.parts: list[Part] = []
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise SettingsError(f"{target} has something in it; choose a folder that is not there yet, or empty")
        try:
            (self.folder / DATA).mkdir(parents=True)
        except OSError as error:
            raise RecordError(f"{target}: cannot be written: {error.strerror}") from error

    def __enter__(self) -> DataSet:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, part: Part, split: str, rows: Iterable[Mapping[str, Any]]) -> int:
        """Write a split of a configuration, a batch of rows at a time; return the number of rows.

        Raises `RecordError` for a value that its column cannot hold, and the errors of `rows`.
        """
        if part not in self.parts:
            self.parts.append(part)
        schema = pa.schema([(own.name, own.type) for own in part.columns])
        count, path = 0, self.path(part.name, split)
        try:
            with pq.ParquetWriter(path, schema, compression="zstd") as writer:
                left = map(dict, rows)
                while own := list(islice(left, ROWS_A_GROUP)):
                    table = pa.Table.from_pylist(own, schema=schema)
                    # Arrow truncates 1.5 to an integer without an error.
                    if table.to_pylist() != own:
                        raise pa.ArrowInvalid("a value is not of its column's type")
                    writer.write_table(table)
                    count += len(own)
        except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            raise RecordError(f"{part.name}: row {count + 1} or one after it cannot be written: {error}") from error
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error}") from error
        part.splits[split] = count
        return count

    def path(self, part: str, split: str) -> Path:
        """Return the path of the file with a split of a configuration."""
        return self.folder / DATA / f"{part}-{split}.parquet"

    def finish(self, origin: Origin, about: str) -> None:
        """Write the card, and move the folder to the target."""
        try:
            write_whole(self.folder / CARD, card_text(self.parts, origin, about))
            if self.target.is_dir():
                # An existing target folder is kept, because a process may use it; the card is moved last.
                for own in sorted(self.folder.iterdir(), key=lambda path: path.name == CARD):
                    own.replace(self.target / own.name)
            else:
                self.folder.replace(self.target)
        except OSError as error:
            raise RecordError(f"{self.target}: cannot be written: {error.strerror}") from error


def split_name(text: str | None, taken: Iterable[str] = ()) -> str:
    """Return a free name for a split: letters, digits and `_`, and none of `taken`."""
    name = re.sub(r"\W+", "_", text or "", flags=re.ASCII).strip("_") or "test"
    if name == "all":
        name = "all_rows"  # the library `datasets` reserves `all` for every split
    found, number = name, 1
    while found in set(taken):
        number += 1
        found = f"{name}_{number}"
    return found


def card_text(parts: Sequence[Part], origin: Origin, about: str) -> str:
    """Return the card: metadata for the hub, then text for people."""
    total = sum(count for part in parts for count in part.splits.values())
    head = ["---", f"license: {json.dumps(origin.licence or 'unknown')}", f"pretty_name: {json.dumps(origin.name)}"]
    head += ["tags:", "- holdtrue", "size_categories:"]
    head.append(f"- {next((size for most, size in _SIZES if total < most), _LARGEST)}")
    head.append("configs:")
    for place, part in enumerate(parts):
        head += [f"- config_name: {part.name}", *(["  default: true"] if place == 0 else []), "  data_files:"]
        for split, count in part.splits.items():
            if not count:
                continue  # there is nothing to load
            head += [f"  - split: {json.dumps(split)}", f"    path: {DATA}/{part.name}-{split}.parquet"]
    body = ["---", "", f"# {origin.name}", "", about, ""]
    for part in parts:
        rows = ", ".join(f"{count:,} in `{split}`" for split, count in part.splits.items())
        body += [
            f"## {part.name}",
            "",
            f"{part.about} Rows: {rows}.",
            "",
            "| column | type | meaning |",
            "|---|---|---|",
        ]
        body += [f"| `{own.name}` | `{own.type}` | {own.meaning} |".replace("<", "\\<") for own in part.columns]
        body.append("")
    licence = "Nobody has said which licence it is under: ask whoever made it before you use it."
    if origin.licence is not None:
        licence = f"`{origin.licence}`, as whoever exported it has said."
    title = "holdtrue: conversations with language models that hold true to what was agreed in them"
    software = f"@software{{holdtrue,\n  title = {{{title}}},\n  version = {{{version('holdtrue')}}}\n}}"
    body += ["## Licence", "", licence, "", "## Citation", "", "```bibtex", software]
    body += [origin.citation.strip(), "```", ""] if origin.citation.strip() else ["```", ""]
    return "\n".join([*head, *body])


DEFAULT_SPLIT = "test"


def export_problems(suite: Suite, problems: Sequence[Any], folder: Path, origin: Origin) -> Part:
    """Write problems in their splits, and return the written configuration.

    Raises `SettingsError` for a suite whose problems have no rows, and the errors of `DataSet`.
    """
    if suite.kind.problem_rows is None:
        raise SettingsError(
            f"{suite.name}: its conversations stay as they were recorded: share the files that they came in"
        )
    rows = suite.kind.problem_rows()
    by_split: dict[str, list[Any]] = {}
    for problem in problems:
        by_split.setdefault(split_name(rows.split(problem) or DEFAULT_SPLIT), []).append(problem)
    part = Part(rows.what, f"The {rows.what} of suite `{suite.name}`.", rows.columns)
    cited = replace(origin, citation="\n\n".join(filter(None, (suite.cites, origin.citation.strip()))))
    about = f"{rows.what.capitalize()} of holdtrue's suite `{suite.name}`. {suite.about.splitlines()[0]}"
    with DataSet(folder) as data:
        for split, some in by_split.items():
            data.write(part, split, map(rows.row, some))
        data.finish(cited, about)
    return part
