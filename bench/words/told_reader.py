"""A reader that knows what each message does, because whoever wrote the conversation has noted it: a control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from holdtrue.guard.conversation.call_decisions import question_of
from holdtrue.language.judgements import ConsentQuestion
from holdtrue.language.requests.operation import Act, Claim, Operation, RequestContext, RequestReading
from holdtrue.ledger.requests import Request
from holdtrue.record import ALL_REQUESTS, CallRecord

Note = Mapping[str, Any]


class ToldReader:
    """A `ToldReader` gives the notes on a message.

    `tell` says what is noted of the next message of the user. A label of a note stands for the same request all through
    a conversation, so that it is kept which open request got which label.
    """

    name = "told"

    def __init__(self, consents: frozenset[str] = frozenset()) -> None:
        self._consents = consents
        self._notes: Sequence[Note] = ()
        self._yes: dict[str, Sequence[Note]] = {}
        self._ids: dict[str, str] = {}
        self._new: list[tuple[str, str]] = []
        self._known: set[str] = set()
        self.claims: Sequence[Claim] = ()

    def tell(self, user: str, notes: Sequence[Note], yes_to: Sequence[Note]) -> None:
        """Say what the next message of the user does, and to which calls it is a yes."""
        noted = {own["tool"] for own in notes}
        # Who says yes to an offer asks for it, whether consent is due or not.
        offers = [
            {"do": "set", "tool": own["tool"], "request": f"yes{place}", "argument": name, "value": value}
            for place, own in enumerate(yes_to)
            if own["tool"] not in noted and own["tool"] not in self._consents
            for name, value in own["arguments"].items()
        ]
        self._notes, self._yes[user] = [*notes, *offers], yes_to

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        """Return the operations that are noted."""
        own_act = {tool: name for name, own in acts.items() for tool in own.tools}
        found = [_operation(own, own_act[own["tool"]]) for own in self._notes]
        found = [replace(own, request=self._ids.get(own.request, own.request)) for own in found]
        self._new = [(own.act, own.request) for own in found if own.do != "withdraw" and own.request != ALL_REQUESTS]
        return RequestReading(tuple(found))

    def learn(self, requests: Sequence[Request]) -> None:
        """Keep which requests the labels of the last message got: they were opened in the order of their notes."""
        opened = [own for own in requests if own.id not in self._known]
        for act, label in dict.fromkeys(self._new):
            mine = next((own for own in opened if own.act == act), None)
            if label not in self._ids.values() and mine is not None:
                self._ids[label] = mine.id
                opened.remove(mine)
        self._known |= {own.id for own in requests}

    async def consents(self, question: ConsentQuestion, flipped: bool, calls: list[CallRecord]) -> bool:
        """Return whether the message is noted as a yes to just this call."""
        noted = (question_of(own["tool"], own["arguments"], "", "") for own in self._yes.get(question.user, ()))
        return any(own.act == question.act and set(own.arguments) == set(question.arguments) for own in noted)

    async def read_claims(
        self, acts: Mapping[str, Act], message: str, context: RequestContext, calls: list[CallRecord]
    ) -> tuple[Claim, ...]:
        """Return the claims of work that are noted."""
        return tuple(self.claims)


def _operation(own: Note, act: str) -> Operation:
    return Operation(
        own["do"],
        act,
        ALL_REQUESTS if own.get("request") == "*" else own.get("request", ""),
        own.get("argument", ""),
        own.get("relation") or "is",
        own.get("value"),
        quote=own.get("quote", ""),
        source=own.get("source", "user"),
    )
