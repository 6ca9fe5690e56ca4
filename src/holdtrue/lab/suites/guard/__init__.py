"""Suite `guard`: which calls of a recorded agent does a guard stop, and which does it stop that were right?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from holdtrue.lab.kinds.decisions import KIND
from holdtrue.lab.kit.suite import Loaded, Suite
from holdtrue.options import Option

NAME = "guard"


@dataclass(frozen=True, slots=True)
class Source:
    """A `Source` says where conversations come from, and by which policy they are decided on."""

    data: Annotated[Path, Option("A folder with conversations.jsonl, tools.json, and labels where there are any.")]
    policy: Annotated[Path, Option("The policy that decides, a YAML file.")]


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    """The conversations of the folder, each with the policy; what of the two does not fit together is told."""
    from holdtrue.guard.policy_file import load_policy
    from holdtrue.lab.suites.guard.files import load_conversations, misfits

    policy = load_policy(source.policy)
    found = load_conversations(source.data, policy)
    return Loaded(f"{source.data}, by {source.policy}", found, notes=list(misfits(source.data, found, policy)))


SUITE = Suite(
    NAME,
    KIND,
    "Decide on every writing call of recorded conversations of an agent with tools, and hold the decisions against "
    "labels.\n\nFacts are what the tools gave back then, whatever is decided. No model is asked.",
    methods="guard,guard_unsaid_unknown,allow_all,block_writes,ask_always",
    load=_load,
    model=None,
)
