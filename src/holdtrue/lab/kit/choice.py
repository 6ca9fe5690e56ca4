"""Choose the problems that a report shows in full: those on which methods differ most."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.pairs import settings_of
from holdtrue.lab.kit.plan import deal
from holdtrue.lab.kit.plays import ArmPlays, Play, ProblemKey


def most_telling(
    runs: Sequence[Sequence[ArmPlays[Play]]], number: int, controls: Collection[str] = ()
) -> list[ProblemKey]:
    """Return at most `number` problems, taken from the domains in turn, the ones on which methods differ most first.

    What counts is in how many turns two methods of one model differ, one right and one wrong, and then the number of
    wrong turns. Methods among `controls` do not count. Ties are broken by name, so that the choice is always the same.
    """
    played: dict[ProblemKey, dict[Arm, list[Play]]] = {}
    for arm in (arm for arms in runs for arm in arms if arm.arm.method not in controls):
        for asked, play in arm.originals.items():
            played.setdefault(asked, {}).setdefault(settings_of(arm.arm), []).append(play)
    weights = {asked: _weigh(by_model.values()) for asked, by_model in played.items()}
    ranked = sorted(played, key=lambda asked: (*(-weight for weight in weights[asked]), asked))
    domains = {asked: next(iter(by_model.values()))[0].domain for asked, by_model in played.items()}
    return list(deal(sorted(ranked, key=domains.__getitem__), key=domains.__getitem__)[:number])


def _weigh(models: Iterable[Sequence[Play]]) -> tuple[int, int]:
    """Return the number of pairs of methods that differ in a turn, and of wrong turns, over all turns."""
    pairs = wrong = 0
    for plays in models:
        for turn in range(1, plays[0].turns + 1):
            right = [play.right[turn] for play in plays if turn in play.right]
            pairs += sum(right) * (len(right) - sum(right))
            wrong += len(right) - sum(right)
    return pairs, wrong
