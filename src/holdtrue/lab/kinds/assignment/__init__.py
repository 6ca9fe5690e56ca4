"""Assignments: what is measured of conversations about values of variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdtrue.kinds.assignment.method import Method
    from holdtrue.lab.kinds.assignment.entry import AssignmentEntry
    from holdtrue.lab.kinds.assignment.problem import Problem
    from holdtrue.lab.kinds.assignment.settings import AssignmentSettings
    from holdtrue.lab.kit.kind import Teller
    from holdtrue.lab.kit.plan import Plan, Prepared
    from holdtrue.lab.kit.players import Player
    from holdtrue.lab.kit.reporting import Reporting
    from holdtrue.lab.kit.suite import Suite
    from holdtrue.models.chat import ChatModel
    from holdtrue.models.sampling import Sampling


class AssignmentKind:
    """The kind of answer; everything is loaded when it is asked for."""

    name = "assignment"
    problem = "problem"

    @property
    def settings(self) -> type[AssignmentSettings]:
        from holdtrue.lab.kinds.assignment.settings import AssignmentSettings

        return AssignmentSettings

    @property
    def sampling(self) -> Sampling:
        from holdtrue.models.sampling import Sampling

        return Sampling()

    def find_method(self, name: str) -> Method:
        from holdtrue.kinds.assignment.method import find_method

        return find_method(name)

    def declare_method(self, table: object) -> Method:
        from holdtrue.lab.kit.declared import declare_method

        return declare_method(table, self.find_method, "direct")

    def describe_method(self, method: Method) -> dict[str, Any]:
        from holdtrue.lab.kit.declared import describe_method

        return describe_method(method)

    def is_preset(self, method: Method) -> bool:
        from holdtrue.kinds.assignment.method import PRESETS
        from holdtrue.lab.kit.declared import is_preset

        return is_preset(method, PRESETS.values())

    def choose_methods(self, methods: Sequence[Method], settings: AssignmentSettings) -> Sequence[Method]:
        return methods

    def other_models(self, settings: AssignmentSettings) -> Sequence[str]:
        return ()

    def prepare(
        self,
        suite: Suite,
        problems: Sequence[Problem],
        methods: Sequence[Method],
        settings: AssignmentSettings,
        model: str,
        given: Mapping[str, Any] | None,
    ) -> Prepared:
        from holdtrue.lab.kinds.assignment.plan import prepare

        return prepare(problems, methods, settings)

    def describe_problem(self, problem: Problem) -> object:
        from holdtrue.lab.kinds.assignment.plan import describe_problem

        return describe_problem(problem)

    def simulated(self, name: str, problems: Sequence[Problem]) -> ChatModel | None:
        return None

    @property
    def entry(self) -> type[AssignmentEntry]:
        from holdtrue.lab.kinds.assignment.entry import AssignmentEntry

        return AssignmentEntry

    def player(self, plan: Plan, others: Sequence[ChatModel]) -> Player:
        from holdtrue.lab.kinds.assignment.player import DriftPlayer

        return DriftPlayer(plan)

    def tally(self, entry: AssignmentEntry) -> tuple[int, int]:
        return (0, 0) if entry.score is None else (int(entry.score.correct), 1)

    def teller(self) -> Teller:
        from holdtrue.lab.kinds.assignment.teller import AssignmentTeller

        return AssignmentTeller()

    @property
    def reporting(self) -> Reporting:
        from holdtrue.lab.kinds.assignment.reporting import REPORTING

        return REPORTING


KIND = AssignmentKind()
