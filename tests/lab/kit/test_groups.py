from __future__ import annotations

from pathlib import Path

from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.groups import Names


def arm(model: str = "m", protocol: str = "stated", extractor: str = "llm", method: str = "direct") -> Arm:
    return Arm("drift", model, protocol, extractor, method)


def test_names_say_what_differs_and_no_more() -> None:
    names = Names([(Path("a"), [arm(), arm(method="cot")]), (Path("b"), [arm("n")])])
    assert names.model(arm()) == "m"
    names = Names([(Path("a"), [arm()]), (Path("b"), [arm(protocol="upstream")])])
    assert names.model(arm(protocol="upstream")) == "m (upstream)"
    names = Names([(Path("a"), [arm()]), (Path("b"), [arm(protocol="upstream", extractor="gold")])])
    assert names.model(arm()) == "m (stated, llm)"


def test_the_folder_is_named_only_where_two_have_the_same_row() -> None:
    names = Names([(Path("a"), [arm(), arm("n")]), (Path("b"), [arm()])])
    assert names.model_in(Path("b"), arm()) == "m in b"
    assert names.model_in(Path("a"), arm("n")) == "n"
