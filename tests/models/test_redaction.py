"""No secret is shown: neither one that is known, nor what looks like one."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.models.redaction import LONGEST_SHOWN, PART, REDACTED, redact, secret_places
from tests.patience import no_hang

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


KNOWN = (
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "mysecretkey2026",
    'sk-Test/KEY+with="odd"\'signs;2026',
    "gsk_1234567890abcdefghijABCDEFGHIJ",
)
# How a server may write a key: in part, in capitals, broken up, or escaped.
WRITTEN: dict[str, Callable[[str], str]] = {
    "begun": lambda key: f"{key[:12]}...",
    "ended": lambda key: key[3:],
    "inner": lambda key: key[2:-2],
    "capitals": str.upper,
    "line end": lambda key: f"{key[:9]}\n{key[9:]}",
    "escaped line end": lambda key: f"{key[:8]}\\n{key[8:]}",
    "joined": lambda key: f"{key[:10]}' + '{key[10:]}",
    "letters": lambda key: str(list(key)),
    "unicode": lambda key: "".join(f"\\u{ord(sign):04x}" for sign in key),
    "unicode twice": lambda key: "".join(f"\\\\u{ord(sign):04X}" for sign in key),
    "hex": lambda key: "".join(f"\\x{ord(sign):02x}" for sign in key),
    "percent": lambda key: "".join(f"%{ord(sign):02x}" for sign in key),
    "percent twice": lambda key: "".join(f"%25{ord(sign):02X}" for sign in key),
    "HTML": lambda key: "".join(f"&#{ord(sign)};" for sign in key),
    "HTML hex": lambda key: "".join(f"&#x{ord(sign):X};" for sign in key),
    "some escaped": lambda key: "".join(f"%{ord(sign):02x}" if place % 3 else sign for place, sign in enumerate(key)),
}


@pytest.mark.parametrize("key", KNOWN)
@pytest.mark.parametrize("how", WRITTEN)
def test_a_known_key_is_not_shown_however_it_is_written(key: str, how: str) -> None:
    shown = redact(f"Wrong value: {WRITTEN[how](key)} (see docs)", [key])
    assert REDACTED in shown
    left = "".join(filter(str.isalnum, shown.replace(REDACTED, " ").removeprefix("Wrong value: "))).casefold()
    assert left.endswith("seedocs")
    assert len(left.removesuffix("seedocs")) <= 7, "less than a part of a key"


@pytest.mark.parametrize("key", ["EMPTY", "lm-studio", "not-needed", "ollama"])
def test_a_key_that_is_a_word_takes_no_other_words_with_it(key: str) -> None:
    said = "The content is empty; LM Studio is not needed by Ollama."
    assert redact(said, [key]) == said
    escaped = "".join(f"%{ord(sign):02x}" for sign in key)
    assert redact(f"no {escaped}", [key]) == f"no {REDACTED}"


@pytest.mark.parametrize("key", KNOWN)
def test_the_beginning_of_an_escaped_key_where_the_text_is_cut_is_gone(key: str) -> None:
    escaped = "".join(f"%{ord(sign):02x}" for sign in key)
    for seen in range(3, len(escaped), 3):
        shown = redact("sk-" + "a" * (4096 - 4 - seen) + " " + escaped, [key])
        assert not any(unquote(sign).isalnum() for sign in re.findall("%[0-9a-f]{2}", shown))


KEY = "0f8fad5b-d9cb-469f-a165-70867728950e"


def test_places_go_from_the_first_sign_of_a_part_to_its_last_with_all_between() -> None:
    text = "no: 0F8FAD5B' + '-D9CB, and %30%66%38%66%61%64%35%62!"
    assert [text[start:end] for start, end in secret_places(text, [KEY])] == [
        "0F8FAD5B' + '-D9CB",
        "%30%66%38%66%61%64%35%62",
    ]


def test_less_than_a_part_is_no_secret_but_where_the_text_goes_on() -> None:
    begun = f"no: {KEY[: PART - 1]}"
    assert secret_places(begun, [KEY]) == []
    assert secret_places(begun, [KEY], cut=True) == [(4, len(begun))]


@pytest.mark.parametrize("unit", ["\\", "%", "%25", "&", "&amp;", "&#0", "\\u{", "0f8fad5", KEY, KEY.upper()])
def test_hostile_texts_take_no_longer_than_others(unit: str) -> None:
    with no_hang():
        places = secret_places(unit * (200_000 // len(unit)), [KEY], cut=True)
    # Keys one behind the other touch, and are one place.
    assert len(places) <= 1 or "0f8fad5" in unit
