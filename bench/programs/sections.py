"""The form that all these programs share: sections under titles, in each line logic, `:::` and words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from holdtrue_claims.fol.alert import Alert

LONGEST = 20_000
"""Characters of a program; real ones have a few thousand. More is refused whole."""

MOST_LINES = 500
"""Lines of a program; real ones have some dozens."""

_SEPARATOR = ":::"
_TITLE = re.compile(r"[#*\s]*([A-Za-z]+)[*\s]*:[*\s]*|#+\s*([A-Za-z]+)\s*")


@dataclass(frozen=True, slots=True)
class Line:
    """What stands before the last `:::` of a line, and after it; `words` is empty where there is none."""

    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Sections:
    """The lines under each title that the notation has. What stands elsewhere is skipped, and an alert says so."""

    lines: Mapping[str, tuple[Line, ...]]
    alerts: tuple[Alert, ...]


def split_sections(program: str, titles: Mapping[str, str], needed: Sequence[str]) -> Sections:
    """The sections of a program. `titles` has the section of every title, in lower case and without the
    colon, which may be missing behind a `#`.

    Where there is nothing in a `needed` section, an alert says so. Never raises.
    """
    if len(program) > LONGEST or program.count("\n") >= MOST_LINES:
        message = f"a program may have {LONGEST} characters and {MOST_LINES} lines; this one has more"
        return Sections({}, (Alert("unsupported", message),))
    lines: dict[str, list[Line]] = {section: [] for section in titles.values()}
    alerts: list[Alert] = []
    section: str | None = None
    for raw in program.split("\n"):
        stripped = raw.strip()
        title = _TITLE.fullmatch(stripped)
        if title is not None:
            section = titles.get((title[1] or title[2]).lower())
            if section is None:
                alerts.append(Alert("unsupported", "this notation has no such section", stripped))
        elif section is not None and stripped:
            lines[section].append(_line(stripped))
        elif stripped:
            alerts.append(Alert("unsupported", "a line outside the sections of this notation is skipped", stripped))
    alerts += [Alert("unparsed", f"there are no {section}") for section in needed if not lines[section]]
    return Sections({section: tuple(found) for section, found in lines.items()}, tuple(alerts))


def _line(text: str) -> Line:
    # The last one: a `:::` in the place of an arrow must not turn a rule into the fact that its condition holds.
    logic, separator, words = text.rpartition(_SEPARATOR)
    return Line(logic.strip(), words.strip()) if separator else Line(text, "")
