"""A scripted model that keeps every request it was sent."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.models.chat import Reply, Request
from holdtrue.record import Usage


class Recorder:
    """Answers by a function of the request, and remembers the requests."""

    def __init__(self, answer: Callable[[Request], str | Reply], name: str = "script/recorder") -> None:
        self.name = name
        self.requests: list[Request] = []
        self._answer = answer

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        answer = self._answer(request)
        return answer if isinstance(answer, Reply) else Reply(answer, Usage(1, 10, 5, 0.0))

    async def aclose(self) -> None:
        pass

    @property
    def prompts(self) -> list[str]:
        """Every request's messages as one text each."""
        return ["\n".join(message.content for message in request.messages) for request in self.requests]
