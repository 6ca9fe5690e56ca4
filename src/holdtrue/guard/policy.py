"""A `Policy` is what an operator demands of the calls and answers of an assistant, read and checked as a whole.

It is made by `policy_file.load_policy` or `policy_file.make_policy`; all expressions in it have types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.decision import Decision, Mode
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy_parts import PolicyParts, Unsaid


class Policy(PolicyParts):
    """A `Policy` is what an operator demands of calls and answers; `saw` takes in results, and `check` decides.

    Attributes:
        digest: The hash of all that the policy says (SHA-256).
        moment: The type of `now` and of moments in it: local to a named place, or with a zone.
        now: The moment that the policy's text states, for tests and replays; a running app gives its own.
        errors: Results of tools that begin so are errors: the call had no effect.
        given: Tables, with their types.
        groups: The group of each tool whose arguments are shared with others, where its name does not tell it.
        unfounded: What becomes of an argument that nobody agreed to and nothing shows: it is told, asked about where
            the user has not asked for the whole call either, or always asked about.
        undeclared: What becomes of a call with an argument that its tool does not declare: it is blocked, or told.
        consents: What needs a yes of the user to just the call, with its condition.
    """

    def saw(
        self,
        facts: Facts,
        tool: str,
        arguments: Any,
        result: Any,
        *,
        at: str | None = None,
        failed: bool | None = None,
    ) -> Facts:
        """Return the facts after a call and its result, which took effect unless the result is an error.

        `at` is the moment of the call; facts that are `fresh` only for a while need it. `failed` says whether the
        result is an error, whatever it looks like; else the policy's `errors` tell.
        """
        from holdtrue.guard.result_forms import is_stop
        from holdtrue.guard.results import taken_in

        failed = None if is_stop(result, arguments) else failed
        return taken_in(self, facts, tool, arguments, result, at=at, failed=failed)[0]

    def check(
        self,
        tool: str,
        arguments: Any,
        facts: Facts,
        *,
        now: str | None = None,
        said: Mapping[str, Any] | None = None,
        unsaid: Unsaid | None = None,
        consent: bool = False,
        listen: bool = True,
        mode: Mode = "enforce",
        budget: Budget | None = None,
        mend: bool = True,
        partial: bool = False,
        explain: bool = False,
    ) -> Decision:
        """Return the decision on a call, or on a structured answer, before it takes effect.

        Args:
            tool: The name of the tool, or of the answer's shape.
            arguments: JSON, as values or as its text; what is malformed is blocked.
            facts: What tools showed so far.
            now: The moment of the call (ISO 8601); the one that the policy states if none is given.
            said: What users were heard to say, by the names under `said`.
            unsaid: What is not in `said` counts as not said, an assumption that is named, or may have been said.
            consent: Whether the user said yes to just these arguments.
            listen: Whether anybody listens to words. If not, consent is not looked at, nor are rules that only words
                decide (`needs: words`), and the coverage names them.
            mode: `observe` decides and records the same, and stops nothing.
            budget: The time that proving may take, and again mending; 2 s if none is given.
            mend: Whether a blocked call is mended.
            partial: Whether arguments may still be filled in.
            explain: Whether rules that are kept have their reasons, too.

        Raises `InputError` where `now` or `said` is malformed.
        """
        from holdtrue.guard.deciding import LIMIT, HowDecided, check
        from holdtrue.guard.listening import Listening

        if not isinstance(consent, bool):
            raise InputError(f"consent is True or False, not {consent!r:.60}")
        heard = Listening(said, self.unsaid if unsaid is None else unsaid, "answer" if consent else "", listen)
        how = HowDecided(now, mode, LIMIT if budget is None else budget, mend, partial, explain)
        return check(self, tool, arguments, facts, heard, how)

    def replay(self, record: Mapping[str, Any]) -> Decision:
        """Return the decision that a record (`Decision.to_json`) was made of, from the record alone."""
        from holdtrue.guard.deciding import replay

        return replay(self, record)
