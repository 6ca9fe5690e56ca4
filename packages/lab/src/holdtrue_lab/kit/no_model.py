"""The model of a suite that asks none: it has a name, and nobody may ask it anything."""

from __future__ import annotations

from holdtrue.errors import ModelError
from holdtrue.models.chat import Reply, Request

NO_MODEL = "no model"
"""The name that stands where settings, records and reports have that of a model."""


class NoModel:
    """A `NoModel` takes the place of a model in the run of a suite that asks none."""

    name = NO_MODEL

    async def complete(self, request: Request) -> Reply:
        """Raise `ModelError`: whoever asks is at fault, and a stand-in for a reply would hide that."""
        raise ModelError(f"a request for {request.purpose!r} was made in a run that asks no model")

    async def aclose(self) -> None:
        """Do nothing: there is nothing to release."""
