"""Suite `reading`: what do messages of recorded dialogues, or single ones, settle, and how sure is a reader of it?"""

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
    """A `Source` says where dialogues or messages come from."""

    data: Annotated[Path, Option("A folder or file with dialogues, or messages, one on each line.")]


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    """The dialogues of the folder, each with the slots of its tools, or its messages, each with its instance."""
    from holdtrue.lab.suites.reading.files import load_items

    return Loaded(f"{source.data}", load_items(source.data))


SUITE = Suite(
    NAME,
    KIND,
    "Read every message of recorded dialogues as events of slots, and hold the ledger against gold; or read single "
    "messages about instances of domains, and hold the constraints against gold.\n\nMethod llm asks the model, once a "
    "message of a dialogue; rules, nothing and gold ask none, and need no --model.",
    methods="rules,nothing,gold",
    load=_load,
    model="For method llm, such as openai/NAME or local/NAME; no other method asks one.",
    needs_model=False,
)
