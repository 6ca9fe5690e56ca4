"""What is kept is what would be made, and goes with its instance."""

from __future__ import annotations

import gc

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.grounding import mentions
from holdtrue.language.names import cached_per_instance
from holdtrue.world.instance import Instance
from holdtrue.world.seating import SEATING

TABLE = SEATING.instance(["Nora", "Omar"])


def test_what_is_kept_goes_with_its_instance() -> None:
    gone: list[str] = []

    class Result:
        def __del__(self) -> None:
            gone.append("gone")

    @cached_per_instance
    def make(instance: Instance) -> Result:
        return Result()

    instance = SEATING.instance(["A", "B"])
    make(instance)
    del instance
    gc.collect()
    assert gone == ["gone"]


@given(st.text(max_size=60))
@settings(deadline=None, max_examples=40)
def test_a_kept_answer_is_the_one_that_would_be_made(sentence: str) -> None:
    assert mentions(TABLE, sentence) == mentions.__wrapped__(TABLE, sentence)  # type: ignore[attr-defined]
