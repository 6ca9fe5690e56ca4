"""Which problems of a sequence are satisfiable: its share of any beginning, to within one."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import Gold


def golds(count: int, sat_ratio: float) -> Iterator[Gold]:
    """The labels of `count` problems; raises `SettingsError` for numbers that cannot be."""
    if count < 1 or not 0 <= sat_ratio <= 1:
        raise SettingsError("there has to be one problem at least, and a share of satisfiable ones between 0 and 1")
    satisfiable = 0
    for index in range(count):
        more = floor((index + 1) * sat_ratio + 0.5) > satisfiable
        satisfiable += more
        yield "sat" if more else "unsat"
