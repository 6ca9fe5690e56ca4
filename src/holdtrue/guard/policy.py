"""A `Policy` holds an operator's rules for the calls and answers of an assistant, read and checked as a whole.

`policy_file.load_policy` and `policy_file.make_policy` make it. All its expressions have types.
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
    """A `Policy` decides on calls and answers (`check`), and turns tool results into facts (`saw`).

    Attributes:
        digest: The SHA-256 hash of all that the policy says.
        moment: The type of `now` and of other moments: local to a named place, or with a zone.
        now: The moment that the policy's text states, for tests and replays. A running app gives the current one.
        errors: The beginnings of results that are errors. A call with such a result had no effect.
        given: Tables, with their types.
        groups: The group of each tool that shares its arguments with other tools, if its name does not show the group.
        unfounded: The treatment of an argument that no user agreed to and no result shows. `tell` only notes it, `ask`
            always asks about it, and `unasked` asks if the user did not ask for the call either.
        undeclared: The treatment of an argument that its tool does not declare: it blocks the call, or is only noted.
        consents: The calls that need a yes of the user, each with its condition.
        named: The expressions that rules may use by name (`let`).
        prose: The numbered sentences that the policy was written from, or None.
        citing: The parts of the policy, each with the sentences of the prose that it stands for.
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
        """Return the facts after a call and its result. The call took effect unless the result is an error.

        `at` is the moment of the call, which facts with a `fresh` limit need. `failed` states whether the result is an
        error. If it is None, the policy's `errors` decide.
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
            arguments: JSON, as values or as text. Malformed arguments are blocked.
            facts: The facts that tools have shown so far.
            now: The moment of the call (ISO 8601). The default is the one that the policy states.
            said: The user's statements, by the names under `said`.
            unsaid: Whether a name that `said` lacks counts as not said (a named assumption), or may have been said.
            consent: Whether the user said yes to exactly these arguments.
            listen: Whether the app listens to users' words. If not, consent and rules that need words (`needs: words`)
                are skipped, and the coverage names them.
            mode: In mode `observe`, calls are decided on as usual, but no call is stopped.
            budget: The time limit for proving, by default 2 s. Mending may take the same time again.
            mend: Whether to look for a mended call if the call is blocked.
            partial: Whether arguments may still be filled in.
            explain: Whether to give reasons for rules that are kept, too.

        Raises `InputError` if `now` or `said` is malformed.
        """
        from holdtrue.guard.deciding import LIMIT, HowDecided, check
        from holdtrue.guard.listening import Listening

        if not isinstance(consent, bool):
            raise InputError(f"consent is True or False, not {consent!r:.60}")
        heard = Listening(said, self.unsaid if unsaid is None else unsaid, "answer" if consent else "", listen)
        how = HowDecided(now, mode, LIMIT if budget is None else budget, mend, partial, explain)
        return check(self, tool, arguments, facts, heard, how)

    def replay(self, record: Mapping[str, Any]) -> Decision:
        """Return the decision anew from its record (`Decision.to_json`) alone."""
        from holdtrue.guard.deciding import replay

        return replay(self, record)
