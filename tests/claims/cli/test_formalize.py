"""`holdtrue formalize` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.main import app
from holdtrue.errors import InfrastructureError, InputError
from tests.cli.claim_script import CONTEXT, FORMULAS, write_script


def run(folder: Path, *args: str, input: str = CONTEXT, **script: Any) -> Result:
    model = write_script(folder / "model.json", "", **script)
    return CliRunner().invoke(app, ["formalize", "-", "--model", model, *args], input=input)


def test_a_text_is_shown_as_logic(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.exit_code == ExitCode.OK
    assert result.stdout.splitlines() == [
        "Things:",
        "  Mia: person",
        "Words:",
        "  Musician(x): x is a musician",
        "  Dancer(x): x is a dancer",
        "  Opera(x): x works at the opera",
        "  Daily(x): x practises daily",
        "Premises:",
        '  P1 "If someone is a musician, then they practise daily"',
        "    ∀x (Musician(x) → Daily(x))",
        '  P2 "Everyone who works at the opera is a musician or a dancer"',
        "    ∀x (Opera(x) → (Musician(x) ∨ Dancer(x)))",
        '  P3 "Mia works at the opera"',
        "    Opera(Mia)",
        '  P4 "Mia is not a dancer"',
        "    ¬Dancer(Mia)",
        "All premises that have a formula can hold.",
    ]


def test_json_has_the_same(tmp_path: Path) -> None:
    values = json.loads(run(tmp_path, "--json", "--question", "Does Tom practise daily?").stdout)
    assert values["things"] == {"Mia": "person", "Tom": "person"} and values["status"] == "consistent"
    assert [premise["formula"] for premise in values["premises"]][2:] == ["Opera(Mia)", "¬Dancer(Mia)"]


def test_alerts_have_their_place(tmp_path: Path) -> None:
    odd = {**FORMULAS, "Mia works at the opera": "Opera(Mia) and Sings(Mia)"}
    result = run(tmp_path, formulas=odd)
    assert result.exit_code == ExitCode.UNDECIDED
    place = result.stdout.index("no formula")
    alert = result.stdout[place:].splitlines()[1]
    assert alert.startswith("    undeclared: ") and ', at 16 in "Opera(Mia) and Sings(Mia)"' in alert
    values = json.loads(run(tmp_path, "--json", formulas=odd).stdout)
    assert values["premises"][2]["alerts"][0]["position"] == 15


def test_no_list_is_taken_for_complete_because_of_its_words(tmp_path: Path) -> None:
    text = "There are two persons, Mia and Tom. Mia works at the opera."
    assert json.loads(run(tmp_path, "--json", input=text).stdout)["closed"] == []


def test_sentences_that_clash_are_named(tmp_path: Path) -> None:
    clashing = {**FORMULAS, "Mia is not a dancer": "not Opera(Mia)"}
    result = run(tmp_path, formulas=clashing)
    assert result.exit_code == ExitCode.WRONG
    assert result.stdout.splitlines()[-2:] == [
        'The premises cannot all hold: P3 "Mia works at the opera"; P4 "Mia is not a dancer".',
        "The others can hold without P4.",
    ]


@pytest.mark.parametrize(
    ("args", "text", "says"),
    [
        (["none.txt"], "", "none.txt cannot be read"),
        (["."], "", ". cannot be read: Is a directory"),
        (["-"], "  ", "standard input: there is no sentence in it"),
        (["-"], "...", "standard input: there is no sentence in it"),
        (["-"], "M\0i\0a\0", "standard input: no plain text"),
        (["-", "--timeout-s", "nan"], "Mia sings.", "timeout_s must be more than 0"),
        (["-", "--model", "magic"], "Mia sings.", "no model 'magic'"),
    ],
)
def test_wrong_usage_is_said(args: list[str], text: str, says: str) -> None:
    result = CliRunner().invoke(app, ["formalize", *args], input=text)
    assert isinstance(result.exception, InputError) and says in str(result.exception)


def test_a_model_that_fails_is_infrastructure(tmp_path: Path) -> None:
    (tmp_path / "short.json").write_text("[]")
    given = ["formalize", "-", "--model", f"script/{tmp_path / 'short.json'}"]
    assert isinstance(CliRunner().invoke(app, given, input=CONTEXT).exception, InfrastructureError)
