"""Suite `reading`: which slots do the messages of recorded dialogues settle, and how sure is a reader of each?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from holdtrue.lab.kinds.readings import KIND
from holdtrue.lab.kit.suite import Loaded, Suite
from holdtrue.options import Option

NAME = "reading"


@dataclass(frozen=True, slots=True)
class Source:
    """A `Source` says where dialogues come from."""

    data: Annotated[Path, Option("A folder with dialogues, or one file of them, a dialogue on each line.")]


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    """The dialogues of the folder, each with the slots of its tools."""
    from holdtrue.lab.suites.reading.files import load_dialogues

    return Loaded(f"{source.data}", load_dialogues(source.data))


SUITE = Suite(
    NAME,
    KIND,
    "Read every message of recorded dialogues as events of slots, and hold the ledger against gold.\n\nMethod llm asks "
    "the model once a message; rules, nothing and gold ask none, and need no --model.",
    methods="rules,nothing,gold",
    load=_load,
    model="For method llm, such as openai/NAME or local/NAME; no other method asks one.",
    needs_model=False,
)
