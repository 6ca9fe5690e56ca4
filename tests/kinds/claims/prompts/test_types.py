from __future__ import annotations

import pytest

from holdtrue.claim_record import ClaimType
from holdtrue.kinds.claims.prompts.types import MEANINGS, TYPE_LIST, classify, read_type
from holdtrue.language.asking import Asking
from holdtrue.models.script import ScriptModel


def test_every_type_is_told_with_an_example() -> None:
    assert set(MEANINGS) == set(ClaimType)
    for type, meaning in MEANINGS.items():
        assert f"{type.value}: {meaning}" in TYPE_LIST
        assert meaning.count('"') == 2


@pytest.mark.parametrize(
    ("value", "type"),
    [
        ("logical", ClaimType.LOGICAL),
        (" Vague.", ClaimType.VAGUE),
        ("TEMPORAL claim", ClaimType.TEMPORAL),
        ("not logical", None),
        (None, None),
        (["vague"], None),
        (3, None),
    ],
)
def test_reading_a_type(value: object, type: ClaimType | None) -> None:
    assert read_type(value) is type


@pytest.mark.parametrize(
    ("reply", "type"),
    [('{"type": "vague"}', ClaimType.VAGUE), ('{"type": "odd"}', ClaimType.LOGICAL), ("", ClaimType.LOGICAL)],
)
async def test_one_statement_is_classified_by_one_short_call(reply: str, type: ClaimType) -> None:
    asking = Asking(ScriptModel([reply]))
    assert await classify(asking, "The lake\nis calm.") is type
    assert [call.purpose for call in asking.taken()] == ["decompose"]
