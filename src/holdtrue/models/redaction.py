"""Finding a known secret in a text where somebody wrote it otherwise: in part, in capitals, broken up, or escaped.

The text is read once as characters without their escapes, each with its place, and once more as letters and digits
alone. A part of a secret is found by its runs of `PART` letters and digits, so the time is linear in the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import quote

from holdtrue.models.chat import well_formed

PART = 8
"""Letters and digits in a row, which with nothing but other signs between them are taken for a part of a secret."""

# A secret with fewer is a word of some language ("lm-studio", "EMPTY"): it is found whole, and as it is written.
_FEWEST = 12
# Backslashes, percent signs and ampersands may be escaped themselves, once for each time that a text was wrapped.
# Anything else is a character by itself.
_CHARACTER = re.compile(
    r"\\{1,8}(?:u\{(?P<braced>[0-9a-fA-F]{1,6})\}|u(?P<four>[0-9a-fA-F]{4})|U(?P<eight>[0-9a-fA-F]{8})"
    r"|x(?P<two>[0-9a-fA-F]{2})|(?P<octal>[0-3][0-7]{2})|(?P<blank>[nrtbf])|(?P<itself>[/\"']))"
    r"|%(?:25){0,4}(?P<percent>[0-9a-fA-F]{2})"
    r"|&(?:amp;){0,4}(?:#[xX]0{0,8}(?P<hex>[0-9a-fA-F]{1,6});?|#0{0,8}(?P<decimal>[0-9]{1,7});?"
    r"|(?P<named>amp|lt|gt|quot|apos);)|.",
    re.DOTALL,
)
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_LAST_CODE = 0x10FFFF


@dataclass(slots=True)
class _Characters:
    """Characters with where each begins and ends in the text; an escape is one character."""

    said: list[str] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)

    def add(self, letter: str, start: int, end: int) -> None:
        self.said.append(letter)
        self.places.append((start, end))


def secret_places(text: str, secrets: Iterable[str], *, cut: bool = False) -> list[tuple[int, int]]:
    """Return where a secret stands, or a part of it, as places from start to end, in order and apart from each other.

    `cut`: the text goes on, so that what begins a secret at its end counts too.
    """
    unescaped = _unescape(text)
    whole, letters = "".join(unescaped.said), _letters_of(unescaped)
    found: list[tuple[int, int]] = []
    for secret in secrets:
        found += _whole(whole, unescaped.places, secret)
        own = "".join(_letters(secret))
        if len(own) >= _FEWEST:
            found += _parts(letters, own, cut)
    return _joined(found)


def _unescape(text: str) -> _Characters:
    made = _Characters()
    for match in _CHARACTER.finditer(text):
        made.add(_character(match) if match.lastgroup else match[0], match.start(), match.end())
    return made


def _character(match: re.Match[str]) -> str:
    kind, written = str(match.lastgroup), match[str(match.lastgroup)]
    if kind == "blank":
        return " "
    if kind in ("itself", "named"):
        return _NAMED.get(written, written)
    code = int(written, {"octal": 8, "decimal": 10}.get(kind, 16))
    return chr(code) if code <= _LAST_CODE else " "


def _letters(text: str) -> list[str]:
    return [letter for letter in text.casefold() if letter.isalnum()]


def _letters_of(characters: _Characters) -> _Characters:
    """The letters and digits alone, without regard to capitals."""
    made = _Characters()
    for character, (start, end) in zip(characters.said, characters.places, strict=True):
        for letter in _letters(character):
            made.add(letter, start, end)
    return made


def _whole(text: str, places: list[tuple[int, int]], secret: str) -> list[tuple[int, int]]:
    """Find the secret as it is, apart from escapes; words of less than half a part are for others to find."""
    if len(secret) < PART // 2:
        return []
    return [(places[m.start()][0], places[m.end() - 1][1]) for m in re.finditer(re.escape(secret), text)]


def _parts(letters: _Characters, secret: str, cut: bool) -> list[tuple[int, int]]:
    known = {secret[start : start + PART] for start in range(len(secret) - PART + 1)}
    said, places = "".join(letters.said), letters.places
    found = [
        (places[start][0], places[start + PART - 1][1])
        for start in range(len(said) - PART + 1)
        if said[start : start + PART] in known
    ]
    begun = next((length for length in range(PART - 1, 0, -1) if said.endswith(secret[:length])), 0) if cut else 0
    return [*found, (places[-begun][0], places[-1][1])] if begun else found


def _joined(found: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places in order, those that touch or overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


REDACTED = "[redacted]"
LONGEST_SHOWN = 300
"""Characters of a server's words that are shown."""

# What is looked at; far more than is shown, so that nothing that is taken out brings unseen text forward.
_LOOKED_AT = 4096
# A shorter secret is a word of some language: it is taken out only where it stands alone.
_SHORT = 4

_PATTERNS = (
    # The user and password of an address, and the values of its query.
    (re.compile(r"(?<=://)[^/?#\s@]*@"), ""),
    (re.compile(r"([?&][\w.~%\-]+=)[^&\s\"'<>]+"), rf"\1{REDACTED}"),
    (re.compile(r"\b(Bearer)\s+[^\s\"'<>,;]+", re.IGNORECASE), rf"\1 {REDACTED}"),
    (re.compile(r"\b(Basic|Digest|Token)\s+[A-Za-z0-9+/=_\-]{8,}", re.IGNORECASE), rf"\1 {REDACTED}"),
    # A named secret: "api_key": "...", password=..., token: ...
    (
        re.compile(
            r"((?:(?:api[-_ ]?key|secret|passw(?:or)?d|authorization|credential)s?|token)[\"']?\s*[:=]\s*[\"']?)"
            r"(?!\[redacted\]|Bearer\b|Basic\b)[^\s\"'<>,;}]+",
            re.IGNORECASE,
        ),
        rf"\1{REDACTED}",
    ),
    # Keys as their makers mark them; servers put stars in place of the middle.
    (re.compile(r"\b(?:sk|pk|rk|xai|gsk|hf|ghp|gho|glpat|api|key|AIza|AKIA)[-_*][\w\-*.]{4,}"), REDACTED),
    (re.compile(r"\b(?:AIza|AKIA|ASIA)\w{8,}"), REDACTED),
    (re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), REDACTED),
    # Long runs of letters and digits in no order that a word has, and long ones with the signs of Base64.
    (re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{16,}"), REDACTED),
    (
        re.compile(
            r"(?<![\w+=\-])(?=[\w+=\-]*[0-9])(?=[\w+=\-]*[a-z])(?=[\w+=\-]*[A-Z])[A-Za-z0-9_+=\-]{32,}", re.ASCII
        ),
        REDACTED,
    ),
)
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """Return `text` in one line without secrets, known ones and what looks like one, cut to `LONGEST_SHOWN`."""
    stripped = [secret.strip() for secret in secrets]
    known = sorted({form for secret in stripped for form in _forms(secret)}, key=len, reverse=True)
    cut = len(text) > _LOOKED_AT
    looked_at = _without_parts(text[:_LOOKED_AT], stripped, cut=cut)
    if cut:
        looked_at = _without_begun(looked_at, known)
    for secret in known:
        looked_at = _without(looked_at, secret)
    line = " ".join(_UNPRINTABLE.sub(" ", well_formed(looked_at)).split())
    # Once more: a secret may have been broken up by characters that are not shown.
    for secret in known:
        line = _without(line, secret)
    for pattern, instead in _PATTERNS:
        line = pattern.sub(instead, line)
    return line if len(line) <= LONGEST_SHOWN else f"{line[: LONGEST_SHOWN - 3]}..."


def _forms(secret: str) -> set[str]:
    """Return the ways in which a secret may be written: as it is, in JSON, as Python shows it, in an address."""
    escaped = json.dumps(secret)[1:-1]
    forms = {secret, escaped, escaped.replace("/", "\\/"), repr(secret)[1:-1], quote(secret, safe="")}
    return forms - {""}


def _without_parts(text: str, secrets: Iterable[str], *, cut: bool) -> str:
    """The text without the secrets, and parts of them, that are written otherwise: escaped, in capitals, broken up."""
    shown: list[str] = []
    end = 0
    for start, stop in secret_places(text, secrets, cut=cut):
        shown += [text[end:start], REDACTED]
        end = stop
    return "".join([*shown, text[end:]])


def _without(text: str, secret: str) -> str:
    if len(secret) >= _SHORT:
        return text.replace(secret, REDACTED)
    return re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", REDACTED, text)


def _without_begun(text: str, secrets: Iterable[str]) -> str:
    """The text without the beginning of a secret at its end, where it was cut."""
    for secret in secrets:
        for length in range(min(len(secret) - 1, len(text)), 0, -1):
            if text.endswith(secret[:length]):
                text = text[:-length]
                break
    return text
