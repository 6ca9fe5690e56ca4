"""Ask a model for the parts that a sentence states, until they load, and let the loader's faults go back to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from holdtrue.errors import InputError, RequestRefused
from holdtrue.guard.drafting.policy_data import Data, merged
from holdtrue.guard.drafting.reply_parts import read_parts
from holdtrue.guard.policy_file import make_policy
from holdtrue.guard.prose import Sentence
from holdtrue.guard.yaml_text import FileFaults
from holdtrue.language.asking import ask_whole
from holdtrue.language.policy_prompts import AskedSentence, again_request, sentence_request
from holdtrue.models.chat import ChatModel
from holdtrue.record import CallRecord

Check = Callable[[Data], Sequence[str]]


@dataclass(frozen=True)
class Drafter:
    """A `Drafter` asks for one of the two drafts. `calls` has the record of each call, in order.

    Attributes:
        style: 0 or 1, the words of the prompts.
        attempts: The largest number of replies that are asked for.
    """

    model: ChatModel
    style: int
    seed: int
    attempts: int
    folder: Path
    calls: list[CallRecord]

    async def draft(self, sentence: Sentence, asked: AskedSentence, base: Data, check: Check) -> tuple[Data, str]:
        """Return the parts of a sentence as data, or nothing and the reason why there are none.

        Args:
            asked: The sentence with its surroundings.
            base: The data that the parts have to load with.
            check: A function that returns the faults of parts that load.

        Raises `ModelError`.
        """
        request = sentence_request(self.style, asked, self.seed)
        faults: Sequence[str] = ()
        decided = False
        for _ in range(self.attempts):
            try:
                reply = await ask_whole(self.model, request, self.calls)
            except RequestRefused as error:
                return {}, str(error)
            try:
                found = read_parts(reply.text, sentence)
                if decided and found.keys() == {"not_checked"}:
                    break  # A rule was read and does not load: to give it up settles nothing.
                decided = found.keys() != {"not_checked"}
                make_policy(folder=self.folder, **merged(base, found))
                faults = check(found)
            except FileFaults as error:
                faults = [text for _, text in error.faults]
            except InputError as error:
                faults = [reply.reason or str(error)]
            if not faults:
                return found, ""
            request = again_request(request, reply.text, faults)
        return {}, "; ".join(faults)
