"""An audit by a policy decides as suite `guard` does, on every call that writes, and stops at nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from holdtrue.audit.audit_run import in_process, plan_audit, run_audit
from holdtrue.audit.call_audit import DECISIONS
from holdtrue.audit.shard_job import AuditSettings, Counts
from holdtrue.cli.main import app
from holdtrue.errors import InputError, SettingsError
from holdtrue.guard.policy_file import load_policy
from tests.audit.test_audit_run import rows
from tests.data import DATA
from tests.slow import first_of

AIRLINE = DATA / "tau_airline"
POLICY = Path("examples/airline/policy.yaml")
SHOP = """
policy: shop
now: "2026-03-01T12:00:00"
tools:
  definitions:
    - {name: look, parameters: {type: object, properties: {order: {type: string}}, required: [order]}}
    - {name: refund, parameters: {type: object, properties: {order: {type: string}, amount: {type: integer}},
       required: [order, amount]}}
  writes: [refund]
  reads: [look]
facts:
  order:
    key: {id: text}
    record: {total: whole, paid: bool, due: moment}
    from:
      - {tool: look, key: {id: call.order}}
rules:
  - id: no-more-than-paid
    on: refund
    hold: call.amount <= facts.order(call.order).total
    say: No more is given back than was paid.
  - id: in-time
    on: refund
    hold: now <= facts.order(call.order).due
    say: Money is given back before it is due.
"""


def shop_policy(tmp_path: Path) -> Path:
    path = tmp_path / "shop.yaml"
    path.write_text(SHOP, encoding="utf-8")
    return path


def called(tool: str, result: object = None, **arguments: object) -> list[dict[str, Any]]:
    """Return the messages of a call and of its result, if it has one."""
    call = {"id": "1", "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    return [asked] if result is None else [asked, {"role": "tool", "tool_call_id": "1", "content": json.dumps(result)}]


def talk(id: str, amount: int, **more: object) -> dict[str, Any]:
    """Return a conversation in which an order of 20 was looked up, and so much is given back."""
    order = {"total": 20, "paid": True, "due": "2026-04-01T00:00:00"}
    messages = [
        {"role": "user", "content": "Give it back, order A1."},
        *called("look", order, order="A1"),
        *called("refund", {"ok": True}, order="A1", amount=amount),
    ]
    return {"id": id, "messages": messages, **more}


def audited(log: Path, out: Path, settings: AuditSettings, block: int = 2_000) -> Counts:
    return run_audit(plan_audit([str(log)], settings, str(out), block=block), str(out), in_process)


def write(path: Path, values: list[Any]) -> Path:
    lines = (own if isinstance(own, str) else json.dumps(own) for own in values)
    path.write_text("".join(f"{own}\n" for own in lines), encoding="utf-8")
    return path


REPLY = {"role": "assistant", "content": [{"type": "tool_use", "id": "9", "name": "burn", "input": {}}]}
HOSTILE: list[Any] = [
    "no line of JSON",
    {"id": "x"},
    {"id": "x", "messages": None},
    {"id": "x", "messages": "all of it"},
    {"id": "x", "messages": [{"content": "no role"}]},
    {"id": "x", "messages": [{"role": "assistant", "tool_calls": [{"function": "refund"}]}]},
    {"id": "x", "messages": called("refund", order="A1"), "now": "yesterday"},
    '{"id": "x", "messages": [' + "[" * 5_000 + "]" * 5_000 + "]}",
]


def test_calls_are_decided_on_by_what_was_seen_before_them(tmp_path: Path) -> None:
    settings = AuditSettings(policy=str(shop_policy(tmp_path)), explain="all")
    log = write(tmp_path / "log.jsonl", [talk("a", 20), talk("b", 21), talk("c", 5, now="2026-05-01T00:00:00")])
    counts = audited(log, tmp_path / "out", settings)
    a, b, c = rows(tmp_path / "out", "decisions")
    assert counts.outcomes == {"allow": 1, "block": 2}
    assert (a["decision"], a["rules"], a["record"], a["conversation"]) == ("allow", [], None, "a")
    assert (b["decision"], b["rules"], json.loads(b["mend"])["amount"]) == ("block", ["no-more-than-paid"], 20)
    assert (b["message"], b["call"], b["tool"], b["answered"]) == (3, 1, "refund", True)
    assert (c["decision"], c["rules"]) == ("block", ["in-time"])
    policy = load_policy(tmp_path / "shop.yaml")
    assert policy.replay(json.loads(b["record"])).to_json() == json.loads(b["record"])


def test_contents_in_parts_and_the_older_form_of_calls_are_read(tmp_path: Path) -> None:
    settings = AuditSettings(policy=str(shop_policy(tmp_path)))
    plain, parts, older = talk("a", 21), talk("b", 21), talk("c", 21)
    for message in parts["messages"]:
        if message["content"] is not None:
            picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,A1"}}
            message["content"] = [{"type": "text", "text": message["content"]}, picture]
    for message in older["messages"]:
        if message["role"] == "assistant":
            message["function_call"] = message.pop("tool_calls")[0]["function"]
            name = message["function_call"]["name"]
        if message["role"] == "tool":
            message["role"], message["name"] = "function", name
            del message["tool_call_id"]
    audited(write(tmp_path / "log.jsonl", [plain, parts, older]), tmp_path / "out", settings)
    found = rows(tmp_path / "out", "decisions")
    assert [(own["decision"], own["rules"], own["answered"]) for own in found] == [
        ("block", ["no-more-than-paid"], True)
    ] * 3


def test_a_row_of_a_table_is_kept_apart_with_all_that_it_has(tmp_path: Path) -> None:
    settings = AuditSettings(policy=str(shop_policy(tmp_path)))
    table = pa.table({"id": ["a"], "now": ["yesterday"], "messages": [json.dumps(called("refund", order="A1"))]})
    pq.write_table(table, tmp_path / "log.parquet")
    audited(tmp_path / "log.parquet", tmp_path / "out", settings)
    [bad] = rows(tmp_path / "out", "bad_rows")
    assert json.loads(bad["text"])["messages"] == called("refund", order="A1") and "yesterday" in bad["text"]


def test_what_is_no_conversation_is_kept_apart_and_stops_nothing(tmp_path: Path) -> None:
    settings = AuditSettings(policy=str(shop_policy(tmp_path)))
    log = write(tmp_path / "log.jsonl", [talk("a", 20), *HOSTILE, talk("b", 21)])
    counts = audited(log, tmp_path / "out", settings, 10**6)
    bad = rows(tmp_path / "out", "bad_rows")
    assert (counts.rows, counts.bad, counts.outcomes) == (len(HOSTILE) + 2, len(HOSTILE), {"allow": 1, "block": 1})
    assert [own["row"] for own in bad] == list(range(2, len(HOSTILE) + 2)) and all(own["reason"] for own in bad)
    assert not [own for own in bad if "cannot be checked" in own["reason"]]


def test_a_table_of_conversations_is_decided_on_as_its_lines_are(tmp_path: Path) -> None:
    settings = AuditSettings(policy=str(shop_policy(tmp_path)), explain="first")
    talks = [talk(f"c{own}", own, now="2026-03-05T00:00:00" if own % 2 else None) for own in range(12, 30)]
    lines = write(tmp_path / "log.jsonl", talks)
    nested = pa.Table.from_pylist(talks)
    texts = pa.table(
        {
            "id": [own["id"] for own in talks],
            "now": [own["now"] for own in talks],
            "messages": [json.dumps(own["messages"]) for own in talks],
        }
    )
    audited(lines, tmp_path / "lines", settings)
    found = []
    for name, table in (("nested", nested), ("texts", texts)):
        pq.write_table(table, tmp_path / f"{name}.parquet", row_group_size=5)
        audited(tmp_path / f"{name}.parquet", tmp_path / name, settings)
        found.append([{**own, "source": ""} for own in rows(tmp_path / name, "decisions")])
    wanted = [{**own, "source": ""} for own in rows(tmp_path / "lines", "decisions")]
    assert len(wanted) == 18 and found == [wanted, wanted]


def test_a_policy_that_changed_is_another_audit(tmp_path: Path) -> None:
    policy = shop_policy(tmp_path)
    log, settings = write(tmp_path / "log.jsonl", [talk("a", 20)]), AuditSettings(policy=str(policy))
    audited(log, tmp_path / "out", settings)
    policy.write_text(SHOP.replace("<= facts.order(call.order).total", "< facts.order(call.order).total"))
    with pytest.raises(SettingsError, match="has another audit"):
        audited(log, tmp_path / "out", settings)


def test_the_table_is_as_it_is_documented() -> None:
    said = Path("docs/audit.md").read_text(encoding="utf-8").partition("## Calls of tools")[2]
    for field in DECISIONS:
        assert f"`{field.name}`" in said, field.name


def invoke(*words: str) -> Any:
    return CliRunner().invoke(app, ["audit", *words, "--engine", "process"])


def test_the_command_says_what_is_decided(tmp_path: Path) -> None:
    policy, log = shop_policy(tmp_path), write(tmp_path / "log.jsonl", [talk("a", 20), talk("b", 21)])
    page = tmp_path / "page.html"
    result = invoke(str(log), str(tmp_path / "out"), "--policy", str(policy), "--html", str(page))
    assert result.exit_code == 1 and "2 calls decided on" in result.stdout and "out/decisions" in result.stdout
    text = page.read_text(encoding="utf-8")
    assert "Audit of 2 calls" in text and "no-more-than-paid" in text and "refund(" in text


@pytest.mark.parametrize(
    ("messages", "more", "code", "said"),
    [
        ([{"role": "user", "content": "Hi"}], {}, 3, "1 of 1 rows were read, and there is no call in them"),
        (called("look", {"total": 1}, order="A1"), {}, 3, "their 1 calls are all of tools that only read"),
        ([{"role": "narrator", "content": "Hi"}], {}, 3, "none of the 1 rows could be read"),
        (called("look", {"total": 1}, order="A1"), {"response": REPLY}, 0, "1 calls decided on, 0 rows unreadable"),
        (
            [{"role": "tool", "tool_call_id": "0", "content": "ok"}],
            {"response": REPLY},
            0,
            "1 results belong to no call",
        ),
        ([{"role": "assistant", "content": "refund order=A1"}], {}, 3, "1 times a text names a tool"),
        ([{"role": "assistant", "content": "refund order=A1"}], {"response": REPLY}, 0, "1 times a text names a tool"),
    ],
)
@pytest.mark.parametrize("end", ["jsonl", "json", "parquet"])
def test_a_log_in_which_nothing_is_decided_is_no_success(
    tmp_path: Path, end: str, messages: list[Any], more: dict[str, Any], code: int, said: str
) -> None:
    policy, row = tmp_path / "p.yaml", {"id": "a", "messages": messages, **more}
    policy.write_text(SHOP.partition("rules:")[0] + "unknown_tools: allow\n", encoding="utf-8")
    log = tmp_path / f"log.{end}"
    if end == "parquet":
        pq.write_table(pa.table({name: [json.dumps(own)] for name, own in row.items() if name != "id"}), log)
    else:
        log.write_text(json.dumps(row) + "\n" if end == "jsonl" else json.dumps({"simulations": [row]}, indent=1))
    result = invoke(str(log), str(tmp_path / "out"), "--policy", str(policy))
    assert (result.exit_code, said in result.stdout) == (code, True), result.output


@pytest.mark.parametrize("end", ["jsonl", "json", "parquet"])
def test_a_row_of_two_meanings_or_no_text_is_unreadable(tmp_path: Path, end: str) -> None:
    policy, log, messages = shop_policy(tmp_path), tmp_path / f"log.{end}", json.dumps(called("refund", order="A1"))
    twice = messages.replace('"content": null', '"content": null, "content": "x"')
    if end == "parquet":
        pq.write_table(pa.table({"messages": [twice]}), log)
    else:
        latin = f'{{"messages": {messages}}}\n'.encode().replace(b"A1", b"\xe9") if end == "jsonl" else b""
        broken = "\n" if end == "json" else ""  # A document on many lines is one row all the same.
        log.write_bytes(f'{{{broken}"messages": {twice}{broken}}}\n'.encode() + latin)
    audited(log, tmp_path / "out", AuditSettings(policy=str(policy)))
    reasons = [own["reason"] for own in rows(tmp_path / "out", "bad_rows")]
    assert (
        "'content' stands twice" in reasons[0]
        and len(reasons) == 1 + (end == "jsonl")
        and ["UTF-8" in own for own in reasons[1:]] == [True] * (end == "jsonl")
    )


def test_obligations_and_rules_on_tools_that_read_are_decided_on(tmp_path: Path) -> None:
    policy = tmp_path / "p.yaml"
    rule = "  - {id: own-order, on: look, hold: 'call.order != \"B\"', say: B is not looked at.}\n"
    obligation = "obligations:\n  - {id: closed, hold: done.refund.size() > 0, say: Money is given back in the end.}\n"
    policy.write_text(SHOP + rule + obligation, encoding="utf-8")
    quiet = {"id": "quiet", "messages": called("look", {"total": 20}, order="B")}
    words = policy.read_text(encoding="utf-8").replace("size() > 0", "size() >= 0")
    (tmp_path / "met.yaml").write_text(words, encoding="utf-8")
    silent = write(tmp_path / "silent.jsonl", [{"messages": [{"role": "user", "content": "Hi"}]}])
    assert invoke(str(silent), str(tmp_path / "met"), "--policy", str(tmp_path / "met.yaml")).exit_code == 3
    log = write(tmp_path / "log.jsonl", [talk("a", 20), quiet])
    result = invoke(str(log), str(tmp_path / "out"), "--policy", str(policy))
    assert "3 calls decided on" in result.stdout and "obligations are unmet in 1, undecided in 0" in result.stdout
    found = [(own["conversation"], own["tool"], own["decision"]) for own in rows(tmp_path / "out", "decisions")]
    ends = [("quiet", "look", "block"), ("quiet", "", "unmet")]
    assert result.exit_code == 1 and found == [("a", "look", "allow"), ("a", "refund", "allow"), *ends]


def test_the_way_to_read_another_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_bytes(b"{}")
    policy, out = str(shop_policy(tmp_path)), str(tmp_path / "out")
    for name, more, said in (("log.txt", [], "JSON lines"), ("log.json", ["--format", "otle"], "langsmith")):
        result = invoke(str(tmp_path / name), out, "--policy", policy, *more)
        assert isinstance(result.exception, SettingsError) and said in str(result.exception)


@pytest.mark.parametrize("name", ["inspect.eval", "langsmith.jsonl", "otel.json"])
def test_logs_that_the_packages_wrote_are_decided_on_as_found(tmp_path: Path, name: str) -> None:
    log, policy = str(Path(__file__).parent / "written" / name), str(shop_policy(tmp_path))
    result = invoke(log, str(tmp_path / "out"), "--policy", policy)
    assert "1 calls decided on, 0 rows unreadable" in result.stdout and result.exit_code == 1
    [found] = rows(tmp_path / "out", "decisions")
    assert (found["tool"], found["decision"], found["rules"]) == ("refund", "block", ["no-more-than-paid"])
    other = invoke(log, str(tmp_path / "other"), "--policy", policy, "--format", "tau2")
    assert "0 calls decided on" in other.stdout and other.exit_code == 3


def test_settings_that_do_not_fit_are_told(tmp_path: Path) -> None:
    policy, log = shop_policy(tmp_path), write(tmp_path / "log.jsonl", [talk("a", 20)])
    out = str(tmp_path / "out")
    for words, said in (
        (["--now", "2026-01-01T00:00:00"], "--policy"),
        (["--policy", str(policy), "--now", "soon"], "--now"),
        (["--policy", str(policy), "--domain", "seating"], "--domain"),
        (["--policy", str(tmp_path / "none.yaml")], "none.yaml"),
    ):
        result = invoke(str(log), out, *words)
        assert isinstance(result.exception, InputError) and said in str(result.exception), words


@pytest.mark.skipif(not AIRLINE.is_dir(), reason="the real test data is not beside the repository")
@pytest.mark.parametrize(("unsaid", "method"), first_of([("false", "guard"), ("unknown", "guard_unsaid_unknown")], 1))
def test_the_recorded_airline_is_decided_on_as_the_suite_does(tmp_path: Path, unsaid: Any, method: str) -> None:
    words = ["run", "guard", "--data", f"{AIRLINE}", "--policy", f"{POLICY}", "--method", method, "-q"]
    assert CliRunner().invoke(app, [*words, "--out", f"{tmp_path / 'run'}"]).exit_code == 0
    wanted: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for line in (tmp_path / "run" / "journal.jsonl").read_text(encoding="utf-8").splitlines():
        detail = json.loads(line)["record"]["detail"]
        wanted.setdefault((f"{detail['task']}-{detail['trial']}", detail["message"]), []).append(detail)
    log = AIRLINE / "conversations.jsonl"
    names = [f"{own['task']}-{own['trial']}" for own in map(json.loads, log.read_text("utf-8").splitlines())]
    audited(log, tmp_path / "out", AuditSettings(policy=f"{POLICY}", unsaid=unsaid, explain="all", timeout_s=2), 10**5)
    found = rows(tmp_path / "out", "decisions")
    assert len(found) == 139
    for own in found:
        told = wanted[names[own["row"] - 1], own["message"]].pop(0)
        for name in ("tool", "arguments", "decision", "rules", "undecided", "unread", "assumptions", "why"):
            assert own[name] == told[name], (own["row"], name)
        if own["decision"] != "allow":
            assert json.loads(own["record"]) == told["record"]
    assert not any(wanted.values())
