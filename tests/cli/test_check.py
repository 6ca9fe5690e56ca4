"""`holdtrue check` as a person uses it, and how commands read their input."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.exits import ExitCode, fail
from holdtrue.cli.logged_input import logged_turns, open_input
from holdtrue.cli.main import app, main
from holdtrue.conversation.search_session import SearchSession
from holdtrue.conversation.session import Session
from holdtrue.errors import InfrastructureError, InputError, RecordError
from holdtrue.models.scripted import ScriptModel
from tests.guard.log_files import FILES
from tests.guard.log_forms import Asked, Step
from tests.kinds.search.searches import SOLVABLE

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


def test_verbose_tells_which_solver_it_was_and_why() -> None:
    quiet, result = run("-", input=json.dumps(TURN)), run("-", "--verbose", input=json.dumps(TURN))
    assert result.stderr == "t1: sat: 3 variables of at most 3 values, formulas of at most 20,000 clauses\n"
    assert (quiet.stderr, result.stdout, result.exit_code) == ("", quiet.stdout, quiet.exit_code)


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


def test_a_domain_that_is_not_the_given_one_is_told_with_both_names(shifts: str) -> None:
    result = run("-", "--domain", shifts, input=json.dumps({**TURN, "domain": "dinner"}))
    assert "the turn is about 'dinner', the domain that was given is 'shifts', and there are seating" in result.stdout


def test_a_document_with_a_mistake_in_it_is_one_error() -> None:
    result = run("-", input=json.dumps([TURN, TURN], indent=1)[:-2])
    assert result.exit_code != 0 and "is neither one JSON document (" in str(result.exception)
    assert result.stdout == ""


def test_a_saved_session_is_called_one(tmp_path: Path) -> None:
    file = tmp_path / "week.json"
    for session in (
        Session("seating", ["Ann", "Bob"], model=ScriptModel([]), extractor="templates"),
        SearchSession(SOLVABLE, model=ScriptModel([])),
    ):
        session.save(file)
        result = run(str(file))
        assert f"{file} is a saved session, and no log of turns" in str(result.exception)


def test_text_that_no_terminal_can_show_is_no_reason_to_stop() -> None:
    odd = json.dumps({**TURN, "id": "\ud800", "answer": "\ud83d {}"})
    result = run("-", "--jsonl", "--json", input=f"{odd}\n{json.dumps(TURN)}\n")
    assert [found["outcome"] for found in verdicts(result)] == ["unparsed", "drift"]


def test_a_list_and_a_missing_file(tmp_path: Path) -> None:
    result = run("-", "--json", input=json.dumps([TURN, TURN]))
    assert len(verdicts(result)) == 2
    missing = run(str(tmp_path / "none.json"))
    assert missing.exit_code != 0 and "cannot be read" in str(missing.exception)


def test_a_user_s_own_domain_from_a_file(shifts: str) -> None:
    turn = {
        "id": "s",
        "entities": ["Ann", "Bob"],
        "constraints": [{"id": "x", "type": "before", "args": ["Ann", "Bob"]}],
        "answer": "Sure: {'Ann': 3, 'Bob': 3,}",
    }
    (found,) = verdicts(run("-", "--json", "--domain", shifts, input=json.dumps(turn)))
    assert found["violated"] == ["x"] and found["nearest"] == {"Ann": 3, "Bob": 4}


# --- logged chats --------------------------------------------------------------------------------------------

SHIFTS = """
from holdtrue import Attribute, ConstraintType, Domain, Entity, Integer

SHIFTS = Domain(
    "shifts",
    entities=["Ann", "Bob"],
    context=lambda entities, given: {"days": 5, **given},
    attributes=lambda context: [Attribute("day", 1, context["days"])],
    constraint_types=[
        ConstraintType(
            "on_day",
            (Entity(), Integer(1, lambda world: world.context["days"])),
            "{0} works on day {1}",
            lambda world, who, day: who.day.eq(day),
        ),
        ConstraintType(
            "before", (Entity(), Entity()), "{0} works before {1}", lambda world, a, b: a.day < b.day
        ),
    ],
)
"""


def said(*pairs: tuple[str, str]) -> str:
    """A chat of user messages and answers."""
    messages = [
        {"role": role, "content": text}
        for pair in pairs
        for role, text in zip(("user", "assistant"), pair, strict=True)
    ]
    return "\n".join(json.dumps(message) for message in messages)


DAY_1, DAY_2 = (json.dumps({"Ann": day, "Bob": 2}) for day in (1, 2))


@pytest.fixture
def shifts(tmp_path: Path) -> str:
    file = tmp_path / "shifts.py"
    file.write_text(SHIFTS)
    return f"{file}:SHIFTS"


def run_chat(domain: str, text: str, *args: str) -> Result:
    return run("--chat", "-", "--domain", domain, "--extractor", "templates", *args, input=text)


def test_a_chat_is_verified_answer_by_answer(shifts: str, tmp_path: Path) -> None:
    text = said(("Ann works on day 1.", DAY_2), ("Forget that.", DAY_2))
    result = run_chat(shifts, text)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "chat/1: drift",
        '  Agreed: C001, "Ann works on day 1".',
        '  The answer breaks C001: "Ann works on day 1" (turn 1).',
        '  The nearest answer that keeps everything: {"Ann": 1, "Bob": 2}',
        "chat/2: consistent",
        '  Taken back: C001, "Ann works on day 1".',
        "  Nothing was agreed so far that could be broken.",
    ]
    file = tmp_path / "monday.jsonl"
    file.write_text(text)
    found = verdicts(run("--chat", str(file), "--domain", shifts, "--extractor", "templates", "--json"))
    assert [(one["id"], one["turn"], one["violated"]) for one in found] == [
        ("monday/1", 1, ["C001"]),
        ("monday/2", 2, []),
    ]


@pytest.mark.parametrize("name", FILES)
def test_a_chat_in_any_format_of_logs_is_verified(shifts: str, tmp_path: Path, name: str) -> None:
    ask = Asked("c1", "look", {"day": 2}, "free")
    said = (("user", "Ann works on day 1."), ("assistant", DAY_2))
    steps = [Step("user", "Who is free?"), Step("assistant", calls=(ask,)), *(Step(*own) for own in said)]
    (file := tmp_path / ("chat.eval" if "eval" in name else "chat.json")).write_bytes(FILES[name](steps))
    named = [] if "messages" in name else ["--format", name.split()[0]]
    result = run("--chat", str(file), "--domain", shifts, "--extractor", "templates", "--json", *named)
    assert [(own["outcome"], own["violated"]) for own in verdicts(result)] == [("drift", ["C001"])], result.output


def test_names_and_setting_of_a_chat_can_be_given(shifts: str) -> None:
    text = said(("Zoe works on day 7.", '{"Zoe": 7}'))
    given = ["--entities", " Zoe, ", "--context", '{"days": 7}']
    assert run_chat(shifts, text, *given).exit_code == 0
    assert 'Not read: "Zoe works on day 7" (argument 1 of on_day' in run_chat(shifts, text).stdout


def test_answers_without_json_are_unparsed_unless_they_are_passed_over(shifts: str) -> None:
    text = said(("Ann works on day 1.", "Sure, noted."), ("And now?", DAY_1))
    plain = run_chat(shifts, text, "--json")
    assert ([one["outcome"] for one in verdicts(plain)], plain.exit_code) == (["unparsed", "consistent"], 1)
    passed_over = run_chat(shifts, text, "--json", "--skip-prose")
    (found,) = verdicts(passed_over)
    assert (found["turn"], found["outcome"], passed_over.exit_code) == (2, "consistent", 0)


def test_what_was_said_before_an_answer_that_is_passed_over_is_told_with_the_next(shifts: str) -> None:
    text = said(("Ann works on day 1. Bob is ill.", "Sure, noted."), ("And now?", DAY_2), ("Maybe so.", DAY_2))
    first, second = verdicts(run_chat(shifts, text, "--json", "--skip-prose"))
    assert [event["id"] for event in first["events"]] == ["C001"] and first["violated"] == ["C001"]
    assert [one["sentence"] for one in first["unread"]] == ["Bob is ill", "now?"]
    assert second["events"] == [] and [one["sentence"] for one in second["unread"]] == ["Maybe so"]


def test_a_byte_order_mark_and_ends_of_lines_of_another_system_do_not_matter(shifts: str, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_bytes("\ufeff".encode() + said(("Ann works on day 1.", DAY_1)).replace("\n", "\r\n").encode())
    assert run("--chat", str(file), "--domain", shifts, "--extractor", "templates").exit_code == 0


def test_nothing_verified_is_never_well(shifts: str) -> None:
    result = run_chat(shifts, said(("Ann works on day 1.", "Sure, noted.")), "--skip-prose")
    assert result.exit_code != 0 and "nothing was verified" in str(result.exception)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "give either a FILE of logged turns, or --chat FILE"),
        (["turns.json", "--chat", "chat.jsonl"], "give either a FILE"),
        (["turns.json", "--entities", "Ann"], "--entities, --context, --format and --skip-prose go with --chat"),
        (["--chat", "-"], "a chat needs --domain"),
        (["--chat", "-", "--domain", "seating"], "the domain 'seating' names no entities: give them"),
        (["--chat", "-", "--domain", "seating", "--entities", "Ann", "--context", "{"], "--context is no JSON"),
        (["--chat", "-", "--domain", "seating", "--entities", "Ann", "--context", "[]"], "--context is no JSON object"),
        (["--chat", "-", "--domain", "seating", "--entities", "Ann,ann"], "named twice"),
        (["--chat", "none.jsonl", "--domain", "seating", "--entities", "Ann"], "none.jsonl cannot be read"),
        (
            ["--chat", "-", "--domain", "seating", "--entities", "Ann"],
            "standard input: no conversation is in it",
        ),
        (
            ["--chat", "-", "--domain", "seating", "--entities", "Ann", "--extractor", "gold"],
            "unknown extractor 'gold'",
        ),
        (["--chat", "-", "--domain", "seating", "--entities", "Ann", "--model", "magic"], "no model 'magic'"),
    ],
)
def test_wrong_usage_of_chats_is_said(args: list[str], says: str) -> None:
    needs_answer = "--extractor" in args or "--model" in args
    result = run(*args, input=said(("A", "B")) if needs_answer else "")
    assert isinstance(result.exception, InputError) and says in str(result.exception)


def test_a_reader_that_fails_is_infrastructure(shifts: str, tmp_path: Path) -> None:
    (tmp_path / "reader.json").write_text("[]")
    text = said(("Ann wants the first day, 1.", DAY_2))
    result = run("--chat", "-", "--domain", shifts, "--model", f"script/{tmp_path / 'reader.json'}", input=text)
    assert isinstance(result.exception, InfrastructureError) and fail(result.exception) == ExitCode.INFRASTRUCTURE


def test_a_model_reads_the_chat(shifts: str, tmp_path: Path) -> None:
    script = tmp_path / "reader.json"
    script.write_text(json.dumps([json.dumps({"constraints": [{"type": "on_day", "args": ["Ann", 1]}]})]))
    text = said(("Ann wants the first day, 1.", DAY_2))
    result = run("--chat", "-", "--domain", shifts, "--model", f"script/{script}", "--json", input=text)
    (found,) = verdicts(result)
    assert (found["violated"], result.exit_code) == (["C001"], 1)


@pytest.mark.parametrize(
    "text",
    [
        '{"role": "user", "content": "Hi"}\n{"role": "assistant", "content": "Hello"}\n',
        '[{"role": "system", "content": "Be kind"}, {"role": "user", "content": "Hi"}]',
        '{"messages": [{"role": "user", "content": "Hi"}]}',
        '{"role": "assistant", "content": null, "tool_calls": []}\n',
    ],
)
@pytest.mark.parametrize("name", ["talk.json", "talk.jsonl"])
def test_a_chat_given_as_turns_is_called_a_chat_and_says_how_it_is_checked(
    text: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / name
    file.write_text(text)
    if name.endswith("l") and text.startswith("["):
        text = text.strip("[]").replace("}, {", "}\n{")
        file.write_text(text)
    for verb in ("check", "explain"):
        monkeypatch.setattr(sys, "argv", ["holdtrue", verb, str(file)])
        with pytest.raises(SystemExit) as caught:
            main()
        output = capsys.readouterr()
        assert (caught.value.code, output.out) == (2, "")
        assert f"{file} is a chat" in output.err
        assert f"holdtrue check --chat {file} --domain DOMAIN --entities NAMES" in output.err
        assert "is not known" not in output.err


def test_a_refusal_in_a_chat_is_refused(shifts: str) -> None:
    asked = json.dumps({"role": "user", "content": "Ann works on day 1."})
    for refusal in (
        {"role": "assistant", "content": None, "refusal": "I cannot plan this."},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "I cannot plan this."}]},
    ):
        result = run_chat(shifts, f"{asked}\n{json.dumps(refusal)}\n")
        assert (result.exit_code, result.stdout.splitlines()[0]) == (1, "chat/1: refused")
        assert "There is no answer: the model refused: I cannot plan this." in result.stdout


BYTES = b"\xef\xbb\xbfMia \xe2\x88\x80 \xff."


def test_standard_input_is_read_as_a_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "told.txt").write_bytes(BYTES)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BYTES), encoding="ascii", errors="strict"))
    with open_input(str(tmp_path / "told.txt")) as file, open_input("-") as given:
        assert file.read() == given.read() == "Mia ∀ \udcff."


def test_input_that_cannot_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # as Python has it where the descriptor is closed
    for file, says in (("-", "is closed"), ("", "without a name"), (str(tmp_path), "Is a directory")):
        with pytest.raises(RecordError, match=says):
            open_input(file)


@pytest.mark.parametrize("name", ["log.jsonl", "log.json", "-"])
@pytest.mark.parametrize("text", ["", "\n", " \n\t\n\n", "\ufeff", "[]", " [ ]\n"])
def test_a_log_without_a_turn_is_an_error(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.jsonl").write_text(text, "utf-8")
    (tmp_path / "log.json").write_text(text, "utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    if name == "log.jsonl" and "[" in text:
        assert len(list(logged_turns(name, lines=False))) == 1, "a line, which is no logged turn"
        return
    called = "standard input" if name == "-" else name
    with pytest.raises(RecordError, match=f"^{called}: no logged turn is in it: there is nothing to verify$"):
        list(logged_turns(name, lines=False))
