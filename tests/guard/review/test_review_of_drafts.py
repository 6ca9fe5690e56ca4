"""Marks of a review settle the questions of two drafts, and bring a wrong rule back to the draft."""

from __future__ import annotations

from pathlib import Path

from holdtrue.guard import load_policy
from holdtrue.guard.analysis.case_file import read_cases
from holdtrue.guard.analysis.case_running import run_cases
from holdtrue.guard.drafting.draft_folder import open_folder
from holdtrue.guard.drafting.policy_drafting import PolicyDrafting
from holdtrue.guard.drafting.sentence_drafting import Drafter
from holdtrue.guard.review.mark_intake import CASES, Intake, mark_of, take_marks
from holdtrue.guard.review.policy_review import Item
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import CallRecord
from tests.guard.drafting.desks import Answers, rule, scripted, tool, written
from tests.guard.review.shed import items_of, reviewed

FEES = "# Fees\n\nFees above 50 dollars are never waived. No loan is longer than 30 days.\n"
TOOLS = [tool("waive_fee", amount="number"), tool("lend", days="whole")]
ABLE: Answers = {
    "Fees above": [rule("waiver", "waive_fee", "call.amount <= 50")],
    "No loan": [rule("days", "lend", "call.days <= 30")],
}
TIGHT: Answers = {**ABLE, "Fees above": [rule("waiver", "waive_fee", "call.amount < 50")]}
SHORT: Answers = {"No loan": [rule("days", "lend", "call.days < 30")]}


async def drafted(folder: Path, model: ScriptModel) -> None:
    calls: list[CallRecord] = []
    drafting = PolicyDrafting(folder)
    await drafting.draft((Drafter(model, 0, 1, 3, folder, calls), Drafter(model, 1, 2, 3, folder, calls)))
    drafting.save()


def judged(folder: Path) -> Intake:
    """Mark each call as somebody does who knows the prose, and nothing of the policy."""

    def letter(own: Item) -> str:
        wanted = None
        for path, value, _ in own.values:
            limit = {"call.amount": 50, "call.days": 30}.get(path)
            wanted = ("allow" if float(value) <= limit else "block") if limit else wanted
        return "r" if wanted is None or own.expect == wanted else "w"

    policy, passages = reviewed(folder)
    other = {"allow": "block", "block": "allow"}
    marks = [mark_of(own, letter(own), "", other.get(own.expect or "")) for own in items_of(passages).values()]
    return take_marks(folder, policy, passages, marks)


async def test_marks_settle_a_question_and_mend_a_wrong_rule(tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    open_folder(folder, *written(tmp_path / "given", FEES, TOOLS))
    both_short = ({**ABLE, **SHORT}, {**TIGHT, **SHORT})
    await drafted(folder, scripted(*both_short))
    intake = judged(folder)
    assert intake.standings["question-2"] == "open" and "wrong" in intake.standings.values()

    def able(request: object) -> list[dict[str, object]] | None:
        return ABLE["No loan"] if "30" in str(request) and '"expect"' in str(request) else None

    await drafted(folder, scripted(*both_short, again=able))
    policy = load_policy(folder / "policy.yaml")
    assert {own.hold_text for own in policy.rules} == {"call.amount <= 50", "call.days <= 30"}
    assert "wrong" not in judged(folder).standings.values()
    cases = read_cases((folder / CASES).read_text(encoding="utf-8"), policy)
    assert len(cases) > 5 and not run_cases(policy, cases).failed
