"""`holdtrue verify` as a person uses it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.exits import ExitCode, fail
from holdtrue.cli.main import app
from holdtrue.errors import HoldtrueError, InfrastructureError, InputError
from holdtrue_claims.claim_record import ClaimType
from holdtrue_claims.kind.calibration import Calibration, write_calibrations
from tests.cli.claim_script import CONTEXT, FORMULAS, write_script

MORE = "What do Mia and Tom do?"


@pytest.fixture
def context(tmp_path: Path) -> str:
    file = tmp_path / "context.txt"
    file.write_text(CONTEXT)
    return str(file)


def run(folder: Path, context: str, answer: str, *args: str, **script: Any) -> Result:
    model = write_script(folder / "model.json", answer, **script)
    given = ["verify", "--context", context, "--answer", "-", "--question", MORE, "--model", model, *args]
    return CliRunner().invoke(app, given, input=answer)


def found(result: Result) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(result.stdout)
    return value


def test_a_claim_that_follows_is_shown_with_what_it_follows_from(context: str, tmp_path: Path) -> None:
    result = run(tmp_path, context, "Mia practises daily.")
    assert result.exit_code == ExitCode.OK, result.output
    assert result.stdout.splitlines() == [
        "Read: 4 of 4 sentences of the context, 4 of them confirmed; 1 of 1 claims.",
        'C1 entailed: "Mia practises daily."',
        "  logical, hard (type): Daily(Mia)",
        '  It follows from: P1 "If someone is a musician, then they practise daily"; '
        'P2 "Everyone who works at the opera is a musician or a dancer"; P3 "Mia works at the opera"; '
        'P4 "Mia is not a dancer".',
        "Score 1.00: accepted.",
    ]
    assert result.stderr == ""  # no terminal, no progress


def test_a_contradictory_claim_is_named_with_what_rules_it_out(context: str, tmp_path: Path) -> None:
    result = run(tmp_path, context, "Mia practises daily. Mia is a dancer.", "--json")
    values = found(result)
    assert (result.exit_code, values["outcome"], values["change"]) == (ExitCode.WRONG, "drift", ["C2"])
    assert [claim["verdict"] for claim in values["claims"]] == ["entailed", "contradictory"]
    assert values["claims"][1]["premises"] == ["P4"] and values["context"]["status"] == "consistent"
    assert values["calls"] > 10 and values["accepted"] is False
    text = run(tmp_path, context, "Mia practises daily. Mia is a dancer.").stdout
    assert '  It is ruled out by: P4 "Mia is not a dancer".\n' in text
    assert text.endswith("Score 0.25: not accepted, 0.75 is needed. To change: C2.\n")


def test_claims_that_clash_are_named_and_open_ones_shown_with_what_would_settle_them(
    context: str, tmp_path: Path
) -> None:
    result = run(tmp_path, context, "Tom is a musician. Tom does not practise daily.")
    assert result.exit_code == ExitCode.WRONG
    lines = result.stdout.splitlines()
    assert 'C1 possible: "Tom is a musician."' in lines
    assert lines[-3] == (
        'These cannot all be true together: P1 "If someone is a musician, then they practise daily"; '
        'C1 "Tom is a musician"; C2 "Tom does not practise daily".'
    )
    assert lines[-2].startswith("The others can hold without the least sure ones: C")
    assert lines[-1].startswith("Score 0.70: not accepted, its claims clash. To change: C")
    (first, *_) = (
        line for line in lines[lines.index('C1 possible: "Tom is a musician."') :] if "It would hold" in line
    )
    settled = first
    holds, fails = settled.split(", and fail with ")
    assert "Musician(Tom) = 1" in holds and "Musician(Tom) = 0" in fails


@pytest.mark.parametrize("verdict", ["supported", "plausible"])
def test_an_answer_that_rests_on_judges_alone_is_not_accepted_unless_they_were_measured(
    context: str, tmp_path: Path, verdict: str
) -> None:
    soft = ["--routing", "soft"]
    assert run(tmp_path, context, "Mia practises daily.", *soft, verdict=verdict).stdout.count("\nC1 entailed: ")
    unknown = run(tmp_path, context, "Mia practises daily.", *soft, "--accept", "judged", verdict=verdict)
    assert ("is not calibrated for logical claims" in unknown.stdout) == (verdict == "supported")
    assert "accepted." not in unknown.stdout.replace("not accepted", "")
    if verdict != "supported":
        return
    (model,) = re.findall(r"as a judge (\S+) is not calibrated", unknown.stdout)
    measured = tmp_path / "judges.json"
    rows = [Calibration(model, ClaimType.LOGICAL, 60, 40, right, 5, "a test", "2026-11-23") for right in (39, 20)]
    codes = []
    for row in rows:
        write_calibrations(measured, [row])
        given = [*soft, "--accept", "judged", "--calibration", str(measured)]
        told = run(tmp_path, context, "Mia practises daily.", *given, verdict=verdict)
        codes.append(told.exit_code)
        assert (told.stdout.splitlines()[-1] == "Score 0.90: accepted. Only judged, not proved: C1.") == (
            row.right == 39
        )
    assert codes == [ExitCode.OK, ExitCode.UNDECIDED]
    assert "was right in 20 of 40 logical claims that it supported" in told.stdout


def test_premises_that_clash_are_said_before_any_verdict(context: str, tmp_path: Path) -> None:
    opera = "Everyone who works at the opera is a musician or a dancer"
    clashing = {**FORMULAS, opera: "forall x (not Opera(x))"}
    result = run(tmp_path, context, "Mia practises daily.", formulas=clashing)
    assert result.exit_code == ExitCode.UNDECIDED
    assert result.stdout.splitlines() == [
        "Read: 4 of 4 sentences of the context, 2 of them confirmed; 0 of 1 claims.",
        f'The premises cannot all hold: P2 "{opera}"; P3 "Mia works at the opera".',
        "The others can hold without P3.",
        'C1 inconsistent context: "Mia practises daily."',
        "  logical, hard (type)",
        "  It was not tested: the premises cannot all hold.",
        "Not checked: not accepted, the premises cannot all hold.",
    ]
    values = found(run(tmp_path, context, "Mia practises daily.", "--json", formulas=clashing))
    assert (values["outcome"], values["context"]["conflict"]) == ("contradiction", ["P2", "P3"])
    assert (values["accepted"], values["score"]) == (False, None)


def test_a_premise_without_a_formula_is_said_to_count_for_nothing(context: str, tmp_path: Path) -> None:
    less = {text: formula for text, formula in FORMULAS.items() if text != "Mia is not a dancer"}
    result = run(tmp_path, context, "Mia practises daily.", formulas=less)
    assert result.stdout.startswith("Read: 3 of 4 sentences of the context, 2 of them confirmed; 1 of 1 claims.\n")
    assert 'Without a formula, and so counted for nothing: P4 "Mia is not a dancer".\nC1 possible: ' in result.stdout
    assert "  P4 could not be read, and may settle it.\n" in result.stdout
    assert result.exit_code == ExitCode.UNDECIDED


def test_an_answer_that_only_repeats_is_not_accepted_and_what_was_not_told_is_noted(
    context: str, tmp_path: Path
) -> None:
    repeated = run(tmp_path, context, "Mia works at the opera.")
    assert "C1 entailed" in repeated.stdout and repeated.exit_code == ExitCode.UNDECIDED
    assert repeated.stdout.endswith("Score 1.00: not accepted, every claim only repeats what was told.\n")
    result = run(tmp_path, context, "Mia practises daily. Mya is a dancer.")
    assert "\nNot in what was told: Mya (told: Mia)\n" in result.stdout


@pytest.mark.parametrize("lost", range(5))
def test_a_model_that_reads_less_than_half_is_called_too_small(context: str, tmp_path: Path, lost: int) -> None:
    formulas = {text: formula for n, (text, formula) in enumerate(FORMULAS.items()) if n >= lost}
    result = run(tmp_path, context, "Mia sings.", formulas=formulas)
    assert ("The model is too small" in result.stdout) == (lost > 1) == ("--model" in result.stdout)
    reading = found(run(tmp_path, context, "Mia sings.", "--json", formulas=formulas))["read"]
    assert (reading["sentences"], reading["read"], reading["claims_read"]) == (4, 4 - min(lost, 4), 0)
    assert reading["too_small"] == (lost > 1)


def test_an_answer_without_claims_is_undecided(context: str, tmp_path: Path) -> None:
    result = run(tmp_path, context, "Shall I look?")
    assert result.exit_code == ExitCode.UNDECIDED and "No claim was found in the answer." in result.stdout


def test_several_models_draw_the_formulas(context: str, tmp_path: Path) -> None:
    other = write_script(tmp_path / "other.json", "", formulas={**FORMULAS, "Mia practises daily": "Musician(Mia)"})
    result = run(tmp_path, context, "Mia practises daily.", "--formalizer", other, "--formulas", "2", "--json")
    (claim,) = found(result)["claims"]
    assert set(claim["formalization"]["samples"]) == {"Daily(Mia)", "Musician(Mia)"}


def test_another_model_judges(context: str, tmp_path: Path) -> None:
    judge = write_script(tmp_path / "judge.json", "", verdict="unsupported")
    soft = ["--routing", "soft", "--accept", "judged", "--judge", judge, "--json"]
    values = found(run(tmp_path, context, "Mia practises daily.", *soft, verdict="supported"))
    assert values["claims"][0]["verdict"] == "unsupported"
    by_model = values["calls_by_model"]
    assert set(by_model) == {"script/model.json", "script/judge.json"} and sum(by_model.values()) == values["calls"]
    assert by_model["script/judge.json"] == 5 - values["saved"]["judge"]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--context", "none.txt", "--answer", "-"], "none.txt cannot be read"),
        (["--context", "-", "--answer", "none.txt"], "none.txt cannot be read"),
        (["--context", "-", "--answer", "-"], "not both"),
        (["--context", "{folder}", "--answer", "-"], "cannot be read: Is a directory"),
        (["--context", "", "--answer", "-"], "a file without a name cannot be read"),
        (["--context", "{context}", "--answer", "{empty}"], "empty.txt: there is no sentence in it"),
        (["--context", "{empty}", "--answer", "{context}"], "empty.txt: there is no sentence in it"),
        (["--context", "{dots}", "--answer", "{context}"], "dots.txt: there is no sentence in it"),
        (["--context", "{utf16}", "--answer", "{context}"], "utf16.txt: no plain text"),
        (["--context", "{context}", "--answer", "{huge}"], "longer than 200,000 characters"),
        (["--context", "{context}", "--answer", "-", "--routing", "all"], "there are types, hard, soft"),
        (["--context", "{context}", "--answer", "-", "--timeout-s", "0"], "timeout_s must be more than 0"),
        (["--context", "{context}", "--answer", "-", "--draw-temperature", "inf"], "temperature must be a number"),
        (["--context", "{context}", "--answer", "-", "--formalizer", "magic"], "no model 'magic'"),
        (["--context", "{context}", "--answer", "-", "--model", "magic"], "no model 'magic'"),
        (["--context", "{context}", "--answer", "-", "--model", "script/{empty}"], "script"),
    ],
)
def test_wrong_usage_is_said(args: list[str], says: str, context: str, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "huge.txt").write_text("Mia sings. " * 20_000)
    (tmp_path / "dots.txt").write_text("...")
    (tmp_path / "utf16.txt").write_text("Mia sings.", encoding="utf-16")
    names = {name: str(tmp_path / f"{name}.txt") for name in ("context", "empty", "huge", "dots", "utf16")}
    names["folder"] = str(tmp_path)
    result = CliRunner().invoke(app, ["verify", *(arg.format(**names) for arg in args)], input="Mia sings.")
    assert isinstance(result.exception, HoldtrueError) and says in str(result.exception)
    assert isinstance(result.exception, InputError) or says == "script"


def test_missing_options_are_usage() -> None:
    assert CliRunner().invoke(app, ["verify", "--answer", "-"], input="x").exit_code == ExitCode.USAGE


def test_a_model_that_fails_is_infrastructure(context: str, tmp_path: Path) -> None:
    (tmp_path / "short.json").write_text("[]")
    given = ["verify", "--context", context, "--answer", "-", "--model", f"script/{tmp_path / 'short.json'}"]
    result = CliRunner().invoke(app, given, input="Mia sings.")
    assert isinstance(result.exception, InfrastructureError) and fail(result.exception) == ExitCode.INFRASTRUCTURE


def test_text_that_no_terminal_can_show_is_no_reason_to_stop(tmp_path: Path) -> None:
    odd = tmp_path / "odd.txt"
    odd.write_bytes("\ufeffMia works at the opera. ".encode() + b"\xff\xfe.")
    result = run(tmp_path, str(odd), "Mia works at the opera.")
    assert 'C1 entailed: "Mia works at the opera."' in result.stdout and result.exit_code == ExitCode.UNDECIDED
    assert '"\ufffd\ufffd"' in result.stdout
    assert f"{odd}: bytes that are no UTF-8, read as \ufffd: 2\n" in result.stderr


def test_an_answer_of_any_bytes_is_read_from_standard_input(context: str, tmp_path: Path) -> None:
    model = write_script(tmp_path / "model.json", "Mia practises daily.")
    given = ["verify", "--context", context, "--answer", "-", "--model", model]
    result = CliRunner().invoke(app, given, input=b"\xef\xbb\xbfMia practises daily.\xff")
    assert "C1 entailed" in result.stdout and "standard input: bytes that are no UTF-8" in result.stderr


def test_all_settings_of_checking_are_laid_over_the_published_ones(context: str, tmp_path: Path) -> None:
    formulas = {"Mia works at the opera": "Opera(Mia)", "Mia practises daily": "Daily(Mia)"}
    given = ["--formulas", "1", "--round-trip", "0", "--draw-temperature", "0.5", "--choice-rounds", "0", "--json"]
    values = found(run(tmp_path, context, "Mia practises daily.", *given, formulas=formulas))
    (made,) = (claim["formalization"] for claim in values["claims"])
    assert (made["samples"], made["formula"], made["retold"]) == (["Daily(Mia)"], "Daily(Mia)", None)
    assert values["accepted"] is False
    low = run(tmp_path, context, "Tom is a dancer.", "--least-score", "0.6")
    assert low.stdout.splitlines()[-1] == "Score 0.70: not accepted, C1 is only possible."
    assert run(tmp_path, context, "Tom is a dancer.", "--least-score", "0.6", "--accept", "judged").exit_code == 0
