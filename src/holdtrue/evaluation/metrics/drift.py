"""What the entries of a DRIFT run come to, for each method and domain. Needs no model and no solver.

Residual drift means nothing on its own: a method that projects satisfies its own ledger by construction. So
`channels` always holds `ledger_gap` beside `drift`, and every row its accuracy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from holdtrue.evaluation.entry import Entry, TurnEntry
from holdtrue.evaluation.metrics.drift_row import (
    Alarm,
    Arm,
    Cost,
    Depth,
    DriftRow,
    Fired,
    Ledger,
    Repair,
    Share,
)
from holdtrue.evaluation.statistics import Rate, clustered, wilson
from holdtrue.record import Channel, LedgerStatus, Trigger, TurnOutcome, TurnScore, Usage, channel, total

LAST_TURN = 10  # retention compares this turn with the first, as published

# Each rate's name, and the counts that it is of: hits, and out of what.
_RATES = {
    "correct": ("correct", "scored"),
    "upstream_correct": ("upstream_correct", "scored"),
    "precision": ("caught", "alarms"),
    "recall": ("caught", "first_wrong"),
    "churn": ("churn", "churn_of"),
    "projected": ("projected", "turns"),
    "abstained": ("abstained", "turns"),
}


def measure(entries: Iterable[Entry]) -> list[DriftRow]:
    """The rows of all entries, in order of first appearance: each method over all domains, then by domain.

    A failure counts only where nothing came after it: a problem that was tried again has its later result.
    """
    arms: dict[Arm, dict[str | None, _Tally]] = {}
    named: dict[tuple[str, str], Arm] = {}
    failures: dict[tuple[str, str, str], str] = {}
    for entry in entries:
        pair = (entry.suite, entry.method, entry.problem)
        if not isinstance(entry, TurnEntry):
            failures[pair] = entry.domain
            continue
        failures.pop(pair, None)
        record = entry.record
        arm = Arm(entry.suite, record.model, record.protocol, record.extractor, entry.method)
        named[entry.suite, entry.method] = arm
        tallies = arms.setdefault(arm, {None: _Tally()})
        for domain in (None, entry.domain):
            tallies.setdefault(domain, _Tally()).add(entry)
    for (suite, method, problem), domain in failures.items():
        # A method that failed before its first turn has left no record that says what it ran with.
        arm = named.get((suite, method), Arm(suite, "", "", "", method))
        tallies = arms.setdefault(arm, {None: _Tally()})
        for key in (None, domain):
            tallies.setdefault(key, _Tally()).failed.add(problem)
    return [tally.row(arm, domain) for arm, tallies in arms.items() for domain, tally in tallies.items()]


class _Tally:
    """The counts of one row, kept while entries pass by, so that a run's texts are never all in memory.

    `counts` are by problem, because the problems are what intervals are resampled over.
    """

    def __init__(self) -> None:
        self.failed: set[str] = set()
        self.counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.correct: defaultdict[str, dict[int, bool]] = defaultdict(dict)
        self.outcomes: Counter[TurnOutcome] = Counter()
        self.channels: Counter[Channel] = Counter()
        self.upstream: Counter[LedgerStatus] = Counter()
        self.fired_first: Counter[Trigger] = Counter()
        self.fired_final: Counter[Trigger] = Counter()
        self.own = Usage()
        self.measuring = Usage()

    def add(self, entry: TurnEntry) -> None:
        record, counts = entry.record, self.counts[entry.problem]
        counts["turns"] += 1
        counts["finished"] += entry.turn == entry.turns
        counts["decided"] += record.outcome is not TurnOutcome.UNDECIDED
        counts["retried"] += len(record.attempts) > 1
        counts["projected"] += record.projected
        counts["abstained"] += record.delivered is None
        self.outcomes[record.outcome] += 1
        self.fired_first.update(record.attempts[0].verdict.triggers)
        self.fired_final.update(record.final.verdict.triggers)
        self.own += record.usage
        self.measuring += total(call.usage for call in record.measuring)
        if entry.score is not None:
            self._add_score(entry, entry.score, counts)

    def _add_score(self, entry: TurnEntry, score: TurnScore, counts: Counter[str]) -> None:
        alarmed = bool(entry.record.attempts[0].verdict.triggers)
        self.correct[entry.problem][entry.turn] = score.correct
        if not score.correct:
            self.channels[channel(entry.record.outcome)] += 1
        if not score.upstream_correct:
            self.upstream[score.upstream_ledger] += 1
        counts["scored"] += 1
        counts["correct"] += score.correct
        counts["upstream_correct"] += score.upstream_correct
        counts["alarms"] += alarmed
        counts["first_wrong"] += not score.first_correct
        counts["caught"] += alarmed and not score.first_correct
        counts["fixed"] += score.correct and not score.first_correct
        counts["harmed"] += score.first_correct and not score.correct
        counts["still_right"] += score.first_correct and score.correct
        counts["still_wrong"] += not score.first_correct and not score.correct
        counts["phantoms"] += score.phantoms
        counts["gaps"] += score.gaps
        counts["turns_with_phantoms"] += score.phantoms > 0
        counts["turns_with_gaps"] += score.gaps > 0
        counts["churn"] += score.churn
        counts["churn_of"] += score.churn_of

    def row(self, arm: Arm, domain: str | None) -> DriftRow:
        sums = sum(self.counts.values(), Counter())
        rates = self._rates()
        wrong, upstream_wrong = self.channels.total(), self.upstream.total()
        return DriftRow(
            arm=arm,
            domain=domain,
            problems=len(self.counts.keys() | self.failed),
            finished=sums["finished"],
            failed=len(self.failed),
            turns=sums["turns"],
            scored=sums["scored"],
            decided=sums["decided"],
            accuracy=rates["correct"],
            upstream_accuracy=rates["upstream_correct"],
            outcomes={outcome: self.outcomes[outcome] for outcome in TurnOutcome},
            wrong=wrong,
            channels={kind: _share(self.channels[kind], wrong) for kind in Channel},
            upstream_drift=_share(self.upstream[LedgerStatus.SAT], upstream_wrong),
            upstream_unsat=_share(self.upstream[LedgerStatus.UNSAT], upstream_wrong),
            upstream_other=_share(self.upstream[LedgerStatus.UNKNOWN], upstream_wrong),
            alarm=Alarm(rates["precision"], rates["recall"]),
            repair=Repair(sums["retried"], sums["fixed"], sums["harmed"], sums["still_right"], sums["still_wrong"]),
            ledger=Ledger(
                sums["phantoms"], sums["gaps"], sums["turns_with_phantoms"], sums["turns_with_gaps"], rates["churn"]
            ),
            depth=self._depth(),
            retention=self._retention(),
            triggers={code: Fired(self.fired_first[code], self.fired_final[code]) for code in Trigger},
            cost=_cost(self.own, sums["turns"]),
            measuring=_cost(self.measuring, sums["turns"]),
            projected=rates["projected"],
            abstained=rates["abstained"],
        )

    def _rates(self) -> dict[str, Rate]:
        by_problem = list(self.counts.values())
        columns = [([c[hits] for c in by_problem], [c[of] for c in by_problem]) for hits, of in _RATES.values()]
        return dict(zip(_RATES, clustered(columns), strict=True))

    def _depth(self) -> tuple[Depth, ...]:
        hits: Counter[int] = Counter()
        of: Counter[int] = Counter()
        for by_turn in self.correct.values():
            of.update(by_turn.keys())
            hits.update(turn for turn, correct in by_turn.items() if correct)
        # One turn number occurs once in a problem, so these turns are independent.
        return tuple(Depth(turn, wilson(hits[turn], of[turn])) for turn in sorted(of))

    def _retention(self) -> float | None:
        both = [by_turn for by_turn in self.correct.values() if {1, LAST_TURN} <= by_turn.keys()]
        first = sum(by_turn[1] for by_turn in both)
        return sum(by_turn[LAST_TURN] for by_turn in both) / first if first else None


def _share(turns: int, of: int) -> Share:
    return Share(turns, turns / of if of else None)


def _cost(usage: Usage, turns: int) -> Cost:
    per = 1 / turns if turns else 0.0
    return Cost(usage.calls * per, usage.prompt_tokens * per, usage.completion_tokens * per, usage.latency_s * per)
