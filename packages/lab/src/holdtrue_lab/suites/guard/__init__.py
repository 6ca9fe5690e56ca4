"""Suite `guard` measures which calls of a recorded agent a guard stops, and how many of these calls were right."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from holdtrue.errors import SettingsError
from holdtrue.options import Option
from holdtrue_lab.kinds.decisions import KIND
from holdtrue_lab.kit.suite import Loaded, Suite

NAME = "guard"


@dataclass(frozen=True, slots=True)
class Source:
    data: Annotated[Path, Option("A folder of conversations with tools.json and labels, or dialogues with calls.")]
    policy: Annotated[Path | None, Option("The policy, a YAML file; dialogues need none.")] = None
    unfounded: Annotated[
        Literal["ask", "unasked", "tell"], Option("The decision on arguments that nobody agreed to, in dialogues.")
    ] = "ask"


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    """Return the folder's dialogues, or its conversations with the policy and notes about misfits between them."""
    from holdtrue_lab.suites.guard.dialogue_files import has_dialogues, load_dialogues

    if has_dialogues(source.data):
        if source.policy is not None:
            raise SettingsError("--policy: dialogues are decided on by their own tools, and take no policy")
        return Loaded(f"{source.data}", load_dialogues(source.data, source.unfounded))
    if source.policy is None:
        raise SettingsError("--policy: conversations are decided on by a policy: name its file")
    from holdtrue.guard.policy_file import load_policy
    from holdtrue_lab.suites.guard.files import load_conversations, misfits

    policy = load_policy(source.policy)
    found = load_conversations(source.data, policy)
    return Loaded(f"{source.data}, by {source.policy}", found, notes=list(misfits(source.data, found, policy)))


SUITE = Suite(
    NAME,
    KIND,
    "Decide on every writing call of recorded conversations of an agent with tools, and hold the decisions against "
    "labels; or on every call of recorded dialogues, in its right form and in forms that break what was agreed.\n\n"
    "Facts are what the tools gave back then, whatever is decided. Only method guard_model asks a model, and only in "
    "dialogues.",
    methods="guard,guard_unsaid_unknown,allow_all,block_writes,ask_always",
    load=_load,
    model="For method guard_model, such as openai/NAME or local/NAME; no other method asks one.",
    needs_model=False,
)
