"""Under protocol `upstream` the prompts have the parts that the code of DRIFT-Bench sends, whatever our builders do.

The expected parts are written here from the files of the benchmark, without the builders of the library.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdtrue.conversation import Session
from holdtrue.kinds.assignment.method import PRESETS
from holdtrue.language.readers import GoldExtractor, Protocol
from holdtrue.models.chat import Reply, Request
from holdtrue.record import ReplyKind, Usage
from holdtrue_lab.kinds.assignment.scoring import Gold
from holdtrue_lab.suites.drift.files import load_problem
from tests.data import DRIFT, needs_data
from tests.recorder import Recorder

DEV = sorted((DRIFT / "problems" / "dev").glob("*.json"))
METHODS = [name for name, own in sorted(PRESETS.items()) if own.answerer == "model"]
ONE_OF_EACH = [next((own for own in DEV if own.name.startswith(name)), Path(name)) for name in ("sea", "sch", "log")]
pytestmark = needs_data


def setup(problem: dict[str, Any]) -> str:
    """The first part of the first turn."""
    names = problem["entities"]
    lines = ["Problem setup:", f"Domain: {problem['domain']}", f"Entity count: {len(names)}"]
    lines.append(f"Entities: {', '.join(names)}")
    match problem["domain"]:
        case "seating":
            lines += [f"Table shape: {problem['table_shape']}", f"Seat positions: 1 through {len(names)}"]
        case "scheduling":
            lines.append(f"Time slots available: 1 through {problem['num_slots']}")
            lines.append(f"Maximum duration per event: {problem['max_duration']}")
        case _:
            lines += ["Categories:", *(f"- {name}: {', '.join(own)}" for name, own in problem["categories"].items())]
    return "\n".join(lines)


def begin(problem: dict[str, Any], turn: dict[str, Any]) -> list[str]:
    """The parts of the message of a turn before its ledger."""
    names = [f"Domain: {problem['domain']}", f"Entities: {', '.join(problem['entities'])}"]
    return [setup(problem)] if turn["turn_number"] == 1 else names


Answer = Callable[[dict[str, Any], Request], str | Reply]


def gold_answer(turn: dict[str, Any], request: Request) -> str:
    return json.dumps({"solution": turn["gold_solution"]})


async def played(
    path: Path, method: str, answer: Answer = gold_answer, protocol: Protocol = "upstream"
) -> tuple[dict[str, Any], list[tuple[dict[str, Any], Request]]]:
    """Play a problem. Return its file, and each request with its turn."""
    raw, loaded = json.loads(path.read_text()), load_problem(path)  # noqa: ASYNC240  a small file
    gold, asked = Gold(loaded), list[tuple[dict[str, Any], Request]]()
    for_turn = raw["turns"][:1]
    model = Recorder(lambda request: answer(for_turn[0], request))
    extractor = GoldExtractor(gold.by_turn)
    session = Session(gold.instance, model=model, method=method, protocol=protocol, extractor=extractor)
    for own in raw["turns"]:
        for_turn[0], before = own, len(model.requests)
        await session.turn(own["user_message"])
        asked += [(own, request) for request in model.requests[before:]]
    return raw, asked


@pytest.mark.parametrize("path", DEV, ids=lambda own: own.stem)
async def test_every_turn_names_the_domain_and_all_entities(path: Path) -> None:
    for method in ("direct", "mus_repair"):
        raw, asked = await played(path, method)
        assert len(asked) == len(raw["turns"])
        for place, (turn, request) in enumerate(asked):
            parts = request.messages[-1].content.split("\n\n")
            head = begin(raw, turn)
            assert parts[: len(head)] == head
            said = f"New constraints from user:\n{turn['user_message']}"
            if method == "mus_repair":
                shown = parts[len(head)].removeprefix("Current ledger:\n")
                agreed = [own for own in raw["turns"][:place] for own in own["new_constraints"]]
                if agreed:
                    entries = [(own["type"], *map(str, own["args"])) for own in json.loads(shown)]
                    assert {own[0] for own in entries} <= {own["type"] for own in agreed} and shown[:6] == "[\n  {\n"
                else:
                    assert shown == "(empty ledger)"
            assert parts[-2] == said and parts[-1].startswith("Answer with JSON of this shape: ")
            assert len(parts) == len(head) + 2 + (method == "mus_repair")
            history = [own.content for own in request.messages[1:-1]]
            told = [own for each in raw["turns"][:place] for own in (each["user_message"], gold_answer(each, request))]
            assert history == told


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=lambda own: own.stem)
@pytest.mark.parametrize("method", METHODS)
async def test_prompts_of_all_methods_and_their_retries_have_the_published_parts(method: str, path: Path) -> None:
    for text in ("no idea", json.dumps({"solution": {}}), "cut"):
        reply: Any = Reply(text, Usage(1, 10, 5, 0.0), ReplyKind.CUT) if text == "cut" else text
        raw, asked = await played(path, method, lambda turn, request: reply)  # noqa: B023
        names = f"Domain: {raw['domain']}\n\nEntities: {', '.join(raw['entities'])}"
        for turn, request in asked:
            users = [own.content for own in request.messages if own.role == "user"]
            match request.purpose:
                case "format":
                    assert names in users[-1] and "JSON of this shape" in users[-1]
                case "truncation":
                    assert users[-1].startswith("Previous answer was clipped") and "JSON of this shape" in users[-1]
                    assert any(own.startswith("\n\n".join(begin(raw, turn))) for own in users)
                case "answer" | "repair" | "sample":
                    assert users[-1].startswith("\n\n".join(begin(raw, turn)))
                    signal = users[-1].partition("\n\nRepair signal:\n")[2]
                    assert bool(signal) == (request.purpose == "repair")
                    assert signal.startswith("REPAIR REQUIRED" if signal else "")


async def test_the_appendix_names_the_setting_in_the_first_turn_only() -> None:
    for path in ONE_OF_EACH:
        _, asked = await played(path, "direct", protocol="appendix")
        assert ["Domain: " in request.messages[-1].content for _, request in asked] == [True] + [False] * (
            len(asked) - 1
        )
