"""The state of a `Session` in a file, and its checks against the domain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.conversation.arguments import check_one_of
from holdtrue.conversation.saved_file import check_turns, choose_again
from holdtrue.errors import ConstraintError, DomainError, RecordError, SettingsError
from holdtrue.kinds.assignment.method import Method, find_method
from holdtrue.kinds.assignment.prompts import Exchange
from holdtrue.language.asking_back import AskBack, Question
from holdtrue.language.readers import EXTRACTORS, UNASKING, Protocol
from holdtrue.language.reading import Extractor
from holdtrue.ledger.entries import Event
from holdtrue.ledger.ledger import Commitment, Ledger
from holdtrue.ledger.restore import restore
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import check_model_name
from holdtrue.models.sampling import Sampling
from holdtrue.world.domain import Domain
from holdtrue.world.instance import Instance
from holdtrue.world.world import Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedAssignments:
    """The state of a `Session`.

    `context` is the setting as it was given. `method`, `extractor` and `reader` are names. `reader` is None if the
    answering model reads. `last` has the values of the last delivered answer, by variable. `recorded` counts the events
    that are in records of turns. `unread` counts the unread sentences of all messages. `questions` are open, and
    `strangers` are names that the user was asked about. The sentences in `again` are read with the next message.
    """

    domain: str
    entities: tuple[str, ...]
    context: Mapping[str, Any]
    method: str
    extractor: str
    reader: str | None
    protocol: Protocol
    sampling: Sampling
    history: tuple[Exchange, ...]
    events: tuple[Event[Commitment], ...]
    last: Mapping[str, int] | None
    recorded: int
    unread: int
    ask_back: AskBack = False
    questions: tuple[Question, ...] = ()
    strangers: tuple[str, ...] = ()
    again: tuple[str, ...] = ()

    def restored(self, declared: Domain | Setting) -> tuple[Instance, Ledger]:
        """Return the instance of this domain and the ledger. Raises `RecordError` with the place."""
        instance = self._bind(declared)
        ledger = restore(instance, self.events)
        unknown = [name for name in self.last or () if name not in instance.variables]
        if unknown:
            raise RecordError(f"last: there is no variable {unknown[0]!r}")
        if self.unread < 0:
            raise RecordError(f"unread: {self.unread} sentences")
        for question in self.questions:
            made = question.reading.constraint
            if made is None:
                continue
            try:
                instance.constraint(made.type, made.args)
            except ConstraintError as error:
                raise RecordError(f"questions: {question.id!r}: {error}") from error
        check_turns(self.events, self.recorded, len(self.history))
        return instance, ledger

    def choose(
        self,
        method: Method | str | None,
        extractor: Extractor | str | None,
        reader: ChatModel | str | None,
        allow_changes: bool,
    ) -> tuple[Method | str, Extractor | str, ChatModel | str | None]:
        """Return method, extractor and reader to continue with. Raises `SettingsError` like `choose_again`."""
        chosen: Method | str = choose_again("method", self.method, method, find_method, allow_changes)
        reads: Extractor | str = choose_again("extractor", self.extractor, extractor, _find_extractor, allow_changes)
        if self.reader is None:
            if reader is not None and not allow_changes:
                raise SettingsError("the session's model reads messages itself, and no reader does; see allow_changes")
            return chosen, reads, reader
        if reader is None and (not isinstance(reads, str) or reads in UNASKING):
            return chosen, reads, None
        again: ChatModel | str = choose_again("reader", self.reader, reader, check_model_name, allow_changes)
        return chosen, reads, again

    def _bind(self, declared: Domain | Setting) -> Instance:
        if not isinstance(declared, Domain | Instance):
            raise RecordError("domain: a saved session is about an instance of a domain, and this is another world")
        name = declared.domain.name if isinstance(declared, Instance) else declared.name
        if name != self.domain:
            raise RecordError(f"domain: the session is about {self.domain!r}, not {name!r}")
        if isinstance(declared, Domain):
            try:
                return declared.instance(self.entities, self.context)
            except DomainError as error:
                raise RecordError(f"entities, context: {error}") from error
        if declared.entities != self.entities or _json(declared.given_context) != _json(self.context):
            raise RecordError("entities, context: the session is about another instance of the domain")
        return declared


def _json(value: object) -> str:
    return json.dumps(value, default=repr, sort_keys=True)


def _find_extractor(name: str) -> None:
    check_one_of("extractor", name, EXTRACTORS)
