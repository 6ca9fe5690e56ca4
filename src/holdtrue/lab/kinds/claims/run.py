"""One run about claims, read and measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.kinds.claims.method import ClaimMethod
from holdtrue.lab.kinds.claims.measure import measure_claims
from holdtrue.lab.kinds.claims.methods import played_methods
from holdtrue.lab.kinds.claims.plays import ClaimPlays
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kit.folder import Run, named, open_folder, planned, plays_asked_so
from holdtrue.lab.kit.journal import read_entries
from holdtrue.lab.kit.plays import ArmPlays, Play
from holdtrue.lab.kit.standing import Standing

# They never look at what is asked, or never ask a model for an answer: the level that others have to be above.
CONTROLS = frozenset({"restate_premises", "solver_only"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRun(Run[ClaimRow]):
    """What one run came to. `rows` and `plays` are about original items alone.

    `claims`, which methods are compared by, have changed items too, as do `planned`, `finished` and `failed`.
    `controls` are its methods that are no way of answering.
    """

    claims: tuple[ClaimPlays, ...]
    controls: frozenset[str]

    def compared(self) -> tuple[ClaimPlays, ...]:
        """`claims`, with how the model was asked in the model's name."""
        return plays_asked_so(self.claims, self.how)

    def to_json(self) -> dict[str, Any]:
        """The run for programs: rates with counts and intervals, shares in 0..1."""
        return {**self.standing(), "rows": [row.to_json() for row in self.rows]}


def read_claim_run(folder: Path) -> ClaimRun:
    """Read and measure a run's folder, also of a run that is still going on; raises what `read_run` raises."""
    settings, standing = open_folder(folder), Standing()
    methods = played_methods(settings)
    measured = measure_claims(standing.watch(read_entries(folder)), methods)
    if not measured.rows:
        changed = "only changed forms of items were played yet"
        raise RecordError(f"{folder}: {changed if standing.begun else 'the run has not finished a single turn yet'}")
    return ClaimRun(
        folder=folder,
        settings=settings,
        planned=_planned(settings, measured.plays),
        finished=standing.finished(settings.get("methods", ())),
        failed=len(standing.failed),
        rows=tuple(named(row, settings) for row in measured.rows),
        plays=tuple(_as_turns(arm, methods) for arm in measured.plays),
        claims=measured.plays,
        controls=frozenset(name for name, method in methods.items() if method.answerer in CONTROLS),
    )


def _planned(settings: Mapping[str, Any], arms: Iterable[ClaimPlays]) -> int | None:
    """As for any run; but a limit counts originals, each of which brings its changed forms.

    How many, the journal tells, where every original has as many. None where that does not go with the number of items.
    """
    changed = {(play.perturbs, item) for arm in arms for (item, _), play in arm.plays.items() if play.perturbation}
    forms = 1 + max(Counter(original for original, _ in changed).values(), default=0)
    problems, limit = settings.get("problems"), settings.get("limit")
    if limit is None or forms == 1:
        return planned(settings)
    if not isinstance(problems, int) or problems % forms:
        return None
    return planned({**settings, "limit": limit * forms})


def _as_turns(arm: ClaimPlays, methods: Mapping[str, ClaimMethod]) -> ArmPlays:
    """Original items as problems of one turn. A baseline's answers do not depend on what verification finds."""
    plays = {asked: Play(play.domain, 1, {1: play.right}) for asked, play in arm.plays.items() if not play.perturbation}
    method = methods.get(arm.arm.method)
    answers = method is None or (method.answerer not in CONTROLS and not method.verifies)
    return ArmPlays(arm.arm, answers, plays)
