"""What the laboratory asks of a kind of answer: everything in which kinds differ, and nothing else.

Each kind has a folder in `lab/kinds`, whose `__init__` names one object that keeps this protocol and loads the rest of
the folder when it is asked. Whatever plays, reports or writes rows knows kinds by this protocol alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from holdtrue.lab.kit.entry import PlayedEntry
from holdtrue.lab.kit.plan import AnyMethod, Plan, Prepared
from holdtrue.lab.kit.players import Player
from holdtrue.lab.kit.reporting import Reporting
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling


class Teller(Protocol):
    """Tells turns one by one, in whichever order conversations take turns; each conversation's own in order."""

    def tell(self, entry: Any) -> list[str]:
        """The turn in lines of plain text."""
        ...


class Kind(Protocol):
    """A kind of answer, as it is measured."""

    @property
    def name(self) -> str: ...

    @property
    def entry(self) -> type[PlayedEntry[Any]]:
        """What a journal holds of one turn."""
        ...

    @property
    def problem(self) -> str:
        """What a problem of this kind is called: a case, an item."""
        ...

    @property
    def settings(self) -> type[Any]:
        """What a run can set of its own: a frozen dataclass whose fields have an `Option`, and defaults."""
        ...

    @property
    def sampling(self) -> Sampling:
        """How a model is asked where nobody says otherwise."""
        ...

    def find_method(self, name: str) -> AnyMethod:
        """The preset of that name; raises `SettingsError` listing what there is."""
        ...

    def declare_method(self, table: object) -> AnyMethod:
        """The method of one's own that a table declares; raises `SettingsError`."""
        ...

    def describe_method(self, method: Any) -> dict[str, Any]:
        """Every setting as plain JSON values."""
        ...

    def is_preset(self, method: Any) -> bool:
        """Whether the method is a preset; raises `SettingsError` for another one under a preset's name."""
        ...

    def choose_methods(self, methods: Sequence[Any], settings: Any) -> Sequence[AnyMethod]:
        """The methods that are played in the place of these, as the settings say; raises `SettingsError`."""
        ...

    def other_models(self, settings: Any) -> Sequence[str]:
        """The names of models that are asked beside the one that answers."""
        ...

    def prepare(
        self,
        suite: Any,
        problems: Sequence[Any],
        methods: Sequence[Any],
        settings: Any,
        model: str,
        given: Mapping[str, Any] | None,
    ) -> Prepared:
        """What of the problems can be played, in which order, and with how many turns; raises `SettingsError`."""
        ...

    def describe_problem(self, problem: Any) -> object:
        """All in a problem that can change a result or its score, as plain JSON values."""
        ...

    def simulated(self, name: str, problems: Sequence[Any]) -> ChatModel | None:
        """The simulated model of that name, which knows these problems; None where it is opened like any other."""
        ...

    def player(self, plan: Plan, others: Sequence[ChatModel]) -> Player:
        """Who plays the plan; `others` are the models that it names beside the one that answers."""
        ...

    def tally(self, entry: Any) -> tuple[int, int]:
        """How many answers of a turn with a score are right, out of how many."""
        ...

    def teller(self) -> Teller:
        """Who tells its turns in words, from the first."""
        ...

    @property
    def reporting(self) -> Reporting:
        """How its runs are reported."""
        ...
