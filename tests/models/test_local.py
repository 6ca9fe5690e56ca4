"""Models in this process. Most of it needs a downloaded model, and runs with `-m model`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from holdtrue.errors import ModelError, ModelRefused, RequestRefused
from holdtrue.models.catalogue import find_model
from holdtrue.models.chat import Request, assistant, system, user
from holdtrue.models.local import LocalModel, _payload, _Stream, grammar
from holdtrue.models.model_registry import open_model
from holdtrue.record import ReplyKind
from tests.patience import HANG_S

# The smallest model is enough, since the tests do not depend on its words.
NAME = "smollm2-135m"
SCHEMA = {
    "type": "object",
    "properties": {
        "type": {"enum": ["beside", "not_beside"]},
        "args": {"type": "array", "prefixItems": [{"enum": ["Ann"]}, {"enum": ["Bob"]}], "items": False, "minItems": 2},
    },
    "required": ["type", "args"],
    "additionalProperties": False,
}
FRAME = " ".join(f"Rule {number}: guest {number} sits beside guest {number + 1}." for number in range(25))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model() -> AsyncIterator[LocalModel]:
    found = find_model(NAME)
    if not found.downloaded:
        pytest.skip(f"{NAME} is not downloaded: holdtrue models pull {NAME}")
    opened = open_model(f"local/{NAME}")
    assert isinstance(opened, LocalModel)
    yield opened
    await opened.aclose()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no model file .*gone\.gguf"):
        LocalModel(tmp_path / "gone.gguf")


def test_a_file_that_is_no_model_is_refused_without_noise(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "text.gguf"
    path.write_text("This is no model.")
    with pytest.raises(ModelRefused, match=r"text\.gguf cannot be loaded as a GGUF model"):
        LocalModel(path)
    assert capfd.readouterr() == ("", "")


def test_the_grammar_is_the_schema_without_optional_spaces() -> None:
    head, _, rest = grammar({"type": "object"}).partition("\nstart: %json ")
    assert head == "%llguidance {}"
    assert json.loads(rest) == {"type": "object", "x-guidance": {"whitespace_flexible": False}}


def test_the_grammar_has_no_lone_surrogates() -> None:
    _, _, rest = grammar({"enum": ["\ud800", "\U0001f600"]}).partition("\nstart: %json ")
    assert json.loads(rest)["enum"] == ["\ufffd", "\U0001f600"]


@pytest.mark.parametrize(("code", "kind"), [(400, RequestRefused), (500, ModelRefused), (None, ModelRefused)])
def test_only_a_bad_request_is_the_fault_of_one_request(code: int | None, kind: type[Exception]) -> None:
    stream = _Stream()
    stream.add({"error": {"code": code, "message": "no"}})
    assert isinstance(stream.refusal("local/m"), kind)
    assert str(stream.refusal("local/m")) == "local/m: no"


@pytest.mark.model
@pytest.mark.asyncio(loop_scope="module")
class TestDownloadedModel:
    async def test_it_answers_and_counts(self, model: LocalModel) -> None:
        assert model.name == f"local/{NAME}"
        reply = await model.complete(Request((user("Say hello."),), "answer", max_tokens=8))
        assert reply.text
        assert reply.usage.calls == 1
        assert reply.usage.prompt_tokens > 5
        assert 0 < reply.usage.completion_tokens <= 8
        assert reply.usage.latency_s > 0
        assert reply.kind is (ReplyKind.CUT if reply.usage.completion_tokens == 8 else ReplyKind.ANSWER)

    async def test_a_schema_binds_the_reply_to_compact_json(self, model: LocalModel) -> None:
        reply = await model.complete(Request((user("Who sits where?"),), "extract", schema=SCHEMA))
        assert reply.text in (
            '{"type":"beside","args":["Ann","Bob"]}',
            '{"type":"not_beside","args":["Ann","Bob"]}',
        )
        assert reply.kind is ReplyKind.ANSWER

    async def test_a_schema_that_is_none_is_refused_and_not_ignored(self, model: LocalModel) -> None:
        with pytest.raises(RequestRefused, match="'extract' cannot be enforced"):
            await model.complete(Request((user("Say hello."),), "extract", schema={"type": 12}, max_tokens=64))

    async def test_a_prompt_that_does_not_fit_is_refused(self, model: LocalModel) -> None:
        with pytest.raises(RequestRefused, match="exceeds the available context"):
            await model.complete(Request((user("word " * 9000),), "answer"))
        assert (await model.complete(Request((user("Hello."),), "answer", max_tokens=1))).usage.calls == 1

    async def test_lone_surrogates_are_no_fault(self, model: LocalModel) -> None:
        broken = Request((user("I am \ud800Ann."),), "extract", schema={"enum": ["Ann\udcff"]})
        assert (await model.complete(broken)).text == '"Ann\ufffd"'

    async def test_prefixes_of_several_families_are_kept(
        self, model: LocalModel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """More families of prompts than slots, and a growing conversation, all reuse computed prefixes."""
        frames = [f"{family} {FRAME}" for family in ("Seating.", "Tables.", "Rows.", "Rooms.")]

        counts: list[int] = []

        def add(stream: _Stream, chunk: Mapping[str, Any], own: Any = _Stream.add) -> None:
            own(stream, chunk)
            counts.extend(chunk[name]["prompt_n"] for name in chunk if name == "timings")

        monkeypatch.setattr(_Stream, "add", add)

        async def computed(*messages: str) -> int:
            turns = tuple((user, assistant)[i % 2](text) for i, text in enumerate(messages[1:]))
            await model.complete(Request((system(messages[0]), *turns), "answer", max_tokens=1))
            return counts[-1]

        first = [await computed(frame, "Where is Ann?") for frame in frames]
        second = [await computed(frame, "And Bob?") for frame in frames]
        grown = await computed(frames[0], "And Bob?", "At 1.", "And Eve?")
        assert sum(second) < sum(first) / 3
        assert grown < first[0] / 3

    async def test_a_frame_is_loaded_by_the_next_process_and_changes_no_reply(self, tmp_path: Path) -> None:
        found = find_model(NAME)
        if not found.downloaded:
            pytest.skip(f"{NAME} is not downloaded")
        asked = tuple(
            Request((system(f"{name} {FRAME}"), user("Where is Ann?")), "answer", max_tokens=12, frame=1)
            for name in ("Seating.", "Tables.", "Seating.")
        )

        async def replies() -> list[str]:
            opened = LocalModel(found.path, context=4096, frames=tmp_path / "frames")
            try:
                return [(await opened.complete(request)).text for request in asked]
            finally:
                await opened.aclose()

        first = await replies()
        files = {file: file.stat().st_ino for file in (tmp_path / "frames").iterdir()}
        assert await replies() == first
        assert len(files) == 2 and all(file.stat().st_ino == known for file, known in files.items()), "none is new"

    async def test_calls_side_by_side_all_come_back(self, model: LocalModel) -> None:
        requests = [Request((user(f"Count to {number}."),), "answer", max_tokens=4) for number in range(5)]
        replies = await asyncio.gather(*(model.complete(request) for request in requests))
        assert all(reply.usage.completion_tokens <= 4 for reply in replies)

    async def test_samples_differ(self, model: LocalModel) -> None:
        async def draw(sample: int) -> str:
            request = Request((user("Write a story."),), "answer", temperature=1.5, sample=sample, max_tokens=24)
            return (await model.complete(request)).text

        assert len({await draw(sample) for sample in range(3)}) > 1

    async def test_an_unwanted_call_ends_early(self, model: LocalModel) -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(model.complete(Request((user(FRAME),), "answer", max_tokens=4000)), 0.3)
        # Nobody waits for the 4000 tokens of the other, which would take minutes.
        await asyncio.wait_for(model.complete(Request((user("Hello."),), "answer", max_tokens=1)), HANG_S)

    async def test_closing_stops_what_runs(self) -> None:
        found = find_model(NAME)
        if not found.downloaded:
            pytest.skip(f"{NAME} is not downloaded")
        opened = LocalModel(found.path, context=4096)
        running = asyncio.create_task(opened.complete(Request((user("Tell a story."),), "answer", max_tokens=4000)))
        await asyncio.sleep(0.3)
        await opened.aclose()
        await opened.aclose()
        with pytest.raises(ModelError, match="stopped before its end"):
            await running
        with pytest.raises(ModelError, match="closed"):
            await opened.complete(Request((user("Hello."),), "answer"))


def test_the_likeliest_tokens_are_all_that_is_drawn_from_where_that_is_asked() -> None:
    assert _payload(Request((user("Hi."),), "answer", top_p=0.9))["top_p"] == 0.9
    assert "top_p" not in _payload(Request((user("Hi."),), "answer"))
