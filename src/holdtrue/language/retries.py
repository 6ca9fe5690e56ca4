"""Make the retries of one turn differ from each other, in the way that a method sets.

A model at temperature 0 repeats its reply to the same request, so a retry helps only if its request differs. This
module has the sentences that make prompts differ, for all kinds of answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, get_args, runtime_checkable

from holdtrue.errors import SettingsError
from holdtrue.models.chat import Message
from holdtrue.models.sampling import Sampling
from holdtrue.record import AttemptRecord

RetryDifference = Literal["none", "number", "quote", "sample"]
"""The way in which the request of a retry differs from earlier ones of its turn.

`none` keeps the prompt, which at temperature 0 may repeat the same request. `number` gives the number of the attempt in
the prompt. `quote` shows the failed answer with the number of times that it was given; a retry without a quoted answer
is numbered. `sample` keeps the prompt and needs a temperature above 0, so that every retry is a new sample.
"""
DIFFERENCES: tuple[str, ...] = get_args(RetryDifference)
# The first words of the sentences that make a retry differ. Simulated models read them too.
NUMBERED = "This is attempt "
GIVEN_BEFORE = "You have given this very answer "


@runtime_checkable
class Retrying(Protocol):
    """`Retrying` is a method that sets how its retries differ."""

    @property
    def name(self) -> str: ...

    @property
    def temperature(self) -> float | None: ...

    @property
    def retry_difference(self) -> RetryDifference: ...


@dataclass(frozen=True, slots=True)
class Retries:
    """`Retries` define how the retries of one turn differ. Their answers are sampled at this `temperature`."""

    difference: RetryDifference
    temperature: float

    @classmethod
    def of(cls, method: Retrying, sampling: Sampling) -> Retries:
        """Return the retries of a method in a run with this sampling."""
        return cls(method.retry_difference, _temperature(method, sampling))

    @property
    def quotes(self) -> bool:
        """Return whether a retry shows the failed answer."""
        return self.difference == "quote"

    def sentence(self, attempt: int, given: int = 0) -> str:
        """Return the sentence about earlier attempts in the prompt of a retry, or '' if there is none.

        `attempt` is the number of the retry among the attempts of its turn. `given` counts how often the quoted answer
        was given so far, 0 if none is quoted.
        """
        if self.difference == "number" or (self.quotes and given == 0):
            return f"{NUMBERED}{attempt}."
        if self.quotes and given > 1:
            return f"{GIVEN_BEFORE}{given} times, and it failed each time. Give another one."
        return ""

    def after(self, attempts: Sequence[AttemptRecord], quoted: AttemptRecord | None = None) -> str:
        """Return the sentence for the prompt after these attempts. `quoted` is the attempt that the prompt shows, if
        any.
        """
        return self.sentence(len(attempts) + 1, 0 if quoted is None else times_given(attempts, quoted))

    def draw(self, earlier: int, otherwise: int = 0) -> int:
        """Return the sample number of a retry after this many `earlier` attempts.

        Above temperature 0 each retry is a new sample. At 0 the number has no effect and is `otherwise`, so that equal
        requests are recognized as equal.
        """
        return earlier if self.temperature > 0 else otherwise


def say(prompt: Sequence[Message], sentence: str) -> tuple[Message, ...]:
    """Return the prompt with a sentence added to its last message, if there is one."""
    if not sentence:
        return tuple(prompt)
    last = prompt[-1]
    return (*prompt[:-1], replace(last, content=f"{last.content}\n\n{sentence}"))


def same_answer(one: AttemptRecord, other: AttemptRecord) -> bool:
    """Return whether two attempts give the same answer: the same values or labels, else the same text.

    The letter of an option is not the whole answer to a question, so answers with options are compared as texts.
    """
    if one.answer is None or other.answer is None or "option" in one.answer:
        return one.text == other.text
    return one.answer == other.answer


def times_given(attempts: Sequence[AttemptRecord], failed: AttemptRecord) -> int:
    """Return how many attempts of a turn give the answer of the `failed` one. Votes, which repeat a sample, do not
    count.
    """
    return sum(same_answer(attempt, failed) for attempt in attempts if attempt.kind != "vote")


def check_difference(method: Retrying) -> None:
    """Raise `SettingsError` for an unknown difference, or for samples at temperature 0, which cannot differ."""
    if method.retry_difference not in DIFFERENCES:
        known = ", ".join(DIFFERENCES)
        raise SettingsError(
            f"method {method.name!r}: retry_difference is one of {known}, not {method.retry_difference!r:.60}"
        )
    if method.temperature is not None:
        _check_draws(method, method.temperature)


def check_retries(method: object, sampling: Sampling) -> None:
    """Raise `SettingsError` if a method's retries are samples but the run samples at temperature 0."""
    if isinstance(method, Retrying):
        _check_draws(method, _temperature(method, sampling))


def _check_draws(method: Retrying, temperature: float) -> None:
    if method.retry_difference == "sample" and temperature == 0:
        raise SettingsError(
            f"method {method.name!r}: retry_difference sample draws again, and at temperature 0 all draws are the "
            "same; set a temperature above 0, or take number or quote"
        )


def _temperature(method: Retrying, sampling: Sampling) -> float:
    return sampling.temperature if method.temperature is None else method.temperature
