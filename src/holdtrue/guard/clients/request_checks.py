"""Check a request before it is sent: complete its body, and refuse tools whose calls nobody could decide on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.clients.forms import WORDS, ReadParts, plain
from holdtrue.guard.policy import Policy
from holdtrue.guard.recorded_words import plain_name

LOOKED_AT = frozenset(
    "messages input tools functions tool_choice function_call response_format text stream stream_options n background "
    "prompt metadata previous_response_id conversation web_search_options thread mcp_servers output_config "
    "output_format".split()
)
"""The parameters that the guard reads."""
_UNNAMED = ("guided_json", "guided_grammar", "structured_outputs", "json_schema", "grammar", "format")
"""The parameters by which other servers are asked for JSON without naming its schema."""
_MEDIA = ("input_image", "input_file", "image_file", "audio_url", "video_url", "video", "computer_screenshot")
_SERVED = "tool plugin mcp function connector search agent".split()
"""Parts of parameter names by which requests give other servers tools to run themselves."""
_MADE_BY_APPS = frozenset(
    "function custom namespace tool_search local_shell apply_patch computer computer_use_preview".split()
)
"""The types of tools whose calls the app makes."""
_DATE = re.compile(r"_\d{8}$")
_DATED = frozenset("bash text_editor computer memory browser_toolset computer_toolset".split())
"""The types, without the date in their names, of Anthropic's tools whose calls the app makes."""
_CHOICES = ("allowed_tools", "auto", "any", "none", "tool")
"""The types of a choice among the declared tools."""


def merged(request: Mapping[str, Any], accepted: frozenset[str]) -> dict[str, Any]:
    """Return a request in which the parameters of `extra_body` that the guard reads replace those of the same name.

    `accepted` are the parameters of the client's method. Raises `InputError` for such a parameter that the method
    lacks, for one in `extra_query`, and for one that may bring tools.
    """
    given = {name: own for name, own in request.items() if type(own).__name__ not in ("Omit", "NotGiven")}
    extra, query = given.pop("extra_body", None) or {}, given.get("extra_query") or {}
    if not isinstance(extra, Mapping) or not isinstance(query, Mapping):
        raise InputError("extra_body and extra_query are mappings of parameters on a guarded client")
    if strange := [*(LOOKED_AT & extra.keys() - accepted), *(LOOKED_AT & query.keys())]:
        raise InputError(f"{', '.join(sorted(strange))}: in extra_body or extra_query refused on a guarded client")
    found = given | {name: own for name, own in extra.items() if name in LOOKED_AT}
    left = {name: own for name, own in extra.items() if name not in LOOKED_AT}
    unknown = [own for own in left.keys() - accepted if left[own] not in (None, False)]
    if strange := [own for own in unknown if any(each in plain_name(str(own)) for each in _SERVED)]:
        raise InputError(
            f"{', '.join(sorted(map(str, strange)))} is refused on a guarded client, for the protocol "
            "lacks it, and by its name a server could be given tools that it runs itself, where nobody decides on calls"
        )
    return {**found, "extra_body": left} if left else found


def shape_in(policy: Policy, request: Mapping[str, Any], name: str | None) -> str | None:
    """Return the name of the structured answer that a request asks for, or None.

    `name` is the requested name; "" is an unnamed schema. Raises `InputError` if an unnamed schema could be several of
    the policy's answers.
    """
    given = {**request, **(request.get("extra_body") or {})}
    if name is None and any(given.get(own) is not None for own in _UNNAMED):
        name = ""
    answers = [own.name for own in policy.tools.values() if own.is_answer]
    if name != "" or not answers:
        return name
    if len(answers) > 1:
        raise InputError(
            "the request asks for JSON without the name of its shape; give a json_schema with the name (Anthropic: the "
            f"title) {' or '.join(answers)}"
        )
    return answers[0]


def check_decidable(policy: Policy, request: Mapping[str, Any], read: ReadParts) -> None:
    """Raise `InputError` for a request that could lead to calls without a decision. Its form reads the parts `read`."""
    if request.get("background"):
        raise InputError(
            "background=True is refused on a guarded client, for its calls come out of retrieve, where nobody has "
            "decided on them; leave it out, and send the request from a task of your own"
        )
    if request.get("prompt"):
        raise InputError(
            "a stored prompt is refused on a guarded client, for it brings messages and tools that nobody sees here; "
            "send its text and its tools"
        )
    given = request.get(read.name)
    items = [] if isinstance(given, str) else [*map(plain, given or ())]
    for tool in _tools((request, *(own for own in items if own.get("type") != "mcp_list_tools"))):
        _check_tool(policy, tool)
    if request.get("web_search_options") is not None:
        _check_tool(policy, {"type": "web_search"})
    if request.get("mcp_servers"):
        _check_tool(policy, {"type": "mcp_toolset"})
    _check_shown(policy, items, read)


def _check_shown(policy: Policy, messages: Iterable[Mapping[str, Any]], read: ReadParts) -> None:
    """Raise `InputError` for a message or part in another protocol's form, whose content would be skipped."""
    known = {*WORDS, *_MEDIA, *policy.tools, *read.kinds}
    for own in messages:
        content, kind, role = own.get("content"), str(own.get("type")), own.get("role")
        parts = (
            [plain(each) for each in content if not isinstance(each, str)] if isinstance(content, list | tuple) else []
        )
        found = [str(each.get("type") or next(iter(each), None)) for each in parts]
        found += ["a text that is none" for each in parts if not isinstance(each.get("text", ""), str | None)]
        found += [] if isinstance(content, str | list | tuple | None) else ["a content that is no text and no list"]
        is_item = read.name == "input" and kind.endswith(("_call", "_output"))
        found += [] if role in (None, *read.roles) else [f"the role {role}"]
        found += [kind] if not role and not is_item else []
        # Other protocols have calls and results under these keys.
        foreign = ("parts",) if "tool" in read.roles else ("parts", "tool_calls", "function_call")
        found += [f"{name} of a message" for name in foreign if own.get(name)]
        if strange := [each for each in found if each not in known]:
            raise InputError(f"{strange[0][:60]!r} is of another protocol, so that nobody would see what it shows")


def _tools(holders: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for holder in holders:
        found = holder.get("tools")
        tools = [*map(plain, found if isinstance(found, list | tuple) else () if found is None else (found,))]
        yield from tools
        yield from _tools(own for own in tools if own.get("type") == "namespace")
        if choice := plain(holder.get("tool_choice")):
            allowed = _tools((choice, plain(choice.get("allowed_tools"))))
            # A server that is only named here has to be declared among the tools, too.
            yield from (own for own in (choice, *allowed) if own.get("type") not in _CHOICES and _brings(own))


def _brings(tool: Mapping[str, Any]) -> bool:
    return tool.get("type") != "mcp" or any(own in tool for own in ("server_url", "connector_id"))


def let_run(policy: Policy) -> frozenset[str]:
    """Return the types of tools that the policy lets the provider run, without the date in their names."""
    others = {_DATE.sub("", name) for name in policy.tools if not _only_reads(policy, name)}
    return frozenset(_DATE.sub("", name) for name in policy.tools) - others


def _only_reads(policy: Policy, name: str) -> bool:
    own = policy.tools.get(name)
    return own is not None and not (own.writes or policy.consents_on[name] or policy.rules_on[name])


def _check_tool(policy: Policy, tool: Mapping[str, Any]) -> None:
    """Raise `InputError` for a tool that the provider runs, unless it only reads and no rule is about it."""
    kind = tool.get("type") or (
        "function" if isinstance(tool.get("function", tool.get("name")), str | Mapping) else None
    )
    if not isinstance(kind, str):
        raise InputError(f"{dict(tool)!r:.80} has no type that is a text, so that nobody knows if the provider runs it")
    where = plain(tool.get("environment") or {}).get("type", "local")
    name = _DATE.sub("", kind)
    if kind in _MADE_BY_APPS or (kind == "shell" and where == "local") or (name != kind and name in _DATED):
        return
    is_known = kind in policy.tools or name in policy.tools
    if (is_known or policy.unknown_tools != "allow") and name not in let_run(policy):
        raise InputError(
            f"the provider runs the tool {kind!r:.60} itself, so nobody decides on its calls, and it is refused on a "
            "guarded client; name it among the tools that only read in the policy, without rules, to let it run"
        )
