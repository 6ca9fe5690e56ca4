"""Claims: what is measured of answers in free text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdtrue.kinds.claims.method import ClaimMethod
    from holdtrue.lab.kinds.claims.entry import ClaimEntry
    from holdtrue.lab.kinds.claims.item import Item
    from holdtrue.lab.kinds.claims.settings import ClaimSettings
    from holdtrue.lab.kit.kind import Teller
    from holdtrue.lab.kit.plan import Plan, Prepared
    from holdtrue.lab.kit.players import Player
    from holdtrue.lab.kit.reporting import Reporting
    from holdtrue.lab.kit.suite import Suite
    from holdtrue.models.chat import ChatModel
    from holdtrue.models.sampling import Sampling


class ClaimsKind:
    """The kind of answer; everything is loaded when it is asked for."""

    name = "claims"
    problem = "item"

    @property
    def settings(self) -> type[ClaimSettings]:
        from holdtrue.lab.kinds.claims.settings import ClaimSettings

        return ClaimSettings

    @property
    def sampling(self) -> Sampling:
        from holdtrue.models.sampling import Sampling

        return Sampling(max_tokens=1024)

    def find_method(self, name: str) -> ClaimMethod:
        from holdtrue.kinds.claims.method import find_claim_method

        return find_claim_method(name)

    def declare_method(self, table: object) -> ClaimMethod:
        from holdtrue.lab.kit.declared import declare_method

        return declare_method(table, self.find_method, "direct")

    def describe_method(self, method: ClaimMethod) -> dict[str, Any]:
        from holdtrue.lab.kit.declared import describe_method

        return describe_method(method)

    def is_preset(self, method: ClaimMethod) -> bool:
        from holdtrue.kinds.claims.method import CLAIM_PRESETS
        from holdtrue.lab.kit.declared import is_preset

        return is_preset(method, CLAIM_PRESETS.values())

    def choose_methods(self, methods: Sequence[ClaimMethod], settings: ClaimSettings) -> Sequence[ClaimMethod]:
        return methods

    def other_models(self, settings: ClaimSettings) -> Sequence[str]:
        return settings.formalizers

    def prepare(
        self,
        suite: Suite,
        problems: Sequence[Item],
        methods: Sequence[ClaimMethod],
        settings: ClaimSettings,
        model: str,
        given: Mapping[str, Any] | None,
    ) -> Prepared:
        from holdtrue.lab.kinds.claims.plan import prepare

        return prepare(problems, methods, settings, model, given)

    def describe_problem(self, problem: Item) -> object:
        from holdtrue.lab.kinds.claims.plan import describe_item

        return describe_item(problem)

    def simulated(self, name: str, problems: Sequence[Item]) -> ChatModel | None:
        if not name.startswith("sim/"):
            return None
        from holdtrue.lab.kinds.claims.simulation.model import SimulatedReasoner

        return SimulatedReasoner(name, list(problems))

    @property
    def entry(self) -> type[ClaimEntry]:
        from holdtrue.lab.kinds.claims.entry import ClaimEntry

        return ClaimEntry

    def player(self, plan: Plan, others: Sequence[ChatModel]) -> Player:
        from holdtrue.lab.kinds.claims.player import ClaimPlayer

        return ClaimPlayer(plan, others)

    def tally(self, entry: ClaimEntry) -> tuple[int, int]:
        return (0, 0) if entry.score is None else (int(entry.score.correct), 1)

    def teller(self) -> Teller:
        from holdtrue.lab.kinds.claims.teller import ClaimTeller

        return ClaimTeller()

    @property
    def reporting(self) -> Reporting:
        from holdtrue.lab.kinds.claims.reporting import REPORTING

        return REPORTING


KIND = ClaimsKind()
