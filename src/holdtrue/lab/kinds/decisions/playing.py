"""A run decides on every writing call of recorded conversations, with facts as the recorded results of tools show them.

The recorded agent cannot react: whatever is decided about a call, what follows is what its tools gave back then.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict

from holdtrue.errors import SettingsError
from holdtrue.lab.kinds.decisions.deciding import decide
from holdtrue.lab.kinds.decisions.dialogue import GuardedDialogue, play_dialogue
from holdtrue.lab.kinds.decisions.method import DECISION_PRESETS, GUARD, DecisionMethod
from holdtrue.lab.kinds.decisions.problem import RecordedConversation, named_rules
from holdtrue.lab.kinds.decisions.record import DecisionRecord
from holdtrue.lab.kinds.decisions.scoring import check_decision, check_form
from holdtrue.lab.kinds.decisions.settings import DecisionSettings
from holdtrue.lab.kit.no_model import NO_MODEL
from holdtrue.lab.kit.plan import Order, Prepared, deal
from holdtrue.lab.kit.playing import PlayedTurn, Player, Playing
from holdtrue.models.chat import ChatModel
from holdtrue.rules.values import read_moment

Item = RecordedConversation | GuardedDialogue
"""What a run plays: both have an id, a domain, a number of turns, and a form in JSON."""


class DecisionPlayer(Player[Item, DecisionMethod]):
    """Decides on the calls of one conversation, one after the other; each call that is decided on is one turn."""

    async def play(self, problem: Item, method: DecisionMethod, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        from holdtrue.guard.recorded import follow_calls

        if isinstance(problem, GuardedDialogue):
            async for form, record in play_dialogue(problem, method, model, self.plan.play):
                yield PlayedTurn(record, check_form(problem, form, record), _engine(record))
            return
        settings: DecisionSettings = self.plan.play
        turn = 0
        for call, facts in follow_calls(problem.policy, problem.written, problem.calls, settings.now):
            if problem.is_decided(call):
                turn += 1
                record = decide(turn, problem, call, method, facts, settings)
                lines = named_rules(problem.rules, problem.calls) if turn == 1 else ()
                yield PlayedTurn(record, check_decision(problem, call, record), _engine(record), lines)


def _engine(record: DecisionRecord) -> str:
    return "evaluation and a solver" if record.solver_calls else "evaluation"


class DecisionPlaying(Playing[Item, DecisionMethod]):
    """Settings, methods and order of a run of decisions; see `Playing` for what each part does."""

    problem = "conversation"
    left_out = "they have no call that writes"
    settings = DecisionSettings
    plainest = GUARD
    presets = DECISION_PRESETS
    samples_help = "For no method here: a call is decided on once."
    player = DecisionPlayer

    def prepare(self, order: Order[Item, DecisionMethod]) -> Prepared:
        """Leave out what has no call to decide on.

        Raises `InputError` for a moment that is none for the policy, and `SettingsError` for a method that hears words
        where they are not marked, or that asks a model where there is none.
        """
        settings: DecisionSettings = order.settings
        hearing = [method.name for method in order.methods if method.reader != "none"]
        if hearing and not all(isinstance(own, GuardedDialogue) for own in order.problems):
            raise SettingsError(
                f"method {hearing[0]} hears words, and these conversations are decided on by facts alone"
            )
        asking = [method.name for method in order.methods if method.asks_model]
        if asking and order.model == NO_MODEL:
            raise SettingsError(f"method {asking[0]} asks a model: name one with --model")
        played = [problem for problem in order.problems if problem.turns]
        policies = {own.policy.digest: own.policy for own in played if not isinstance(own, GuardedDialogue)}
        for policy in policies.values():
            if settings.now is not None:
                read_moment(settings.now, policy.moment, "--now")
        return Prepared(
            families=[(problem,) for problem in deal(played)],
            methods=order.methods,
            play={**asdict(settings), "policy": ", ".join(f"{each.name} {each.digest}" for each in policies.values())},
            length=lambda problem: problem.turns,
            protocol=settings.mode,
        )

    def notes(self, problems: Sequence[Item], settings: DecisionSettings) -> Sequence[str]:
        """Return a sentence where no moment is known, because rules about time are undecided then."""
        if settings.now is None and any(problem.policy.now is None for problem in problems):
            return ["Neither the policy nor --now says which moment it is: what depends on that is undecided."]
        return []

    def describe_problem(self, problem: Item) -> object:
        return problem.to_json()
