"""This module holds the stand-in for a model in suites whose methods never call a language model."""

from __future__ import annotations

from holdtrue.errors import ModelError
from holdtrue.models.chat import Reply, Request

NO_MODEL = "no model"
"""The model's name in the settings, records and reports of such a run."""


class NoModel:
    """A `NoModel` is a `ChatModel` that refuses every request."""

    name = NO_MODEL

    async def complete(self, request: Request) -> Reply:
        """Raise `ModelError`, because a request in such a run is a bug of the caller."""
        raise ModelError(f"a request for {request.purpose!r} was made in a run that asks no model")

    async def aclose(self) -> None:
        """Do nothing: there is nothing to release."""
