"""Turn the facts of a run about assignments into rows, for each method and domain. No model or solver is asked.

Residual drift says nothing by itself, because a method that projects keeps its own ledger by construction. So
`channels` always has `ledger_gap` beside `drift`, and every row has its accuracy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdtrue.record import Satisfiability, TurnOutcome, channel
from holdtrue_lab.figures.statistics import Column, Rate, clustered, ratios
from holdtrue_lab.kinds.assignment import row as rows
from holdtrue_lab.kinds.assignment.facts import LEDGERS, OUTCOMES, SPENT, TRIGGERS, Facts, Turns
from holdtrue_lab.kit.arm import Arm

if TYPE_CHECKING:
    from numpy.typing import NDArray

LAST_TURN = 10  # retention compares this turn with the first, as published


def rows_of(arm: Arm, facts: Facts, *, oracle: bool = False) -> list[rows.DriftRow]:
    """Return the rows of one arm: over all domains, then by domain. `oracle` is that of the rows."""
    return [_row(arm, oracle, domain, facts.turns(domain)) for domain in (None, *facts.domains)]


def _row(arm: Arm, oracle: bool, domain: str | None, turns: Turns) -> rows.DriftRow:
    scored = turns.flags("scored")
    wrong = scored & ~turns.flags("correct")
    upstream_wrong = scored & ~turns.flags("upstream_correct")
    outcomes = {outcome: turns["outcome"] == place for place, outcome in enumerate(OUTCOMES)}
    upstream = {status: turns["upstream_ledger"] == place for place, status in enumerate(LEDGERS)}
    rates = _rates(turns)
    return rows.DriftRow(
        arm=arm,
        oracle=oracle,
        domain=domain,
        problems=turns.problems,
        finished=_count(turns.flags("finished")),
        failed=turns.failed,
        turns=len(turns),
        scored=_count(scored),
        decided=_count(~outcomes[TurnOutcome.UNDECIDED]),
        accuracy=rates["correct"],
        upstream_accuracy=rates["upstream_correct"],
        outcomes={outcome: _count(found) for outcome, found in outcomes.items()},
        wrong=_count(wrong),
        channels={channel(outcome): _share(found, wrong) for outcome, found in outcomes.items()},
        upstream_drift=_share(upstream[Satisfiability.SAT], upstream_wrong),
        upstream_unsat=_share(upstream[Satisfiability.UNSAT], upstream_wrong),
        upstream_other=_share(upstream[Satisfiability.UNKNOWN], upstream_wrong),
        alarm=rows.Alarm(rates["precision"], rates["recall"]),
        repair=_repair(turns),
        ledger=_ledger(turns, rates["churn"]),
        depth=tuple(rows.Depth(turn, rates[_at(turn)]) for turn in _scored_turns(turns)),
        retention=_retention(turns, rates["retained"]),
        triggers={
            code: rows.Fired(
                _count(turns.fired("first", code)), _count(turns.fired("final", code)), _count(turns[f"events {code}"])
            )
            for code in TRIGGERS
        },
        after_retry={
            code: rows.Retried(rates[f"{code} sat"].of, rates[f"{code} correct"], rates[f"{code} sat"])
            for code in TRIGGERS
        },
        truncation=rows.Truncation(rates["clipped"], rates["unclipped"]),
        cost=_cost(turns, "own"),
        measuring=_cost(turns, "measuring"),
        projected=rates["projected"],
        abstained=rates["abstained"],
        unread=rates["unread"],
    )


def _rates(turns: Turns) -> dict[str, Rate]:
    """All rates that are resampled over problems, by name."""
    every, scored, right = turns["turn"] > 0, turns.flags("scored"), turns.flags("correct")
    alarmed = scored & turns.flags("first")
    first_wrong = scored & ~turns.flags("first_correct")
    clipped = turns.flags("clipped")
    pairs = {
        "correct": (right, scored),
        "upstream_correct": (turns["upstream_correct"], scored),
        "precision": (alarmed & first_wrong, alarmed),
        "recall": (alarmed & first_wrong, first_wrong),
        "churn": (turns["churn"], turns["churn_of"]),
        "projected": (turns["projected"], every),
        "abstained": (turns["abstained"], every),
        "unread": (turns["unread"], every),
        "clipped": (clipped, every),
        "unclipped": (right & ~clipped, scored & ~clipped),
    }
    for turn in _scored_turns(turns):
        pairs[_at(turn)] = (right & (turns["turn"] == turn), scored & (turns["turn"] == turn))
    for code in TRIGGERS:
        retried = turns.fired("first", code) & turns.flags("retried")
        pairs[f"{code} correct"] = (right & retried, scored & retried)
        pairs[f"{code} sat"] = (turns.flags("sat") & retried, retried)
    columns: dict[str, Column] = {
        name: (turns.by_problem(hits), turns.by_problem(of)) for name, (hits, of) in pairs.items()
    }
    columns["retained"] = _retained(turns)
    return dict(zip(columns, clustered(list(columns.values())), strict=True))


def _at(turn: int) -> str:
    return f"turn {turn}"


def _scored_turns(turns: Turns) -> list[int]:
    """Return the numbers of turns that have a score in any problem, in order."""
    return sorted({int(turn) for turn in turns["turn"][turns.flags("scored")]})


def _ends(turns: Turns) -> tuple[Column, Column]:
    """Return the columns (right, scored) of the last turn and of the first one, over all problems."""
    scored, right = turns.flags("scored"), turns.flags("correct")
    last, first = (
        (turns.by_problem(right & (turns["turn"] == turn)), turns.by_problem(scored & (turns["turn"] == turn)))
        for turn in (LAST_TURN, 1)
    )
    return last, first


def _retained(turns: Turns) -> Column:
    """Return for each problem whether turn 10 is right, and whether turn 1 is; both are 0 if it lacks one of them."""
    (last, has_last), (first, has_first) = _ends(turns)
    both = [one and two for one, two in zip(has_last, has_first, strict=True)]
    hits, of = ([hit if has else 0 for hit, has in zip(hits, both, strict=True)] for hits in (last, first))
    return hits, of


def _retention(turns: Turns, same_problems: Rate) -> rows.Retention:
    last, first = _ends(turns)
    [published] = ratios([(last, first)])
    both = sum(one > 0 and two > 0 for one, two in zip(last[1], first[1], strict=True))
    return rows.Retention(published, same_problems, both)


def _repair(turns: Turns) -> rows.Repair:
    scored, right, first_right = turns.flags("scored"), turns.flags("correct"), turns.flags("first_correct")
    return rows.Repair(
        retried=_count(turns.flags("retried")),
        fixed=_count(right & ~first_right),
        harmed=_count(~right & first_right),
        still_right=_count(right & first_right),
        still_wrong=_count(scored & ~right & ~first_right),
    )


def _ledger(turns: Turns, churn: Rate) -> rows.Ledger:
    phantoms, gaps = turns["phantoms"], turns["gaps"]
    return rows.Ledger(_count(phantoms), _count(gaps), _count(phantoms > 0), _count(gaps > 0), churn)


def _count(numbers: NDArray[Any]) -> int:
    return int(numbers.sum())


def _share(found: NDArray[Any], of: NDArray[Any]) -> rows.Share:
    hits, total = _count(found & of), _count(of)
    return rows.Share(hits, hits / total if total else None)


def _cost(turns: Turns, whose: str) -> rows.Cost:
    return rows.Cost(*(float(turns[f"{whose} {what}"].sum()) / max(1, len(turns)) for what in SPENT))
