from __future__ import annotations

from holdtrue.language.readers import GoldExtractor
from tests.lab.suites.drift.instances import INSTANCES


async def test_hands_out_the_turn_s_own_constraints() -> None:
    table = INSTANCES[0]
    first, second = table.constraint("adjacent", ["Ann", "Bob"]), table.constraint("at_position", ["Cy", 2])
    reader = GoldExtractor({1: [first], 2: [second]})
    read = await reader.read(table, "whatever is said", turn=2)
    assert [(reading.constraint, reading.status, reading.sentence) for reading in read.readings] == [
        (second, "accepted", "Cy must sit at position 2")
    ]
    assert (await reader.read(table, "", turn=3)).readings == ()
    assert read.calls == ()
