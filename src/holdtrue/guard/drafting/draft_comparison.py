"""Compare two drafts of a sentence, and ask a person about each call that they decide differently."""

from __future__ import annotations

import json
from pathlib import Path

from holdtrue.budget import Budget
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.drafting.policy_data import Data, ids, merged
from holdtrue.guard.drafting.reply_parts import NO_RULE
from holdtrue.guard.policy_file import make_policy

LIMIT = Budget(timeout_s=20.0)
"""The time limit for comparing the drafts of one sentence."""
_WORDS = frozenset({"id", "say", "reason", "ask"})
"""The keys of parts whose texts decide nothing."""


def draft_questions(folder: Path, base: Data, number: int, drafts: tuple[Data, Data]) -> list[Data]:
    """Return a question for each difference of two drafts of a sentence, or none if they are proved to agree.

    Args:
        folder: The folder of the files that the policy names.
        base: The data that both drafts are added to.
        drafts: The data of both.
    """
    if _decides(drafts[0]) == _decides(drafts[1]):
        return []
    one, other = (make_policy(folder=folder, **merged(base, own)) for own in drafts)
    found = compare_policies(one, other, LIMIT)
    rules = sorted({own for each in drafts for own in ids(each)})
    about = {"sentences": [number], "rules": rules}
    questions = []
    for own in (each for on in found.tools for each in on.differences):
        sides = {
            name: {"decision": decision.kind, "parts": parts}
            for name, decision, parts in (("first", own.first, drafts[0]), ("second", own.second, drafts[1]))
        }
        questions.append({**about, "tool": own.tool, "case": own.example.to_json(), **sides})
    if not questions:
        told = [*found.told, *(text for on in found.tools for text in (*on.told, *on.undecided)), *_told(*drafts)]
        if told:
            questions.append({**about, "why": told, "first": {"parts": drafts[0]}, "second": {"parts": drafts[1]}})
    name = f"question-{number}"
    return [{"id": f"{name}-{place}" if place else name, **own} for place, own in enumerate(questions)]


def _told(one: Data, other: Data) -> list[str]:
    """Return the differences that decide no call yet: of tables, and of sentences without a rule."""
    found = []
    if one.get("tables") != other.get("tables"):
        found.append("the tables differ")
    if _unchecked(one) != _unchecked(other):
        found.append("the drafts differ in whether the sentence states a rule")
    return found


def _unchecked(data: Data) -> set[bool]:
    return {own["id"] == NO_RULE for own in data.get("not_checked", ())}


def _decides(data: Data) -> str:
    """Return a text that is equal for drafts that differ in ids and words alone."""
    parts = {key: own for key, own in data.items() if key != "not_checked"}
    for key in ("rules", "limits", "obligations"):
        parts[key] = sorted(map(_plain, data.get(key, ())))
    parts["said"] = {name: _plain(own) for name, own in data.get("said", {}).items()}
    return _plain({**parts, "unchecked": sorted(_unchecked(data))})


def _plain(part: Data) -> str:
    return json.dumps({key: own for key, own in part.items() if key not in _WORDS}, sort_keys=True, default=str)
