"""A data set in the form of Hugging Face: Parquet files by configuration and split, and a card that describes them."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from holdtrue.errors import RecordError, SettingsError
from holdtrue.files import write_whole
from holdtrue_lab.kit.export.problem_rows import Column

CARD, DATA = "README.md", "data"
ROWS_A_GROUP = 1_000
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "n>1M"


@dataclass(frozen=True, slots=True)
class Origin:
    """An `Origin` says what a data set is called, under which licence it may be used, and what is to be cited.

    `licence` is an id as the hub has them, such as `mit`; None where nobody said so. `citation` is BibTeX.
    """

    name: str
    licence: str | None = None
    citation: str = ""


@dataclass(slots=True)
class Part:
    """One configuration: its columns, how many rows each split has, and what it is, in a sentence."""

    name: str
    about: str
    columns: Sequence[Column]
    splits: dict[str, int] = field(default_factory=dict)


class DataSet:
    """A `DataSet` is written part by part beside its folder, and put there when its card is: it is whole, or not there.

    Raises `SettingsError` where the folder has something in it, and `RecordError` where it cannot be written.
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
        """Write a split of a configuration, some rows at a time; return how many there are.

        Raises `RecordError` for a value that its column cannot hold, and what `rows` raises.
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
                    # Arrow cuts 1.5 down to a whole number, and says nothing.
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
        """Return where a split of a configuration is."""
        return self.folder / DATA / f"{part}-{split}.parquet"

    def finish(self, origin: Origin, about: str) -> None:
        """Write the card, and put the folder in its place."""
        try:
            write_whole(self.folder / CARD, card_text(self.parts, origin, about))
            if self.target.is_dir():
                # Somebody may be in it, so that the folder itself stays; the card comes last.
                for own in sorted(self.folder.iterdir(), key=lambda path: path.name == CARD):
                    own.replace(self.target / own.name)
            else:
                self.folder.replace(self.target)
        except OSError as error:
            raise RecordError(f"{self.target}: cannot be written: {error.strerror}") from error


def split_name(text: str | None, taken: Iterable[str] = ()) -> str:
    """Return a name that a split can have: letters, digits and `_`, and none that is taken."""
    name = re.sub(r"\W+", "_", text or "", flags=re.ASCII).strip("_") or "test"
    if name == "all":
        name = "all_rows"  # by `all` the library `datasets` means every split
    found, number = name, 1
    while found in set(taken):
        number += 1
        found = f"{name}_{number}"
    return found


def card_text(parts: Sequence[Part], origin: Origin, about: str) -> str:
    """Return the card: what machines read of it, and then what people do."""
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
    body += ["## Licence", "", _licence_words(origin), "", "## Citation", "", "```bibtex", _software()]
    body += [origin.citation.strip(), "```", ""] if origin.citation.strip() else ["```", ""]
    return "\n".join([*head, *body])


def _licence_words(origin: Origin) -> str:
    if origin.licence is None:
        return "Nobody has said which licence it is under: ask whoever made it before you use it."
    return f"`{origin.licence}`, as whoever exported it has said."


def _software() -> str:
    title = "holdtrue: conversations with language models that hold true to what was agreed in them"
    return f"@software{{holdtrue,\n  title = {{{title}}},\n  version = {{{version('holdtrue')}}}\n}}"
