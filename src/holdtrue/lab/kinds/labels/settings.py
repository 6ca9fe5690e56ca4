"""What a run about queries can set of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, get_args

from holdtrue.conversation.query_session import Asking, Formal
from holdtrue.lab.kit.options import Option
from holdtrue.lab.kit.settings import one_of

ASKED: tuple[Asking, ...] = get_args(Asking)
FORMAL: tuple[Formal, ...] = get_args(Formal)


@dataclass(frozen=True, slots=True)
class LabelSettings:
    """How a case's queries are asked, and whose formulas its sentences are; raises `SettingsError`."""

    ask: Annotated[str, Option("bundle (all queries of a case at once) or one (at a time).")] = "bundle"
    formal: Annotated[str, Option("Sentences as formulas: gold (the suite's own, an oracle) or llm.")] = "gold"
    frame: Annotated[
        str | None, Option("Ask so in every method that asks: direct, few_shot or cot (default: its own way).")
    ] = None

    def __post_init__(self) -> None:
        one_of("way of asking", self.ask, ASKED)
        one_of("kind of formulas", self.formal, FORMAL)
