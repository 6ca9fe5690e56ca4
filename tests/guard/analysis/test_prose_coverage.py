"""The sentences of its prose that a policy leaves open."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue.guard.analysis.policy_analysis import analyse_policy
from holdtrue.guard.analysis.policy_comparison import compare_policies
from tests.guard.test_prose import POLICY, PROSE, policy_of

OPEN = "\n  - {id: fees, say: Fees., reason: Unclear fees., sentences: [4], open: true}\n"


def check(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["policy", "check", str(folder / "policy.yaml"), *options])


def test_open_sentences_and_parts_without_any_are_told(tmp_path: Path) -> None:
    policy = policy_of(tmp_path, POLICY.replace(", sentences: [2, 3]", ""))
    found = analyse_policy(policy).prose
    assert found is not None
    assert [own.number for own in found.open] == [4]
    assert found.unfounded == ("rules five",) and found.sentences == 4
    result = check(tmp_path, "--strict")
    assert result.exit_code == 1
    assert "Prose: 3 of 4 sentences are settled, and these are open:\n  4. Desk: Fees may apply." in result.stdout
    assert "Not in the prose, as far as the policy says: rules five" in result.stdout
    assert check(tmp_path).exit_code == 0
    assert json.loads(check(tmp_path, "--json").stdout)["prose"]["open"][0]["number"] == 4


def test_a_part_may_leave_a_sentence_open_that_others_stand_for(tmp_path: Path) -> None:
    settled = POLICY.replace("sentences: 1", "sentences: [1, 4]")
    policy_of(tmp_path, settled)
    assert check(tmp_path, "--strict").exit_code == 0
    policy_of(tmp_path, settled.rstrip() + OPEN)
    result = check(tmp_path, "--strict")
    assert result.exit_code == 1 and "4. Desk: Fees may apply.\n    Unclear fees." in result.stdout


def test_an_edited_prose_and_a_policy_without_prose_are_not_strict(tmp_path: Path) -> None:
    settled = POLICY.replace("sentences: 1", "sentences: [1, 4]").replace("rules.md", "{file: rules.md, digest: ab}")
    policy = policy_of(tmp_path, settled)
    assert policy.prose is not None
    result = check(tmp_path, "--strict")
    assert result.exit_code == 1 and f"write `digest: {policy.prose.digest}`" in result.stdout
    (tmp_path / "policy.yaml").write_text(
        "policy: x\ntools: {definitions: [{name: a, parameters: {type: object}}]}\n", encoding="utf-8"
    )
    assert check(tmp_path).exit_code == 0
    assert isinstance(check(tmp_path, "--strict").exception, SettingsError)


def test_sentences_decide_nothing(tmp_path: Path) -> None:
    one = policy_of(tmp_path)
    other = policy_of(tmp_path, POLICY.replace("[2, 3]", "[4]"), PROSE + "More.")
    assert compare_policies(one, other).same is True
