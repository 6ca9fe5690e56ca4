"""Suite `reading` measures which constraints a reader finds in messages, and how certain the reader is of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from holdtrue.options import Option
from holdtrue_lab.kinds.readings import KIND
from holdtrue_lab.kit.suite import Loaded, Suite

NAME = "reading"


@dataclass(frozen=True, slots=True)
class Source:
    data: Annotated[Path, Option("A folder or file with messages, one on each line.")]


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    from holdtrue_lab.suites.reading.files import load_items

    return Loaded(f"{source.data}", load_items(source.data))


SUITE = Suite(
    NAME,
    KIND,
    "Read messages about instances of domains, and hold the constraints against gold.\n\nMethod llm asks the model, "
    "several times a message where it has to; rules, nothing and gold ask none, and need no --model.",
    methods="rules,nothing,gold",
    load=_load,
    model="For method llm, such as openai/NAME or local/NAME; no other method asks one.",
    needs_model=False,
)
