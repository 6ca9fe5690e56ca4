"""Runs with planted effects: short items of one form, and methods over them, played and measured as a report does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue_claims.fol.vocabulary import Entity, Predicate, Vocabulary
from holdtrue_claims.kind.gold_logic import STATEMENT, GoldLogic
from holdtrue_claims.kind.method import ClaimMethod
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.kinds.claims.measure import ClaimPlay, measure_claims
from holdtrue_lab.kinds.claims.method import BaselineMethod
from holdtrue_lab.kinds.claims.playing import ClaimPlayer
from holdtrue_lab.kinds.claims.settings import ClaimSettings
from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.pairs import Pair
from holdtrue_lab.kit.plays import ArmPlays
from tests.lab.kinds.claims.items import said
from tests.lab.kit.plans import plan_for

OPTIONS = {"A": "True", "B": "False"}
_BEGINNINGS = ("Al", "Bo", "Cas", "Dar", "El", "Far", "Gil", "Hol")
_ENDINGS = ("mo", "na", "ric", "sten", "to")


def bakers(count: int = 30) -> list[Item]:
    """So many items, at most 40, each about somebody else; half of the statements are true, and half false.

    With these options a wrong answer is always refuted by the context, and a right one always proved.
    """
    names = [first + last for first in _BEGINNINGS for last in _ENDINGS][:count]
    return [_baker(name, true=place % 2 == 0) for place, name in enumerate(names)]


def _baker(name: str, *, true: bool) -> Item:
    predicates = (Predicate("Baker", ("person",), "x is a baker"), Predicate("Early", ("person",), "x rises early"))
    context = (f"Whoever is a baker like {name} rises early.", f"{name} is a baker.")
    statement = f"{name} rises early." if true else f"{name} does not rise early."
    meant = said(f"Early({name})") if true else said(f"not Early({name})")
    gold = GoldLogic(
        Vocabulary((Entity(name, "person"),), predicates),
        {"P1": said("forall x (Baker(x) -> Early(x))"), "P2": said(f"Baker({name})")},
        {STATEMENT: meant},
    )
    question = f"Is the following statement true or false? {statement}"
    return Item(
        name, " ".join(context), question, OPTIONS, "A" if true else "B", context, statement, "bakery", gold=gold
    )


async def play(
    name: str, methods: Sequence[ClaimMethod], items: Sequence[Item], settings: ClaimSettings
) -> list[ClaimEntry]:
    """The entries of a run of these methods with the simulated model of that name."""
    plan = plan_for("verge", items, methods, model=name, settings=settings)
    player, model = ClaimPlayer(plan), SimulatedReasoner(name, items)
    return [
        ClaimEntry("verge", item.id, item.domain, method.name, 1, 1, played.record, played.score, played.problem_lines)
        for method in map(settings.over, methods)
        for item in items
        async for played in player.play(item, method, model)
    ]


def measured(entries: Sequence[ClaimEntry], methods: Sequence[ClaimMethod]) -> Measured[FigureRow]:
    """Return the figures of a report on these entries."""
    return measure_claims(entries, {method.name: BaselineMethod.of(method) for method in methods})


def pair(arms: Mapping[str, ArmPlays[ClaimPlay]], method: str, other: str) -> Pair[ClaimPlay]:
    """Two methods of one run, to be compared."""
    return Pair(arms[method], arms[other])
