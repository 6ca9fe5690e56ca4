"""Read the tables of an audit once, part by part, and make an overview: shares, broken conversations and examples.

The page is one HTML file without external parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq

from holdtrue.extras import need

MOST_EXAMPLES = 25


@dataclass(frozen=True)
class Look:
    """A `Look` names the columns of a table and the words for them in an overview.

    If every row of the log is a conversation, the column `named` distinguishes them.
    """

    folder: str
    things: str
    outcome: str
    fine: str
    codes: str
    codes_title: str
    not_fine: str
    among: str
    columns: tuple[str, ...]
    named: str | None = None


VERDICTS_LOOK = Look(
    "verdicts",
    "turns",
    "outcome",
    "consistent",
    "triggers",
    "What is wrong",
    "not consistent",
    "conversations",
    ("id", "violated", "background", "mus", "nearest"),
)
DECISIONS_LOOK = Look(
    "decisions",
    "calls",
    "decision",
    "allow",
    "rules",
    "The rules that decisions rest on",
    "not allowed",
    "conversations with such calls",
    ("message", "tool", "arguments", "said", "why", "mend"),
    named="row",
)
_LOOKS = (VERDICTS_LOOK, DECISIONS_LOOK)


@dataclass
class Overview:
    """An `Overview` has the results of an audit of turns or calls.

    Attributes:
        look: The columns and words of the table.
        outcomes: The number of turns with each outcome.
        sources: For each file, the number of turns with each outcome.
        triggers: The number of turns with each fault, or of decisions that rest on each rule.
        conversations: The number of conversations: runs of turns with one name.
        broken_conversations: The number of conversations with a turn that is not fine.
        first_broken: For each place in a conversation, the number of conversations whose first broken turn is there.
        examples: The first rows that are not fine.
        reasons: The number of bad rows with each reason.
        bad_examples: The first bad rows.
    """

    look: Look = VERDICTS_LOOK
    outcomes: Counter[str] = field(default_factory=Counter)
    sources: dict[str, Counter[str]] = field(default_factory=dict)
    triggers: Counter[str] = field(default_factory=Counter)
    conversations: int = 0
    broken_conversations: int = 0
    first_broken: Counter[int] = field(default_factory=Counter)
    examples: list[dict[str, Any]] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    bad_examples: list[dict[str, Any]] = field(default_factory=list)

    @property
    def turns(self) -> int:
        return self.outcomes.total()

    @property
    def bad(self) -> int:
        return self.reasons.total()


def look_at(out: str) -> Overview:
    """Return the overview of an audit's folder. Only one part of a table is in memory at a time."""
    look = next((own for own in _LOOKS if any(True for _ in parts_of(out, own.folder))), VERDICTS_LOOK)
    found, follow = Overview(look), _Conversations(look.fine)
    for part in parts_of(out, look.folder):
        table = pq.read_table(part, columns=["source", "row", "conversation", look.outcome, look.codes, *look.columns])
        outcomes = table.column(look.outcome).to_pylist()
        source = table.column("source").to_pylist()
        found.outcomes.update(outcomes)
        for name, count in Counter(zip(source, outcomes, strict=True)).items():
            found.sources.setdefault(name[0], Counter())[name[1]] += count
        found.triggers.update(code for codes in table.column(look.codes).to_pylist() for code in codes)
        follow.take(found, _names(table, look), outcomes)
        if len(found.examples) < MOST_EXAMPLES:
            broken = [place for place, outcome in enumerate(outcomes) if outcome != look.fine]
            first = pa.array(broken[: MOST_EXAMPLES - len(found.examples)], pa.int64())
            found.examples += table.take(first).to_pylist()
    follow.end(found)
    for part in parts_of(out, "bad_rows"):
        rows = pq.read_table(part).to_pylist()
        found.reasons.update(own["reason"] for own in rows)
        found.bad_examples += rows[: MOST_EXAMPLES - len(found.bad_examples)]
    return found


def _names(table: pa.Table, look: Look) -> list[Any]:
    """Return the name of each row's conversation, or None if it has none."""
    names: list[Any] = table.column("conversation").to_pylist()
    if look.named is None:
        return names
    # Each row of the log is one conversation, even if two rows have the same name.
    return list(zip(table.column("source").to_pylist(), table.column(look.named).to_pylist(), strict=True))


class _Conversations:
    """Follows conversations across the parts of a table. A conversation is a run of turns with one name."""

    def __init__(self, fine: str) -> None:
        self._fine = fine
        self._name: Any = None
        self._turns = 0
        self._first = 0

    def take(self, found: Overview, names: list[Any], outcomes: list[str]) -> None:
        for name, outcome in zip(names, outcomes, strict=True):
            if name is None or name != self._name:
                self.end(found)
                self._name = name
            self._turns += 1
            if outcome != self._fine and not self._first:
                self._first = self._turns

    def end(self, found: Overview) -> None:
        """Count the conversation that was followed last."""
        if self._turns:
            found.conversations += 1
        if self._first:
            found.broken_conversations += 1
            found.first_broken[self._first] += 1
        self._name, self._turns, self._first = None, 0, 0


def parts_of(out: str, table: str) -> Iterator[Any]:
    """Yield the parts of a table of an audit as open files, in order."""
    system, path = fsspec.core.url_to_fs(out)
    folder = f"{path}/{table}"
    names = system.ls(folder, detail=False) if system.isdir(folder) else []
    for name in sorted(own for own in names if own.rpartition("/")[2].startswith("part-")):
        with system.open(name, "rb") as stream:
            yield stream


def as_page(found: Overview, out: str) -> str:
    """Return an overview as an HTML page. Raises `SettingsError` if jinja2 is not installed."""
    need("an audit's page", "jinja2")
    from jinja2 import Environment, PackageLoader, StrictUndefined

    pages = Environment(
        loader=PackageLoader("holdtrue.audit"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return pages.get_template("audit.html.j2").render(found=found, look=found.look, out=out, share=_share)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2%}" if whole else "-"
