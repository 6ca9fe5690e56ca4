"""Measure a run about claims: turn the entries of its journal into rows. No model or solver is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from holdtrue_claims.kind.settings import Accept
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
from holdtrue_lab.kinds.claims.metrics import ACCURACY, ITEMS, SCORE, VERIFIED, PlayedItem
from holdtrue_lab.kinds.claims.settings import played_methods
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.metrics import Added
from holdtrue_lab.kit.played import PlayedArm, by_arm
from holdtrue_lab.kit.plays import ArmPlays, Play, ProblemKey


@dataclass(frozen=True, slots=True, kw_only=True)
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


# They never look at what is asked, or never ask a model for an answer: the level that others have to be above.
CONTROLS = frozenset({"restate_premises", "solver_only"})


@dataclass(frozen=True, slots=True)
class ClaimPlay(Play):
    """An item that was answered and has a score. `given` is the letter of its answer, None where it has none.

    `verified` counts the claims that the solver proved or refuted, and all claims. If claims were verified, the
    figure `score` is the score of the answer.
    """

    given: str | None = None
    verified: tuple[int, int] = (0, 0)

    @property
    def score(self) -> float | None:
        return self.values("score").get(1)


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """One item under one arm: what it adds to metrics, and none of its texts. Without a score there is no `play`."""

    problem: str
    domain: str
    key: ProblemKey
    asks_model: bool
    added: Added
    play: ClaimPlay | None

    @property
    def is_changed(self) -> bool:
        return self.play is not None and bool(self.play.variant)


def facts_of(entry: ClaimEntry, method: BaselineMethod) -> ItemFacts:
    """Return the facts of one item that a method played."""
    record = entry.record
    added = ITEMS.added(PlayedItem(entry, method))
    said = "\0".join((record.user_message, *entry.problem_lines))
    return ItemFacts(
        problem=entry.problem,
        domain=entry.domain,
        key=(entry.problem, crc32(said.encode("utf-8", "surrogatepass"))),
        asks_model=any(attempt.calls for attempt in record.attempts),
        added=added,
        play=_play(entry, added),
    )


def _play(entry: ClaimEntry, added: Added) -> ClaimPlay | None:
    score = entry.score
    if score is None:
        return None
    value, checked = ITEMS.of(SCORE, added)
    return ClaimPlay(
        domain=entry.domain,
        turns=1,
        right={1: score.correct},
        figures={"score": {1: value}} if checked else {},
        variant=(score.perturbation or "changed") if score.perturbs is not None else "",
        base=score.perturbs or "",
        given=score.given,
        verified=ITEMS.of(VERIFIED, added),
    )


def measure_run(entries: Iterable[Entry], settings: Mapping[str, Any]) -> Measured[ClaimRow]:
    """Measure a run with these settings."""
    return measure_claims(entries, played_methods(settings))


def measure_claims(entries: Iterable[Entry], methods: Mapping[str, BaselineMethod] = METHODS) -> Measured[ClaimRow]:
    """Measure a run; the entries are read once, in any order, and their texts are not kept.

    `methods` are those of the run, by name, as they were played; any other is taken for one that answers once. The
    result's `rows` are one for each method, in order of first appearance, over all data sets and then for each.
    """

    def method_of(name: str) -> BaselineMethod:
        return methods.get(name) or BaselineMethod(name)

    arms = by_arm(entries, ClaimEntry, lambda before, entry: facts_of(entry, method_of(entry.method)))
    # An item that failed is known by what other methods made of it.
    changed = {item.problem for each in arms for item in each.facts if item.is_changed}
    plays = tuple(_plays(each, methods) for each in arms)
    return Measured(
        rows=tuple(row for each in arms for row in _rows(each, method_of(each.arm.method), changed)),
        plays=plays,
        controls=frozenset(name for name, method in methods.items() if method.answerer in CONTROLS),
        forms=1 + _forms(plays),
    )


def _rows(played: PlayedArm[ItemFacts], method: BaselineMethod, changed: set[str]) -> Iterator[ClaimRow]:
    """Yield an arm's rows, over all data sets and then for each; none if only changed items were begun."""
    originals = [item for item in played.facts if item.problem not in changed]
    failures = [domain for problem, domain in played.failed.items() if problem not in changed]
    domains = sorted({*(item.domain for item in originals), *failures})
    oracle = method.verifies and played.arm.extractor.startswith("gold")
    for domain in (None, *domains) if domains else ():
        finished = [item for item in originals if domain in (None, item.domain)]
        failed = sum(domain in (None, its) for its in failures)
        figures = ITEMS.combine([[item.added] for item in finished])
        yield ClaimRow(
            arm=played.arm,
            domain=domain,
            problems=len(finished) + failed,
            finished=len(finished),
            failed=failed,
            title=_title(played.arm, oracle=oracle),
            accuracy=figures[ACCURACY.name],
            figures=figures,
            asks_model=any(item.asks_model for item in played.facts),
            oracle=oracle,
            accept=method.check.accept,
        )


def _title(arm: Arm, *, oracle: bool) -> str:
    """Return the method, with a mark where it was given more than the items' sentences."""
    if not oracle:
        return arm.method
    return f"{arm.method} (oracle {'entities' if arm.extractor.startswith('gold_entities') else 'formulas'})"


def _plays(played: PlayedArm[ItemFacts], methods: Mapping[str, BaselineMethod]) -> ArmPlays[ClaimPlay]:
    """Return the scored items, changed ones too. The arm is a baseline if verification changes no answer."""
    method = methods.get(played.arm.method)
    return ArmPlays(
        played.arm,
        baseline=method is None or (method.answerer not in CONTROLS and not method.verifies),
        plays={item.key: item.play for item in played.facts if item.play is not None},
        asks_model=any(item.asks_model for item in played.facts),
    )


def _forms(arms: Iterable[ArmPlays[ClaimPlay]]) -> int:
    """Return how many forms each original has, itself among them, where all have equally many."""
    changed = {(play.base, item) for arm in arms for (item, _), play in arm.plays.items() if play.variant}
    return max(Counter(original for original, _ in changed).values(), default=0)
