"""Labels: what is measured of answers to queries about premises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdtrue.kinds.labels.case import Case
    from holdtrue.kinds.labels.method import LabelMethod
    from holdtrue.lab.kinds.labels.entry import LabelEntry
    from holdtrue.lab.kinds.labels.settings import LabelSettings
    from holdtrue.lab.kit.kind import Teller
    from holdtrue.lab.kit.plan import Plan, Prepared
    from holdtrue.lab.kit.players import Player
    from holdtrue.lab.kit.reporting import Reporting
    from holdtrue.lab.kit.suite import Suite
    from holdtrue.models.chat import ChatModel
    from holdtrue.models.sampling import Sampling


class LabelsKind:
    """The kind of answer; everything is loaded when it is asked for."""

    name = "labels"
    problem = "case"

    @property
    def settings(self) -> type[LabelSettings]:
        from holdtrue.lab.kinds.labels.settings import LabelSettings

        return LabelSettings

    @property
    def sampling(self) -> Sampling:
        from holdtrue.models.sampling import Sampling

        return Sampling()

    def find_method(self, name: str) -> LabelMethod:
        from holdtrue.kinds.labels.method import find_label_method

        return find_label_method(name)

    def declare_method(self, table: object) -> LabelMethod:
        from holdtrue.lab.kit.declared import declare_method

        return declare_method(table, self.find_method, "direct")

    def describe_method(self, method: LabelMethod) -> dict[str, Any]:
        from holdtrue.lab.kit.declared import describe_method

        return describe_method(method)

    def is_preset(self, method: LabelMethod) -> bool:
        from holdtrue.kinds.labels.method import LABEL_PRESETS
        from holdtrue.lab.kit.declared import is_preset

        return is_preset(method, LABEL_PRESETS.values())

    def choose_methods(self, methods: Sequence[LabelMethod], settings: LabelSettings) -> Sequence[LabelMethod]:
        from holdtrue.kinds.labels.method import in_frame

        return methods if settings.frame is None else [in_frame(method, settings.frame) for method in methods]

    def other_models(self, settings: LabelSettings) -> Sequence[str]:
        return ()

    def prepare(
        self,
        suite: Suite,
        problems: Sequence[Case],
        methods: Sequence[LabelMethod],
        settings: LabelSettings,
        model: str,
        given: Mapping[str, Any] | None,
    ) -> Prepared:
        from holdtrue.lab.kinds.labels.plan import prepare

        return prepare(suite.name, problems, methods, settings)

    def describe_problem(self, problem: Case) -> object:
        from holdtrue.lab.kinds.labels.plan import describe_case

        return describe_case(problem)

    def simulated(self, name: str, problems: Sequence[Case]) -> ChatModel | None:
        if not name.startswith("sim/"):
            return None
        from holdtrue.lab.kinds.labels.simulation.model import SimulatedAnswerer

        return SimulatedAnswerer(name, list(problems))

    @property
    def entry(self) -> type[LabelEntry]:
        from holdtrue.lab.kinds.labels.entry import LabelEntry

        return LabelEntry

    def player(self, plan: Plan, others: Sequence[ChatModel]) -> Player:
        from holdtrue.lab.kinds.labels.player import LabelPlayer

        return LabelPlayer(plan)

    def tally(self, entry: LabelEntry) -> tuple[int, int]:
        if entry.score is None:
            return 0, 0
        gold, given = entry.score.gold, entry.record.detail.labels
        return sum(given.get(id) == label for id, label in gold.items()), len(gold)

    def teller(self) -> Teller:
        from holdtrue.lab.kinds.labels.teller import LabelTeller

        return LabelTeller()

    @property
    def reporting(self) -> Reporting:
        from holdtrue.lab.kinds.labels.reporting import REPORTING

        return REPORTING


KIND = LabelsKind()
