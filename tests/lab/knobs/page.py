"""The table of settings in `settings.md`, each with a figure that shows its effect.

`python -m tests.lab.knobs.page` writes it anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.lab.knobs.knob import Entry, Knob, Still
from tests.lab.knobs.shown import ENTRIES

PAGE = Path(__file__).with_name("settings.md")
START, END = "<!-- settings that are shown -->\n", "<!-- end of settings -->\n"


def table() -> str:
    """Return the settings with what shows them, and then those that nothing shows, each with the reason."""
    shown: dict[str, Knob] = {}
    still: dict[str, Still] = {}
    for suite, entries in ENTRIES.items():
        for entry in entries:
            if isinstance(entry, Knob):
                shown.setdefault(_name(suite, entry), entry)
            else:
                still.setdefault(_name(suite, entry), entry)
    return _rows(
        ("setting", "values", "simulated model", "figure of a row"),
        [(f"`{name}`", _values(knob), f"`{knob.model}`", f"`{knob.figure}`") for name, knob in shown.items()],
    ) + _rows(("setting without", "reason"), [(f"`{name}`", each.reason) for name, each in still.items()])


def written(text: str) -> str:
    """Return the page with the table in its place."""
    before, _, rest = text.partition(START)
    return before + START + table() + END + rest.partition(END)[2]


def _name(suite: str, entry: Entry) -> str:
    """The setting; sources and sampling are there in each suite, so that theirs comes before them."""
    own = entry.setting.split(".")[0] in ("Source", "Sampling")
    return f"{suite}: {entry.setting}" if own else entry.setting


def _values(knob: Knob) -> str:
    first, second = (
        ", ".join(sorted(value)) if isinstance(value, frozenset) else str(value) for value in (knob.first, knob.second)
    )
    return f"{first} or {second}"


def _rows(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
