"""All that a method may look at in one turn, and what it hands back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.budget import Budget, check_number
from holdtrue.domains.instance import Instance
from holdtrue.errors import SettingsError
from holdtrue.language.frames import Exchange, Protocol
from holdtrue.language.reading import Extractor
from holdtrue.ledger.ledger import Ledger
from holdtrue.models.chat import ChatModel
from holdtrue.record import AttemptRecord, CallRecord
from holdtrue.verification.verify import Verifier


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the model is asked: sampling temperature, seed, and the longest answer (tokens).

    `structured`: answers are bound to the domain's JSON schema where the backend can and the frame allows it. Raises
    `SettingsError` for values that no model can be asked with.
    """

    temperature: float = 0.0
    seed: int = 42
    max_tokens: int = 2048
    structured: bool = True

    def __post_init__(self) -> None:
        check_number("temperature", self.temperature)
        check_number("seed", self.seed, least=-math.inf, whole=True)
        check_number("max_tokens", self.max_tokens, least=1, whole=True)
        if not isinstance(self.structured, bool):
            raise SettingsError(f"structured must be True or False, not {self.structured!r:.60}")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as a method sees it.

    `before` is the ledger before this turn, `ledger` the one that answers are checked against (under protocol
    `upstream` every attempt makes its own). `last` holds the values of the last delivered answer.
    """

    instance: Instance
    model: ChatModel
    extractor: Extractor
    verifier: Verifier
    protocol: Protocol
    number: int
    message: str
    history: tuple[Exchange, ...]
    before: Ledger
    ledger: Ledger
    nothing_read: bool
    last: Mapping[str, int] | None
    sampling: Sampling
    budget: Budget


@dataclass(frozen=True, slots=True)
class Played:
    """What a method did: every attempt, and the answer that it delivers (None: it abstains).

    `instead` is what the history says where nothing is delivered, and `withheld` why that is so. `values` are the
    delivered answer's; `nearest` says of a projected one whether it was proved the nearest. `extraction` and
    `measuring` are calls that read messages for the method, or only to measure it.
    """

    attempts: tuple[AttemptRecord, ...]
    delivered: str | None
    values: Mapping[str, int] | None
    ledger: Ledger
    instead: str = ""
    extraction: tuple[CallRecord, ...] = ()
    measuring: tuple[CallRecord, ...] = ()
    projected: bool = False
    nearest: bool | None = None
    withheld: str | None = None
    set_aside: tuple[str, ...] = ()
