from __future__ import annotations

from holdtrue.language.readers import GoldExtractor, TemplateExtractor
from holdtrue.language.reading import MessageContext
from tests.lab.suites.drift.instances import INSTANCES


async def test_hands_out_the_turn_s_own_constraints() -> None:
    table = INSTANCES[0]
    first, second = table.constraint("adjacent", ["Ann", "Bob"]), table.constraint("at_position", ["Cy", 2])
    reader = GoldExtractor({1: [first], 2: [second]})
    read = await reader.read(table, "whatever is said", MessageContext(2))
    assert [(reading.constraint, reading.status, reading.sentence) for reading in read.readings] == [
        (second, "accepted", "Cy must sit at position 2")
    ]
    assert (await reader.read(table, "", MessageContext(3))).readings == ()
    assert read.calls == ()


ROUND = INSTANCES[0]


async def test_the_extractor_reads_sentence_by_sentence() -> None:
    read = await TemplateExtractor().read(
        ROUND, "Ann must sit next to Bob. Also, Ann must sit at position 99. Also, hello there.", MessageContext()
    )
    assert [reading.status for reading in read.readings] == ["accepted", "rejected", "rejected"]
    first, second, third = read.readings
    assert first.constraint == ROUND.constraint("adjacent", ["Ann", "Bob"])
    assert second.constraint is None
    assert second.reason is not None and "99" in second.reason
    assert third.reason == "no known wording fits this sentence"
    assert read.calls == ()


async def test_closing_marks_do_not_keep_a_sentence_from_being_read() -> None:
    read = await TemplateExtractor().read(
        ROUND,
        "Ann must sit next to Bob! Ann must sit at position 3... Bob must sit at position 4?! And why?!",
        MessageContext(),
    )
    assert [reading.status for reading in read.readings] == ["accepted", "accepted", "accepted", "rejected"]
