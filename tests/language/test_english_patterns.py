"""The table of English has what modules ask for, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

from holdtrue.language import english_patterns


def test_each_name_of_the_table_is_asked_for_and_compiles() -> None:
    table = english_patterns._table()
    code = "".join(path.read_text(encoding="utf-8") for path in Path(english_patterns.__file__).parent.rglob("*.py"))
    asked = set(re.findall(r"[\"']([a-z_]+\.[a-z_]+)[\"']", code))
    inside = {
        name for lines in table.values() for line in lines for name in re.findall(r"\{([a-z_]+\.[a-z_]+)\}", line)
    }
    assert set(table) <= asked | inside and inside <= set(table)
    assert all(english_patterns.english(name) for name in table if not name.startswith("everyday."))
    text = Path(english_patterns.__file__).with_name("english.txt").read_text(encoding="utf-8")
    assert not any(line.endswith(" ") for line in text.splitlines())
