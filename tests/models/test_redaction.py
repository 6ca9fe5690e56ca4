"""No secret is shown: neither one that is known, nor what looks like one."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.models.redaction import LONGEST_SHOWN, REDACTED, redact

KEYS = st.text(string.ascii_letters + string.digits + "-_.~+/=!#$%&*\\\"'", min_size=12, max_size=80)
AROUND = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


@settings(max_examples=200, deadline=None)
@given(key=KEYS, before=AROUND, after=AROUND, times=st.integers(1, 3))
def test_a_known_key_is_never_shown(key: str, before: str, after: str, times: int) -> None:
    for written in (key, json.dumps(key), repr(key), f"Bearer {key}"):
        shown = redact((before + written) * times + after, [key])
        assert key not in shown
        assert len(shown) <= LONGEST_SHOWN
        assert "\n" not in shown


@settings(max_examples=100, deadline=None)
@given(
    key=st.text(string.ascii_letters + string.digits, min_size=30, max_size=60).filter(
        lambda key: any(map(str.isdigit, key)) and any(map(str.isalpha, key))
    ),
    mark=st.sampled_from(["", "sk-", "sk-proj-", "Bearer ", "token=", "x-api-key: ", "https://h/?key=", "https://a:"]),
)
def test_what_looks_like_a_key_is_not_shown(key: str, mark: str) -> None:
    end = "@host" if mark == "https://a:" else ""
    assert key not in redact(f"No: {mark}{key}{end} is wrong")


@pytest.mark.parametrize(
    "text",
    [
        "the model gpt-4o-mini-2024-07-18 does not support temperature",
        "model meta-llama/Llama-3.1-8B-Instruct was not found at http://127.0.0.1:8000/v1/chat/completions",
        "maximum context length is 4096 tokens: you asked for 5000",
        "body.messages.0.content: Field required",
    ],
)
def test_plain_words_stay(text: str) -> None:
    assert redact(text) == text


def test_a_masked_key_and_addresses_lose_what_is_left_of_the_secret() -> None:
    assert redact("Incorrect API key: sk-ab**********wxyz.") == f"Incorrect API key: {REDACTED}"
    assert redact("http://ann:pw@host/v1?a=1&key=2") == f"http://host/v1?a={REDACTED}&key={REDACTED}"


def test_a_secret_at_the_place_where_the_text_is_cut_is_gone_whole() -> None:
    key = "Zq9vL2mWx7Tn4Rb8"
    for place in range(4070, 4100):
        assert not any(key[:length] in redact("sk-" + "a" * (place - 3) + key, [key]) for length in range(4, 17))


def test_a_terminal_is_not_written_to() -> None:
    assert redact("\x1b[31mred\x1b[0m\r\nline") == "[31mred [0m line"


@pytest.mark.parametrize("key", ["EMPTY", "lm-studio", "not-needed", "ollama"])
def test_a_key_that_is_a_word_takes_no_other_words_with_it(key: str) -> None:
    said = "The content is empty; LM Studio is not needed by Ollama."
    assert redact(said, [key]) == said
