"""A message of the user in a conversation about claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from holdtrue.conversation.arguments import check_text
from holdtrue.errors import InputError
from holdtrue_claims.kind.prompts.user_statements import MessageReading, read_message


@dataclass(frozen=True, slots=True)
class ClaimMessage:
    """A message with the options that it gives to choose from; `statement` is what these call true, false or unknown.

    `stated` is what it says to hold, None where that is to be read from it.
    """

    text: str
    options: Mapping[str, str] = field(default_factory=dict)
    statement: str | None = None
    stated: Sequence[str] | None = None

    def __post_init__(self) -> None:
        check_text("message", self.text)
        options: object = self.options
        if not isinstance(options, Mapping) or not all(
            isinstance(text, str) for option in options.items() for text in option
        ):
            raise InputError(
                f"the options are texts by their letters, such as {{'A': '...'}}, not {self.options!r:.60}"
            )
        if self.statement is not None:
            check_text("statement", self.statement)
        if isinstance(self.stated, str):
            raise InputError(f"stated is a list of sentences: stated=[{self.stated!r:.60}]")
        for sentence in self.stated or ():
            check_text("stated sentence", sentence)

    def read(self, stated: Mapping[str, str]) -> MessageReading:
        """Return what it states, and takes back of what is `stated` so far; with options it is only a question."""
        if self.stated is not None:
            return MessageReading(tuple(self.stated))
        return MessageReading(()) if self.options else read_message(self.text, stated)
