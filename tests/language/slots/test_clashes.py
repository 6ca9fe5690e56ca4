"""One message says two things of one slot: the later corrects the earlier, or they clash."""

from __future__ import annotations

import pytest

from holdtrue.language.slots.clashes import CLASH
from holdtrue.language.slots.slot_reader import ScoredSlotReader
from tests.language.slots.worlds import clinic, heard

WORLD = clinic()


async def day_of(message: str) -> tuple[object, str | None]:
    read = await ScoredSlotReader().read(WORLD, message, heard("On which day?", groups=("Clinic",)))
    [own] = [each for each in read.readings if each.slot is not None and each.slot.slot == "Clinic.day"]
    return own.slot.value if own.slot is not None else None, own.reason


@pytest.mark.parametrize(
    "message",
    [
        "Book it for May 9th please. I'll come on May 11th.",
        "On May 9th. No kids with us, we come on May 11th.",
        "On May 9th please. Is there a place to change? We come on May 11th.",
    ],
)
async def test_two_days_in_one_message_clash(message: str) -> None:
    value, reason = await day_of(message)
    assert value in ("2023-05-09", "2023-05-11") and reason is not None and reason.startswith(CLASH)


@pytest.mark.parametrize(
    "message",
    ["On May 9th, no, sorry, May 11th.", "May 9th, wait, May 11th", "On May 9th. Oops, I meant May 11th."],
)
async def test_a_correction_puts_the_later_one_in_its_place(message: str) -> None:
    assert await day_of(message) == ("2023-05-11", None)
