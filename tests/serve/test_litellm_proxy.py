"""The real proxy of litellm asks the guardrail server. It has an environment of its own, with the library litellm."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

if find_spec("litellm") is None:
    pytest.skip("litellm is not installed here; it has an environment of its own", allow_module_level=True)

import httpx

from holdtrue.serve.api_keys import read_keys
from tests.adapters.desk import ALLOWED, STOPPED, Tools, desk, turns
from tests.serve.messages import add_key, message_of
from tests.serve.servers import guardrail_app, scripted_model, served, wait_until
from tests.test_docs_examples import blocks

pytestmark = pytest.mark.slow
CONFIG = blocks("docs/serve-guardrail.md", "yaml")[0]
REPLIES: list[dict[str, Any]] = []
HEADERS = {"Authorization": "Bearer sk-test"}


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("litellm")
    with ExitStack() as stack:
        key = add_key(folder / "keys", "acme")
        guard = stack.enter_context(served(guardrail_app(desk(), read_keys(folder / "keys"))))
        model = stack.enter_context(served(scripted_model(REPLIES)))
        own = CONFIG.replace("http://127.0.0.1:8080", model).replace("http://127.0.0.1:8300", guard)
        (folder / "config.yaml").write_text(own)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        command = "import sys; from litellm import run_server; sys.exit(run_server())"
        given = ["--config", str(folder / "config.yaml"), "--host", "127.0.0.1", "--port", str(port)]
        settings = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MASTER_KEY": "sk-test", "HOLDTRUE_KEY": key}
        log = stack.enter_context((folder / "log").open("w"))
        process = subprocess.Popen(
            [sys.executable, "-c", command, *given], env=os.environ | settings, stdout=log, stderr=log, cwd=folder
        )
        stack.callback(process.wait, 30)
        stack.callback(process.terminate)
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: process.poll() is not None or _answers(url))
        assert process.poll() is None, (folder / "log").read_text()
        yield url


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health/liveliness").is_success
    except httpx.HTTPError:
        return False


def _ask(proxy: str, history: list[Any], reply: dict[str, Any], id: str | None, **more: Any) -> httpx.Response:
    REPLIES[:] = [reply]
    headers = HEADERS if id is None else {**HEADERS, "Holdtrue-Conversation": id}
    body = {"model": "my-model", "messages": history, **more}
    return httpx.post(f"{proxy}/v1/chat/completions", json=body, headers=headers, timeout=60)


@pytest.mark.parametrize("stream", [False, True])
def test_the_desk_is_held_to_its_policy_behind_the_proxy(proxy: str, stream: bool) -> None:
    tools, stopped, number = Tools(), list[tuple[str, Any]](), 0
    history: list[dict[str, Any]] = []
    for turn in turns():
        history.append({"role": "user", "content": turn.user})
        for step in turn.steps:
            number += 1
            message = message_of(step, f"c{number}")
            answer = _ask(proxy, history, message, f"desk {stream}", stream=stream)
            assert not REPLIES, answer.text
            if step["role"] == "assistant":
                assert step["text"] in answer.text
                history.append(message)
            elif answer.status_code == 400 or '"error"' in answer.text:
                assert "[holdtrue: stopped" in answer.text and "arguments" not in answer.text, answer.text
                stopped.append((step["tool"], step["arguments"]))
            else:
                assert f'"c{number}"' in answer.text, answer.text
                result = tools.run(step["tool"], step["arguments"])
                history += [message, {"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(result)}]
    assert tools.made == ALLOWED and stopped == STOPPED


def test_a_request_without_its_conversation_never_reaches_the_model(proxy: str) -> None:
    reply = {"role": "assistant", "content": "Hello!"}
    answer = _ask(proxy, [{"role": "user", "content": "Hi"}], reply, None)
    assert answer.status_code == 400 and "which conversation this is" in answer.text and [reply] == REPLIES
