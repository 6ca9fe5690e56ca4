"""`holdtrue policy` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.exits import fail
from holdtrue.cli.main import app
from holdtrue.errors import InputError, SettingsError
from holdtrue.guard.policy_file import PolicyError
from tests.test_house import loaded_by

POLICY = """\
policy: loans
tools:
  definitions:
    - name: lend
      parameters:
        type: object
        required: [book, days]
        properties: {book: {type: string}, days: {type: integer, minimum: 1, maximum: 60}}
    - {name: show_book, parameters: {type: object, required: [book], properties: {book: {type: string}}}}
  reads: [show_book]
  types: {"*": {book: id of book}}
facts:
  book:
    key: {book: id of book}
    record: {shelf: [open, reserved], copies: whole 0..}
    from: [{tool: show_book, key: {book: call.book}}]
rules:
  - {id: copies, on: lend, hold: facts.book(call.book).copies > 0, say: There has to be a copy.}
  - {id: reserved, on: lend, when: facts.book(call.book).shelf == 'reserved', hold: call.days <= 14, say: Not for long.}
"""
CASES = """\
- {name: a, tool: lend, call: {book: B1, days: 20}, facts: {book: [{book: B1, shelf: open, copies: 2}]}, expect: allow}
- name: b
  tool: lend
  call: {book: B1, days: 20}
  facts: {book: [{book: B1, shelf: reserved, copies: 0}]}
  expect: block
  rules: [copies, reserved]
- name: c
  tool: lend
  call: {book: B1, days: 9}
  facts: {book: [{book: B1, shelf: reserved, copies: 1}]}
  expect: allow
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loans.yaml").write_text(POLICY, encoding="utf-8")
    (tmp_path / "cases.yaml").write_text(CASES, encoding="utf-8")
    return tmp_path


def changed(folder: Path, *changes: tuple[str, str]) -> str:
    text = POLICY
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "other.yaml").write_text(text, encoding="utf-8")
    return "other.yaml"


def run(*args: str, input: object = None) -> Result:
    text = input if isinstance(input, str | None) else json.dumps(input)
    return CliRunner().invoke(app, ["policy", *args], input=text)


def test_a_sound_policy(folder: Path) -> None:
    result = run("check", "loans.yaml")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("loans: no fault was found in 2 rules on 1 tool (")
    found = json.loads(run("check", "loans.yaml", "--json").stdout)
    assert (found["faults"], found["undecided"], found["rules"], found["tools"]) == ([], [], 2, 1)


def test_a_policy_with_faults(folder: Path) -> None:
    other = changed(folder, ("call.days <= 14", "call.days > 90"), ("copies > 0", "copies >= 0"))
    result = run("check", other)
    assert result.exit_code == 1
    head, *lines = result.stdout.splitlines()
    assert head.startswith("loans: 2 faults in 2 rules on 1 tool")
    assert lines[0] == (
        "other.yaml:18: copies (always holds): Nothing can break it on lend, "
        "since by the schema facts.book(call.book).copies is at least 0."
    )
    assert lines[1].startswith('  It is kept by: {"tool": "lend", "call": {"book": "')
    assert lines[2].startswith(
        "other.yaml:19: reserved (clashes with the schema): Every call to which it applies breaks it"
    )
    found = json.loads(run("check", other, "--json").stdout)
    assert [(own["kind"], own["rule"], own["line"]) for own in found["faults"]] == [
        ("always holds", "copies", 18),
        ("clashes with the schema", "reserved", 19),
    ]
    explained = run("explain", other, "-", input=found["faults"][1]["example"])
    assert explained.exit_code == 1 and "reserved is broken: Not for long." in explained.stdout


def test_what_is_not_decided_is_no_fault(folder: Path) -> None:
    other = changed(folder, ("call.days <= 14", "call.days / facts.book(call.book).copies > 0"))
    result = run("check", other)
    assert result.exit_code == 3
    assert "Not decided:" in result.stdout and "a division by what was not seen" in result.stdout
    assert "whether reserved" in run("check", other, "-v").stdout
    assert run("check", "loans.yaml", "--timeout-s", "0").exit_code == 2


def test_a_policy_that_cannot_be_used(folder: Path) -> None:
    wrong = run("check", changed(folder, ("copies > 0", "copis > 0"), ("on: lend, when", "on: lnd, when")))
    assert isinstance(wrong.exception, PolicyError) and fail(wrong.exception) == 2
    assert [place.line for place, _ in wrong.exception.faults] == [18, 19]
    missing = run("check", "none.yaml")
    assert isinstance(missing.exception, InputError) and "none.yaml cannot be read" in str(missing.exception)


def test_without_yaml_the_line_to_install_it_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdtrue.extras.find_spec", lambda name: None)
    result = run("check", "loans.yaml")
    assert isinstance(result.exception, SettingsError)
    assert str(result.exception) == "Policy files needs yaml; get it by: pip install 'holdtrue[guard]'"


def test_two_policies(folder: Path) -> None:
    same = run("diff", "loans.yaml", changed(folder, ("call.days <= 14", "call.days < 15")))
    assert (same.exit_code, same.stdout) == (
        0,
        "loans.yaml and other.yaml: they decide alike on every call\n",
    )
    other = changed(folder, ("call.days <= 14", "call.days <= 21"))
    result = run("diff", "loans.yaml", other)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "loans.yaml and other.yaml: they differ",
        "lend: the second policy allows this call, and the first does not (block)",
    ]
    assert "reserved is broken" in lines[3]
    found = json.loads(run("diff", "loans.yaml", other, "--json").stdout)
    (difference,) = found["tools"][0]["differences"]
    assert (difference["first"]["kind"], difference["second"]["kind"]) == ("block", "allow")
    for file, code in (("loans.yaml", 1), (other, 0)):
        assert run("explain", file, "-", input=difference["example"]).exit_code == code
    open_one = changed(folder, ("call.days <= 14", "call.days / facts.book(call.book).copies > 0"))
    assert run("diff", "loans.yaml", open_one).exit_code in (1, 3)


def test_cases(folder: Path) -> None:
    result = run("test", "loans.yaml", "cases.yaml")
    assert (result.exit_code, result.stdout) == (
        0,
        "3 cases, all as expected\nAll of 2 rules are broken by a case and kept by another.\n",
    )
    fewer = run("test", "loans.yaml", "-", input="\n".join(CASES.splitlines()[:1]))
    assert fewer.exit_code == 0
    assert fewer.stdout.splitlines()[1:] == [
        "0 of 2 rules are broken by a case and kept by another; by no case:",
        "  copies is broken",
        "  reserved is broken or kept",
    ]
    assert run("test", "loans.yaml", "-", "--covered", input="\n".join(CASES.splitlines()[:1])).exit_code == 1
    failing = run("test", changed(folder, ("call.days <= 14", "call.days <= 21")), "cases.yaml")
    assert failing.exit_code == 1
    assert failing.stdout.startswith(
        "cases.yaml:2: b: it rests on copies, and copies, reserved is expected\n  block: lend("
    )
    found = json.loads(run("test", "other.yaml", "cases.yaml", "--json").stdout)
    assert (found["cases"], found["failed"], [own["passed"] for own in found["results"]]) == (3, 1, [True, False, True])
    wrong = run("test", "loans.yaml", "-", input=CASES.replace("name: b", "nme: b"))
    assert isinstance(wrong.exception, InputError) and str(wrong.exception).startswith("standard input:2:3: ")


def test_edges_are_shown_and_written_as_cases(folder: Path) -> None:
    shown = run("edges", "loans.yaml", "--rule", "reserved", "--out", "edges.yaml")
    assert (shown.exit_code, shown.stdout.splitlines()[0]) == (0, "reserved on lend:")
    assert any(
        line.startswith("  broken: Blocked: ") and "call.days is 15" in line for line in shown.stdout.splitlines()
    )
    assert run("test", "loans.yaml", "edges.yaml").stdout.startswith(f"{len(shown.stdout.splitlines()) - 1} cases, all")
    found = json.loads(run("edges", "loans.yaml", "--json").stdout)
    assert [(own["rule"], own["tool"]) for own in found] == [("copies", "lend"), ("reserved", "lend")]
    assert {"id", "kind", "situation", "expect", "changes", "text"} <= found[0]["edges"][0].keys()
    assert isinstance(run("edges", "loans.yaml", "--rule", "copis").exception, InputError)
    none = changed(folder, ("copies > 0", "copies >= 0"))
    assert run("edges", none, "--rule", "copies").exit_code == 3


def test_mutants_that_no_case_notices_are_told_with_the_missing_case(folder: Path) -> None:
    result = run("test", "loans.yaml", "cases.yaml", "--mutants", "--write-missing", "missing.yaml")
    assert result.exit_code == 0
    assert "mutants noticed (" in result.stdout
    assert "  reserved tightened: when facts.book(call.book).shelf == 'reserved' hold call.days < 14" in result.stdout
    assert "    missing, allow: " in result.stdout
    assert run("test", "loans.yaml", "cases.yaml", "--mutants", "--covered").exit_code == 1
    (folder / "more.yaml").write_text(CASES + (folder / "missing.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    found = json.loads(run("test", "loans.yaml", "more.yaml", "--mutants", "--covered", "--json").stdout)
    assert (found["failed"], found["mutants"]["unnoticed"]) == (0, [])


def test_a_call_is_explained(folder: Path) -> None:
    call: dict[str, Any] = {"tool": "lend", "call": {"book": "B1", "days": 20}}
    asked = run("explain", "loans.yaml", "-", input=call)
    assert asked.exit_code == 3
    assert 'To be called first: show_book(book="B1")' in asked.stdout
    assert "not seen: facts.book('B1').copies" in asked.stdout
    call["facts"] = {"book": [{"book": "B1", "shelf": "reserved", "copies": 1}]}
    blocked = run("explain", "loans.yaml", "-", input=call)
    assert blocked.exit_code == 1
    assert "copies holds: There has to be a copy." in blocked.stdout
    assert "The nearest call that keeps every rule:\n  days: 14 instead of 20\n" in blocked.stdout
    call["call"]["days"] = 9
    assert run("explain", "loans.yaml", "-", input=call).exit_code == 0
    decision = json.loads(run("explain", "loans.yaml", "-", "--json", input=call).stdout)
    assert (decision["kind"], decision["tool"]) == ("allow", "lend")
    unknown = run("explain", "loans.yaml", "-", input={**call, "tool": "lnd"})
    assert isinstance(unknown.exception, InputError) and "did you mean 'lend'?" in str(unknown.exception)


def test_the_end_of_a_conversation_is_explained(folder: Path) -> None:
    owed = "obligations: [{id: shown, hold: size(done.show_book) > 0, say: Show the book.}]\nrules:"
    other = changed(folder, ("rules:", owed))
    unmet = run("explain", other, "-", input="end: true")
    assert (unmet.exit_code, unmet.stdout.splitlines()[1][:36]) == (1, "  shown is broken: Show the book.")
    met = run("explain", other, "-", "--json", input="end: true\ndone: {show_book: [{book: B1}]}")
    assert (met.exit_code, json.loads(met.stdout)["findings"][0]["status"]) == (0, "holds")


def test_no_laboratory_is_loaded(folder: Path) -> None:
    code = "from typer.testing import CliRunner\nfrom holdtrue.cli.main import app\n"
    code += "assert CliRunner().invoke(app, ['policy', 'check', 'loans.yaml']).exit_code == 0"
    assert not [name for name in loaded_by(code) if name.startswith("holdtrue_lab")]
