"""The page shows a person only their tenant, lets only operators change anything, and says each fault in words."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")

from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue.guard import SqliteStore
from holdtrue.guard.store.event import NewEvent
from holdtrue.serve.callers import BadRequest
from holdtrue.serve.page_app import HEADERS, page_app, page_routes
from holdtrue.serve.page_people import MOST_SESSIONS, SESSION_S, People, Person, read_people
from holdtrue.serve.page_stream import MOST_STREAMS, PageStreams
from tests.serve.page_server import KEYS, PageClient, Served, alone, serving, write_people
from tests.serve.page_store import BROKEN, HOSTILE, VOUCHER, fill, open_desk, play_break
from tests.serve.servers import served, wait_until
from tests.test_docs_examples import blocks


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("desk")) as found:
        yield found


@pytest.fixture(scope="module", autouse=True)
def closed_clients() -> Iterator[None]:
    yield
    PageClient.close_all()


@pytest.fixture(scope="module")
def operator(page: Served) -> PageClient:
    return page.client("Omar Operator")


@pytest.fixture
def talk(page: Served, request: pytest.FixtureRequest) -> str:
    """A conversation of its own, which another process has written up to a blocked refund."""
    id = str(request.node.name)
    other = open_desk(page.folder, page.folder / "policy.yaml")
    asyncio.run(play_break(other.conversation(id, "acme")))
    other.close()
    return id


def test_each_answer_has_the_headers_of_the_page(page: Served, operator: PageClient) -> None:
    stranger = page.client()
    for path, status in {"/": 200, "/assets/page.js": 200, "/assets/../page_app.py": 404, "/api/holding": 401}.items():
        found = stranger.get(path)
        assert found.status_code == status
        assert status == 404 or {name: found.headers[name] for name in HEADERS} == HEADERS
    assert stranger.get("/assets/x.js").headers["x-content-type-options"] == "nosniff"
    assert "script" in HEADERS["Content-Security-Policy"] and "unsafe" not in HEADERS["Content-Security-Policy"]
    html = stranger.get("/").text
    assert "<style" not in html and "style=" not in html and html.count("<script") == 1 and "onclick" not in html


def test_a_key_opens_a_session_and_many_wrong_ones_close_the_door(tmp_path: Path) -> None:
    with serving(tmp_path) as page:
        own = page.client()
        found = own.post("/api/sign-in", json={"key": KEYS["Ada Viewer"][1]})
        cookie = found.headers["set-cookie"].lower()
        assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/", f"max-age={SESSION_S}"))
        assert "secure" not in cookie and KEYS["Ada Viewer"][1] not in found.text
        forwarded = page.client().post(
            "/api/sign-in", json={"key": KEYS["Ada Viewer"][1]}, headers={"X-Forwarded-Proto": "https"}
        )
        assert "secure" in forwarded.headers["set-cookie"].lower()
        assert own.get("/api/me").json()["name"] == "Ada Viewer"
        own.post("/api/sign-out", json={}, headers={"Holdtrue-Token": own.get("/api/me").json()["token"]})
        assert own.get("/api/me").json() is None
        assert page.client().post("/api/sign-in", json={"key": KEYS["Weak Wilma"][1]}).status_code == 401
        codes = [own.post("/api/sign-in", json={"key": f"guess-{number}"}).status_code for number in range(7)]
        assert codes == [401] * 4 + [429] * 3
        late = own.post("/api/sign-in", json={"key": KEYS["Ada Viewer"][1]})
        assert late.status_code == 429 and late.headers["retry-after"] == "60"


def test_sessions_end_and_their_number_is_bounded(tmp_path: Path) -> None:
    now = [0.0]
    read = read_people(write_people(tmp_path / "people"))
    people = People(list(zip(read._hashes, read._people, strict=True)), clock=lambda: now[0])
    key = KEYS["Rosa Root"][1]
    first, session = people.sign_in(key, "a")
    assert people.session(first) is session
    now[0] = SESSION_S + 1.0
    assert people.session(first) is None and people.session("") is None
    cookies = [people.sign_in(key, "a")[0] for _ in range(MOST_SESSIONS + 1)]
    assert people.session(cookies[0]) is None and people.session(cookies[-1]) is not None
    for number in range(200):
        with pytest.raises(BadRequest):
            people.sign_in("wrong", f"{number}")
    with pytest.raises(BadRequest, match="too many"):
        people.sign_in(key, "another address")


def test_a_person_sees_and_changes_only_their_tenant(page: Served, operator: PageClient) -> None:
    def listed(own: PageClient) -> set[str]:
        return {each["tenant"] for each in own.get("/api/conversations").json()["conversations"]}

    assert listed(operator) == {"acme"} and listed(page.client("Nils None")) == {""}
    assert listed(page.client("Rosa Root")) == {"acme", "", "other"}
    hidden, unknown = {"tenant": "", "conversation": "walk-in"}, {"tenant": "acme", "conversation": "none"}
    bodies = {"override": {"decision": "D002", "reason": "r"}, "withdraw": {"entry": "S001", "reason": "r"}}
    for named in (hidden, unknown):
        answers = [operator.get(f"/api/{path}", params=named) for path in ("timeline", "holding", "mend")]
        answers += [operator.post(f"/api/{path}", json={**named, **own}) for path, own in bodies.items()]
        assert {(own.status_code, own.text) for own in answers} == {(404, answers[0].text)}
    assert operator.get("/api/stream", params=hidden).status_code == 404
    assert operator.get("/api/conversations", params={"of": "other"}).status_code == 404
    own = page.client("Rosa Root").get("/api/conversations", params={"of": "other"}).json()["conversations"]
    assert [each["tenant"] for each in own] == ["other"]
    assert (
        operator.get("/api/conversations", params={"containing": "1003"}).json()["conversations"][0]["conversation"]
        == "desk-1003"
    )
    viewer = page.client("Ada Viewer")
    denied = viewer.change("override", "desk-1002", decision="D002", reason="r")
    assert denied.status_code == 403 and viewer.timeline("desk-1002")["events"]


def test_a_change_needs_a_session_its_token_json_and_the_own_origin(page: Served, operator: PageClient) -> None:
    body = {"tenant": "acme", "conversation": "desk-1002", "decision": "D002", "reason": "r"}
    before = len(operator.timeline("desk-1002")["events"])
    own = page.client("Omar Operator")
    cases = {
        403: [{"Holdtrue-Token": ""}, {"Holdtrue-Token": "x"}, {"Origin": "https://evil.example"}, {"Origin": "null"}],
        415: [{"Content-Type": "text/plain"}, {"Content-Type": "application/x-www-form-urlencoded"}],
    }
    for status, headers in cases.items():
        for more in headers:
            found = own.post(
                "/api/override", content=json.dumps(body), headers={"Content-Type": "application/json", **more}
            )
            assert found.status_code == status, more
    assert page.client().post("/api/override", json=body).status_code == 401
    assert own.get("/api/override").status_code == 405
    assert own.post("/api/override", content="{", headers={"Content-Type": "application/json"}).status_code == 400
    assert own.post("/api/override", json={**body, "more": 1}).status_code == 422
    assert own.post("/api/override", json={**body, "reason": "  "}).status_code == 422
    assert own.post("/api/override", json={**body, "reason": "x" * 70_000}).status_code == 413
    assert own.get("/api/timeline", params={"before": "-1"}).status_code == 422
    assert len(operator.timeline("desk-1002")["events"]) == before


def test_without_people_the_page_answers_only_to_names_of_loopback(tmp_path: Path) -> None:
    with serving(tmp_path, alone()) as page:
        own = page.client()
        assert own.get("/api/me").json()["name"] == "Rosa Lindt"
        for host in ("evil.example", "127.0.0.1.evil.example:80", "0.0.0.0", ""):
            assert own.get("/api/me", headers={"Host": host}).status_code in (400, 403)
        assert own.get("/api/me", headers={"Host": "LOCALHOST:1"}).status_code == 200
        assert own.change("override", "desk-1002", decision="D002", reason="r").status_code == 403


def test_an_override_is_an_event_in_the_person_s_name_and_counts_once(
    page: Served, operator: PageClient, talk: str
) -> None:
    done = operator.change("override", talk, decision="D002", reason="The fee is ours.")
    assert done.status_code == 200, done.text
    last = operator.timeline(talk)["events"][-1]
    told = {name: last[name] for name in ("kind", "by", "role", "reason", "decision")}
    assert told == {
        "kind": "overridden",
        "by": "Omar Operator",
        "role": "operator",
        "reason": "The fee is ours.",
        "decision": "D002",
    }
    again = operator.change("override", talk, decision="D002", reason="r")
    assert again.status_code == 409 and "already" in again.json()["error"]
    check = page.guard.conversation(talk, "acme")
    first, second = (asyncio.run(check.check("refund", BROKEN)) for _ in range(2))
    assert (
        first.kind == "allow" and "Omar Operator (operator)" in json.dumps(first.to_json()) and second.kind != "allow"
    )


def test_a_forged_a_stale_and_an_allowed_decision_are_told(page: Served, operator: PageClient, talk: str) -> None:
    def refused(decision: str) -> tuple[int, str]:
        found = operator.change("override", talk, decision=decision, reason="r")
        return found.status_code, found.json()["error"]

    assert refused("D999") == (404, "there is no decision 'D999' in this conversation")
    assert refused("D001")[0] == 409 and "stopped no call" in refused("D001")[1]
    asyncio.run(page.guard.conversation(talk, "acme").check("refund", BROKEN))
    assert refused("D002") == (409, "D002 is out of date: D003 is a later decision on the same call")
    asyncio.run(page.guard.store.erase("acme", talk, "they asked"))
    assert refused("D003")[0] in (404, 409)
    assert [own["kind"] for own in operator.timeline(talk)["events"]] == ["erased"]
    left = operator.get("/api/holding", params={"tenant": "acme", "conversation": talk})
    assert left.status_code == 409 and "erased" in left.json()["error"]


def test_entries_and_requests_are_withdrawn_with_a_name(operator: PageClient, talk: str) -> None:
    holding = operator.get("/api/holding", params={"tenant": "acme", "conversation": talk}).json()
    (request,) = holding["requests"]
    assert request["status"] == "open" and [own["argument"] for own in request["words"]] == ["booking", "method"]
    for entry in (request["words"][1]["id"], request["id"]):
        assert operator.change("withdraw", talk, entry=entry, reason="It was misread.").status_code == 200
    holding = operator.get("/api/holding", params={"tenant": "acme", "conversation": talk}).json()
    assert [own["status"] for own in holding["requests"]] == ["withdrawn"]
    last = operator.timeline(talk)["events"][-1]
    assert (last["kind"], last["by"], last["role"]) == ("withdrawn", "Omar Operator", "operator")
    assert operator.change("withdraw", talk, entry="S999", reason="r").status_code == 409


def test_an_answer_is_the_user_s_and_never_a_yes(page: Served, operator: PageClient) -> None:
    for words in ("yes", "Yes, please go ahead!"):
        found = operator.change("answer", "desk-1003", decision="D002", words=words)
        assert found.status_code == 409 and "only from the user" in found.json()["error"]
    assert operator.change("answer", "desk-1002", decision="D002", words="card").status_code == 409, "it asks nothing"
    done = operator.change("answer", "desk-1003", decision="D002", words="Make it 150 euros.")
    assert done.status_code == 200, done.text
    last = operator.timeline("desk-1003")["events"][-1]
    assert (last["kind"], last["user"], last["by"]) == ("heard", "Make it 150 euros.", "Omar Operator")
    assert last["answered"] == []
    decision = asyncio.run(page.guard.conversation("desk-1003", "acme").check("goodwill_voucher", VOUCHER))
    assert decision.kind == "ask", "the words of an operator let nothing through"


def test_a_decision_shows_what_it_rests_on(operator: PageClient) -> None:
    events = operator.timeline("desk-1001")["events"]
    said = next(own for own in events if own.get("verdict") == "block" and own["arguments"][2][1] == '"voucher"')
    assert said["differs"]["method"][0]["source"] == "user" and said["facts"][0]["name"] == "booking"
    assert [own["rule"] for own in said["resting"]] == ["S002"] and said["coverage"]["rules"] > 3
    named = {"tenant": "acme", "conversation": "desk-1001"}
    mend = operator.get("/api/mend", params={**named, "decision": "D002"}).json()
    assert mend == {"changes": [{"path": "amount", "after": "260"}], "optimal": True}
    assert "only the user" in operator.get("/api/mend", params={**named, "decision": "D003"}).json()["why"]
    assert operator.get("/api/mend", params={**named, "decision": "D999"}).status_code == 404


def test_hostile_texts_stay_data(page: Served) -> None:
    root = page.client("Rosa Root")
    found = root.get("/api/timeline", params={"tenant": "other", "conversation": HOSTILE})
    assert found.headers["content-type"] == "application/json"
    last = found.json()["events"][-1]
    assert last["by"] == last["role"] == last["reason"] == HOSTILE
    assert all(own["seq"] for own in found.json()["events"])


def test_without_a_policy_events_are_shown_and_nothing_is_changed(tmp_path: Path) -> None:
    guard = open_desk(tmp_path)
    asyncio.run(fill(guard))
    guard.close()
    with served(page_app(None, SqliteStore(tmp_path / "talks.db"), alone())) as address:
        own = PageClient(base_url=address)
        me = own.get("/api/me").json()
        own.headers["Holdtrue-Token"] = me["token"]
        assert me["policy"] is None and len(own.timeline("desk-1001")["events"]) == 22
        assert own.get("/api/holding", params={"tenant": "acme", "conversation": "desk-1001"}).json() is None
        found = own.change("override", "desk-1002", decision="D002", reason="r")
        assert found.status_code == 409 and "no policy" in found.json()["error"]


def test_2000_events_are_paged_and_a_changed_one_is_told(tmp_path: Path) -> None:
    async def fill_long() -> None:
        store = SqliteStore(tmp_path / "long.db")
        said = [
            NewEvent("heard", {"assistant": f"No. {number}", "at": "2026-12-01T09:00:00"}, "2026-12-01T09:00:00Z")
            for number in range(2_000)
        ]
        await store.append("", "long", 0, said)
        await store.aclose()

    asyncio.run(fill_long())
    guard = open_desk(tmp_path)
    with served(page_app(guard, SqliteStore(tmp_path / "long.db"), alone())) as address:
        own = PageClient(base_url=address)
        began = time.monotonic()
        found = own.timeline("long", "")
        assert time.monotonic() - began < 3 and found["has_earlier"] and found["fault"] == ""
        assert [each["seq"] for each in found["events"]] == list(range(1941, 2001))
        found = own.timeline("long", "", before=61)
        assert [each["seq"] for each in found["events"]] == list(range(1, 61)) and not found["has_earlier"]
        with sqlite3.connect(tmp_path / "long.db") as raw:
            raw.execute("UPDATE event SET at = '2027' WHERE seq = 5")
        raw.close()
        assert "event 5 was changed" in own.timeline("long", "")["fault"]
    guard.close()


def test_events_of_another_process_arrive_and_a_stream_ends_with_its_client(
    page: Served, operator: PageClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams: list[PageStreams] = []
    old = PageStreams.follow

    def follow(self: PageStreams, *given: object, **more: object) -> object:
        streams.append(self)
        return old(self, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(PageStreams, "follow", follow)
    other = open_desk(page.folder, page.folder / "policy.yaml")
    writer = threading.Timer(0.5, lambda: asyncio.run(play_break(other.conversation("live", "acme"))))
    asyncio.run(other.conversation("live", "acme").heard(assistant="Good morning."))
    found, listed = [], []
    with operator.stream(
        "GET", "/api/stream", params={"tenant": "acme", "conversation": "live", "after": "1"}
    ) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        writer.start()
        began, kind = time.monotonic(), ""
        for line in answer.iter_lines():
            kind = line.removeprefix("event: ") if line.startswith("event: ") else kind
            if line.startswith("data: "):
                content = json.loads(line.removeprefix("data: "))
                if kind == "events":
                    found += [own["seq"] for own in content]
                else:
                    listed.append(content["conversations"][0])
            if found[-1:] == [5] and listed[-1]["events"] == 5:
                break
        assert time.monotonic() - began < 10 and found == [2, 3, 4, 5]
        assert {own["tenant"] for own in listed} == {"acme"}
    writer.join()
    other.close()
    wait_until(lambda: streams[-1].open == 0, 10)
    streams[-1].open = MOST_STREAMS
    assert operator.get("/api/stream").status_code == 503
    streams[-1].open = 0


def test_a_line_of_another_form_is_told(tmp_path: Path) -> None:
    hash = "0" * 64
    for line in (f"sha256:{hash} acme", f"sha256:{hash} acme admin Ann", f"sha256:{hash} acme viewer ", "secret"):
        (tmp_path / "people").write_text(f"# people\n{line}\n", encoding="utf-8")
        with pytest.raises(SettingsError, match=r"people:2: a line is sha256:HASH TENANT ROLE NAME"):
            read_people(tmp_path / "people")
    (lines, _) = [own for own in blocks("docs/page.md", "text") if "sha256:" in own]
    (tmp_path / "people").write_text(lines, encoding="utf-8")
    assert [own.name for own in read_people(tmp_path / "people")._people] == ["Ada Moss", "Rosa Lindt"]
    assert Person("Ann", "viewer", "").sees("") and not Person("Ann", "viewer", "").sees("acme")


def test_the_routes_can_be_mounted_under_a_path(tmp_path: Path) -> None:
    from starlette.applications import Starlette
    from starlette.routing import Mount

    guard = open_desk(tmp_path)
    people = read_people(write_people(tmp_path / "people"))
    with served(
        Starlette(routes=[Mount("/holdtrue", routes=page_routes(lambda: guard, guard.store, people))])
    ) as address:
        own = PageClient(base_url=address, follow_redirects=True)
        assert str(own.get("/holdtrue").url).endswith("/holdtrue/")
        found = own.post("/holdtrue/api/sign-in", json={"key": KEYS["Rosa Root"][1]})
        assert "path=/holdtrue/" in found.headers["set-cookie"].lower()
        assert own.get("/holdtrue/api/me").status_code == 200
    guard.close()


def test_the_command_tells_each_wrong_setting(tmp_path: Path) -> None:
    guard = open_desk(tmp_path)
    guard.close()
    store, people = f"{tmp_path / 'talks.db'}", f"{write_people(tmp_path / 'people')}"
    cases = {
        (f"{tmp_path / 'none.db'}", "--name", "Ann"): "there is no store",
        (store,): "--name is missing",
        (store, "--name", "Ann", "--host", "0.0.0.0"): "without --people everybody",
        (store, "--name", "Ann", "--people", people): "--name is for a page without --people",
        (store, "--people", store): "cannot be read",
        (store, "--name", "Ann", "--policy", f"{tmp_path / 'none.yaml'}"): "none.yaml",
    }
    for words, told in cases.items():
        found = CliRunner().invoke(app, ["page", *words])
        assert found.exit_code != 0 and told in str(found.exception), (words, found.exception)


def test_the_command_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    guard = open_desk(tmp_path)
    asyncio.run(fill(guard))
    guard.close()
    command = [
        sys.executable,
        "-m",
        "holdtrue",
        "page",
        f"{tmp_path / 'talks.db'}",
        "--policy",
        f"{tmp_path / 'policy.yaml'}",
    ]
    running = subprocess.Popen([*command, "--name", "Rosa Lindt"], stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        own = PageClient(base_url=running.stdout.readline().strip(), timeout=30)
        assert own.get("/api/me").json()["policy"] == "refund-desk"
        with own.stream("GET", "/api/stream") as answer:
            assert next(answer.iter_lines()) == "retry: 500"
            running.send_signal(signal.SIGINT)
            assert running.wait(20) is not None, "an open page does not hold the server up"
    finally:
        running.kill()
        running.communicate()
