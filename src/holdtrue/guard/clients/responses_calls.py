"""Calls among the items of Responses: whatever an app may have to do is one, but for what is known to be none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdtrue.guard.clients.forms import as_text, given_call, told_ids, words_in
from holdtrue.guard.conversation.calls import GivenCall

CALL, RESULT = "function_call", "function_call_output"
_CUSTOM, _APPROVAL = "custom_tool_call", "mcp_approval_request"
_ARGUMENTS = {CALL: "arguments", _CUSTOM: "input", _APPROVAL: "arguments"}
RESULTS = (RESULT, "custom_tool_call_output")
_NO_CALLS = frozenset(
    "reasoning compaction additional_tools mcp_approval_response program program_output tool_search_output "
    "web_search_call file_search_call code_interpreter_call image_generation_call mcp_call mcp_list_tools "
    "function_call_output custom_tool_call_output computer_call_output local_shell_call_output shell_call_output "
    "apply_patch_call_output item_reference".split()
)
"""What says something, or was done by the provider already."""
_FRAME = ("type", "id", "call_id", "status")


def is_call(item: Mapping[str, Any]) -> bool:
    """Return whether an app may act on an item of an output, or nobody knows what it holds."""
    kind = item.get("type")
    if kind == "message":
        return bool(words_in(item.get("content"))[1])
    is_done = kind == "tool_search_call" and item.get("execution") == "server"
    return not is_done and not (isinstance(kind, str) and kind in _NO_CALLS)


def read_item(item: Mapping[str, Any]) -> GivenCall:
    """Return the call of an item; what names no tool is a call of a tool with the name of its kind: `computer_call`."""
    kind = str(item.get("type") or "unknown")
    id = item.get("call_id") or item.get("id")
    if kind in _ARGUMENTS and isinstance(item.get("name"), str):
        return given_call(item["name"], item.get(_ARGUMENTS[kind]), id)
    own = {name: value for name, value in item.items() if name not in _FRAME and value is not None}
    return given_call(kind, as_text(own), id)


def write_arguments(item: dict[str, Any], arguments: Any) -> bool:
    """Put other arguments into an item, and return whether that can be done."""
    if item.get("type") not in (CALL, _CUSTOM):
        return False  # To approve a call of a server is to approve it as it is.
    item[_ARGUMENTS[item["type"]]] = as_text(arguments)
    return True


def told_of_items(items: Sequence[Mapping[str, Any]], results: Sequence[str], *, is_kept: bool) -> list[dict[str, Any]]:
    """Return what to add to an input after an output: its items, and a result for each of its calls.

    Where the provider keeps the conversation it has the items already.
    """
    calls = [own for own in items if is_call(own)]
    ids = iter(told_ids([own.get("call_id") for own in calls]))
    ending = iter(results)
    found: list[dict[str, Any]] = []
    outcomes: list[dict[str, Any]] = []
    for item in items:
        own = {name: value for name, value in item.items() if value is not None}
        if is_call(item):
            id, result, kind = next(ids), next(ending), item.get("type")
            if kind in (CALL, _CUSTOM):
                own["call_id"] = id
                outcomes.append({"type": f"{kind}_output", "call_id": id, "output": result})
            elif kind == _APPROVAL:
                answer = {"approval_request_id": item.get("id"), "approve": False, "reason": result}
                outcomes.append({"type": "mcp_approval_response", **answer})
            else:
                outcomes.append({"role": "developer", "content": result})
                continue  # Its result has a form of its own, and without one it may not stand in an input.
        found.append(own)
    return [*([] if is_kept else found), *outcomes]
