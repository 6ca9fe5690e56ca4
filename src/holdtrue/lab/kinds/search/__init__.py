"""Candidates: what is measured of searches for a solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdtrue.kinds.search.method import SearchMethod
    from holdtrue.kinds.search.problem import SearchProblem
    from holdtrue.lab.kinds.search.entry import SearchEntry
    from holdtrue.lab.kinds.search.settings import SearchSettings
    from holdtrue.lab.kit.kind import Teller
    from holdtrue.lab.kit.plan import Plan, Prepared
    from holdtrue.lab.kit.players import Player
    from holdtrue.lab.kit.reporting import Reporting
    from holdtrue.lab.kit.suite import Suite
    from holdtrue.models.chat import ChatModel
    from holdtrue.models.sampling import Sampling


class SearchKind:
    """The kind of answer; everything is loaded when it is asked for."""

    name = "search"
    problem = "problem"

    @property
    def settings(self) -> type[SearchSettings]:
        from holdtrue.lab.kinds.search.settings import SearchSettings

        return SearchSettings

    @property
    def sampling(self) -> Sampling:
        from holdtrue.models.sampling import Sampling

        return Sampling(temperature=0.2, max_tokens=256)

    def find_method(self, name: str) -> SearchMethod:
        from holdtrue.kinds.search.method import find_search_method

        return find_search_method(name)

    def declare_method(self, table: object) -> SearchMethod:
        from holdtrue.lab.kit.declared import declare_method

        return declare_method(table, self.find_method, "one_shot")

    def describe_method(self, method: SearchMethod) -> dict[str, Any]:
        from holdtrue.lab.kit.declared import describe_method

        return describe_method(method)

    def is_preset(self, method: SearchMethod) -> bool:
        from holdtrue.kinds.search.method import SEARCH_PRESETS, revealed
        from holdtrue.lab.kit.declared import is_preset

        return is_preset(method, [each for one in SEARCH_PRESETS.values() for each in (one, revealed(one))])

    def choose_methods(self, methods: Sequence[SearchMethod], settings: SearchSettings) -> Sequence[SearchMethod]:
        from holdtrue.lab.kinds.search.plan import with_witness

        return with_witness(methods) if settings.reveal_witness else methods

    def other_models(self, settings: SearchSettings) -> Sequence[str]:
        return ()

    def prepare(
        self,
        suite: Suite,
        problems: Sequence[SearchProblem],
        methods: Sequence[SearchMethod],
        settings: SearchSettings,
        model: str,
        given: Mapping[str, Any] | None,
    ) -> Prepared:
        from holdtrue.lab.kinds.search.plan import prepare

        return prepare(problems, methods, settings)

    def describe_problem(self, problem: SearchProblem) -> object:
        from holdtrue.lab.kinds.search.plan import describe_problem

        return describe_problem(problem)

    def simulated(self, name: str, problems: Sequence[SearchProblem]) -> ChatModel | None:
        if not name.startswith("sim/"):
            return None
        from holdtrue.lab.kinds.search.simulation.model import SimulatedSearcher

        return SimulatedSearcher(name, list(problems))

    @property
    def entry(self) -> type[SearchEntry]:
        from holdtrue.lab.kinds.search.entry import SearchEntry

        return SearchEntry

    def player(self, plan: Plan, others: Sequence[ChatModel]) -> Player:
        from holdtrue.lab.kinds.search.player import SearchPlayer

        return SearchPlayer(plan)

    def tally(self, entry: SearchEntry) -> tuple[int, int]:
        return (0, 0) if entry.score is None else (int(entry.score.correct), 1)

    def teller(self) -> Teller:
        from holdtrue.lab.kinds.search.teller import SearchTeller

        return SearchTeller()

    @property
    def reporting(self) -> Reporting:
        from holdtrue.lab.kinds.search.reporting import REPORTING

        return REPORTING


KIND = SearchKind()
