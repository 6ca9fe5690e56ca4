"""A message of the user in a conversation about claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from holdtrue.language.claims.stated import Said, read_message


@dataclass(frozen=True, slots=True)
class Posed:
    """A message with the options that it gives to choose from; `statement` is what these call true, false or unknown.

    `stated` is what it says to hold, None where that is to be read from it.
    """

    text: str
    options: Mapping[str, str] = field(default_factory=dict)
    statement: str | None = None
    stated: Sequence[str] | None = None

    def read(self, told: Mapping[str, str]) -> Said:
        """What it states and takes back, of what the user has `told` so far. With options it is a question alone."""
        if self.stated is not None:
            return Said(tuple(self.stated))
        return Said(()) if self.options else read_message(self.text, told)
