"""The settings that a run uses for all of its calls to a model."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.budget import check_number
from holdtrue.errors import SettingsError
from holdtrue.models.chat import Message, Request


@dataclass(frozen=True, slots=True)
class Sampling:
    """The settings for asking a model: temperature, seed, and the longest answer (tokens).

    If `structured` is true, answers follow the domain's JSON schema, as far as backend and frame allow. `top_p`,
    `thinking_tokens` and `extra_body` are those of a `Request`. A model that does not take them refuses the call.
    Raises `SettingsError` for impossible values.
    """

    temperature: float = 0.0
    seed: int = 42
    max_tokens: int = 2048
    structured: bool = True
    top_p: float | None = None
    thinking_tokens: int | None = None
    extra_body: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        check_number("temperature", self.temperature)
        check_number("seed", self.seed, least=-math.inf, whole=True)
        check_number("max_tokens", self.max_tokens, least=1, whole=True)
        if self.top_p is not None:
            check_number("top_p", self.top_p)
            if not 0 < self.top_p <= 1:
                raise SettingsError(f"top_p must be above 0 and at most 1, not {self.top_p}")
        if self.thinking_tokens is not None:
            check_number("thinking_tokens", self.thinking_tokens, least=1, whole=True)
        if self.extra_body is not None:
            check_extra_body(self.extra_body)
        if not isinstance(self.structured, bool):
            raise SettingsError(f"structured must be True or False, not {self.structured!r:.60}")

    def request(
        self,
        purpose: str,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        *,
        temperature: float | None = None,
        sample: int = 0,
        max_tokens: int | None = None,
    ) -> Request:
        """Return one call, with the schema if answers are structured. Arguments that are None get this object's values.

        `sample` distinguishes repeated draws of a prompt.
        """
        return Request(
            tuple(messages),
            purpose=purpose,
            schema=schema if self.structured else None,
            temperature=self.temperature if temperature is None else temperature,
            seed=self.seed,
            sample=sample,
            max_tokens=self.max_tokens if max_tokens is None else max_tokens,
            top_p=self.top_p,
            thinking_tokens=self.thinking_tokens,
            extra_body=self.extra_body,
        )


_OWN_FIELDS = ("model", "messages", "stream", "n", "response_format")


def check_extra_body(given: object) -> None:
    """Raise `SettingsError` for fields of a request that are no JSON object, or that the library sets itself."""
    if not isinstance(given, Mapping) or not given:
        raise SettingsError(f'the fields of a request are a JSON object such as {{"top_k": 20}}, not {given!r:.60}')
    if own := [name for name in _OWN_FIELDS if name in given]:
        raise SettingsError(f"{', '.join(own)}: set by the run itself, and no further field of a request")
    try:
        json.dumps(dict(given), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise SettingsError(f"the fields of a request are no JSON: {error}") from error
