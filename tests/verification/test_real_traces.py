"""Final answers of four real models, and labelled mutants of them."""

from __future__ import annotations

import json
import random
from typing import Any

from holdtrue.budget import Budget
from holdtrue.record import AnswerStatus, Trigger
from holdtrue.verification.logged_turn import CheckedTurn, check_logged_turn, read_logged_turn
from holdtrue.world.registry import BUILTIN
from tests.data import DRIFT, needs_data, read_jsonl

pytestmark = needs_data
MUTANTS = 200


def logged(trace: dict[str, Any]) -> dict[str, Any]:
    """A recorded trace in the form that `check` reads."""
    renamed = [{**c, "turn": c["source_turn"]} for c in trace["ledger"]]
    return {
        "id": f"{trace['problem_id']}/{trace['model']}/{trace['turn_number']}",
        "domain": trace["domain"],
        "entities": trace["entities"],
        "context": trace["context"],
        "constraints": renamed,
        "answer": trace["response"],
        "gold": trace["gold_cumulative_constraints"],
    }


def checked(turn: dict[str, Any]) -> CheckedTurn:
    return check_logged_turn(read_logged_turn(turn, BUILTIN, None), Budget())


def drop_entity(turn: dict[str, Any], rng: random.Random) -> None:
    solution = json.loads(turn["answer"])["solution"]
    solution.pop(rng.choice(list(solution)))
    turn["answer"] = json.dumps({"solution": solution})


def violate(turn: dict[str, Any], rng: random.Random) -> None:
    """Let two share a seat, or an event start after the last slot."""
    solution = json.loads(turn["answer"])["solution"]
    entity = rng.choice(list(solution))
    if turn["domain"] == "seating":
        solution[entity] = next(seat for name, seat in solution.items() if name != entity)
    else:
        solution[entity] = {"start": 99, "duration": 1}
    turn["answer"] = json.dumps({"solution": solution})


def malform(turn: dict[str, Any], rng: random.Random) -> None:
    turn["answer"] = rng.choice(["", "I am not sure.", turn["answer"][: rng.randrange(1, 10)], "{}", "[]"])


def contradict(turn: dict[str, Any], rng: random.Random) -> None:
    a, b = rng.sample(turn["entities"], 2)
    clash = (
        [("at_position", [a, 1]), ("at_position", [b, 1])]
        if turn["domain"] == "seating"
        else [("before", [a, b]), ("before", [b, a])]
    )
    turn["constraints"] = turn["constraints"] + [
        {"id": f"X{n}", "type": type, "args": args, "turn": 9} for n, (type, args) in enumerate(clash)
    ]


def read_nothing(turn: dict[str, Any], rng: random.Random) -> None:
    turn["constraints"] = []


EXPECTED = {
    drop_entity: Trigger.INCOMPLETE_ASSIGNMENT,
    violate: Trigger.ANSWER_LEDGER_CONFLICT,
    malform: Trigger.ANSWER_PARSE_FAILED,
    contradict: Trigger.UNSAT_LEDGER,
    read_nothing: Trigger.CONSTRAINT_EXTRACTION_FAILED,
}


def test_labelled_mutants_trigger_what_their_label_says() -> None:
    rng = random.Random(5)
    good = [t for t in read_jsonl(DRIFT / "real_traces.jsonl") if t["recorded"]["answer_correct"]]
    seen: set[Trigger] = set()
    for number in range(MUTANTS):
        mutate = list(EXPECTED)[number % len(EXPECTED)]
        turn = logged(rng.choice(good))
        mutate(turn, rng)
        found = checked(turn)
        label = EXPECTED[mutate]
        # Dropping an entity never makes the rest impossible; every other mutant fires its own code alone.
        assert found.verdict.triggers == (label,), (mutate.__name__, turn)
        seen |= set(found.verdict.triggers)
        if label is Trigger.UNSAT_LEDGER:
            # The ledger without the two was satisfiable, so every conflict needs one of them.
            assert found.verdict.mus is not None and {"X0", "X1"} & set(found.verdict.mus)
        if mutate in (drop_entity, violate, malform):
            assert found.correct is False
        if found.nearest is not None:
            mended = checked({**turn, "answer": {"solution": found.nearest}})
            assert mended.verdict.answer is AnswerStatus.RESPECTING
    assert seen == set(Trigger) - {Trigger.ANSWER_REFUSED}, "a logged text does not say that it is a refusal"
