"""The row of a report about claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdtrue.kinds.claims.settings import Accept
from holdtrue.lab.kit.groups import FigureRow


@dataclass(frozen=True, slots=True)
class ClaimRow(FigureRow):
    """One method, over one data set (`domain`; None: all of them).

    Only original items are counted, none that is a changed form of another, and of these the finished ones, which have
    an answer; intervals are drawn by item. `asks_model`: it is no control. `oracle`: it used formulas or names, and
    they were the suite's own. `accept`: what an accepted answer may rest on.
    """

    asks_model: bool
    oracle: bool
    accept: Accept

    def to_json(self) -> dict[str, Any]:
        own = {"asks_model": self.asks_model, "oracle": self.oracle, "accept": self.accept}
        return {**FigureRow.to_json(self), **own}
