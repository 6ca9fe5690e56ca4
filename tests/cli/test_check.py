"""`holdtrue check` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.main import app

TURN: dict[str, Any] = {
    "id": "t1",
    "domain": "seating",
    "entities": ["Ann", "Bob", "Cy"],
    "constraints": [
        {"id": "a", "type": "at_position", "args": ["Ann", 1], "turn": 1},
        {"id": "b", "type": "left_of", "args": ["Bob", "Ann"], "turn": 2},
    ],
    "answer": '{"solution": {"Ann": 1, "Bob": 3, "Cy": 2}}',
}


def run(*args: str, input: str | None = None) -> Result:
    return CliRunner().invoke(app, ["check", *args], input=input)


def verdicts(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_names_what_is_broken_and_what_would_mend_it(tmp_path: Path) -> None:
    file = tmp_path / "turn.json"
    file.write_text(json.dumps(TURN))
    result = run(str(file))
    assert result.exit_code == 1
    assert 'The answer breaks b: "Bob sits immediately left of Ann" (turn 2).' in result.stdout
    assert 'nearest answer that keeps everything: {"Ann": 1, "Bob": 2, "Cy": 3}' in result.stdout


def test_json_has_one_object_a_line_in_input_order() -> None:
    good = {**TURN, "id": "t2", "answer": {"Ann": 1, "Bob": 2, "Cy": 3}, "gold": TURN["constraints"]}
    result = run("-", "--jsonl", "--json", input=f"{json.dumps(TURN)}\n\n{json.dumps(good)}\n")
    first, second = verdicts(result)
    assert (first["id"], first["outcome"], first["violated"], first["mus"]) == ("t1", "drift", ["b"], None)
    assert (second["id"], second["outcome"], second["correct"], second["nearest"]) == ("t2", "consistent", True, None)
    assert first["correct"] is None
    assert result.exit_code == 1


def test_a_contradiction_is_told_in_the_log_s_own_ids() -> None:
    clash = {**TURN, "constraints": [*TURN["constraints"], {"id": "c", "type": "at_position", "args": ["Bob", 3]}]}
    (found,) = verdicts(run("-", "--json", input=json.dumps(clash)))
    assert (found["ledger"], found["outcome"], found["mus"]) == ("unsat", "contradiction", ["a", "b", "c"])


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "no JSON object"),
        ("[" * 100_000, "no JSON object"),
        ("3", "a logged turn is a JSON object, not int"),
        ('{"domain": "chess"}', "'chess' is not known"),
        (json.dumps({**TURN, "entities": "Ann"}), "entities: a list of names is needed"),
        (json.dumps({**TURN, "entities": ["Ann", "ann"]}), "named twice"),
        (json.dumps({**TURN, "constraints": {}}), "constraints: a list is needed"),
        (json.dumps({**TURN, "constraints": [{"id": "z", "type": "near", "args": []}]}), "z: unknown constraint type"),
        (json.dumps({**TURN, "constraints": [{"type": "adjacent", "args": ["Ann"]}]}), "wrong_arity"),
        (json.dumps({**TURN, "constraints": [{"type": "at_position", "args": ["Ann", 0]}]}), "out_of_range"),
        (json.dumps({**TURN, "answer": 7}), "answer: a text or an object is needed"),
        (json.dumps({**TURN, "context": {"table_shape": "oval"}}), "table_shape"),
        (json.dumps({**TURN, "domain": "scheduling", "context": {"num_slots": 10**4000}}), "num_slots must be"),
        (json.dumps({**TURN, "context": {"num_entities": 10**4000}}), "num_entities must be"),
    ],
)
def test_an_unreadable_line_is_named_and_the_rest_goes_on(line: str, says: str) -> None:
    result = run("-", "--jsonl", "--json", input=f"{line}\n{json.dumps(TURN)}\n")
    error, after = verdicts(result)
    assert error["line"] == 1 and says in error["error"]
    assert after["outcome"] == "drift"
    assert result.exit_code == 2


def test_text_that_no_terminal_can_show_is_no_reason_to_stop() -> None:
    odd = json.dumps({**TURN, "id": "\ud800", "answer": "\ud83d {}"})
    result = run("-", "--jsonl", "--json", input=f"{odd}\n{json.dumps(TURN)}\n")
    assert [found["outcome"] for found in verdicts(result)] == ["unparsed", "drift"]


def test_a_list_and_a_missing_file(tmp_path: Path) -> None:
    result = run("-", "--json", input=json.dumps([TURN, TURN]))
    assert len(verdicts(result)) == 2
    missing = run(str(tmp_path / "none.json"))
    assert missing.exit_code != 0 and "cannot be read" in str(missing.exception)


def test_exit_codes_when_all_is_well_and_when_undecided(tmp_path: Path) -> None:
    good = {**TURN, "answer": {"Ann": 1, "Bob": 2, "Cy": 3}}
    assert run("-", input=json.dumps(good)).exit_code == 0


def test_a_user_s_own_domain_from_a_file(tmp_path: Path) -> None:
    declared = {
        "name": "shifts",
        "attributes": [{"name": "day", "low": 1, "high": 5}],
        "constraint_types": [
            {
                "name": "earlier",
                "args": ["entity", "entity"],
                "sentence": "{0} works before {1}",
                "formula": ["<", "$0.day", "$1.day"],
            }
        ],
    }
    file = tmp_path / "shifts.json"
    file.write_text(json.dumps(declared))
    turn = {
        "id": "s",
        "entities": ["Ann", "Bob"],
        "constraints": [{"id": "x", "type": "earlier", "args": ["Ann", "Bob"]}],
        "answer": "Sure: {'Ann': 3, 'Bob': 3,}",
    }
    (found,) = verdicts(run("-", "--json", "--domain", str(file), input=json.dumps(turn)))
    assert found["violated"] == ["x"] and found["nearest"] == {"Ann": 1, "Bob": 3}
