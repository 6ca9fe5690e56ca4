"""The gateway before an MCP server decides on calls as by hand, and lets all else pass unchanged."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Literal, cast

import pytest

pytest.importorskip("mcp")
import anyio
import mcp.types as types
from mcp import Client
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp.shared.subscriptions import ToolsListChanged

from holdtrue.errors import SettingsError
from holdtrue.guard import Guard, make_policy
from holdtrue.serve.mcp_calls import GuardedCalls
from holdtrue.serve.mcp_naming import CONVERSATION, USER, Naming
from holdtrue.serve.mcp_relay import relay
from tests.adapters.desk import ALLOWED, DEFINITIONS, STOPPED, Tools, desk, policy, turns
from tests.serve.mcp_pair import BOTH, TOOLS, desk_server, meta, reach, text_of

READS = ["get_booking", "get_customer", "goodwill_voucher", "send_receipt"]
WRITES = {"definitions": DEFINITIONS, "reads": READS, "writes": ["refund"]}
BOOKING, REFUND = ("get_booking", {"booking": "HN4T8R"}), ALLOWED[1]


def asking() -> Guard:
    """Return a guard that asks a person before each refund, and needs no other part of a conversation."""
    return Guard(make_policy("asks", tools={**WRITES, "consent": "refund"}))


@BOTH
@pytest.mark.parametrize("structured", [True, False])
async def test_the_desk_with_the_users_words_is_decided_as_by_hand(mode: str, structured: bool) -> None:
    tools, history, stopped = Tools(), list[dict[str, Any]](), list[Any]()
    async with reach(desk(), desk_server(tools, structured=structured), mode) as client:
        for turn in turns():
            history.append({"role": "user", "content": turn.user})
            for step in turn.steps:
                if step["role"] == "assistant":
                    history.append({"role": "assistant", "content": step["text"]})
                    continue
                result = await client.call_tool(step["tool"], step["arguments"], meta=meta(user=history))
                if result.is_error:
                    stopped.append((step["tool"], step["arguments"]))
                    assert text_of(result).startswith("[holdtrue: stopped")
    assert (tools.made, stopped) == (ALLOWED, STOPPED)


@BOTH
async def test_the_desk_without_words_is_decided_as_by_hand_without_words(mode: str) -> None:
    steps = [(own["tool"], own["arguments"]) for turn in turns() for own in turn.steps if own["role"] == "call"]
    by_hand, hand_tools, tools = desk().conversation("desk"), Tools(), Tools()
    async with reach(desk(), desk_server(tools), mode) as client:
        for tool, arguments in steps:
            outcome = await by_hand.decide(tool, arguments)
            if outcome.goes_on:
                await by_hand.ran(outcome, hand_tools.run(tool, arguments))
            result = await client.call_tool(tool, arguments)
            assert result.is_error is not outcome.goes_on
            assert outcome.goes_on or text_of(result) == outcome.for_model
    assert tools.made == hand_tools.made


@BOTH
async def test_everything_but_calls_passes_unchanged(mode: str) -> None:
    server = desk_server(Tools())
    async with Client(server, mode=mode) as direct, reach(desk(), server, mode) as client:
        for one in (direct, client):
            assert (await one.list_tools()).tools == TOOLS
        assert client.server_info == direct.server_info
        assert (client.instructions, client.server_capabilities) == (direct.instructions, direct.server_capabilities)
        assert await client.read_resource("house://rules") == await direct.read_resource("house://rules")
        assert await client.call_tool(*BOOKING) == await direct.call_tool(*BOOKING)
        with pytest.raises(MCPError, match="Method not found"):
            await client.list_prompts()


@BOTH
@pytest.mark.filterwarnings("ignore:.*logging capability is deprecated")
async def test_the_servers_own_words_meanwhile_reach_the_client(mode: str) -> None:
    steps, logs = list[Any](), list[Any]()

    async def answer(ctx: Any, _params: Any) -> types.CallToolResult:
        await ctx.session.report_progress(1, 2, "half")
        await ctx.session.send_log_message("info", "looking", related_request_id=ctx.request_id)
        return types.CallToolResult(content=[])

    async def told(progress: float, total: float | None, message: str | None) -> None:
        steps.append((progress, total, message))

    async def logged(params: Any) -> None:
        logs.append(params.data)

    server = desk_server(Tools(), answer=answer)
    async with reach(desk(), server, mode, logging_callback=logged, log_level="info") as client:
        await client.call_tool(*BOOKING, progress_callback=told)
        await anyio.sleep(0.05)
    assert (steps, logs) == ([(1.0, 2.0, "half")], ["looking"])


@BOTH
async def test_a_question_of_the_server_reaches_the_person_and_its_call_counts_once(mode: str) -> None:
    guard, calls = asking(), list[Any]()
    form = types.ElicitRequestFormParams(message="Sure?", requested_schema={"type": "object", "properties": {}})

    async def answer(ctx: Any, params: types.CallToolRequestParams) -> Any:
        calls.append(params.input_responses)
        if mode == "legacy":
            await ctx.session.elicit_form(form.message, form.requested_schema, related_request_id=ctx.request_id)
        elif params.input_responses is None:
            questions: Any = {"sure": types.ElicitRequest(params=form)}
            return types.InputRequiredResult(input_requests=questions, request_state="s1")
        return types.CallToolResult(content=[])

    asked = list[str]()

    async def person(_context: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"yes": True})

    async with reach(guard, desk_server(Tools(), answer=answer), mode, elicitation_callback=person) as client:
        assert not (await client.call_tool(*REFUND)).is_error
    assert [own.startswith("Please say yes") for own in asked] == [True, False]
    assert len(calls) == (1 if mode == "legacy" else 2)
    assert await guard.conversation("desk").pending() == ()


@BOTH
@pytest.mark.parametrize(
    ("action", "content", "made"),
    [("accept", {"yes": True}, 1), ("accept", {"yes": False}, 0), ("decline", None, 0), ("cancel", None, 0)],
)
async def test_only_a_yes_of_a_person_lets_the_call_through_once(
    mode: str, action: Any, content: Any, made: int
) -> None:
    tools, asked = Tools(), list[str]()

    async def person(_context: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action=action, content=content)

    async with reach(asking(), desk_server(tools), mode, elicitation_callback=person) as client:
        result = await client.call_tool(*REFUND)
    assert len(tools.made) == made and result.is_error is not bool(made)
    assert len(asked) == 1 and 'booking="HN4T8R"' in asked[0] and "260.0" in asked[0]
    told = "a person was asked, and answered: no" in text_of(result)
    assert told is (action == "decline" or content == {"yes": False}), "a closed dialogue is no answer"


@BOTH
async def test_without_a_way_to_ask_the_model_is_told_what_to_show(mode: str) -> None:
    tools = Tools()
    async with reach(asking(), desk_server(tools), mode) as client:
        first, nobody, last = text_of(await client.call_tool(*REFUND)).splitlines()
    assert "just the last line" in first and "no yes can come" in nobody and last.startswith("Please say yes")
    assert tools.made == []


async def test_a_yes_to_one_call_is_none_to_another() -> None:
    """The state of a question comes back from the client, which may send it with any call."""
    tools, yes = Tools(), {"holdtrue": types.ElicitResult(action="accept", content={"yes": True})}
    other = {**REFUND[1], "amount": 250.0}

    async def person(_context: Any, _params: Any) -> types.ElicitResult:
        raise AssertionError("the session asks by itself")

    async with reach(asking(), desk_server(tools), "auto", elicitation_callback=person) as client:
        asked: Any = await client.session.call_tool(*REFUND, allow_input_required=True)
        for state in (asked.request_state, "holdtrue:{", "holdtrue:[]"):
            given: Any = {"input_responses": yes, "request_state": state, "allow_input_required": True}
            assert (await client.session.call_tool(REFUND[0], other, **given)).is_error
        assert tools.made == []
        given = {"input_responses": yes, "request_state": asked.request_state}
        assert not (await client.session.call_tool(*REFUND, **given)).is_error
        assert (await client.session.call_tool(*REFUND, **given)).is_error
    assert tools.made == [REFUND]


async def test_no_conversation_is_guessed() -> None:
    tools, named = Tools(), meta(conversation="a")
    async with reach(desk(), desk_server(tools), "auto", naming=Naming()) as client:
        result = await client.call_tool(*BOOKING)
        assert result.is_error and "facts.booking" in text_of(result) and CONVERSATION in text_of(result)
        assert not (await client.call_tool(*BOOKING, meta=named)).is_error
    async with reach(desk(), desk_server(tools), "auto", naming=Naming("b")) as client:
        assert "more than one conversation: 'a' and 'b'" in text_of(await client.call_tool(*BOOKING, meta=named))
        assert "1 to 500" in text_of(await client.call_tool(*BOOKING, meta=meta(tenant="x" * 501)))
    assert len(tools.made) == 1


async def test_a_policy_without_history_needs_no_conversation_but_words_do() -> None:
    rule = {"id": "most", "on": "refund", "hold": "call.amount <= 100", "say": "100 at most."}
    guard = Guard(make_policy("small", tools=WRITES, rules=[rule]))
    tools = Tools()
    async with reach(guard, desk_server(tools), "auto", naming=Naming()) as client:
        assert not (await client.call_tool(*BOOKING)).is_error
        assert "100 at most" in text_of(await client.call_tool(*REFUND))
        assert USER in text_of(await client.call_tool(*BOOKING, meta=meta(user="Hello")))
    assert tools.made == [BOOKING]


async def test_the_argument_that_names_a_conversation_is_taken_out_unless_the_tool_has_it() -> None:
    seen, other = list[Any](), cast(Any, {"x/y": 1})

    async def answer(_ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        seen.append((params.arguments, params.meta))
        return types.CallToolResult(content=[])

    server = desk_server(Tools(), answer=answer)
    async with reach(desk(), server, "legacy", naming=Naming(argument="chat")) as client:
        assert not (await client.call_tool("get_booking", {"booking": "HN4T8R", "chat": "a"}, meta=other)).is_error
    async with reach(desk(), server, "legacy", naming=Naming(argument="booking")) as client:
        assert not (await client.call_tool(*BOOKING)).is_error
    assert [own[0] for own in seen] == [{"booking": "HN4T8R"}, {"booking": "HN4T8R"}]
    assert seen[0][1] == other


def test_the_gateway_says_at_start_what_clients_have_to_send() -> None:
    first, second = Naming().notes(policy())
    assert "facts.booking" in first and "said.agreed" in second and USER in second
    assert len([*Naming("a").notes(policy())]) == 1
    with pytest.raises(SettingsError, match="no tool of the policy has an argument 'chat'"):
        [*Naming(argument="chat").notes(policy())]


@pytest.mark.parametrize(("code", "waits"), [(types.INVALID_PARAMS, 0), (types.INTERNAL_ERROR, 1)])
async def test_an_error_of_the_server_reaches_the_client_and_may_leave_the_call_pending(code: int, waits: int) -> None:
    async def answer(_ctx: Any, _params: Any) -> Any:
        raise MCPError(code, "no")

    guard = Guard(make_policy("writes", tools=WRITES))
    async with reach(guard, desk_server(Tools(), answer=answer), "legacy") as client:
        with pytest.raises(MCPError, match="no"):
            await client.call_tool(*REFUND)
    assert len(await guard.conversation("desk").pending()) == waits


@BOTH
async def test_a_call_that_the_client_gives_up_stays_pending(mode: str) -> None:
    cancelled = anyio.Event()

    async def answer(_ctx: Any, _params: Any) -> Any:
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    guard = Guard(make_policy("writes", tools=WRITES))
    async with reach(guard, desk_server(Tools(), answer=answer), mode) as client:
        with pytest.raises(MCPError, match="timed out"):
            await client.call_tool(*REFUND, read_timeout_seconds=0.3)
        with anyio.fail_after(5):
            await cancelled.wait()
        assert [own.tool for own in await guard.conversation("desk").pending()] == ["refund"]


async def test_a_guard_that_fails_lets_no_call_through_and_an_observing_one_stops_none() -> None:
    modes: tuple[tuple[Literal["enforce", "observe"], int], ...] = (("enforce", 0), ("observe", 1))
    for mode, made in modes:
        tools, guard = Tools(), Guard(asking().policy, mode=mode)
        async with reach(guard, desk_server(tools), "auto") as client:
            await client.call_tool(*REFUND, meta=meta(user=7))
        assert len(tools.made) == made


async def test_a_subscription_reaches_the_client_that_asked_for_it() -> None:
    bus = InMemorySubscriptionBus()
    server = desk_server(Tools(), on_subscriptions_listen=ListenHandler(bus))
    async with reach(desk(), server, "auto") as client, client.listen(tools_list_changed=True) as events:
        await bus.publish(ToolsListChanged())
        with anyio.fail_after(5):
            assert isinstance(await anext(aiter(events)), ToolsListChanged)


async def test_a_call_without_an_id_goes_nowhere() -> None:
    """A notification that some server may take for a call is not relayed, and another notification is."""
    sent = [("tools/call", {"name": "refund", "arguments": REFUND[1]}), ("notifications/roots/list_changed", {})]
    async with (
        create_client_server_memory_streams() as ((_, write), own),
        create_client_server_memory_streams() as (near, (server, _end)),
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(relay, GuardedCalls(desk(), Naming("a")), own, lambda: nullcontext(near))
        for method, params in sent:
            await write.send(SessionMessage(types.JSONRPCNotification(jsonrpc="2.0", method=method, params=params)))
        with anyio.fail_after(5):
            message: Any = await server.receive()
        assert message.message.method == "notifications/roots/list_changed"
        tasks.cancel_scope.cancel()
