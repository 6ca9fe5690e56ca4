"""A draft goes on where it stopped, and takes up the marks and edits of a person."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.main import app
from holdtrue.errors import InputError, ModelRefused, SettingsError
from holdtrue.guard import load_policy
from holdtrue.guard.drafting.draft_folder import open_folder
from holdtrue.guard.drafting.policy_data import Data, merged, without
from holdtrue.guard.drafting.policy_drafting import PolicyDrafting
from holdtrue.guard.drafting.reply_parts import read_parts
from holdtrue.guard.policy_file import make_policy
from holdtrue.guard.prose import Sentence
from holdtrue.guard.yaml_text import read_yaml, write_yaml
from holdtrue.language.policy_prompts import _LESSONS
from holdtrue.models.cache import CallLog, LoggedModel
from holdtrue.models.chat import ChatModel, Reply, Request
from holdtrue.models.scripted import ScriptModel
from tests.guard.drafting.desks import ABLE, NO_RULE, SHELVES, Parts, pairs, rule, scripted, tool, written
from tests.guard.drafting.test_policy_drafting import DESKS, begun, drafted, open_sentences

WRONG = {**ABLE, "Nobody borrows who owes": [rule("owes", "lend", "facts.member(call.member).owes <= 25")]}
OWES = "Nobody borrows who owes more than 20 dollars."


class Counted(ScriptModel):
    """A model that counts the calls, and fails after a number of them."""

    def __init__(self, model: ChatModel, most: int = 10_000) -> None:
        super().__init__([])
        self.model, self.calls, self.most = model, 0, most

    async def complete(self, request: Request) -> Reply:
        self.calls += 1
        if self.calls > self.most:
            raise ModelRefused("the server is gone")
        return await self.model.complete(request)


@contextmanager
def logged(folder: Path, model: ChatModel) -> Iterator[LoggedModel]:
    with closing(CallLog(folder / "draft.jsonl")) as log:
        yield LoggedModel(model, log)


def texts(folder: Path) -> list[str]:
    paths = [folder / name for name in ("policy.yaml", "questions.yaml")]
    return [path.read_text(encoding="utf-8") for path in paths if path.exists()]


def test_a_stopped_draft_goes_on_and_repeats_no_call(tmp_path: Path) -> None:
    whole, stopped = begun(tmp_path / "a", DESKS["library"]), begun(tmp_path / "b", DESKS["library"])
    with logged(whole, scripted(ABLE, WRONG)) as model:
        drafted(whole, model)
    counted = Counted(scripted(ABLE, WRONG), 15)
    with logged(stopped, counted) as model, pytest.raises(ModelRefused):
        drafted(stopped, model)
    assert "facts.member" not in texts(stopped)[0], "nothing half done is written"
    counted.calls, counted.most = 0, 10_000
    for _ in range(2):  # a finished draft is at rest
        with logged(stopped, counted) as model:
            drafted(stopped, model)
        assert (texts(stopped), counted.calls) == (texts(whole), 2 * 19 - 15)


def test_faults_go_back_and_what_never_loads_stays_open(tmp_path: Path) -> None:
    folder = begun(tmp_path, DESKS["library"])
    seen: list[str] = []

    def again(request: Request) -> Parts | None:
        asked = request.messages[-1].content
        if (
            f"Sentence: {OWES}" in request.messages[request.frame].content
            and len(request.messages) - request.frame < 2 * repaired
        ):
            seen.append(asked)
            return [rule("owes", "lend", "facts.member(call.member).debts <= 20")]
        return None

    repaired = 2
    drafted(folder, scripted(ABLE, again=again), attempts=3)
    assert open_sentences(folder) == set() and len(seen) == 4
    folder, repaired = begun(tmp_path / "never", DESKS["library"]), 99
    drafting, _ = drafted(folder, scripted(ABLE, again=again), attempts=2)
    assert open_sentences(folder) == {OWES} and drafting.questions == []
    assert "debts" in seen[-1] and "These parts cannot be used" in seen[-1]
    (entry,) = (own for own in load_policy(folder / "policy.yaml").not_checked if own.id == "open-7")
    assert entry.reason.startswith("not drafted: rule 'owes', hold, column") and "debts" in entry.reason


def test_a_rule_that_is_given_up_after_a_fault_settles_nothing(tmp_path: Path) -> None:
    folder = begun(tmp_path, DESKS["library"])

    def again(request: Request) -> Parts | None:
        if f"Sentence: {OWES}" not in request.messages[request.frame].content:
            return None
        is_first = len(request.messages) == request.frame + 1
        return [rule("owes", "lend", "facts.member(call.member).debts <= 20")] if is_first else NO_RULE

    drafted(folder, scripted(ABLE, again=again), attempts=3)
    assert open_sentences(folder) == {OWES}


def test_ids_that_a_reply_uses_twice_are_told_apart(tmp_path: Path) -> None:
    folder = begun(tmp_path, DESKS["library"])
    twice = [rule("days", "lend", "call.days <= 28"), rule("days", "lend", "call.days >= 1", "call.days > 1")]
    drafted(folder, scripted({**ABLE, "Students may borrow a book for 14 days": twice}))
    rules = load_policy(folder / "policy.yaml").rules
    assert [own.id for own in rules if own.id.startswith("days")] == ["days", "days-5"]


def test_each_difference_of_two_drafts_is_a_question_with_its_call_or_its_reason(tmp_path: Path) -> None:
    other = {**SHELVES, "entries": pairs(short="7", long="22")}
    polite: Parts = [{"kind": "not_checked", "reason": "No call shows it."}]
    (moved,) = ABLE["A renewal moves the due date"]
    (letter,) = ABLE["Whoever had a fee waived"]
    unlike: list[tuple[str, Parts]] = [("A renewal moves", [{**moved, "set": pairs(due="now.date()")}])]
    unlike += [("Whoever had", [{**letter, "when": letter["hold"], "hold": letter["when"]}])]
    for words, parts in (("Shelf: long;", [other]), ("You lend", polite), ("Read the details", NO_RULE), *unlike):
        folder = begun(tmp_path / words[:4], DESKS["library"])
        drafting, _ = drafted(folder, scripted(ABLE, {words: parts, **ABLE}))
        (question,) = drafting.questions
        assert ("why" in question) is ("case" not in question) and len(open_sentences(folder)) == 1


@pytest.mark.parametrize("reply", ["no JSON", "{}", '{"parts":[]}', '{"parts":[{"kind":"spell"}]}', '{"parts":"x"}'])
def test_a_reply_of_another_form_drafts_nothing(tmp_path: Path, reply: str) -> None:
    folder = begun(tmp_path, DESKS["library"])
    drafted(folder, ScriptModel(lambda _: reply))
    assert len(open_sentences(folder)) == 19
    assert len(load_policy(folder / "policy.yaml").not_checked) == 19


@pytest.mark.parametrize(("expect", "most"), [("allow", 25), ("block", 20)])
def test_an_answered_question_takes_the_draft_that_decides_so(tmp_path: Path, expect: str, most: int) -> None:
    folder = begun(tmp_path, DESKS["library"])
    (question,) = drafted(folder, scripted(ABLE, WRONG))[0].questions
    assert question["tool"] == "lend" and question["rules"] == ["owes"] and question["sentences"] == [7]
    mark = {"edge": question["id"], "sentences": [7], "mark": "wrong", "expect": expect}
    (folder / "marks.yaml").write_text(write_yaml([mark]), encoding="utf-8")
    drafting = PolicyDrafting(folder)  # no model is needed
    drafting.save()
    assert open_sentences(folder) == set() and drafting.questions == []
    (owes,) = (own for own in load_policy(folder / "policy.yaml").rules if own.say == OWES)
    assert owes.hold_text == f"facts.member(call.member).owes <= {most}"


def test_a_wrong_mark_drafts_only_its_sentence_again_with_the_case(tmp_path: Path) -> None:
    """Both drafts have the same fault, which a person sees at an edge."""
    folder, seen = begun(tmp_path, DESKS["library"]), list[str]()
    drafted(folder, scripted(WRONG))
    member = {"member": "M1", "books": 0, "owes": 22, "group": "staff"}
    book = {"book": "B1", "shelf": "long", "reserved": False}
    case: Data = {"tool": "lend", "call": {"member": "M1", "book": "B1", "days": 7}}
    case["facts"] = {"member": [member], "book": [book]}
    mark = {"edge": "owes-3", "rule": "owes", "sentences": [7], "mark": "wrong", "note": "It is 20."}
    (folder / "marks.yaml").write_text(write_yaml([{**mark, "expect": "block", "case": case}]), encoding="utf-8")

    def again(request: Request) -> Parts | None:
        asked = request.messages[request.frame].content
        seen.append(asked)
        first = len(request.messages) == request.frame + 1
        return ABLE["Nobody borrows who owes"] if "It is 20." in asked and not first else None

    drafted(folder, scripted(WRONG, again=again))
    assert all(OWES in own and '"owes": 22' in own and '"expect": "block"' in own for own in seen)
    assert len(seen) == 4, "the same rule again is refused by the case, in both drafts"
    (owes,) = (own for own in load_policy(folder / "policy.yaml").rules if own.say == OWES)
    assert owes.hold_text.endswith("owes <= 20") and owes.id == "owes-7" and open_sentences(folder) == set()
    drafted(folder, scripted(WRONG, again=again))
    assert len(seen) == 4, "the mark is done with"


def test_parts_by_hand_stay_and_words_are_used(tmp_path: Path) -> None:
    folder = begun(tmp_path, DESKS["library"])
    path = folder / "policy.yaml"
    own = "rules:\n- {id: mine, on: waive_fee, hold: call.amount <= 50, say: Mine., sentences: [17]}  # by hand\n"
    path.write_text(path.read_text(encoding="utf-8") + own, encoding="utf-8")
    _, calls = drafted(folder, scripted(ABLE))
    assert len(calls) == 2 * 18
    assert "# by hand" in (folder / "policy.before.yaml").read_text(encoding="utf-8")
    assert "mine" in {own.id for own in load_policy(path).rules} and open_sentences(folder) == set()


def draft(folder: Path, *options: str) -> Result:
    prose, tools = written(folder / "in")
    words = ["policy", "draft", str(prose), "--tools", str(tools), "--out", str(folder / "out"), *options]
    return CliRunner().invoke(app, [*words, "--reads", "get_member,get_book,get_loan"])


def test_the_command_counts_calls_and_tells_what_is_open(tmp_path: Path) -> None:
    assert draft(tmp_path).exit_code == 0
    assert "#   4. Members may have at most 5 books at a time." in (tmp_path / "out/policy.yaml").read_text("utf-8")
    assert CliRunner().invoke(app, ["policy", "check", f"{tmp_path}/out/policy.yaml", "--strict"]).exit_code == 1
    script = tmp_path / "script.json"
    replies: list[Any] = [
        {"match": f"Sentence: {words}", "text": json.dumps({"parts": parts})} for words, parts in ABLE.items()
    ]
    script.write_text(json.dumps([*replies, {"match": "", "text": json.dumps({"parts": NO_RULE})}]), encoding="utf-8")
    result = draft(tmp_path, "--model", f"script/{script}")
    assert result.exit_code == 0, result.output
    assert "38 calls" in result.stdout and "now paid for: 38 calls" in result.stdout
    assert "19 of 19 sentences are settled" in result.stdout
    assert "7. Nobody borrows who owes more than 20 dollars.: rules" in result.stderr
    assert CliRunner().invoke(app, ["policy", "check", f"{tmp_path}/out/policy.yaml", "--strict"]).exit_code == 0
    assert "now paid for: 0 calls" in draft(tmp_path, "--model", f"script/{script}").stdout


def test_a_draft_out_of_time_can_go_on(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"match": "", "text": json.dumps({"parts": NO_RULE})}]), encoding="utf-8")
    result = draft(tmp_path, "--model", f"script/{script}", "--timeout-s", "0.001")
    assert result.exit_code == 3 and "the same command goes on" in result.stdout


def test_another_prose_or_an_edited_one_is_refused(tmp_path: Path) -> None:
    folder = begun(tmp_path, DESKS["library"])
    other, tools = written(tmp_path / "other", "Another prose.")
    with pytest.raises(SettingsError, match="another text already"):
        open_folder(folder, other, tools)
    with pytest.raises(SettingsError, match="add --tools"):
        open_folder(tmp_path / "new", other, None)
    (folder / "prose.md").write_text("Another prose.", encoding="utf-8")
    with pytest.raises(InputError, match="edited after its sentences were numbered"):
        PolicyDrafting(folder)
    (folder / "marks.yaml").write_text("- {edge: a, mark: maybe}\n", encoding="utf-8")


def test_the_lessons_of_the_prompts_load() -> None:
    tools = [tool("get_order", order="text"), tool("send_receipt"), tool("refund", order="text", amount="number")]
    tools[2]["parameters"]["properties"]["method"] = {"enum": ["money", "voucher"]}
    data: Data = {"policy": "desk", "tools": {"definitions": tools, "reads": ["get_order"]}}
    for place, (_, parts) in enumerate(_LESSONS, 1):
        found = read_parts(f'{{"parts":{parts}}}', Sentence(place, "It is so."))
        data = merged(data, _unnumbered(found))
    policy = make_policy(**data)
    assert len(policy.rules) == 4 and len(policy.effects) == len(policy.obligations) == len(policy.consents) == 1


def _unnumbered(value: Any) -> Any:
    """Values without sentences, for a policy without prose."""
    if isinstance(value, dict):
        return {name: _unnumbered(own) for name, own in value.items() if name != "sentences"}
    return [_unnumbered(own) for own in value] if isinstance(value, list) else value


def test_equal_parts_stand_for_both_sentences_and_unlike_names_clash() -> None:
    one: Data = {"rules": [{"id": "a", "sentences": [1]}], "facts": {"x": {"key": 1, "sentences": [1]}}}
    two: Data = {"rules": [{"id": "a", "sentences": [2]}], "facts": {"x": {"key": 1, "sentences": [2]}}}
    both = merged(one, two)
    assert both == {"rules": [{"id": "a", "sentences": [1, 2]}], "facts": {"x": {"key": 1, "sentences": [1, 2]}}}
    assert without(both, 2)["rules"] == one["rules"] and without(one, 1)["rules"] == []
    with pytest.raises(InputError, match=r"facts.x is declared already"):
        merged(one, {"facts": {"x": {"key": 2}}})


@pytest.mark.parametrize("read", [lambda value: read_yaml(write_yaml(value)).value])
def test_written_yaml_reads_back(read: Callable[[Any], Any]) -> None:
    value = {
        "on": ["yes", "n", "~", "1", "true", "12:30", "a: b", "- x", "#", "x?"],
        "no": [1, True, None, "2024-01-01"],
    }
    assert read(value) == value
    assert read(read_yaml("{a: 2.50, b: .5}").value) == read_yaml("{a: 2.50, b: .5}").value
