"""The acts of tools: one of a tool, or of tools of one end, with the arguments that words can say."""

from __future__ import annotations

from typing import Any

from holdtrue.guard.conversation.hearing import guard_acts
from holdtrue.guard.policy_file import make_policy
from holdtrue.language.requests.operation import Act, acts_of, group_of
from holdtrue.rules.tools import read_tools

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def tool(name: str, need: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {"name": name, "parameters": {"type": "object", "properties": properties, "required": list(need)}}


def acts(*tools: dict[str, Any], **groups: str) -> dict[str, Act]:
    return acts_of(read_tools(list(tools)), groups)


def test_an_act_is_a_tool_its_group_or_what_stands_before_the_last_dot_of_its_name() -> None:
    assert [group_of(own) for own in ("book", "Clinic.Book", "a.b.c")] == ["book", "Clinic", "a.b"]
    assert group_of("Clinic.Book", {"Clinic.Book": "visits"}) == "visits"


def test_arguments_are_named_by_their_act_and_shared_by_tools_that_take_them() -> None:
    own = acts(tool("hotel.book", room=TEXT, nights=WHOLE), tool("hotel.move", room=TEXT, day=TEXT))["hotel"]
    assert own.tools == ("hotel.book", "hotel.move")
    assert own.arguments["room"].id == "hotel.room" and own.arguments["room"].tools == own.tools
    assert own.arguments["day"].tools == ("hotel.move",)


def test_arguments_of_one_name_and_two_types_are_of_the_first_tool_alone() -> None:
    own = acts(tool("a", size=TEXT), tool("b", size=WHOLE), a="box", b="box")["box"]
    assert own.tools == ("a", "b") and own.arguments["size"].tools == ("a",)


def test_choices_of_two_tools_are_those_of_both() -> None:
    one, other = ({**TEXT, "enum": own} for own in (["red", "blue"], ["blue", "green"]))
    own = acts(tool("a", color=one), tool("b", color=other), a="box", b="box")["box"]
    assert own.arguments["color"].choices == ("red", "blue", "green")


def test_lists_and_records_are_not_read_from_words() -> None:
    inner = {"type": "object", "properties": {"x": TEXT}}
    own = tool("a", tags={"type": "array", "items": TEXT}, where=inner, note=TEXT)
    assert [name for name, each in acts(own)["a"].arguments.items() if each.is_read] == ["note"]


def test_the_object_is_an_id_that_has_to_be_given_before_one_that_may_be_left_out() -> None:
    own = tool("pay", ("bill",), coupon=TEXT, bill=TEXT, note=TEXT)
    types = {"*": {"coupon": "id of coupon", "bill": "id of bill"}}
    policy = make_policy("p", tools={"definitions": [own, tool("look", bill=TEXT)], "reads": ["look"], "types": types})
    found = guard_acts(policy)
    assert list(found) == ["pay"] and found["pay"].object == "bill"
    assert found["pay"].arguments["note"].is_text and not found["pay"].arguments["bill"].is_text
    assert acts(tool("note", text=TEXT))["note"].object == ""


def test_what_a_policy_asks_users_about_is_an_act_of_its_own() -> None:
    said = {"ill": {"type": "bool", "ask": "Were you ill?"}}
    found = guard_acts(make_policy("p", tools={"definitions": [tool("look")], "reads": ["look"]}, said=said))
    assert found["said"].arguments["ill"].about == "Were you ill?"
