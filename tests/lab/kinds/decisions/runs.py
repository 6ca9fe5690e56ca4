"""Small runs of decisions, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from holdtrue.record import AnswerStatus, AttemptRecord, Satisfiability, TurnRecord, VerdictRecord
from holdtrue_lab.kinds.decisions.entry import DecisionCheck, DecisionDetail, DecisionEntry, DecisionKind
from holdtrue_lab.kinds.decisions.playing import score_decision
from holdtrue_lab.kinds.decisions.problem import CallLabel, LabelledRules
from holdtrue_lab.kit.entry import FailureEntry
from holdtrue_lab.kit.no_model import NO_MODEL
from tests.lab.kinds.written import write_run

RULES = LabelledRules(
    frozenset({"R1", "R2"}), frozenset({"S1"}), frozenset({"T1"}), {"R1": "No book twice.", "S1": "Ask before."}
)
SOUND = CallLabel((), (), True)
METHODS = ("guard", "guard_unsaid_unknown", "allow_all", "block_writes", "ask_always")


def breaks(*rules: str, executed: bool | None = True) -> CallLabel:
    return CallLabel(rules, (), executed)


def open_about(*rules: str) -> CallLabel:
    return CallLabel((), rules, True)


def decided(
    decision: str,
    *rules: str,
    label: CallLabel | None = SOUND,
    task: int | str = 1,
    trial: int = 0,
    turn: int = 1,
    turns: int = 1,
    tool: str = "lend",
    method: str = "guard",
    reward: float | None = 1.0,
    assumptions: Sequence[str] = (),
    replayed: bool | None = True,
    undecided: Sequence[str] = (),
    unread: Sequence[str] = (),
    by_solver: int = 0,
    mode: str = "enforce",
    said: str = "Yes, please.",
) -> DecisionEntry:
    """One decision, scored by its label."""
    kind, control = DecisionKind(decision), method in METHODS[2:]
    detail = DecisionDetail(
        task=task,
        trial=trial,
        message=2 * turn + 1,
        tool=tool,
        arguments=f'{{"book": {turn}}}',
        decision=kind,
        rules=rules,
        labelled_rules=tuple(rule.partition("-")[0] for rule in rules),
        assumptions=tuple(assumptions),
        undecided=tuple(undecided),
        unread=tuple(unread),
        why="The shelf says so.",
        record=None if control else {"decision": decision, "rules": list(rules)},
        by_solver=by_solver,
    )
    verdict = VerdictRecord(Satisfiability.SAT, AnswerStatus.RESPECTING)
    text = f"{tool}({detail.arguments})"
    stops = mode == "enforce" and kind is not DecisionKind.ALLOW
    record: TurnRecord[DecisionDetail, AttemptRecord] = TurnRecord(
        turn=turn,
        user_message=said,
        method=method,
        model=NO_MODEL,
        variant=mode,
        reader="none",
        attempts=(AttemptRecord(1, "answer", text, {"book": turn}, verdict),),
        delivered=None if stops else text,
        withheld="The shelf says so." if stops else None,
        solver_calls=by_solver,
        solver_s=0.002,
        detail=detail,
    )
    score = None if label is None else score_decision(detail, label, RULES)
    check = DecisionCheck(score, reward, None if control else replayed)
    lines = ("R1: No book twice.",) if turn == 1 else ()
    return DecisionEntry("guard", f"task{task}-{trial}", "library", method, turn, turns, record, check, lines)


def decisions(method: str = "guard") -> list[DecisionEntry]:
    """Six conversations of three tasks with every standing there is, as a guard decides, or as a control does."""
    calls: list[tuple[dict[str, Any], str, tuple[str, ...]]] = [
        ({"task": 1, "label": breaks("R1")}, "block", ("R1-twice",)),
        ({"task": 1, "trial": 1, "label": breaks("R1", "S1")}, "block", ("R2",)),
        ({"task": 2, "label": SOUND, "turns": 2, "unread": ["S1: nobody listened"]}, "allow", ()),
        ({"task": 2, "label": open_about("R2"), "turn": 2, "turns": 2}, "ask", ("R2",)),
        ({"task": 2, "trial": 1, "label": breaks("R2"), "reward": 0.0}, "allow", ()),
        ({"task": 3, "label": breaks("T1", executed=False), "reward": 0.0}, "block", ("R1",)),
        ({"task": 3, "trial": 1, "label": SOUND, "tool": "renew"}, "block", ("R1",)),
    ]
    fixed = {"allow_all": "allow", "block_writes": "block", "ask_always": "ask"}.get(method)
    return [decided(fixed or kind, *(() if fixed else rules), method=method, **about) for about, kind, rules in calls]


def run_of(*methods: str) -> list[DecisionEntry]:
    return [entry for method in methods for entry in decisions(method)]


def failure(problem: str = "task9-0", method: str = "guard") -> FailureEntry:
    return FailureEntry("guard", problem, "library", method, 1, "ValueError", "the shelf fell down")


write = partial(
    write_run,
    suite="guard",
    model=NO_MODEL,
    protocol="enforce",
    extractor="none",
    play={"mode": "enforce", "now": None, "timeout_s": 5.0, "policy": "library 0"},
)
