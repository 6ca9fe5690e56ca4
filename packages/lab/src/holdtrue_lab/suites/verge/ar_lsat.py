"""Read items of AR-LSAT: puzzles of arranging and grouping from the Law School Admission Test, with options A to E.

Wanjun Zhong et al., "Analytical Reasoning of Text", NAACL 2022; records as in Logic-LM, Liangming Pan et al., 2023.
Nobody has written their logic, so that these items have no gold logic.
"""

from __future__ import annotations

import re
from dataclasses import replace

from holdtrue.errors import RecordError
from holdtrue_lab.kinds.claims.item import Item

DATASET = "ar_lsat"
_LETTERS = "ABCDE"
_OPENED = r"""\s+(?=[A-Z"\u201c\u2018])"""
# A colon behind what announces conditions ends a sentence; a semicolon never does: "if so, ...; otherwise, ...".
_BETWEEN = re.compile(rf"""(?<=[.!?]){_OPENED}|(?<=[.!?]["\u201d\u2019]){_OPENED}|(?<=:){_OPENED}""")
_ANNOUNCED = re.compile(r"\b(?:follow(?:ing|s)|conditions|constraints|restrictions|requirements)\b")


def ar_lsat_item(item: Item) -> Item:
    """Return the item with its context split into sentences.

    Raises `RecordError` for other options than A to E, or some of them, and for a context without sentences.
    """
    letters = "".join(item.options)
    if not _LETTERS.startswith(letters):
        raise RecordError(f"{item.id}: the options are {letters}, not {_LETTERS}")
    sentences = _sentences(item.context)
    if not sentences:
        raise RecordError(f"{item.id}: the context has no sentence")
    return replace(item, sentences=sentences, dataset=item.dataset or DATASET)


def _sentences(context: str) -> tuple[str, ...]:
    found: list[str] = []
    for part in _BETWEEN.split(context.strip()):
        if found and found[-1].endswith(":") and not _ANNOUNCED.search(found[-1]):
            found[-1] += f" {part}"
        elif part:
            found.append(part)
    return tuple(found)
